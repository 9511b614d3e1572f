// Package home is the first screen, the desk of the person at work: the payments that need a person, those under way,
// the pinned, the latest others, what was made from here today, and the menu.
//
// It lists what was sent in this session, what earlier ones left unresolved or in progress, what is pinned, and the
// latest payments made, found or looked up here, in sections (sections.go). While it is on top it asks the service about
// those that are in progress (fresh.go), or without any whether it answers at all (failed.go), and each row changes in its
// place. They are sorted when the screen comes to the top and when the journal was read, but not for a moment after one
// has settled. Opening a payment leads to its status. Webhooks that the service contradicts stand above the payments. Below
// them stand in the demo four lines that tick themselves (tour.go), and then the menu (ways.go).
// Beside or below the list stands what is known of the marked row (pane.go).
package home

import (
	"context"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Payments are the payments to list. Reload adds those that earlier runs and other consoles
// left in the journal, and the latest, whatever became of them.
type Payments interface {
	All() []session.Entry
	Reload(context.Context) error
	// Made returns what was made from here since a time and before another.
	Made(ctx context.Context, from, to time.Time) ([]journal.Made, error)
	// Recall reads what the journal has of the history of a payment.
	Recall(context.Context, api.Reference) error
	// Find returns what is known of a payment; zero for nothing.
	Find(api.Reference) (e session.Entry, ours bool)
	// IsPinned reports whether a payment is pinned.
	IsPinned(api.Reference) bool
	// Transactions is a page of the service's list.
	Transactions(ctx context.Context, page, perPage int) (api.Page, error)
	// KeyRejected reports whether the service rejects the key, Answered whether it has answered anything yet.
	KeyRejected() bool
	Answered() bool
}

// A Watcher asks the service about payments: a [session.Scheduler].
type Watcher interface {
	Board() *session.Board
	Next(ctx context.Context, version uint64) (uint64, error)
}

// A Model is the screen.
type Model struct {
	ui.Body
	payments Payments
	options  Options
	reload   ui.Call[[]journal.Made]
	reread   bool           // once more, when the reading under way has ended
	made     []journal.Made // today, as it was last read
	readAt   time.Time      // when the journal was last read; zero before
	table    *ui.Table
	panes    *ui.Panes
	entries  []listing
	problem  present.Problem // with the journal

	items      []item // the rows that are no payments
	lead       int    // how many of those are above the payments
	starts     []int  // the first row of each section
	apart      bool   // a blank line is between the sections
	madeHeight int    // lines of what was made today

	left     session.Entry // the payment that the mark was on last
	chosen   bool          // a person has moved the mark, or pressed a key with it on a payment
	marking  api.Reference // gets the mark once it is listed; "" for none
	unpinned api.Reference // was unpinned last; "" for none
	history  ui.Call[struct{}]
	recalled map[api.Reference]bool
	agesAt   time.Time // that the ages on the screen are of
	growing  ui.Lull   // until the next ones
	settling time.Time // see settlingSince

	failing map[api.Reference]bool // that need a person
	dealt   map[api.Reference]bool // whose failure a person has taken off the list

	board     *session.Board // of what is asked about; nil without a watcher
	covered   bool           // another screen is on top
	again     string         // what the last r said; "" before
	version   uint64         // of what is shown of them
	changed   ui.Call[uint64]
	changedAt time.Time    // when the list was read, or something of it was answered
	events    Disagreement // as they were last counted
	counting  ui.Call[Disagreement]
	asking    ui.Call[struct{}] // asks whether the service answers
	unreached string            // why it did not; "" where it did
	touring   ui.Call[Toured]
	arming    ui.Call[struct{}] // of an event, too

	waiting string // what a preview waits for; "" on the screen itself
}

// New returns the first screen.
func New(t *ui.Theme, p Payments, o Options) *Model {
	m := &Model{Body: ui.Body{Theme: t}, payments: p, options: o, recalled: map[api.Reference]bool{}, failing: map[api.Reference]bool{}, dealt: map[api.Reference]bool{}}
	m.table = ui.NewTable(t, columns(o.Team)...)
	m.table.Grouped(m.group, m.continues)
	m.panes = ui.NewPanes(t, m.table)
	m.panes.Below(4)
	m.panes.OnFollow(m.loadHistory)
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
	m.covered, m.unpinned = false, ""
	before := m.entries
	m.sort()
	if m.needsNow(before) {
		m.chosen = false
		m.list(m.mark())
	}
	m.follow()
	return tea.Batch(m.read(), m.await(), m.grow(), m.countEvents(0), m.keepAnswers())
}

// Changed is called when the journal has changed. It reads what this and other consoles have written.
func (m *Model) Changed() tea.Cmd { return m.read() }

// settledStays sets how long a payment that has settled stays where a person looks at it, whatever else is read.
const settledStays = 20 * time.Second

// settlingSince returns since when rows stay where they are, because one that needed attention, or was under way, has settled a moment
// ago; zero when they do not.
func (m *Model) settlingSince(now time.Time) time.Time {
	settled := slices.ContainsFunc(m.entries, func(l listing) bool {
		return l.in <= underWay && !m.needsAttention(l.Entry) && now.Sub(l.StatusAt) < settledStays
	})
	switch {
	case !settled || !m.settling.IsZero() && now.Sub(m.settling) >= settledStays:
		return time.Time{}
	case m.settling.IsZero():
		return now
	}
	return m.settling
}

// needsNow reports whether the first payment needs a person and was not listed before: the mark goes there, however the screen
// came to the top. Otherwise it stays where a person left it.
func (m *Model) needsNow(before []listing) bool {
	return len(m.entries) > 0 && m.entries[0].in == needsYou && !slices.ContainsFunc(before, func(l listing) bool { return l.Is(m.entries[0].Entry) })
}

// MarkUrgent is called after Resume when a person has chosen the screen by its number. If what needs a person is above the window,
// webhooks that the service contradicts included, the mark goes to the first payment, which shows it. Whoever comes back with esc
// finds the mark where it was.
func (m *Model) MarkUrgent() {
	if m.table.Top() > 0 && m.sectionAt(0) == needsYou {
		m.chosen = false
		m.list(m.mark())
		m.follow()
	}
}

// read reads the journal, or once more after a reading that is under way: what has changed meanwhile may not be in that.
func (m *Model) read() tea.Cmd {
	if m.reload.Pending() {
		m.reread = true
		return nil
	}
	m.reread = false
	p, today := m.payments, day(m.Scope.Now())
	return m.reload.Then(m.reloaded).Ask(m.Scope, func(ctx context.Context) ([]journal.Made, error) {
		if err := p.Reload(ctx); err != nil {
			return nil, err
		}
		return p.Made(ctx, today, today.AddDate(0, 0, 1))
	})
}

// Loading reports whether the journal is being read for the first time.
func (m *Model) Loading() bool {
	return m.readAt.IsZero() && (m.reload.Pending() || m.waiting != "")
}

// reloaded lists what the journal had, or says what is wrong with it.
func (m *Model) reloaded(a ui.Result[[]journal.Made]) tea.Cmd {
	m.problem = m.journalProblem(a.Err)
	if a.Err == nil {
		m.made = a.Value
		m.readAt, m.changedAt = m.Scope.Now(), m.Scope.Now()
	}
	if m.settling = m.settlingSince(m.Scope.Now()); m.settling.IsZero() {
		m.sort()
	} else {
		m.update()
	}
	m.follow()
	var again tea.Cmd
	if m.reread {
		again = m.read()
	}
	return tea.Batch(again, m.loadHistory(), m.grow(), m.readTour(), m.reach())
}

// all returns the payments to list. One that was unpinned here stays among them until the screen is on top again: the key pressed once
// more pins it, and unpins no other.
func (m *Model) all() []session.Entry {
	all := m.payments.All()
	e, _ := m.payments.Find(m.unpinned)
	if e.Reference != "" && !slices.ContainsFunc(all, e.Is) {
		all = append(all, e)
	}
	return all
}

// sort lists the payments by what they need, each newest first. The row that was marked stays marked.
func (m *Model) sort() {
	on := m.mark()
	m.agesAt = m.Scope.Now()
	m.entries = m.sorted(m.all(), m.Scope.Now())
	m.list(on)
}

// update shows what has changed, each in its row: rows that move by themselves would be opened by mistake. It reports
// whether a status did.
func (m *Model) update() (changed bool) {
	on := m.mark()
	m.refreshAges()
	before := m.entries
	m.entries = m.merged(m.entries, m.all(), m.Scope.Now())
	m.list(on)
	return !slices.EqualFunc(before, m.entries, func(a, b listing) bool {
		return a.Is(b.Entry) && a.Status == b.Status && a.Mismatch.IsZero() == b.Mismatch.IsZero() && a.IsUnresolved() == b.IsUnresolved()
	})
}

// A place is what the mark is on: a payment, or a line of the tour or of the menu by its name.
type place struct {
	payment session.Entry
	line    string
}

func (m *Model) mark() (on place) {
	on.payment, _ = m.selected()
	if one, ok := m.item(m.table.Selected()); ok {
		on.line = one.Name
	}
	return on
}

// keepMark keeps the mark on what it was on, which may have moved. Until a person has chosen that it stays on
// the first payment, or without any on the first row: what is listed comes in parts.
func (m *Model) keepMark(on place) {
	if at := slices.IndexFunc(m.entries, func(l listing) bool { return m.marking != "" && l.Reference == m.marking }); at >= 0 {
		m.marking, m.chosen = "", true
		m.table.Select(m.lead + at)
		return
	}
	at := indexOf(on.payment, m.entries)
	line := slices.IndexFunc(m.items, func(one item) bool { return one.Name == on.line })
	switch {
	case !m.chosen:
		m.table.Select(0) // so that what is above the payments is in the window, too
		m.table.Select(m.firstPayment())
	case line >= m.lead:
		m.table.Select(len(m.entries) + line)
	case at >= 0:
		m.table.Select(m.lead + at)
	}
}

// MarkPinned puts the mark on a payment that was just pinned, as soon as it is listed.
func (m *Model) MarkPinned(r api.Reference) {
	m.marking = r
	m.list(m.mark())
}

// selected returns the payment that the mark is on.
func (m *Model) selected() (session.Entry, bool) {
	return m.payment(m.table.Selected())
}

// firstPayment returns the row of the first payment, or without any the first row.
func (m *Model) firstPayment() int { return min(m.lead, len(m.entries)) }

// payment returns the payment in a row of the table.
func (m *Model) payment(row int) (e session.Entry, ok bool) {
	if row -= m.lead; row < 0 || row >= len(m.entries) {
		return e, false
	}
	return m.entries[row].Entry, true
}

// shown returns the payment that the pane describes.
func (m *Model) shown() (session.Entry, bool) { return m.payment(m.panes.Row()) }

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(grown); ok {
		return m.grewUp()
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	m.News = ui.Notice{}
	cmd, moved := m.move(k)
	if _, payment := m.selected(); moved || payment {
		m.chosen = true
	}
	if moved {
		return cmd
	}
	return m.Press(k, m.commands())
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

// open goes to where the selected payment can be followed to its end: for an attempt that is unresolved, or has to be read,
// to what is known of it, and for a payment to its status, which names the next step and its key.
func (m *Model) open() tea.Cmd {
	e, ok := m.selected()
	switch {
	case !ok:
		return m.openItem()
	case e.IsUnresolved() || e.MustBeRead():
		return nav.Open(nav.Attempt{ID: e.ID})
	case e.Reference != "":
		return nav.Open(nav.Payment{Reference: e.Reference})
	}
	return nav.Open(nav.Transactions{}) // it may be among them
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.panes.Resize(m.W, m.H)
	m.layout()
	m.follow()
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Home" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	next := ui.Bind("tab", "payments or menu")
	next.SetEnabled(m.listed() > 0)
	return append(append(m.commands().Keys(), m.panes.Keys()...), next)
}

// Options of the screen.
type Options struct {
	Rooms   func() []Way // the other main screens; nil for none
	Journal bool         // the profile has one: what is listed outlasts this run
	Team    bool         // several people share the journal: each row says whose it is
	// JournalProblem reports why the journal cannot be used, "" when it can.
	JournalProblem func() string
	// Here tells where the console is connected; nil where it does not matter.
	Here func() ledger.Destination
	// Watches asks about payments in progress; nil for nothing.
	Watches Watcher
	// Disagree counts the webhooks that the service contradicts, once anything is stored or answered after a version;
	// version 0 precedes everything. It is nil where there is no inbox.
	Disagree func(ctx context.Context, version uint64) (Disagreement, error)
	// Tour is the four lines of the demo; nil elsewhere.
	Tour *Tour
}
