package transactions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/mirror"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Memory keeps each scan that reaches the end of the list.
type Memory interface {
	// Changed returns what became of the last scan once it is another than that with the number since.
	Changed(ctx context.Context, since int) (mirror.Progress, error)
}

// keeping is what became of the last scan in the mirror.
type keeping struct {
	kept     mirror.Progress
	keptCall ui.Call[mirror.Progress]
}

// changesTools lead to what changed since an earlier scan.
func (m *Model) changesTools() ui.Commands {
	return ui.Commands{{Key: ui.Bind("h", "changes"), On: true, Do: func() tea.Cmd { return nav.Open(nav.Changes{}) }}}
}

// followKept shows what becomes of the scans, now and whenever it changes.
func (m *Model) followKept(since int) tea.Cmd {
	memory := m.options.Memory
	if memory == nil {
		return nil
	}
	return m.keptCall.Then(func(a ui.Result[mirror.Progress]) tea.Cmd {
		if a.Err != nil {
			return nil
		}
		m.kept = a.Value
		m.layout()
		return m.followKept(a.Value.N)
	}).Ask(m.Scope, func(ctx context.Context) (mirror.Progress, error) { return memory.Changed(ctx, since) })
}

// mostKept are the lines of what became of a scan.
const mostKept = 2

// keptLines say what became of the rows listed, once all are read.
func (m *Model) keptLines() []string {
	if m.long == nil || m.kept.Rows == nil || m.kept.Rows != m.long.state.Rows {
		return nil
	}
	tone, words := present.Kept(m.kept)
	lines := m.Theme.MutedLines(words, m.words())
	if tone != ui.ToneNone {
		lines = m.Theme.MarkLines(tone, words, m.words())
	}
	if len(lines) > mostKept {
		lines = append(lines[:mostKept-1], ui.Fit(lines[mostKept-1], m.words()-1)+"…")
	}
	return lines
}
