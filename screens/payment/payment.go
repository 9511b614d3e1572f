// Package payment watches one payment until its status is final, and has the screens of the customer's part in it:
// [BankCheck], [Transfer] and [Finalize].
//
// Without a reference the screen prompts for one. With one it follows a [session.Watch] of the
// payment as long as it is on the stack.
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
	"paydesk/screens/nav"
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

	prompt  *prompt // nil if the screen was opened with a reference
	offered bool    // the prompt had a reference: back leads to where that was

	reference api.Reference      // "" at the prompt
	watch     *session.Watch     // nil at the prompt
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

// New watches a payment, or prompts for its reference. here is the destination that the console is connected to.
func New(t *ui.Theme, w Watcher, d Payments, alerts *ui.Alerts, here ledger.Destination, of nav.Payment) *Model {
	m := &Model{watcher: w, payments: d, alerts: alerts, here: here, reference: of.Reference}
	m.Model = detail.New(&ui.Body{Theme: t}, detail.Of{Head: m.stepper, Report: m.report, Beside: m.lastAnswer, Commands: m.commands})
	if of.Ask || of.Reference == "" {
		m.reference, m.prompt, m.offered = "", newPrompt(t), of.Reference != ""
		m.prompt.field.SetValue(string(of.Reference))
	}
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	if m.prompts() {
		if !m.Holds() { // all may have been pinned since it was left
			m.prompt.pasted = several{}
		}
		m.nameEnter()
		return m.prompt.learn(s, m.payments)
	}
	return m.open(m.reference)
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if m.prompts() {
		return m.lookUp(msg)
	}
	return m.Model.Update(msg)
}

// Title implements [ui.Screen].
func (m *Model) Title() string {
	if m.prompts() {
		return "Look up a payment"
	}
	title := "Payment " + m.reference.String()
	if m.mismatch().Undecided() {
		return title + " · " + present.Mismatch
	}
	return title
}

// prompts reports whether it asks for a reference.
func (m *Model) prompts() bool { return m.reference == "" }

// Watching is the payment that is watched, "" at the prompt.
func (m *Model) Watching() api.Reference { return m.reference }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool {
	return m.prompts() && m.prompt.form.Typing()
}

// Draft implements [ui.Drafter]: what was pasted at once is kept until it is pinned.
func (m *Model) Draft() bool { return m.prompts() && m.Holds() }

// Holds implements [ui.Holder], also for a payment that was looked up before what was pasted was pinned.
func (m *Model) Holds() bool { return m.prompt != nil && m.notPinned() > 0 }

// Resume is called when the screen is on top again: a decision may have been recorded meanwhile, or the
// payment settled on the sandbox's screen, so that it asks at once, unless a person paused it.
func (m *Model) Resume() tea.Cmd {
	if m.prompts() {
		return nil
	}
	if m.state.Phase == session.Polling || m.state.Phase == session.Expired {
		m.watch.Check()
	}
	return m.recall(m.payments.Reload)
}

// Return is called before Resume when a step of the payment leads back to it: a person has just done something about it, so that it asks
// at once, also where that was paused or had ended.
func (m *Model) Return() {
	if !m.watch.Resume() {
		m.watch.Check()
	}
}

// Back closes the view of all lines, or returns from a payment that was looked up to the prompt, which keeps the reference.
func (m *Model) Back() bool {
	if m.Model.Back() {
		return true
	}
	if m.prompts() || m.prompt == nil {
		return false
	}
	m.promptAgain()
	return true
}

// promptAgain goes back to the prompt.
func (m *Model) promptAgain() {
	m.close()
	m.reference, m.News = "", ui.Notice{}
}

// UnderWay reports whether it is a payment of this console that is not final.
func (m *Model) UnderWay() bool { return m.ours && !m.entry.Status.State.Final() }
