package attempt

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
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
	from      stage       // where it was made
	reported  string      // what the service reports of the reference; "" when it was not checked
}

// aboutMismatch reports whether it is about how an answer differs, and not about the outcome.
func (d decision) aboutMismatch() bool {
	return d.verdict.IsCharged() || d.verdict == ledger.NotOurs || d.verdict == ledger.AskAgain
}

// newReferenceField reads a reference. It is checked for its form only: whether the service has it
// is asked when it is entered.
func (m *Model) newReferenceField(t *ui.Theme) *ui.TextField {
	return ui.NewTextField(t, "Found as", "the payment's reference, as the provider shows it", ui.Required(), ui.Limit(128),
		ui.Instead("Not sent. Backspace, then type the reference"),
		ui.Except(func(text string) bool { return strings.TrimSpace(text) == string(m.offered) }),
		ui.Checked(func(s string) string {
			if _, err := api.ParseReference(s); err != nil {
				return present.Sentence(err.Error())
			}
			return ""
		}))
}

// newAliasField reads an alias. There is nothing to ask the service about it.
func newAliasField(t *ui.Theme) *ui.TextField {
	return ui.NewTextField(t, "Found as", "the link's alias or its URL, as the provider shows it", ui.Required(), ui.Limit(400),
		ui.Instead("Not recorded. Backspace, then type the alias"),
		ui.Checked(func(s string) string {
			if _, err := api.ParseAlias(s); err != nil {
				return present.Sentence(err.Error())
			}
			return ""
		}))
}

// entryForm is the form for what the attempt was found as.
func (m *Model) entryForm() *ui.Form {
	if m.record.Kind == ledger.CreateLink {
		return m.aliasForm
	}
	return m.form
}

// openFound asks for the reference of the payment, or the alias of the link. A finalization has the
// reference already.
func (m *Model) openFound() tea.Cmd {
	if m.record.Lease.ByAnother() {
		return m.warnTaken()
	}
	if m.record.Kind == ledger.Finalize {
		return m.confirmDecision(decision{verdict: ledger.Found, reference: m.record.Reference})
	}
	m.statusCall.Drop()
	m.search.call.Drop()
	m.enteredFrom, m.stage, m.problem = m.stage, entering, present.Problem{}
	field := m.reference
	if m.record.Kind == ledger.CreateLink {
		field = m.alias
	}
	if field.Value() == "" {
		field.SetValue(m.record.Named) // checked and confirmed like one that is typed
	}
	return nil
}

// enter handles what is typed as the reference or the alias.
func (m *Model) enter(msg tea.Msg) tea.Cmd {
	if m.record.Kind != ledger.CreateLink {
		return m.enterReference(msg)
	}
	if m.aliasForm.Update(msg) != ui.Submitted {
		return nil
	}
	a, err := api.ParseAlias(m.alias.Value())
	if err != nil {
		return nil
	}
	page, _ := api.ParseAddress(m.alias.Value()) // an alias alone is none
	return m.confirmDecision(decision{verdict: ledger.Found, alias: a, page: page})
}

// enterReference handles what is typed as the reference, and checks it with the service before
// anybody confirms it: an ID from elsewhere may not be a reference.
func (m *Model) enterReference(msg tea.Msg) tea.Cmd {
	m.referenceCall.Drop() // it was about the former text
	if m.form.Update(msg) != ui.Submitted {
		return nil
	}
	r, err := api.ParseReference(m.reference.Value())
	if err != nil {
		return nil
	}
	service := m.service
	return m.referenceCall.Then(m.onReference).Timed(api.ReadLimit).Ask(m.Scope, func(ctx context.Context) (api.PaymentStatus, error) {
		t, err := service.Transaction(ctx, r)
		t.Reference = r
		return t, err
	})
}

// onReference asks for a confirmation, with what the service reports of the reference. A
// reference that the service does not have is rejected.
func (m *Model) onReference(a ui.Result[api.PaymentStatus]) tea.Cmd {
	r, err := api.ParseReference(m.reference.Value())
	switch {
	case err != nil:
		return nil
	case api.Definite(a.Err):
		m.form.SetError(m.reference, "The service has no payment with this reference. An ID from the transactions may not be one.")
		return nil
	}
	d := decision{verdict: ledger.Found, reference: r}
	if a.Err != nil {
		d.reported = "The reference could not be checked. " + present.Error(a.Err, present.Reading).What
		return m.confirmDecision(d)
	}
	d.reference, d.reported = Report(m.record.Attempt, a.Value)
	return m.confirmDecision(d)
}

// Report returns what the service says of a reference as which an attempt is to be found: the reference in its
// answer, and how the answer differs from what was asked, in a sentence. t.Reference is the one that was asked about.
func Report(a ledger.Attempt, t api.PaymentStatus) (r api.Reference, words string) {
	r, words = paymentReference(t), "The service reports "+present.Word(t.Status)
	about := t
	about.OtherReference = api.Text{} // its amount is compared all the same
	switch differs := compare(a, about); {
	case !differs.Text.Empty():
		words = "AN AMOUNT THAT CANNOT BE READ: " + differs.Text.Line(40) + ". " + words + "."
	case !differs.IsZero():
		words = "ANOTHER AMOUNT: " + differs.Answered.String() + " instead of " + a.Amount.String() + ". " + words + "."
	case t.HasAmount || !t.AmountText.Empty(): // it agrees, a number without a currency too
		words += ", " + a.Amount.String() + "."
	default:
		words += ", without a readable amount."
	}
	if asked := (api.Asked{Reference: t.Reference, OwnReference: a.OwnReference}); t.Compare(asked).What&api.ReferenceDiffers != 0 {
		words = "ANOTHER REFERENCE: " + t.Compare(asked).Words(asked) + ". " + words
	}
	return r, words
}

// notFound records that it was not found, once it is old enough to have appeared.
func (m *Model) notFound() tea.Cmd {
	if m.record.Decision == ledger.NotFound {
		return m.Warn(recordedAlready)
	}
	if !m.canMarkNotFound {
		return m.Warn("Too early: it may still appear until " + m.notFoundFrom() + ".")
	}
	return m.confirmDecision(decision{verdict: ledger.NotFound})
}

// notFoundFrom is the time from which "not found" may be recorded.
func (m *Model) notFoundFrom() string {
	return m.record.At.Add(ledger.NotFoundAfter).Local().Format(time.TimeOnly)
}

// giveUp asks whether to stop looking. The attempt stays unresolved in its words, and is no longer
// listed as something to do.
func (m *Model) giveUp() tea.Cmd {
	if m.record.Decision == ledger.GaveUp {
		return m.Warn(recordedAlready)
	}
	return m.confirmDecision(decision{verdict: ledger.GaveUp})
}

// takeBack asks whether the attempt is to be unresolved, or its mismatch undecided, again.
func (m *Model) takeBack() tea.Cmd {
	if !m.canTakeBack() {
		return m.Warn("Nothing is decided that could be taken back.")
	}
	return m.confirmDecision(decision{verdict: m.back()})
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

// stopFollowing asks whether a payment in progress is no longer to be listed.
func (m *Model) stopFollowing() tea.Cmd {
	if !m.canStopFollowing() {
		return m.Warn("Only a payment in progress, without an undecided mismatch, is followed.")
	}
	return m.confirmDecision(decision{verdict: ledger.NotFollowed})
}

const recordedAlready = "That is what is recorded already."

// decideMismatch asks whether to record a decision about the mismatch. Nothing happens where that is
// the decision already.
func (m *Model) decideMismatch(v ledger.Decision) func() tea.Cmd {
	return func() tea.Cmd {
		now := m.record.Mismatch.Decision
		if now == v {
			return m.Warn(recordedAlready)
		}
		return m.confirmDecision(decision{verdict: v})
	}
}

// confirmDecision asks for a confirmation of a decision.
func (m *Model) confirmDecision(d decision) tea.Cmd {
	if m.record.Lease.ByAnother() {
		return m.warnTaken()
	}
	m.statusCall.Drop()
	d.from = m.stage
	m.stage, m.problem, m.decision, m.seen = confirming, present.Problem{}, d, m.record.Attempt
	m.confirm = ui.NewConfirm(m.Theme, question(m.record.Attempt, d))
	return m.confirm.Init(m.Scope)
}

// accept records the decision that was confirmed, about the attempt that the question showed.
func (m *Model) accept() tea.Cmd { return m.writeAbout(m.seen, m.decision) }

// decline goes back to where the decision was made.
func (m *Model) decline() tea.Cmd {
	m.Back()
	return nil
}

// write records a decision about the attempt as it is shown.
func (m *Model) write(d decision) tea.Cmd { return m.writeAbout(m.record.Attempt, d) }

// writeAbout records a decision about the attempt as a person saw it. It is committed: the decision
// is recorded even when the person leaves at once, and the console does not end before it is.
func (m *Model) writeAbout(seen ledger.Attempt, d decision) tea.Cmd {
	m.stage, m.confirm, m.problem = showing, nil, present.Problem{}
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
