package payment

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A finalizer is the part of the client that finalizing uses.
type finalizer interface {
	Finalize(context.Context, api.Reference) (api.Finalization, error)
}

// A Finalize is the screen that tells the service that the customer's part of a payment is complete. It asks
// first, sends once, and never shows the response as the status of the payment.
type Finalize struct {
	step
	service finalizer
	target  present.Target

	why    string // the payment cannot be finalized now; "" where it can
	sent   ui.Call[api.Finalization]
	answer api.Finalization
	ended  []report.Words // how
	status ui.Cell        // of the finalization, where that is in doubt
	again  bool           // it was certainly not done, and may be tried again
}

// NewFinalize finalizes a payment after a confirmation.
func NewFinalize(t *ui.Theme, s finalizer, d tracked, target present.Target, r api.Reference) *Finalize {
	m := &Finalize{step: step{payments: d, reference: r}, service: s, target: target}
	m.Model = detail.New(&ui.Body{Theme: t}, detail.Of{
		Title: "Finalize", Head: m.head, Report: m.report, Commands: m.commands,
		Help: []string{
			"Finalize tells the service that the customer has done their part. Payments through a link must be finalized; a direct card payment settles without it.",
			"The response is not the payment's final status: check the status.",
		},
	})
	return m
}

// Init implements [ui.Screen].
func (m *Finalize) Init(s ui.Scope) tea.Cmd {
	m.step.Init(s)
	return m.confirmStep()
}

// confirmStep opens the confirmation if the payment can be finalized.
func (m *Finalize) confirmStep() tea.Cmd {
	if m.look(); m.why != "" {
		return m.close()
	}
	return m.Ask(m.question(), func(w int) []present.Line { return present.Rows(0, m.head(w)...) }, m.send)
}

// look also sets why the payment cannot be finalized, if so.
func (m *Finalize) look() {
	m.step.look()
	m.why = m.entry.WhyNot(ledger.ToFinalize, m.Scope.Now())
	if m.entry.Mismatch.Undecided() {
		m.why = present.MismatchFirst
	}
}

// end shows how it ended, and ignores enter for a moment.
func (m *Finalize) end(says ...report.Words) tea.Cmd {
	m.Answered()
	m.ended, m.again, m.since = says, false, m.Scope.Now()
	return nil
}

// close shows why the payment cannot be finalized.
func (m *Finalize) close() tea.Cmd {
	return m.end(report.Words{Text: "This payment cannot be finalized now", Tone: ui.ToneAct}, report.Words{Text: m.why})
}

// question is the confirmation. Where real money may move, the person types the amount, or a word
// if the amount is not known here, so that nothing is finalized out of habit.
func (m *Finalize) question() ui.Question {
	q := ui.Question{
		Title: "Finalize " + m.reference.String() + "?",
		Lines: []string{
			"This tells the service that the customer's part is complete. The funds then move to the settlement account.",
		},
		Place: m.target.String(), Yes: "Finalize", No: "Not yet", Closed: m.target.Closes(),
	}
	if m.known {
		q.Lines = append([]string{m.Theme.Strong.Render(present.AmountDue(m.entry.Asked())) + " by " + present.Subject(m.entry.Attempt)}, q.Lines...)
	}
	if received := m.received(); received != "" {
		q.Lines = slices.Insert(q.Lines, 1, received)
	}
	if lost := present.FinalizeLost(m.entry.FinalizeLostAt()); lost != "" {
		q.Lines = slices.Insert(q.Lines, 1, m.Theme.MarkLines(ui.ToneUnknown, lost+" Finalizing again sends a second one.", m.W)...)
	}
	switch {
	case m.target.Live() && m.known:
		q.Typed = m.entry.Amount.Grouped()
	case m.target.Live():
		q.Typed = "finalize"
	}
	return q
}

// received returns what the service says of the money of a transfer, or has said of any payment; "" for nothing.
func (m *Finalize) received() string {
	e := m.entry
	if !m.known {
		return ""
	}
	words, odd := present.ReceivedWords(e.Received, e.Asked(), m.W)
	if odd {
		words = m.Theme.Mark(ui.ToneAct, words)
	}
	return present.ReceivedWhen(words, e.IsTransfer(), e.Status, e.StatusAt)
}

// commands are the keys when there is no question.
func (m *Finalize) commands() ui.Commands {
	if m.sent.Pending() {
		return nil
	}
	keys := ui.Commands{{Key: ui.Bind("enter", "status", "enter", "s"), On: true, Do: m.watch}}
	if m.again {
		keys = append(keys, ui.Command{Key: ui.Bind("r", "try again"), On: true, Do: m.confirmStep})
	}
	return append(keys, ui.Command{Key: ui.Bind("v", "raw answers"), On: true, Do: nav.To(nav.Raw{Reference: m.reference, Attempt: m.entry.ID})})
}

// send sends the request, once: a Commit never starts twice, and leaving the screen does not stop
// it.
func (m *Finalize) send() tea.Cmd {
	if m.look(); m.why != "" {
		return m.close()
	}
	m.Answered()
	service, reference := m.service, m.reference
	return m.sent.Then(m.onResponse).Timed(present.SendLimit).Commit(m.Scope, present.SendLimit, func(ctx context.Context) (api.Finalization, error) {
		return service.Finalize(ctx, reference)
	})
}

// onResponse shows the result. Only a refusal, or a request that was not sent, may be repeated here.
func (m *Finalize) onResponse(a ui.Result[api.Finalization]) tea.Cmd {
	if a.Err == nil {
		m.answer = a.Value
		return m.end(report.Words{Text: "The service accepted it."},
			report.Words{Text: "This is not the payment's final status yet: watch the payment (enter).", Order: true})
	}
	if conflict, is := errors.AsType[*ledger.FinalizeConflict](a.Err); is {
		m.why = "Nothing was sent. " + present.Conflict(conflict) + " Check the status (enter)."
		return m.close()
	}
	problem := present.Error(a.Err, present.Sending)
	if api.OutcomeOf(a.Err) == api.OutcomeUnresolved {
		problem.Done = "" // the heading says it
		problem.Next = "Do not send it again. Check the status (enter). If it is not final after a minute, you may finalize it again."
		m.status = ui.Cell{Text: present.Unresolved, Tone: ui.ToneUnknown}
		return m.end(report.Words{Text: present.NotKnown(ledger.Finalize)}, report.Words{Problem: problem})
	}
	if r, is := errors.AsType[*api.Refusal](a.Err); is && !api.KeyRejected(r) && !api.Temporary(r) { // nothing on this screen could be corrected
		problem.Next = "Check the payment's status (enter), or try again (r)."
	}
	m.end(report.Words{Text: "Not finalized", Tone: ui.ToneBad}, report.Words{Problem: problem})
	m.again = true
	return nil
}

// WhyStay says why the screen cannot be left now.
func (m *Finalize) WhyStay() string {
	if m.sent.Pending() {
		return "The payment is being finalized. Please wait for the response."
	}
	return ""
}

// head is the steps of a payment of this console, where there is room, and the request in progress.
func (m *Finalize) head(w int) (lines []string) {
	if m.H >= 12 {
		lines = m.stepper(w, present.StageFinalize)
	}
	if m.sent.Pending() {
		lines = append(append(lines, m.Theme.WaitLines(m.sent.Wait(), "Finalizing", w)...), "")
	}
	return lines
}

// report says how it ended, without the colour of success, which only a status has: no status of the payment stands beside its amount.
func (m *Finalize) report() (r report.Report) {
	if m.known {
		r = m.about(m.subject())
	}
	r.Status, r.Says = m.status, m.ended
	if m.sent.Pending() {
		r.Says = []report.Words{{Text: present.SendingNote}}
	}
	r.Sections = []report.Section{{Title: "Finalization", Facts: []report.Fact{
		{Label: "Reference", Value: m.reference.String()}, {Label: "Status", Value: m.answer.Status.Line(0)},
		{Label: "Code", Value: m.answer.Code.Line(0)}, {Label: "Message", Value: present.Quote(m.answer.Message)},
	}}}
	return r
}

// Command implements [ui.Commander].
func (m *Finalize) Command() []string { return present.CommandOn(string(m.reference), "finalize") }
