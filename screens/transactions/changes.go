package transactions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Memory keeps each scan that reaches the end of the list.
type Memory interface {
	// Changed returns what became of the last scan once it is another than that with the number since.
	Changed(ctx context.Context, since int) (listing.Progress, error)
	// Compare puts beside rows that were kept what changed since an earlier scan.
	Compare(ctx context.Context, asked string, rows *listing.Rows) (*listing.Rows, listing.History, error)
}

// keeping is what became of the last scan in the mirror.
type keeping struct {
	kept     listing.Progress
	keptCall ui.Call[listing.Progress]
}

// isKept reports whether the rows listed are kept.
func (m *Model) isKept() bool {
	return m.long != nil && m.kept.Step == listing.Kept && m.kept.Rows == m.long.state.Rows
}

// followKept shows what becomes of the scans, now and whenever it changes.
func (m *Model) followKept(since int) tea.Cmd {
	memory := m.options.Memory
	if memory == nil {
		return nil
	}
	return m.keptCall.Then(func(a ui.Result[listing.Progress]) tea.Cmd {
		if a.Err != nil {
			return nil
		}
		m.kept = a.Value
		m.Layout()
		return tea.Batch(m.followKept(a.Value.N), m.relist()) // what changed is known now
	}).Ask(m.Scope, func(ctx context.Context) (listing.Progress, error) { return memory.Changed(ctx, since) })
}

// mostKept are the lines of what became of a scan.
const mostKept = 2

// keptLines say what became of the rows listed, once all are read.
func (m *Model) keptLines(w int) []string {
	if m.long == nil || m.kept.Rows == nil || m.kept.Rows != m.long.state.Rows {
		return nil
	}
	tone, words := present.Kept(m.kept)
	lines := m.Theme.MutedLines(words, w)
	if tone != ui.ToneNone {
		lines = m.Theme.MarkLines(tone, words, w)
	}
	if len(lines) > mostKept {
		lines = append(lines[:mostKept-1], ui.Fit(lines[mostKept-1], w-1)+"…")
	}
	return lines
}
