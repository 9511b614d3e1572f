// Package home is the first screen: the payments that need attention, and the menu.
//
// It lists the payments made in this session and the earlier ones that are unresolved or in
// progress, each with its last known status. Opening one leads to the step it stands at.
package home

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/flow"
	"paydesk/api/journal"
	"paydesk/api/session"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Payments are the payments to list. Reload adds those that earlier runs and other consoles
// left in the journal.
type Payments interface {
	All() []session.Entry
	Reload(context.Context) error
}

// A Model is the screen. Its list is reloaded whenever it comes to the top; nothing on it
// changes by itself.
type Model struct {
	ui.Body
	payments Payments
	options  Options
	reload   ui.Call[struct{}]
	table    *ui.Table
	entries  []session.Entry
	problem  present.Problem // with the journal
}

// Options of the screen.
type Options struct {
	Sandbox  func() bool // whether to offer the sandbox, which may be found later; nil for never
	Profiles bool        // offer the profiles: they are in a file
	Journal  bool        // offer the activity and the links, which are read from the journal
	// JournalProblem reports why the journal cannot be used, "" when it can.
	JournalProblem func() string
	// Here is where the console is connected; nil where it does not matter.
	Here func() journal.Destination
}

// New is the first screen.
func New(t *ui.Theme, p Payments, o Options) *Model {
	m := &Model{Body: ui.Body{Theme: t}, payments: p, options: o}
	m.table = ui.NewTable(t,
		ui.Column{Title: "Status", Width: 22},
		ui.Column{Title: "Amount", Width: 16, Right: true},
		ui.Column{Title: "Paid by", Width: 13, Drop: 1},
		ui.Column{Title: "Reference", Width: 12, Grow: true},
		ui.Column{Title: "Sent", Width: 8, Drop: 2},
	)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.Resume()
}

// Resume is called when the screen is on top again. It lists what is known now, and once more when
// the journal has been read.
func (m *Model) Resume() tea.Cmd {
	m.refresh()
	p := m.payments
	return m.reload.Then(m.reloaded).
		Ask(m.Scope, func(ctx context.Context) (struct{}, error) { return struct{}{}, p.Reload(ctx) })
}

// reloaded lists what the journal had, or says what is wrong with it.
func (m *Model) reloaded(a ui.Result[struct{}]) tea.Cmd {
	m.problem = m.journalProblem(a.Err)
	m.refresh()
	return nil
}

// refresh lists unresolved payments first, then mismatched ones, then those in progress, then final
// ones, each newest first.
func (m *Model) refresh() {
	m.entries = m.payments.All()
	slices.SortStableFunc(m.entries, func(a, b session.Entry) int { return rank(a) - rank(b) })
	m.table.SetRows(len(m.entries), m.row)
	m.layout()
}

// rank is the place of a payment in the list. The unresolved ones come first: they may have been
// made, and charging again would charge twice. Those with a mismatch follow.
func rank(e session.Entry) int {
	switch {
	case e.Unresolved:
		return 0
	case e.Unread, e.Mismatch.Undecided():
		return 1
	case e.Open():
		return 2
	}
	return 3
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	m.News = ui.Notice{}
	if m.table.Update(k) {
		return nil
	}
	return m.commands().Press(k)
}

// commands are the keys: opening a payment, and the menu.
func (m *Model) commands() ui.Commands {
	cs := ui.Commands{{Key: ui.Bind("enter", "open"), On: len(m.entries) > 0, Do: m.open}}
	for _, item := range menu(m.options) {
		elsewhere := item.to == nav.Route(nav.Sandbox{}) // its key works on every screen, and is listed there
		cs = append(cs, ui.Command{Key: item.binding, On: !elsewhere, Do: func() tea.Cmd { return nav.Open(item.to) }})
	}
	return cs
}

// journalProblem words what is wrong with the journal, or with reading it. The list stays: it may
// lack payments, and says so.
func (m *Model) journalProblem(err error) present.Problem {
	switch {
	case m.options.JournalProblem != nil && m.options.JournalProblem() != "":
		return present.Problem{What: m.options.JournalProblem(), Next: "You can still browse, but earlier payments may be missing here."}
	case err != nil:
		return present.Problem{What: "Earlier payments could not be loaded.", Done: present.Plain(err.Error())}
	}
	return present.Problem{}
}

// open goes to the next step of the selected payment.
func (m *Model) open() tea.Cmd {
	e, ok := ui.Selected(m.table, m.entries)
	switch {
	case !ok:
		return nil
	case (e.Unresolved || e.Unread) && e.ID != "":
		return nav.Open(nav.Attempt{ID: e.ID})
	case e.Unresolved:
		m.News = ui.Notice{Tone: ui.ToneUnknown, Text: "It may have been made: check the transactions (t) first."}
		return nil
	case e.Mismatch.Undecided():
		return nav.Open(nav.Payment{Reference: e.Reference})
	case e.Flow.Next() == flow.Finalize && e.Flow.WhyNot(flow.Finalize, m.Scope.Now()) != "":
		// An unresolved finalization leads to the status, which shows whether it took effect.
		return nav.Open(nav.Payment{Reference: e.Reference})
	}
	return nav.Open(nav.Next(e.Flow, e.Reference))
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layout()
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Home" }

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"Payments made in this session, plus earlier ones that are still in progress, with their last known status. Opening one checks its status again.",
		present.Unresolved + ": " + present.NotKnown(journal.Initiate) + " Open it and find out before charging again.",
		present.Mismatch + ": the service answered another amount, currency, reference or final status than was asked or said before. It is listed until somebody decides what it means: open it, then y.",
		present.Mismatch + " of a link: its answer is not what was asked. Open it and read how it differs.",
	}
}

// A menuItem is a screen that a key opens.
type menuItem struct {
	binding key.Binding
	to      nav.Route
	name    string
	about   string
}

// menu lists the screens that the options offer.
func menu(o Options) []menuItem {
	ways := []menuItem{
		{ui.Bind("c", "collect"), nav.Collect{}, "Collect a payment", "by card or bank transfer"},
		{ui.Bind("l", "new link"), nav.NewLink{}, "Create a payment link", "a page where the customer pays"},
		{ui.Bind("p", "look up"), nav.Payment{}, "Look up a payment", "check a status by reference"},
		{ui.Bind("t", "transactions"), nav.Transactions{}, "Transactions", "all of them, page by page"},
	}
	if o.Journal {
		ways = append(ways,
			menuItem{ui.Bind("a", "activity"), nav.Activity{}, "Activity", "everything sent from paydesk"},
			menuItem{ui.Bind("s", "links"), nav.Links{}, "Links", "payment links created here"})
	}
	if o.Profiles {
		ways = append(ways, menuItem{ui.Bind("o", "profiles"), nav.Profiles{}, "Profiles", "switch, add or change profiles"})
	}
	if o.Sandbox != nil && o.Sandbox() {
		ways = append(ways, menuItem{ui.Bind("ctrl+b", "sandbox"), nav.Sandbox{}, "Sandbox", "decide how payments end"})
	}
	return ways
}

// Keys implements [ui.Screen]. The table's keys are left out while there is nothing to open.
func (m *Model) Keys() []key.Binding {
	keys := m.commands().Keys()
	if len(m.entries) == 0 {
		return keys
	}
	return append(keys, m.table.Keys()...)
}
