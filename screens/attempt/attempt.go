// Package attempt shows one attempt and helps to find out its outcome.
//
// A lost response leads here. The screen sends nothing again. It finds out more in three ways:
// it checks the status by a reference of our own, where one was sent along (found.go);
// it searches the transactions for the same amount, which proves nothing (matches.go); and it
// records what a person found elsewhere (found.go, decide.go), after checking the reference with the
// service. In the journal of a team a person takes it first (decide.go). A report says what is known of it, and goes to a file
// too. A resolved attempt leads to its payment.
package attempt

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Journal holds the attempt and the decision about it, which applies to the attempt as it was shown.
type Journal interface {
	History(context.Context, ledger.ID) (ledger.Attempt, []ledger.Event, error)
	Decide(context.Context, ledger.Attempt, ledger.Deciding) error
	// Shared reports whether several people share the journal: in one of this user alone nothing need be taken.
	Shared() bool
	Take(context.Context, ledger.Attempt) error
	Release(context.Context, ledger.ID) error
}

// A Service reads payments; nothing here sends one.
type Service interface {
	Transaction(context.Context, api.Reference) (api.PaymentStatus, error)
	Transactions(ctx context.Context, page, perPage int) (api.Page, error)
	IsPinned(api.Reference) bool
	// Again returns what a payment asked for, to be asked for once more.
	Again(ledger.Attempt) api.Initiation
}

// A record is the attempt as the journal had it at a time.
type record struct {
	ledger.Attempt
	events []ledger.Event
	at     time.Time // zero before it was read
}

// age is how old it was then: "not found" may be recorded, and a finalization retried, only after a while.
func (r record) age() time.Duration { return r.at.Sub(r.At) }

// reloadDue reports that the attempt is old enough for another key.
type reloadDue struct{}

// A Model is the screen.
type Model struct {
	*detail.Model
	journal Journal
	service Service
	id      ledger.ID
	decides bool // the decisions are to be listed once the attempt is read
	only    bool // they alone were opened: the screen is left with them, unless one was recorded
	here    ledger.Destination

	loadCall ui.Call[record]
	record   record

	statusCall ui.Call[api.PaymentStatus]
	search     search
	scan       func() listing.State // of the list
	typed      string               // the reference or the alias that it was found as
	offered    api.Reference        // the service named it: it is no card number, whatever it looks like
	decideCall ui.Call[Decision]
	leaseCall  ui.Call[struct{}]

	problem present.Problem
}

// New shows an attempt, or the decisions that are possible about it. here is the destination that the console is connected to, and
// scan what was read of the list: the search for matches uses its rows, where it came to the end.
func New(t *ui.Theme, b Journal, s Service, here ledger.Destination, scan func() listing.State, of nav.Attempt) *Model {
	m := &Model{journal: b, service: s, here: here, scan: scan, id: of.ID, decides: of.Decide}
	m.Model = detail.New(&ui.Body{Theme: t}, detail.Of{Title: "Attempt " + string(of.ID), Head: m.progress, Report: m.report, Commands: m.commands})
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
		a, events, err := j.History(ctx, id)
		return record{a, events, time.Now()}, err
	})
}

// loaded shows the attempt, and schedules a reload for when its age enables another key.
func (m *Model) loaded(a ui.Result[record]) tea.Cmd {
	if a.Err != nil {
		if m.problem.IsZero() { // else a decision was not recorded, for the same reason
			m.problem = present.JournalUnread("The attempt", a.Err)
		}
		return nil
	}
	was := m.record.age() >= ledger.NotFoundAfter
	m.record = a.Value
	age := m.record.age()
	if (age >= ledger.NotFoundAfter) != was {
		m.EndNews() // it may say that it is too early for a key
	}
	var cmds []tea.Cmd
	if m.decides && len(m.choices()) > 0 {
		cmds = append(cmds, m.openChoices())
	}
	m.decides = false
	if !m.record.IsUnresolved() {
		return tea.Batch(cmds...)
	}
	due := []time.Duration{ledger.NotFoundAfter - age, m.record.FinalizeAgainAt().Sub(m.record.at)}
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
	switch msg.(type) {
	case reloadDue:
		return m.load()
	case ui.Interrupted: // what was over it was left
		if m.only {
			return nav.Pop
		}
	}
	return m.Model.Update(msg)
}

// WhyStay returns why the screen cannot be left now.
func (m *Model) WhyStay() string {
	if m.decideCall.Pending() {
		return "Recording the decision."
	}
	return ""
}

// report returns what is known of the attempt; nothing before it was read.
func (m *Model) report() report.Report {
	if m.record.at.IsZero() {
		return report.Report{}
	}
	k := m.subject()
	r := report.Of(k)
	if m.record.IsUnresolved() {
		r.Sections = slices.Insert(r.Sections, 0, k.Ways())
	}
	return r
}

func (m *Model) subject() report.Subject {
	return report.OfAttempt(m.record.Attempt, m.record.events, m.here, m.Scope.Now())
}

// head returns how the attempt stands in one line, and a blank.
func (m *Model) head(w int) []string { return []string{m.report().Line(m.Theme, w), ""} }

// progress is the call in progress, or how it ended.
func (m *Model) progress(w int) (lines []string) {
	switch {
	case m.record.at.IsZero() && m.problem.IsZero():
		return m.Theme.WaitLines(m.loadCall.Wait(), "Reading the journal", w)
	case m.decideCall.Pending():
		lines = []string{m.Theme.Mark(ui.ToneWait, "Recording…")}
	case m.statusCall.Pending():
		lines = m.Theme.WaitLines(m.statusCall.Wait(), "Checking by our reference", w)
	default:
		lines = m.problem.Lines(m.Theme, w)
	}
	if len(lines) > 0 && len(lines) < m.H/2 {
		lines = append(lines, "")
	}
	return lines
}

// Flags are the options of the command resolve for the decisions besides that something was found, which has a value, each with
// its help.
var Flags = map[ledger.Decision][2]string{
	ledger.NotFound:    {"not-found", "it was never made; ten minutes after it was sent at the earliest"},
	ledger.GaveUp:      {"give-up", "it is not followed up"},
	ledger.AnswerRight: {"answer-right", "a mismatch: what the service answers was charged"},
	ledger.AsAsked:     {"as-asked", "a mismatch: what was asked was charged"},
	ledger.NotOurs:     {"not-ours", "a mismatch: it is not about your payment"},
	ledger.NotFollowed: {"stop-following", "home no longer lists the payment"},
	ledger.Undecided:   {"take-back", "the decision no longer stands"},
}

// Command implements [ui.Commander].
func (m *Model) Command() []string { return []string{"activity", "show", string(m.id)} }

// command is resolve with a decision that is being made.
func (m *Model) command(d Decision) []string {
	v := d.Decision
	switch v {
	case ledger.Found:
		return m.foundCommand(d.As)
	case ledger.AskAgain:
		v = ledger.Undecided // for the command, which takes the later decision back
	}
	return []string{"resolve", "--" + Flags[v][0], string(m.id)}
}

func (m *Model) foundCommand(as string) []string {
	if as == "" {
		return m.Command()
	}
	return []string{"resolve", "--found", as, string(m.id)}
}
