package attempt

import (
	"context"
	"errors"
	"strings"
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

// A Decision resolves an attempt, by a person or by a response of the service.
type Decision struct {
	ledger.Deciding
	Reported string // what the service reports of the reference; "" when it was not checked
	Contrary bool   // to what the service reports, or that is not known
}

// Decided is the decision v, for [ledger.Found] as the payment with a reference.
func Decided(v ledger.Decision, r api.Reference) Decision {
	return Decision{Deciding: ledger.Deciding{Decision: v, As: string(r)}}
}

// FoundAs decides that an attempt was found as entered: by the reference of its payment, or by the alias or URL of its link,
// which are checked for their form only.
func FoundAs(a ledger.Attempt, entered string) (d Decision, err error) {
	if a.Kind != ledger.CreateLink {
		r, err := api.ParseReference(entered)
		return Decided(ledger.Found, r), err
	}
	alias, err := api.ParseAlias(entered)
	d.Decision, d.As = ledger.Found, string(alias)
	d.Page, _ = api.ParseAddress(entered) // an alias alone is none
	return d, err
}

// Shown is the reference or the alias that the attempt was found as, as [api.Reference.String] shows it.
func (d Decision) Shown() string { return api.Reference(d.As).String() }

// Checked returns the decision with the answer of the service about its reference.
func (d Decision) Checked(a ledger.Attempt, t api.PaymentStatus, err error) Decision {
	if err != nil {
		d.Reported, d.Contrary = "The reference could not be checked. "+present.Error(err, present.Reading).What, true
		return d
	}
	t.Reference = api.Reference(d.As)
	r, words, differ := reportOf(a, t)
	d.As, d.Reported, d.Contrary = string(r), words, differ
	return d
}

// aboutMismatch reports whether it concerns how an answer differs, and not the outcome.
func (d Decision) aboutMismatch() bool {
	return d.Decision.IsCharged() || d.Decision == ledger.NotOurs || d.Decision == ledger.AskAgain
}

// reportOf returns what the service says of a reference as which an attempt is to be found: the reference in its
// answer, and how the answer differs from what was asked, in a sentence. t.Reference is the one that was requested.
func reportOf(a ledger.Attempt, t api.PaymentStatus) (r api.Reference, words string, differ bool) {
	r, words = paymentReference(t), "The service reports "+present.Word(t.Status)
	about, asked := t, a.Asked()
	about.OtherReference = api.Text{} // its amount is compared all the same
	asked.Reference, asked.Status = t.Reference, api.Status{}
	switch differs := about.Compare(asked); {
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
	asked = api.Asked{Reference: t.Reference, OwnReference: a.OwnReference}
	if named := t.Compare(asked); named.What&api.ReferenceDiffers != 0 {
		differ = true
		words = "ANOTHER REFERENCE: " + named.Words(asked) + ". " + words
	}
	return r, words, differ
}

// paymentReference is the reference in the response, else the one requested.
func paymentReference(t api.PaymentStatus) api.Reference {
	if r, err := api.ParseReference(t.OtherReference.Line(0)); err == nil {
		return r
	}
	return t.Reference
}

// decider begins a decision, which is recorded after a question. That it was not found can be decided once it is old enough
// to have appeared.
func (m *Model) decider(v ledger.Decision) func() tea.Cmd {
	return func() tea.Cmd {
		if m.tooEarly(v) {
			return m.Warn("Too early: it may still appear until " + m.notFoundFrom() + ".")
		}
		return m.confirm(Decided(v, ""))
	}
}

// tooEarly reports whether a decision is not possible yet.
func (m *Model) tooEarly(v ledger.Decision) bool {
	return v == ledger.NotFound && m.record.age() < ledger.NotFoundAfter
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

// confirm asks for a confirmation of a decision, which applies to the attempt that the question shows.
func (m *Model) confirm(d Decision) tea.Cmd {
	if m.record.Lease.ByAnother() {
		return m.Warn(takenWords)
	}
	m.statusCall.Drop()
	m.problem = present.Problem{}
	seen, q, known := m.record.Attempt, d.Question(m.record.Attempt), m.report()
	history := func(w, h int) []string { return known.HistoryLines(m.Theme, w, h) }
	above := func(w int) []present.Line { // with the history where that is not beside the question
		lines := append(present.Rows(0, known.Line(m.Theme, w)), present.Rows(1, append(m.Theme.MutedLines(report.Origin(seen), w), "")...)...)
		if m.W < present.SplitFrom {
			lines = append(lines, present.Paragraph(3, append(history(w, m.H), "")...)...)
		}
		return lines
	}
	return detail.Ask(m.Body, detail.Question{
		Question: q, Title: strings.TrimSuffix(q.Yes, " it"), Head: above, Beside: history, Help: decisionHelp, Command: m.command(d),
		Do: func() tea.Cmd { return m.write(seen, d) },
	})
}

// decisionHelp says what becomes of a decision.
var decisionHelp = []string{
	"Your answer records the decision in the journal, with your user name and the time. Nothing is sent to the service.",
	"A decision can be replaced by another, or taken back: the latest counts, and all of them stay in the history.",
}

// write records a decision about the attempt as a person saw it. It is committed: the decision
// is recorded even when the person leaves at once, and the console does not end before it is.
func (m *Model) write(seen ledger.Attempt, d Decision) tea.Cmd {
	m.problem, m.only = present.Problem{}, false
	m.search.call.Drop()
	m.search.searched = searched{}
	j := m.journal
	return m.decideCall.Then(m.recorded).Commit(m.Scope, writeLimit, func(ctx context.Context) (Decision, error) {
		return d, j.Decide(ctx, seen, d.Deciding)
	})
}

// recorded opens the payment that was found. After any other decision the attempt is reloaded
// from the journal, which knows who decided and when.
func (m *Model) recorded(a ui.Result[Decision]) tea.Cmd {
	if d := a.Value; a.Err == nil && d.Decision == ledger.Found && d.As != "" && !m.ofLink() {
		return nav.ReplaceWith(nav.Payment{Reference: api.Reference(d.As)})
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
		t.Next = "Read it, then decide again if you still want to."
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

// asks is the question about a decision, with what follows from that alone.
func asks(a ledger.Attempt, d Decision) ui.Question {
	q := ui.Question{Yes: "Record it", No: "Go back", Grave: true}
	w := wordingOf(a.Kind)
	switch d.Decision {
	case ledger.Found:
		q.Title, q.Lines = w.found(d.Shown()), w.afterFound
	case ledger.NotFound:
		q.Title, q.Lines = w.notFound, w.afterNotFound
	case ledger.AnswerRight, ledger.AsAsked, ledger.NotOurs, ledger.AskAgain:
		q.Title, q.Lines = mismatchQuestion(a, d.Decision)
	case ledger.NotFollowed:
		q.Title, q.Yes, q.Lines = "Stop following this payment?", "Stop following", []string{
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
		q.Title, q.Yes = "Give up finding out what happened?", "Give up"
		q.Lines = []string{notListed + ", and home does not remind you of it.", w.afterGivingUp}
	}
	return q
}

// Question says what the decision about an attempt leads to: a title that asks, and what follows.
func (d Decision) Question(a ledger.Attempt) ui.Question {
	q, about := asks(a, d), []string(nil)
	if a.Decision != ledger.Undecided && !d.aboutMismatch() {
		about = append(about, "Until now: "+present.Decision(a)+", "+present.DateTime(a.DecidedAt)+", by "+present.Operator(a.DecidedBy)+".")
	}
	if a.Decision == ledger.Found && a.Kind == ledger.Initiate && !d.aboutMismatch() {
		q.Lines = append([]string{"The payment " + a.Reference.String() + " will no longer belong to this attempt."}, q.Lines...)
	}
	if d.Reported != "" {
		about = append(about, d.Reported)
	}
	q.Lines = append(about, q.Lines...)
	return q
}

// canBeTaken reports whether a person can tell a team that they look into it.
func (m *Model) canBeTaken() bool { return m.record.IsUnresolved() && m.journal.Shared() }

// takeCommand is the key that takes it, releases it, or takes it over from a colleague.
func (m *Model) takeCommand() ui.Command {
	verb := "take"
	switch l := m.record.Lease; {
	case l.Mine:
		verb = "release"
	case !l.IsZero():
		verb = "take over"
	}
	return ui.Command{Key: ui.Bind("@", verb), On: true, Do: m.take}
}

// take takes the attempt as it is shown, or releases it.
func (m *Model) take() tea.Cmd {
	m.problem = present.Problem{}
	j, seen := m.journal, m.record.Attempt
	return m.leaseCall.Then(m.taken).Commit(m.Scope, writeLimit, func(ctx context.Context) (struct{}, error) {
		if seen.Lease.Mine {
			return struct{}{}, j.Release(ctx, seen.ID)
		}
		return struct{}{}, j.Take(ctx, seen)
	})
}

// taken shows whose it is now.
func (m *Model) taken(a ui.Result[struct{}]) tea.Cmd {
	if a.Err != nil {
		m.problem = decisionProblem("It was not recorded who is looking at this.", a.Err)
	}
	return m.load()
}

const takenWords = "Taken by a colleague: ask them, or take it over (@)."

// explainTaking is the help about taking an attempt.
func (m *Model) explainTaking() []string {
	if !m.canBeTaken() {
		return nil
	}
	return []string{"@ tells your team that you are looking into it. For 15 minutes others must take it over with @ before they decide; @ releases it again."}
}
