package attempt

import (
	"cmp"
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// writeLimit limits how long the journal may take to record a decision.
const writeLimit = 10 * time.Second

// A decision resolves the attempt, by a person or by a response of the service.
type decision struct {
	verdict   ledger.Decision
	reference api.Reference
	alias     api.Alias   // of a link that was found
	page      api.Address // its URL, where that was entered
	reported  string      // what the service reports of the reference; "" when it was not checked
}

// aboutMismatch reports whether it is about how an answer differs, and not about the outcome.
func (d decision) aboutMismatch() bool {
	return d.verdict.IsCharged() || d.verdict == ledger.NotOurs || d.verdict == ledger.AskAgain
}

// Report returns what the service says of a reference as which an attempt is to be found: the reference in its
// answer, and how the answer differs from what was asked, in a sentence. t.Reference is the one that was asked about.
func Report(a ledger.Attempt, t api.PaymentStatus) (r api.Reference, words string, differ bool) {
	r, words = paymentReference(t), "The service reports "+present.Word(t.Status)
	about := t
	about.OtherReference = api.Text{} // its amount is compared all the same
	switch differs := compare(a, about); {
	case !differs.Text.Empty():
		differ = true
		words = "AN AMOUNT THAT CANNOT BE READ: " + differs.Text.Line(40) + ". " + words + "."
	case !differs.IsZero():
		differ = true
		words = "ANOTHER AMOUNT: " + differs.Answered.String() + " instead of " + a.Amount.String() + ". " + words + "."
	case t.HasAmount || !t.AmountText.Empty(): // it agrees, a number without a currency too
		words += ", " + a.Amount.String() + "."
	default:
		words += ", without a readable amount."
	}
	if asked := (api.Asked{Reference: t.Reference, OwnReference: a.OwnReference}); t.Compare(asked).What&api.ReferenceDiffers != 0 {
		differ = true
		words = "ANOTHER REFERENCE: " + t.Compare(asked).Words(asked) + ". " + words
	}
	return r, words, differ
}

// decider begins a decision, which is recorded after a question. That it was not found can be decided once it is old enough
// to have appeared.
func (m *Model) decider(v ledger.Decision) func() tea.Cmd {
	return func() tea.Cmd {
		if v == ledger.NotFound && !m.canMarkNotFound {
			return m.Warn("Too early: it may still appear until " + m.notFoundFrom() + ".")
		}
		return m.confirm(decision{verdict: v})
	}
}

// notFoundFrom is the time from which "not found" may be recorded.
func (m *Model) notFoundFrom() string {
	return m.record.At.Add(ledger.NotFoundAfter).Local().Format(time.TimeOnly)
}

// back returns what takes back the later decision.
func (m *Model) back() ledger.Decision {
	if v := m.record.Mismatch; !v.IsZero() && !v.Undecided() {
		return ledger.AskAgain
	}
	return ledger.Undecided
}

// canTakeBack reports whether a decision stands.
func (m *Model) canTakeBack() bool {
	a := m.record
	return a.Mismatch.Decision != ledger.Undecided || a.Decision == ledger.NotFollowed ||
		a.Outcome == ledger.Unresolved && a.Decision != ledger.Undecided
}

// canStopFollowing reports whether the payment is followed.
func (m *Model) canStopFollowing() bool { return m.record.UnderWay() && !m.record.Mismatch.Undecided() }

// confirm asks for a confirmation of a decision, which is about the attempt that the question shows.
func (m *Model) confirm(d decision) tea.Cmd {
	if m.record.Lease.ByAnother() {
		return m.warnTaken()
	}
	m.statusCall.Drop()
	m.problem = present.Problem{}
	seen := m.record.Attempt
	return detail.Ask(m.Body, detail.Question{
		Question: question(seen, d), Title: "Record", Head: func(w int) []present.Line { return present.Rows(0, m.head(w)...) }, Help: decisionHelp, Command: m.command(d),
		Do: func() tea.Cmd { return m.write(seen, d) },
	})
}

// decisionHelp says what becomes of a decision.
var decisionHelp = []string{
	"Only the answer records the decision: with your user name and the time, in the journal. Nothing is sent to the service.",
	"A decision can be replaced by another, or taken back: the latest counts, and all of them stay in the history.",
}

// write records a decision about the attempt as a person saw it. It is committed: the decision
// is recorded even when the person leaves at once, and the console does not end before it is.
func (m *Model) write(seen ledger.Attempt, d decision) tea.Cmd {
	m.problem, m.only = present.Problem{}, false
	m.search.reset()
	j := m.journal
	return m.decideCall.Then(m.recorded).Commit(m.Scope, writeLimit, func(ctx context.Context) (decision, error) {
		if d.alias != "" {
			return d, j.FoundLink(ctx, seen, d.alias, d.page)
		}
		return d, j.Decide(ctx, seen, d.verdict, d.reference)
	})
}

// recorded opens the payment that was found. After any other decision the attempt is reloaded
// from the journal, which knows who decided and when.
func (m *Model) recorded(a ui.Result[decision]) tea.Cmd {
	d := a.Value
	if a.Err == nil && d.verdict == ledger.Found && d.reference != "" {
		return nav.ReplaceWith(nav.Payment{Reference: d.reference})
	}
	if a.Err != nil {
		m.problem = decisionProblem("The decision was not recorded.", a.Err)
	}
	return m.load()
}

// decisionProblem words why a decision may not be in the journal, after what that means. After a failure of paydesk itself
// it may be there: the attempt is read again and shown.
func decisionProblem(what string, err error) present.Problem {
	t := present.Problem{What: what, Next: "Fix that and decide again.", Detail: present.Plain(err.Error())}
	if errors.Is(err, ledger.ErrChanged) {
		t.Next = "Read it, then decide again if you still would."
	}
	if taken, is := errors.AsType[*ledger.TakenError](err); is {
		t.Detail, t.Next = present.Lease(taken.Lease), present.TakenAdvice
	}
	var blocked *ledger.Unavailable
	if errors.As(err, &blocked) {
		t.What, t.Detail, t.Next = t.What+" "+present.Sentence(present.Plain(blocked.Why)), "", ""
	}
	if errors.Is(err, ui.ErrPanicked) {
		t.What = "paydesk failed while recording the decision."
		t.Next = "Below is what the journal holds."
	}
	return t
}

// Question says what a decision about an attempt leads to: a title that asks, and what follows. as is the reference or
// the alias that it was found as.
func Question(a ledger.Attempt, v ledger.Decision, as, reported string) (title string, lines []string) {
	q := question(a, decision{verdict: v, reference: api.Reference(as), reported: reported})
	return q.Title, q.Lines
}

// asks is the question about a decision, with what follows from that alone.
func asks(a ledger.Attempt, d decision) ui.Question {
	q := ui.Question{Yes: "Record it", No: "Go back"}
	w := wordingOf(a.Kind)
	switch d.verdict {
	case ledger.Found:
		q.Title, q.Lines = w.found(cmp.Or(d.reference.String(), string(d.alias))), w.afterFound
	case ledger.NotFound:
		q.Title, q.Lines = w.notFound, w.afterNotFound
	case ledger.AnswerRight, ledger.AsAsked, ledger.NotOurs, ledger.AskAgain:
		q.Title, q.Lines = mismatchQuestion(a, d.verdict)
	case ledger.NotFollowed:
		q.Title, q.Lines = "Stop following this payment?", []string{
			"It is no longer listed on home, and its status is checked only when it is opened.",
			"It is not cancelled: the customer may still pay, and only a check of the status shows that.",
		}
	case ledger.Undecided:
		if a.Decision == ledger.NotFollowed {
			q.Title, q.Yes, q.Lines = "Follow this payment again?", "Follow it", []string{"Home lists it again until its status is final."}
			break
		}
		q.Title, q.Yes = "Take back what was decided?", "Take it back"
		q.Lines = []string{"It is listed as unresolved again, and you will be warned before sending it again."}
	default:
		q.Title = "Stop trying to find out what happened?"
		q.Lines = []string{"It is no longer listed as unresolved, and home does not remind you of it.", w.afterGivingUp}
	}
	return q
}

// question says what a decision leads to, and what it is about.
func question(a ledger.Attempt, d decision) ui.Question {
	q := asks(a, d)
	about := []string{report.Summary(a)}
	if a.Decision != ledger.Undecided && !d.aboutMismatch() {
		about = append(about, "Until now: "+present.Decision(a)+", "+present.DateTime(a.DecidedAt)+", by "+present.Operator(a.DecidedBy)+".")
	}
	if a.Decision == ledger.Found && a.Kind == ledger.Initiate && !d.aboutMismatch() {
		q.Lines = append([]string{"The payment " + a.Reference.String() + " is then no longer this attempt's."}, q.Lines...)
	}
	if d.reported != "" {
		about = append(about, d.reported)
	}
	q.Lines = append(about, q.Lines...)
	return q
}
