// Package inbox shows the webhooks that arrived, the last delivered first, and beside what each says what the status
// endpoint answered.
//
// A webhook has no signature, so that nothing it says is drawn as more than a claim: only the service's answer has the
// colour of success. rows.go reads the list a part at a time and follows what arrives, words.go words it, event.go shows
// one event, and replay.go passes it on again. The store, the service and the targets are reached by calls alone.
package inbox

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/query"
	"paydesk/api/webhook"
	"paydesk/screens/nav"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Store has the events: a [webhook.Store].
type Store interface {
	Find(context.Context, webhook.Search) (webhook.Found, error)
	Get(ctx context.Context, profile string, id int64) (webhook.Detail, error)
	Wait(ctx context.Context, version uint64) (uint64, error)
}

// A Receiver is where webhooks are received.
type Receiver struct {
	URL string // with the secret path; "" while nothing is received here
	Why string // why nothing is, a sentence; "" otherwise
	// Elsewhere tells who receives them for this inbox, a sentence; "" where nobody else does.
	Elsewhere string
}

// Options of New. A nil function is of something that cannot be done.
type Options struct {
	Store   Store
	Off     string // why there is no inbox, a sentence; "" where there is one
	Profile string
	Query   string // to begin with
	// Receiver tells where webhooks are received now. It is called on the event loop: it does no I/O.
	Receiver func() Receiver
	// Wired reports that the service sends its webhooks here already: the demo's does.
	Wired bool
	// Check has the service asked about a payment as soon as that is possible. The answer is stored.
	Check func(context.Context, api.Reference) error
	// Attempt is the attempt that made a payment; false where it was not made from here.
	Attempt func(context.Context, api.Reference) (nav.Attempt, bool, error)
	// Target checks the URL of a target without sending anything.
	Target func(url string) error
	// Targets are those that the profile names.
	Targets []string
	// Replay sends events to a target, one after the other until ctx ends, and stores and reports what becomes of each.
	Replay func(ctx context.Context, ids []int64, target string, report func(webhook.Forward)) error
	// Seen is called when events are on the screen; nil for nothing.
	Seen func()
	// Tunnel is the command by which a host that the service reaches passes webhooks on to a receiver here.
	Tunnel func(url string) string
}

// A Model is the screen.
type Model struct {
	ui.Body
	options  Options
	receiver Receiver
	language *query.Language
	filter   *ui.Filter
	list     list
	panes    *ui.Panes
	pane     event
	opened   *openEvent // nil unless an event is open, on its own screen
	target   string     // of the last replay
	checking ui.Call[struct{}]
	seeking  ui.Call[seekResult]
	covered  bool // another screen is on top
}

// New returns the screen.
func New(t *ui.Theme, o Options) *Model {
	m := &Model{Body: ui.Body{Theme: t}, options: o}
	m.language = webhook.Language(func() query.DayNumber { return query.DayOf(m.Scope.Now().Local()) })
	m.filter = newFilter(t, m.language)
	m.filter.Set(o.Query)
	m.list = list{follow: true, table: ui.NewTable(t, report.Heads(report.Drawn(report.Events(nil, time.Time{}), report.Screen), report.Screen)...)}
	m.list.table.Grouped(m.group, m.sameGroup)
	m.panes = ui.NewPanes(t, m.list.table)
	m.panes.OnFollow(m.atRest)
	return m
}

// off reports whether there is no inbox: the screen then only says why.
func (m *Model) off() bool { return m.options.Store == nil }

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	m.readReceiver()
	if m.off() {
		return nil
	}
	return m.refresh()
}

// readReceiver notes where webhooks are received now.
func (m *Model) readReceiver() {
	if m.options.Receiver != nil {
		m.receiver = m.options.Receiver()
	}
}

// Pause implements [ui.Pauser]: nothing is read while another screen is on top.
func (m *Model) Pause() {
	m.covered = true
	m.list.wait.Drop()
}

// Resume implements [ui.Resumer].
func (m *Model) Resume() tea.Cmd {
	m.covered = false
	m.readReceiver()
	if m.off() {
		return nil
	}
	return m.refresh()
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case waitAgain:
		return m.await()
	case tea.KeyPressMsg, tea.PasteMsg:
		m.News, m.list.toEnd = ui.Notice{}, false
	case ui.Interrupted:
		if m.list.stale {
			return m.search()
		}
	}
	switch {
	case m.off():
		return nil
	case m.filter.Typing:
		return m.updateFilter(msg)
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	if cmd, used := m.move(k); used {
		return cmd
	}
	return m.commands().Press(k)
}

// updateFilter handles input while the search is typed; the arrows move in the list meanwhile.
func (m *Model) updateFilter(msg tea.Msg) tea.Cmd {
	was := m.list.table.Selected()
	changed := m.filter.Update(msg, m.list.table)
	m.layout()
	switch {
	case changed:
		return m.search()
	case m.list.table.Selected() != was:
		m.stop()
		return m.panes.Moved(m.Scope, was)
	}
	return nil
}

// Back implements [ui.Backer]: it closes what is open over the list, then clears the search. One that the screen was
// opened with is left with the screen.
func (m *Model) Back() bool {
	cleared := false
	switch {
	case m.filter.Typing || m.filter.Value() != m.options.Query:
		m.filter.Clear()
		m.filter.Set(m.options.Query)
		cleared = true
	default:
		return false
	}
	m.News = ui.Notice{}
	if cleared {
		m.list.stale = true // searched again with the message that follows
	}
	m.layout()
	return true
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Inbox" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.filter.Typing }

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layout()
}

// Resized implements [ui.Resizer]: a larger window has room for the event, which may not have been read.
func (m *Model) Resized() tea.Cmd { return m.readPane() }
