// Package reconcile compares the payments that were made from here with the rows of the service's list that a scan has
// read: which differ, which the list lacks, and which rows those could be.
//
// The screen decides nothing, and sends nothing but what the scan asks for: it leads to the attempt, where a person
// decides. What is compared and how is package listing's; words.go words it, view.go lays it out, and about.go says
// what such a comparison cannot know.
package reconcile

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/listing"
	"paydesk/screens/fileform"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Journal has the payments that were made at the service that is connected.
type Journal interface {
	EachPayment(context.Context, func([]journal.PaymentRecord) error) error
}

// A Scanner reads the service's list.
type Scanner interface {
	State() listing.State
	Changed(ctx context.Context, since int) (listing.State, error)
	Start()
	Pause()
	Resume()
}

// Options of New.
type Options struct {
	Journal Journal // nil where it is off
	Scans   Scanner
	Folder  func() string // the default folder for files; it may read the file system
}

// A result is what was compared, and when.
type result struct {
	*listing.Reconciliation
	of listing.State
	at time.Time // zero before anything was
}

// A Model is the screen. It compares when what is read of the list has come to rest, and when it is on top again.
type Model struct {
	ui.Body
	options Options

	state     listing.State
	watchCall ui.Call[listing.State]

	compareCall ui.Call[result]
	result      result
	problem     present.Problem

	table    *ui.Table
	panes    *ui.Panes
	pane     candidates
	paneCall ui.Call[candidates]

	about   *ui.Scroll     // nil unless it is open
	file    *fileform.Form // nil unless the file is asked for
	folder  string         // of the last file
	written string         // where a file was written, until the next key
}

// New is the screen.
func New(t *ui.Theme, o Options) *Model {
	m := &Model{Body: ui.Body{Theme: t}, options: o, table: ui.NewTable(t, columns()...)}
	m.panes = ui.NewPanes(t, m.table, listWidth)
	m.panes.OnFollow(m.readPane)
	m.table.Headed(m.heading)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	if m.options.Journal == nil {
		return nil
	}
	return m.changed(m.options.Scans.State())
}

// Resume implements [ui.Resumer]: an attempt may have been decided about meanwhile.
func (m *Model) Resume() tea.Cmd {
	if m.options.Journal == nil {
		return nil
	}
	m.result.of = listing.State{}
	return m.changed(m.options.Scans.State())
}

// Pause implements [ui.Pauser].
func (m *Model) Pause() { m.watchCall.Drop() }

// changed shows how far the scan is, and compares what it has read once it rests.
func (m *Model) changed(st listing.State) tea.Cmd {
	m.state = st
	m.layout()
	scans := m.options.Scans
	watch := m.watchCall.Then(func(a ui.Result[listing.State]) tea.Cmd {
		if a.Err != nil { // the connection has ended
			return nil
		}
		return m.changed(a.Value)
	}).Ask(m.Scope, func(ctx context.Context) (listing.State, error) { return scans.Changed(ctx, st.N) })
	was := m.result.of
	if st.Phase.Running() || st.Phase == listing.Idle || was.Rows == st.Rows && was.Read == st.Read && was.Phase == st.Phase {
		return watch
	}
	return tea.Batch(watch, m.compare())
}

// compare compares the payments with what is read now.
func (m *Model) compare() tea.Cmd {
	j, st := m.options.Journal, m.state
	m.result.of = st
	m.problem = present.Problem{}
	cmd := m.compareCall.Then(m.compared).Timed(ui.NoLimit, m.layout).Ask(m.Scope, func(ctx context.Context) (result, error) {
		r := listing.NewReconciler(st)
		err := j.EachPayment(ctx, r.Add)
		return result{r.Result(), st, time.Now()}, err
	})
	m.layout()
	return cmd
}

// compared shows the result. The same payment stays marked.
func (m *Model) compared(a ui.Result[result]) tea.Cmd {
	if a.Err != nil {
		m.problem = present.JournalUnread("The payments made from here", a.Err)
		m.layout()
		return nil
	}
	was, had := m.marked()
	m.result = a.Value
	cases := m.result.Cases
	m.table.SetRows(len(cases), m.cells)
	if at := slices.IndexFunc(cases, func(c listing.Case) bool { return c.ID == was.ID }); had && at >= 0 {
		m.table.Select(at)
	}
	m.layout()
	return m.readPane()
}

// cases are the payments listed.
func (m *Model) cases() []listing.Case {
	if m.result.Reconciliation == nil {
		return nil
	}
	return m.result.Cases
}

// marked is the payment that is marked.
func (m *Model) marked() (listing.Case, bool) { return ui.Selected(m.table, m.cases()) }

// candidates are the rows in a pane: the one with the payment's ID, or the first of those that could be it.
type candidates struct {
	of   journal.ID
	rows []api.Row
}

// mostRows are those of a pane.
const mostRows = 30

// readPane reads the rows for the pane. That may look at all rows, of which there may be a million, and ends when the
// mark moves on.
func (m *Model) readPane() tea.Cmd {
	all, i := m.cases(), m.panes.Row()
	if i < 0 || i >= len(all) {
		return nil
	}
	r, c := m.result.Reconciliation, all[i]
	return m.paneCall.Then(func(a ui.Result[candidates]) tea.Cmd {
		m.pane = a.Value
		return nil
	}).Ask(m.Scope, func(ctx context.Context) (candidates, error) {
		found := candidates{of: c.ID}
		rows := []int{c.Row}
		if c.Row < 0 {
			rows = r.CandidatesOf(ctx, c.PaymentRecord, mostRows)
		}
		for _, i := range rows {
			found.rows = append(found.rows, r.Row(i))
		}
		return found, nil
	})
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if m.file != nil {
		return m.file.Update(m.Scope, msg)
	}
	k, pressed := msg.(tea.KeyPressMsg)
	if !pressed {
		return nil
	}
	m.written = ""
	m.layout()
	switch {
	case m.about != nil && m.about.Update(k):
		return nil
	case m.about == nil:
		if follow, moved := m.panes.Update(m.Scope, k); moved {
			m.News = ui.Notice{}
			return follow
		}
	}
	return m.Press(msg, m.commands())
}

// Back closes what is open over the list.
func (m *Model) Back() bool {
	switch {
	case m.file != nil && m.file.Back():
		return true
	case m.file != nil:
		m.file = nil
	case m.about != nil:
		m.about = nil
	default:
		return false
	}
	m.News = ui.Notice{}
	m.layout()
	return true
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.panes.Resize(m.W, m.H)
	m.layout()
}

// Title implements [ui.Screen].
func (m *Model) Title() string {
	switch {
	case m.file != nil:
		return ui.Inside("Reconcile", "Export")
	case m.about != nil:
		return ui.Inside("Reconcile", "What was compared")
	}
	return "Reconcile"
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.file != nil && m.file.Typing() }
