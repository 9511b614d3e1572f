// Package changes shows what changed in the service's list of transactions: since the last scan, or since a
// time. The service tells neither, so it is what the mirror remembers: rows that are new, whose status moved,
// and that are gone, each of them seen by one scan and not by another. An opened group lists its rows.
//
// groups.go is the list of groups, rows.go the rows of one, doubts.go which of these differ from what was asked,
// since.go the choice of the time, words.go what the screen says.
package changes

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/mirror"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Memory is what is kept of the service of this connection.
type Memory interface {
	Since(context.Context, time.Time) (mirror.History, error)
	Changes(ctx context.Context, h mirror.History, of []mirror.Group, n int) ([]mirror.Change, error)
	Forget(context.Context) error
	// Changed waits until another scan was kept, or was not.
	Changed(ctx context.Context, since int) (mirror.Progress, error)
}

// Options of [New].
type Options struct {
	Memory Memory // nil where nothing is kept
	Off    string // why not
	// Journal knows about which payments an answer differed; nil where nothing does.
	Journal Journal
}

// A Model is the screen.
type Model struct {
	ui.Body
	options Options

	since   since
	history mirror.History
	read    bool            // history was read
	next    *mirror.History // shown once the open group is closed; nil for none
	problem string
	call    ui.Call[mirror.History]
	watch   ui.Call[mirror.Progress]
	kept    mirror.Progress

	table  *ui.Table
	panes  *ui.Panes
	opened *opened // nil unless a group is open

	confirm *ui.Confirm // nil unless it is asked whether to forget
	forget  ui.Call[struct{}]
}

// New is the screen.
func New(t *ui.Theme, o Options) *Model {
	table := ui.NewTable(t, groupColumns()...)
	m := &Model{Body: ui.Body{Theme: t}, options: o, table: table, panes: ui.NewPanes(t, table, listWidth)}
	m.since = newSince(t)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	if m.options.Memory == nil {
		return nil
	}
	return tea.Batch(m.load(), m.follow(-1))
}

// Resume implements [ui.Resumer].
func (m *Model) Resume() tea.Cmd {
	if m.options.Memory == nil {
		return nil
	}
	return tea.Batch(m.load(), m.readDoubts())
}

// load reads what changed since the time that is chosen.
func (m *Model) load() tea.Cmd {
	from, memory := m.since.time(m.Scope.Now()), m.options.Memory
	return m.call.Then(m.loaded).Timed(ui.NoLimit, m.layout).Ask(m.Scope, func(ctx context.Context) (mirror.History, error) {
		return memory.Since(ctx, from)
	})
}

func (m *Model) loaded(a ui.Result[mirror.History]) tea.Cmd {
	if a.Err != nil {
		m.problem = present.MirrorProblem(a.Err)
		m.layout()
		return nil
	}
	another := m.history.To.N != a.Value.To.N || m.history.From.N != a.Value.From.N
	if m.read && another && m.opened != nil { // its rows are of the history that is shown
		m.next = &a.Value
		return nil
	}
	m.history, m.read, m.problem, m.next = a.Value, true, "", nil
	m.fill()
	return nil
}

// follow waits for the next scan that is kept.
func (m *Model) follow(n int) tea.Cmd {
	memory := m.options.Memory
	return m.watch.Then(func(a ui.Result[mirror.Progress]) tea.Cmd {
		if a.Err != nil {
			return nil
		}
		again := m.follow(a.Value.N)
		if m.kept = a.Value; m.kept.Step == mirror.Kept && n >= 0 {
			return tea.Batch(again, m.load())
		}
		m.layout()
		return again
	}).Ask(m.Scope, func(ctx context.Context) (mirror.Progress, error) { return memory.Changed(ctx, n) })
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	k, pressed := msg.(tea.KeyPressMsg)
	if pressed {
		m.News = ui.Notice{}
	}
	switch {
	case m.confirm != nil:
		return m.confirm.Answer(msg, m.forgetAll, m.keepAll)
	case m.since.form != nil:
		return m.typeSince(msg)
	case m.opened != nil:
		return m.updateOpened(msg)
	case !pressed || m.options.Memory == nil:
		return nil
	}
	if changed, used := m.since.facets.Update(k); used {
		if changed == nil {
			return nil
		}
		return m.chooseSince()
	}
	if follow, moved := m.panes.Update(m.Scope, k); moved {
		return follow
	}
	return m.commands().Press(k)
}

// commands are the keys of the groups.
func (m *Model) commands() ui.Commands {
	some := m.options.Memory != nil
	return ui.Commands{
		{Key: ui.Bind("enter", "which rows"), On: len(m.history.Groups) > 0, Do: m.openGroup},
		{Key: ui.Bind("r", "reload"), On: some, Do: m.load},
		{Key: ui.Bind("x", "remove"), On: some && m.history.To.N > 0, Do: m.askForget},
	}
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.options.Memory == nil:
		return nil
	case m.confirm != nil && m.forget.Pending():
		return nil
	case m.confirm != nil:
		return m.confirm.Keys()
	case m.since.form != nil:
		return m.since.form.Keys()
	case m.opened != nil:
		return m.openedKeys()
	case m.since.facets.Focused() != nil:
		return append(m.since.facets.Keys(), m.commands()[1:].Keys()...)
	}
	keys := m.commands().Keys()
	keys = append(append(keys[:1:1], m.since.facets.Keys()...), keys[1:]...)
	if m.table.Len() > 0 {
		keys = append(keys, m.table.Keys()...)
	}
	return keys
}

// Back closes what is open: the question, the time, the rows.
func (m *Model) Back() bool {
	switch {
	case m.confirm != nil:
		return m.forget.Pending() || m.keepAll() == nil
	case m.since.form != nil:
		m.since.cancel()
	case m.opened != nil && m.opened.filter.Active():
		m.opened.filter.Clear()
		m.fillOpened()
	case m.opened != nil:
		m.closeGroup()
	case m.since.facets.Focused() != nil:
		m.since.facets.Leave()
	default:
		return false
	}
	m.News = ui.Notice{}
	m.layout()
	return true
}

// askForget asks whether all that is kept of this service may go.
func (m *Model) askForget() tea.Cmd {
	m.confirm = ui.NewConfirm(m.Theme, ui.Question{
		Title: "Remove what the mirror has of this service?", Yes: "Remove", No: "Keep",
		Lines: []string{
			present.Count(m.history.Kept, "row", "rows") + " of the list, as of " + present.When(m.history.To.Ended, m.Scope.Now()) + ", and all changes that were seen.",
			"The service's own list stays as it is, and so does the journal. The next scan begins again.",
		},
	})
	return m.confirm.Init(m.Scope)
}

func (m *Model) keepAll() tea.Cmd {
	m.confirm = nil
	return nil
}

// forgetTimeout is how long the removal may take.
const forgetTimeout = time.Minute

func (m *Model) forgetAll() tea.Cmd {
	memory := m.options.Memory
	return m.forget.Then(func(a ui.Result[struct{}]) tea.Cmd {
		m.confirm = nil
		if a.Err != nil {
			return m.Warn("Nothing was removed. " + present.MirrorProblem(a.Err))
		}
		m.Notify("Removed.")
		return m.load()
	}).Commit(m.Scope, forgetTimeout, func(ctx context.Context) (struct{}, error) { return struct{}{}, memory.Forget(ctx) })
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.panes.Resize(m.W, m.H)
	m.layout()
}

// Title implements [ui.Screen].
func (m *Model) Title() string {
	if m.opened != nil {
		return ui.Inside("Changes", "Rows")
	}
	return "Changes"
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool {
	return m.since.form != nil || m.opened != nil && m.opened.filter.Typing || m.confirm != nil && m.confirm.Typing()
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"What changed in the service's list between two scans that reached its end. The list has no dates, so a change is known only to lie between the two.",
		"tab chooses since when: the scan before the last, today, 7 days, or a time that you type. What counts is the last scan that had ended by then.",
		"A row is counted once, by where it ended up: INITIATED, then PENDING, then SUCCESSFUL is a move from INITIATED to SUCCESSFUL.",
		"Only a scan during which the list did not change says that a row is gone. Another one adds and moves rows.",
		"Each scan that reaches the end of the list is kept on this computer, not in the journal. x removes what is kept of this service; mirror = \"off\" in the profile keeps none.",
	}
}
