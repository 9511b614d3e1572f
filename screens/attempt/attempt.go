// Package attempt shows one attempt and helps to find out what became of it.
//
// It is where an answer that was lost leads to (R42, R46). Nothing here sends anything
// again. There are three ways to know more: to ask by a reference of our own, where one
// was sent along (own.go); to look in the list for rows of the same amount, which prove
// nothing (matches.go); and to record what a person found elsewhere (decide.go), after
// asking the service for the reference it was found as. An
// attempt that is resolved is shown with what is known of it, and leads to its payment.
package attempt

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/journal"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Book is what this screen asks of the journal.
type Book interface {
	Attempt(context.Context, journal.ID) (journal.Attempt, error)
	Timeline(context.Context, journal.ID) ([]journal.Event, error)
	Decide(context.Context, journal.ID, journal.Decision, api.Reference) error
}

// A Service is what this screen asks of the client: it only reads.
type Service interface {
	Transaction(context.Context, api.Reference) (api.Transaction, error)
	Transactions(ctx context.Context, page, perPage int) (api.Page, error)
}

// A stage of the screen.
type stage uint8

const (
	looking    stage = iota // the attempt, and what can be done
	matching                // rows of the list that may be it
	naming                  // the reference it was found as
	confirming              // a decision
)

// A record is the attempt as the journal had it at a time.
type record struct {
	journal.Attempt
	events []journal.Event
	at     time.Time // zero before it was read
}

// findable reports whether it can still turn out what became of it: it may be found after
// somebody decided that it was not.
func (r record) findable() bool {
	return r.Outcome == journal.Unresolved && r.Decision != journal.Found
}

// agedEnough comes once a key opens with time.
type agedEnough struct{}

// A Model is the screen.
type Model struct {
	theme   *ui.Theme
	book    Book
	service Service
	id      journal.ID
	scope   ui.Scope
	keys    keyMap
	w, h    int
	stage   stage

	read      ui.Call[record]
	record    record
	finding   bool // "not found" is open: the attempt is old enough
	repeating bool // a finalize may be sent again by hand

	byReference ui.Call[api.Transaction]
	search      search
	form        *ui.Form
	found       *ui.TextField
	checked     ui.Call[api.Transaction] // what the service says of the reference typed
	decision    decision
	confirm     *ui.Confirm
	decided     ui.Call[decision]

	trouble present.Problem
	notice  ui.Notice
}

var _ ui.Screen = (*Model)(nil)

// New shows the attempt with an id.
func New(t *ui.Theme, b Book, s Service, id journal.ID) *Model {
	m := &Model{theme: t, book: b, service: s, id: id, keys: newKeyMap()}
	m.found = newFound(t)
	m.form = ui.NewForm(t, m.found)
	m.form.SubmitLabel("go on")
	m.search.table = newMatches(t)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.scope = s
	return m.load()
}

// Resume is called when the screen is on top again.
func (m *Model) Resume() tea.Cmd { return m.load() }

// load reads the attempt.
func (m *Model) load() tea.Cmd {
	book, id := m.book, m.id
	return m.read.Ask(m.scope, func(ctx context.Context) (record, error) {
		a, err := book.Attempt(ctx, id)
		if err != nil {
			return record{}, err
		}
		events, err := book.Timeline(ctx, id)
		return record{a, events, time.Now()}, err
	})
}

// loaded takes the attempt, and has the keys that open with time opened in time.
func (m *Model) loaded(a ui.Result[record]) tea.Cmd {
	if a.Err != nil {
		m.trouble = present.Problem{
			What: "The attempt could not be read from the journal.", Next: "r reads it again.", Detail: clean(a.Err.Error()),
		}
		return nil
	}
	m.record = a.Value
	age := m.record.at.Sub(m.record.At)
	was := m.finding
	if m.finding, m.repeating = age >= journal.NotFoundAfter, age >= flow.FinalizeAgain; m.finding != was {
		m.notice = ui.Notice{} // it may say that a key is not open yet
	}
	if !m.record.IsUnresolved() {
		return nil
	}
	return tea.Batch(m.ripen(journal.NotFoundAfter-age), m.ripen(flow.FinalizeAgain-age))
}

func (m *Model) ripen(in time.Duration) tea.Cmd {
	if in <= 0 {
		return nil
	}
	return m.scope.After(in, agedEnough{})
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, ok := m.read.Receive(msg); ok {
		return m.loaded(a)
	}
	if a, ok := m.byReference.Receive(msg); ok {
		return m.onStatus(a)
	}
	if a, ok := m.checked.Receive(msg); ok {
		return m.onReference(a)
	}
	if a, ok := m.search.call.Receive(msg); ok {
		return m.paged(a)
	}
	if a, ok := m.decided.Receive(msg); ok {
		return m.recorded(a)
	}
	if _, ok := msg.(agedEnough); ok {
		return m.load()
	}
	if _, ok := msg.(tea.KeyPressMsg); ok {
		m.notice = ui.Notice{}
	}
	switch m.stage {
	case confirming:
		return m.answered(msg)
	case naming:
		return m.enterReference(msg)
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok || m.decided.Pending():
		return nil
	case m.stage == matching:
		return m.matchKey(k)
	}
	return m.key(k)
}

// key takes a key of the attempt itself. One that is not open says why.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	if key.Matches(k, m.keys.again) {
		m.trouble = present.Problem{}
		return m.load()
	}
	if m.record.at.IsZero() {
		return nil
	}
	switch {
	case key.Matches(k, m.keys.copyID):
		m.notice.Text = "The attempt id was sent to your terminal's clipboard."
		return tea.SetClipboard(string(m.record.ID))
	case key.Matches(k, m.keys.open):
		return m.open()
	case !m.record.findable():
		return nil
	case key.Matches(k, m.keys.ask):
		return m.askOwn()
	case key.Matches(k, m.keys.matches):
		return m.openMatches()
	case key.Matches(k, m.keys.found):
		return m.name()
	}
	return m.unknownKey(k)
}

// unknownKey takes a key that is there until somebody decided.
func (m *Model) unknownKey(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case !m.record.IsUnresolved():
		return nil
	case key.Matches(k, m.keys.finalize):
		return m.finalizeAgain()
	case key.Matches(k, m.keys.notFound):
		return m.notFound()
	case key.Matches(k, m.keys.giveUp):
		return m.ask(decision{verdict: journal.GaveUp})
	}
	return nil
}

// open goes to what the attempt is known to have made.
func (m *Model) open() tea.Cmd {
	switch a := m.record; {
	case a.CreatedLink != nil:
		return nav.Open(nav.Share{Link: *a.CreatedLink})
	case a.Reference != "" && (!a.IsUnresolved() || a.Kind == journal.Finalize):
		return nav.Open(nav.Payment{Reference: a.Reference})
	case a.Kind == journal.CreateLink:
		return m.say("There is no link known to show.")
	}
	return m.say("There is no reference to ask for its payment with.")
}

// finalizeAgain leads to the finalization, which asks before it sends. The last one must be
// a minute old (reliability, section 6).
func (m *Model) finalizeAgain() tea.Cmd {
	switch a := m.record; {
	case a.Kind != journal.Finalize || a.Reference == "":
		return nil
	case !m.repeating:
		return m.say("Ask for the status first (enter). By hand it can be repeated from " +
			moment(a.At.Add(flow.FinalizeAgain)) + ".")
	}
	return nav.Open(nav.Finalize{Reference: m.record.Reference})
}

// say is why a key did nothing.
func (m *Model) say(words string) tea.Cmd {
	m.notice = ui.Notice{Tone: ui.ToneAct, Text: words}
	return nil
}

// Back goes one stage back; what was typed stays.
func (m *Model) Back() bool {
	m.notice = ui.Notice{}
	switch m.stage {
	case confirming:
		m.stage, m.confirm = m.decision.from, nil
	case naming:
		m.checked.Drop()
		m.stage = looking
		if m.search.begun() {
			m.stage = matching
		}
	case matching:
		m.search.end()
		m.stage = looking
	default:
		return false
	}
	return true
}

// WhyStay is why the screen cannot be left now.
func (m *Model) WhyStay() string {
	if m.decided.Pending() {
		return "The decision is being written down."
	}
	return ""
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.w, m.h = max(w, 0), max(h, 0)
	m.layMatches()
}

// Title implements [ui.Screen].
func (m *Model) Title() string {
	if m.stage == matching {
		return "Possible matches"
	}
	return "Attempt"
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool {
	return m.stage == naming || m.stage == confirming && m.confirm.Typing()
}

// Notice is the one line above the help bar.
func (m *Model) Notice() ui.Notice { return m.notice }
