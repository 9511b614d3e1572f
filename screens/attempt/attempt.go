// Package attempt shows one attempt and helps to find out its outcome.
//
// A lost response leads here. The screen sends nothing again. It finds out more in three ways:
// it checks the status by a reference of our own, where one was sent along (byreference.go);
// it searches the transactions for the same amount, which proves nothing (matches.go); and it
// records what a person found elsewhere (decide.go), after checking the reference with the
// service. In the journal of a team somebody takes it first (lease.go). What is known of it is a report. case.go writes that to a file. A resolved attempt leads to its payment.
package attempt

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Journal holds the attempt and the decision about it, which is about the attempt as it was shown.
type Journal interface {
	Attempt(context.Context, ledger.ID) (ledger.Attempt, error)
	Timeline(context.Context, ledger.ID) ([]ledger.Event, error)
	Decide(context.Context, ledger.Attempt, ledger.Decision, api.Reference) error
	FoundLink(context.Context, ledger.Attempt, api.Alias, api.Address) error
	// Shared returns where a journal of several people is, "" for one of this user alone: in that nothing need be taken.
	Shared() string
	Take(context.Context, ledger.Attempt) error
	Release(context.Context, ledger.ID) error
}

// A Service reads payments; nothing here sends one.
type Service interface {
	Transaction(context.Context, api.Reference) (api.PaymentStatus, error)
	Transactions(ctx context.Context, page, perPage int) (api.Page, error)
	// IsPinned reports whether a payment is pinned to home.
	IsPinned(api.Reference) bool
	// Again returns what a payment asked for, to be asked for once more.
	Again(ledger.Attempt) api.Initiation
}

// A stage of the screen.
type stage uint8

const (
	showing    stage = iota // the attempt
	choosing                // a decision
	matching                // transactions that may be it
	entering                // the reference or the alias it was found as
	confirming              // a decision
)

// A record is the attempt as the journal had it at a time.
type record struct {
	ledger.Attempt
	events []ledger.Event
	at     time.Time // zero before it was read
}

// findable reports whether its payment may still be found, even after somebody recorded that
// it was not.
func (r record) findable() bool {
	return r.Outcome == ledger.Unresolved && r.Decision != ledger.Found && r.Decision != ledger.NotFollowed
}

// reloadDue reports that the attempt is old enough for another key.
type reloadDue struct{}

// A Model is the screen.
type Model struct {
	ui.Body
	journal Journal
	service Service
	id      ledger.ID
	decides bool // the decisions are to be listed once the attempt is read
	here    ledger.Destination
	stage   stage
	page    report.Page
	folder  func() string // for a case; nil for none
	written string        // where the case is, until the next key

	loadCall        ui.Call[record]
	record          record
	canMarkNotFound bool // "not found" may be recorded: the attempt is old enough
	canRefinalize   bool // a person may retry a finalization

	choiceTable   *ui.Table
	statusCall    ui.Call[api.PaymentStatus]
	search        search
	scan          func() listing.State // of the list; nil for none
	scanCall      ui.Call[[]match]
	form          *ui.Form
	reference     *ui.TextField
	offered       api.Reference // the service named it: it is no card number, whatever it looks like
	aliasForm     *ui.Form
	alias         *ui.TextField              // of a link, or the URL of its page
	referenceCall ui.Call[api.PaymentStatus] // the status of the reference that was entered
	enteredFrom   stage
	matchedFrom   stage
	decision      decision
	seen          ledger.Attempt // what the question about the decision shows
	confirm       *ui.Confirm
	decideCall    ui.Call[decision]
	leaseCall     ui.Call[struct{}]

	problem present.Problem
}

// New shows the attempt with an ID, or with decides the decisions that are possible about it; here is where
// the console is connected.
func New(t *ui.Theme, b Journal, s Service, here ledger.Destination, id ledger.ID, decides bool) *Model {
	m := &Model{Body: ui.Body{Theme: t}, journal: b, service: s, here: here, id: id, decides: decides}
	m.reference = m.newReferenceField(t)
	m.form = ui.NewForm(t, m.reference)
	m.form.SubmitLabel("continue")
	m.alias = newAliasField(t)
	m.aliasForm = ui.NewForm(t, m.alias)
	m.aliasForm.SubmitLabel("continue")
	m.search.table = newMatchTable(t)
	m.choiceTable = newChoiceTable(t)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.load()
}

// Resume is called when the screen is on top again.
func (m *Model) Resume() tea.Cmd { return m.load() }

// load reads the attempt.
func (m *Model) load() tea.Cmd {
	j, id := m.journal, m.id
	return m.loadCall.Then(m.loaded).Timed(ui.NoLimit).Ask(m.Scope, func(ctx context.Context) (record, error) {
		a, err := j.Attempt(ctx, id)
		if err != nil {
			return record{}, err
		}
		events, err := j.Timeline(ctx, id)
		return record{a, events, time.Now()}, err
	})
}

// loaded shows the attempt, and schedules a reload for when its age enables another key.
func (m *Model) loaded(a ui.Result[record]) tea.Cmd {
	if a.Err != nil {
		m.problem = present.JournalUnread("The attempt", a.Err)
		return nil
	}
	m.record = a.Value
	age := m.record.at.Sub(m.record.At)
	was := m.canMarkNotFound
	if m.canMarkNotFound, m.canRefinalize = age >= ledger.NotFoundAfter, age >= api.FinalizeAgain; m.canMarkNotFound != was {
		m.News = ui.Notice{} // it may say that it is too early for a key
	}
	if m.decides && len(m.choices()) > 0 {
		m.openChoices()
	}
	m.decides = false
	if m.stage == choosing {
		m.fillChoices()
	}
	if !m.record.IsUnresolved() {
		return nil
	}
	var cmds []tea.Cmd
	due := []time.Duration{ledger.NotFoundAfter - age, api.FinalizeAgain - age}
	if l := m.record.Lease; !l.IsZero() {
		due = append(due, l.Until().Sub(m.record.at))
	}
	for _, in := range due {
		if in > 0 {
			cmds = append(cmds, m.Scope.After(in, reloadDue{}))
		}
	}
	return tea.Batch(cmds...)
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(reloadDue); ok {
		return m.load()
	}
	if _, ok := msg.(tea.KeyPressMsg); ok {
		m.News, m.written = ui.Notice{}, ""
	}
	switch m.stage {
	case confirming:
		return m.confirm.Answer(msg, m.accept, m.decline)
	case entering:
		return m.enter(msg)
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok || m.decideCall.Pending():
		return nil
	case m.stage == showing:
		return m.press(k)
	case m.stage == choosing && !m.choiceTable.Update(k):
		return m.choiceCommands().Press(k)
	case m.stage == matching && !m.search.table.Update(k):
		return m.matchCommands().Press(k)
	}
	return nil
}

// Back goes back one stage; what was typed stays.
func (m *Model) Back() bool {
	m.News = ui.Notice{}
	switch m.stage {
	case confirming:
		m.stage, m.confirm = m.decision.from, nil
	case entering:
		m.referenceCall.Drop()
		m.stage = m.enteredFrom
	case choosing:
		m.stage = showing
	case matching:
		m.search.call.Drop() // what was found so far is evidence for a decision
		m.stage = m.matchedFrom
	default:
		return m.page.Back()
	}
	return true
}

// WhyStay returns why the screen cannot be left now.
func (m *Model) WhyStay() string {
	if m.decideCall.Pending() {
		return "Recording the decision."
	}
	return ""
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layoutMatches()
	if m.stage == choosing {
		m.layoutChoices()
	}
}

// Title implements [ui.Screen].
func (m *Model) Title() string {
	title := "Attempt " + string(m.id)
	switch m.stage {
	case matching:
		return ui.Inside(title, "Possible matches")
	case choosing:
		return ui.Inside(title, "Decide")
	}
	return title
}

// Typing implements [ui.Screen].
func (m *Model) Typing() bool {
	return m.stage == entering || m.stage == confirming && m.confirm.Typing()
}
