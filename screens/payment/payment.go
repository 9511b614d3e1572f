// Package payment watches one payment until its status is final, and has the screens of the customer's part in it:
// [BankCheck], [Transfer] and [Finalize].
//
// The screen follows a [session.Watch] of the payment as long as it is on the stack. [Prompt] asks for its reference.
//
//   - The last reported status stays until the service reports another: an error of a check has a
//     line of its own and never changes the status.
//   - A final status never changes. A different status after it is shown beside it and flagged.
//   - A payment about which the service answered something else than was asked is a mismatch, never
//     a success, until a person decides.
//
// follow.go applies the states of the watch. keys.go has what a person can do with the payment, and
// why not; it copies its answer and writes it to a file. view.go makes its report and words the next step,
// when the next check is and how the last one went. challenge.go has the URL of the customer's bank, check.go the
// request about it and the page.
package payment

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Watcher watches payments: a [session.Scheduler].
type Watcher interface {
	Watch(api.Reference) *session.Watch
}

// Payments has the payments in progress in this console.
type Payments interface {
	Find(api.Reference) (session.Entry, bool)
	// Said returns the service's last words about a payment, and what was asked then.
	Said(api.Reference) (api.Text, api.Operation)
	// CardLike returns the references known here that look like card numbers.
	CardLike(context.Context) ([]api.Reference, error)
	// Respelled returns the known reference that differs in the case of letters alone, "" for none.
	Respelled(context.Context, api.Reference) (api.Reference, error)
	// Reload reads what was recorded of them meanwhile.
	Reload(context.Context) error
	// Kept returns the answers of this session about a payment, newest first.
	Kept(session.Subject) []session.KeptAnswer
	// Pinned returns the payments that are pinned; IsPinned reports whether one is.
	Pinned() []session.Entry
	IsPinned(api.Reference) bool
	// Recall reads what was recorded of a payment.
	Recall(context.Context, api.Reference) error
}

// A Model is the screen.
type Model struct {
	*detail.Model
	Inbox    bool // the webhooks about the payment can be listed
	watcher  Watcher
	payments Payments
	alerts   *ui.Alerts

	reference api.Reference
	watch     *session.Watch
	state     session.WatchState // the last state shown
	entry     session.Entry      // as it stands, as far as known here
	ours      bool               // the payment was made in this console

	here ledger.Destination // the console is connected there

	nextState ui.Call[session.WatchState]
	timer     ui.Call[tea.Msg] // fires when the age on the screen changes
	recalled  ui.Call[struct{}]

	spelled     api.Reference // how the reference of an unknown payment is spelled here, "" if it is not
	spelledCall ui.Call[api.Reference]
}

// New watches a payment. here is the destination that the console is connected to.
func New(t *ui.Theme, w Watcher, d Payments, alerts *ui.Alerts, here ledger.Destination, r api.Reference) *Model {
	m := &Model{watcher: w, payments: d, alerts: alerts, here: here, reference: r}
	m.Model = detail.New(&ui.Body{Theme: t}, detail.Of{
		Head: m.stepper, Report: m.report, Commands: m.commands,
		Beside: func(w, h int) []string { return lastAnswer(t, d.Kept(session.Subject{Reference: r}), w, h) },
	})
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	m.watch = m.watcher.Watch(m.reference)
	s.OnLeave(m.watch.Close)
	m.state = m.watch.State()
	m.reload()
	return tea.Batch(m.follow(), m.setTimer(), m.recall())
}

// Title implements [ui.Screen].
func (m *Model) Title() string {
	title := "Payment " + m.reference.String()
	if m.mismatch().Undecided() {
		return title + " · " + present.Mismatch
	}
	return title
}

// Watching is the payment that is watched.
func (m *Model) Watching() api.Reference { return m.reference }

// Resume is called when the screen is on top again: a decision may have been recorded meanwhile, or the
// payment settled on the sandbox's screen, so that it asks at once, unless a person paused it.
func (m *Model) Resume() tea.Cmd {
	if m.state.Phase == session.Polling || m.state.Phase == session.Expired {
		m.watch.Check()
	}
	return m.recall(m.payments.Reload)
}

// Return is called before Resume when a step of the payment leads back to it. The person has just acted on the payment, so the
// status is checked at once, even where checking was paused or had ended.
func (m *Model) Return() {
	if !m.watch.Resume() {
		m.watch.Check()
	}
}

// UnderWay reports whether it is a payment of this console that is not final.
func (m *Model) UnderWay() bool { return m.ours && !m.entry.Status.State.Final() }
