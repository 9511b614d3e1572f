// Package home is the first screen: the payments that need attention, the latest others, and the menu.
//
// It lists what was sent in this session, what earlier ones left unresolved or in progress, and the latest payments
// made, found or looked up here. While it is on top it asks the service about those that are in progress (fresh.go),
// and each row changes in its place: they are sorted only when the screen comes to the top. Opening a payment leads to
// its status.
package home

import (
	"context"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/api/session"
	"paydesk/api/watch"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Payments are the payments to list. Reload adds those that earlier runs and other consoles
// left in the journal; Recent are the latest, whatever became of them.
type Payments interface {
	All() []session.Entry
	Reload(context.Context) error
	Recent(context.Context) ([]session.Entry, error)
	// KeyRejected reports whether the service rejects the key, Answered whether it has answered anything yet.
	KeyRejected() bool
	Answered() bool
	// Drop takes what no journal has off the list.
	Drop(session.Entry)
}

// A Watcher asks the service about payments: a [watch.Scheduler].
type Watcher interface {
	Board() *watch.Board
	Next(ctx context.Context, version uint64) (uint64, error)
}

// A Model is the screen.
type Model struct {
	ui.Body
	payments Payments
	options  Options
	reload   ui.Call[[]session.Entry]
	recent   []session.Entry // as they were last read
	readAt   time.Time       // when the journal was last read; zero before
	table    *ui.Table
	entries  []session.Entry
	problem  present.Problem // with the journal

	confirm  *ui.Confirm   // whether to take a payment off the list; nil when nothing is asked
	dropping session.Entry // that one

	board     *watch.Board // of the rows in the window; nil without a watcher
	version   uint64       // of what is shown of them
	changed   ui.Call[uint64]
	changedAt time.Time // when the list was read, or something of it was answered

	waiting string // what a preview waits for; "" on the screen itself
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
	// Watches asks about payments in progress; nil for nothing.
	Watches Watcher
}

// New is the first screen.
func New(t *ui.Theme, p Payments, o Options) *Model {
	m := &Model{Body: ui.Body{Theme: t}, payments: p, options: o}
	m.table = ui.NewTable(t,
		ui.Column{Title: "Status", Width: 19},
		ui.Column{Title: "Amount", Width: 16, Right: true},
		ui.Column{Title: "Paid by", Width: 9, Drop: 1},
		ui.Column{Title: "Reference", Width: 12, Grow: true},
		ui.Column{Title: "Sent", Width: 12, Drop: 2},
	)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	if m.options.Watches != nil {
		m.board = m.options.Watches.Board()
		s.OnLeave(m.board.Close)
	}
	return m.Resume()
}

// Resume is called when the screen is on top again. It lists what is known now, asks about it, and lists it once more
// when the journal has been read.
func (m *Model) Resume() tea.Cmd {
	m.sort()
	m.follow()
	return tea.Batch(m.read(), m.await())
}

// read reads the journal.
func (m *Model) read() tea.Cmd {
	p := m.payments
	return m.reload.Then(m.reloaded).Ask(m.Scope, func(ctx context.Context) ([]session.Entry, error) {
		if err := p.Reload(ctx); err != nil {
			return nil, err
		}
		return p.Recent(ctx)
	})
}

// reloaded lists what the journal had, or says what is wrong with it.
func (m *Model) reloaded(a ui.Result[[]session.Entry]) tea.Cmd {
	m.problem = m.journalProblem(a.Err)
	if a.Err == nil {
		m.recent, m.readAt, m.changedAt = a.Value, m.Scope.Now(), m.Scope.Now()
	}
	m.sort()
	m.follow()
	return nil
}

// all lists the payments of this session, and the latest others.
func (m *Model) all() []session.Entry {
	all := m.payments.All()
	for _, r := range m.recent {
		if !slices.ContainsFunc(all, r.Is) {
			all = append(all, r)
		}
	}
	return all
}

// sort lists unresolved payments first, then mismatched ones, then those in progress, then final
// ones, each newest first. The payment that was selected stays selected.
func (m *Model) sort() {
	was, some := ui.Selected(m.table, m.entries)
	m.entries = m.all()
	slices.SortStableFunc(m.entries, func(a, b session.Entry) int {
		if by := rank(a) - rank(b); by != 0 {
			return by
		}
		return b.Started.Compare(a.Started)
	})
	m.table.SetRows(len(m.entries), m.row)
	m.layout()
	if at := slices.IndexFunc(m.entries, was.Is); some && at >= 0 {
		m.table.Select(at)
	}
}

// update shows what has changed, each in its row: rows that move by themselves would be opened by mistake.
func (m *Model) update() {
	for i, e := range m.recent {
		m.recent[i] = m.latest(e)
	}
	now := m.all()
	for i, e := range m.entries {
		if at := slices.IndexFunc(now, e.Is); at >= 0 {
			m.entries[i] = now[at]
			now = slices.Delete(now, at, at+1)
		}
	}
	m.entries = append(m.entries, now...)
	m.table.SetRows(len(m.entries), m.row)
	m.layout()
}

// rank is the place of a payment in the list. The unresolved ones come first: they may have been
// made, and charging again would charge twice. Those with a mismatch follow.
func rank(e session.Entry) int {
	switch {
	case e.LookedUp: // nothing was asked here, so that nobody decides about it
		return 3
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
	if m.confirm != nil {
		return m.confirm.Answer(msg, m.drop, m.decline)
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	m.News = ui.Notice{}
	if m.table.Update(k) {
		m.follow()
		return nil
	}
	return m.commands().Press(k)
}

// commands are the keys: opening a payment, asking about all, and the menu.
func (m *Model) commands() ui.Commands {
	cs := ui.Commands{
		{Key: ui.Bind("enter", "open"), On: len(m.entries) > 0, Do: m.open},
		{Key: ui.Bind("r", "check"), On: true, Do: m.check},
		{Key: ui.Bind("d", "decide"), On: m.canDecide(), Do: m.decide},
	}
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

// open goes to where the selected payment can be followed to its end: an attempt of which nobody knows what it did
// to what is known of it, and a payment to its status, which names the next step and its key.
func (m *Model) open() tea.Cmd {
	e, ok := ui.Selected(m.table, m.entries)
	switch {
	case !ok:
		return nil
	case (e.Unresolved || e.Unread) && e.ID != "":
		return nav.Open(nav.Attempt{ID: e.ID})
	case e.Reference != "":
		return nav.Open(nav.Payment{Reference: e.Reference})
	case e.Kind == journal.CreateLink:
		return m.Warn("It may have been created: look for it in the provider's dashboard, then press d.")
	}
	return nav.Open(nav.Transactions{}) // it may be among them
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layout()
	m.follow()
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Home" }

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"What needs attention, then the latest other payments. While this screen is shown, payments in progress are checked; below the list stands how old it is at most.",
		present.Unresolved + ": " + present.NotKnown(journal.Initiate) + " Open it and find out before charging again.",
		present.Mismatch + ": the service answered something else than was asked or said before. It is listed until somebody decides what it means, or has read how the link differs: open it.",
	}
}

// Keys implements [ui.Screen]. The table's keys are left out while there is nothing to open.
func (m *Model) Keys() []key.Binding {
	if m.confirm != nil {
		return m.confirm.Keys()
	}
	keys := m.commands().Keys()
	if len(m.entries) == 0 {
		return keys
	}
	return append(keys, m.table.Keys()...)
}
