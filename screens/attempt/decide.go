package attempt

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// writeLimit is how long the journal may take to write a decision down.
const writeLimit = 10 * time.Second

// A decision is what a person, or an answer of the service, says of the attempt.
type decision struct {
	verdict   journal.Decision
	reference api.Reference
	from      stage  // where it was asked for
	told      string // what the service says of the reference; "" when it was not asked
}

func newFound(t *ui.Theme) *ui.TextField {
	return ui.NewTextField(t, "Found as", "the payment's reference, as the provider shows it", ui.Required(), ui.Limit(128),
		ui.Checked(func(s string) string {
			if _, err := api.ParseReference(s); err != nil {
				return present.Sentence(err.Error())
			}
			return ""
		}))
}

// name asks which payment it was found as. A finalization names its payment itself, and a
// link has no reference.
func (m *Model) name() tea.Cmd {
	if m.record.Kind != journal.Initiate {
		return m.ask(decision{verdict: journal.Found, reference: m.record.Reference})
	}
	m.byReference.Drop()
	m.search.call.Drop()
	m.stage, m.trouble = naming, present.Problem{}
	return nil
}

// enterReference takes what is typed as the reference, and asks the service for it before anybody
// confirms it: an id from elsewhere need not be one.
func (m *Model) enterReference(msg tea.Msg) tea.Cmd {
	m.checked.Drop() // it was about what was typed before
	if m.form.Update(msg) != ui.Submitted {
		return nil
	}
	r, err := api.ParseReference(m.found.Value())
	if err != nil {
		return nil
	}
	service := m.service
	return m.checked.Ask(m.scope, func(ctx context.Context) (api.Transaction, error) {
		t, err := service.Transaction(ctx, r)
		t.Reference = r
		return t, err
	})
}

// onReference puts the decision with what the service says of the reference. One that it does
// not know is not what was found.
func (m *Model) onReference(a ui.Result[api.Transaction]) tea.Cmd {
	r, err := api.ParseReference(m.found.Value())
	switch {
	case err != nil:
		return nil
	case api.Definite(a.Err):
		m.form.SetError(m.found, "The service knows no payment of this reference. An id in the list need not be one.")
		return nil
	}
	d := decision{verdict: journal.Found, reference: r, from: naming}
	if a.Err != nil {
		d.told = "The service could not be asked for it. " + present.Error(a.Err, present.Reading).What
		return m.ask(d)
	}
	t := a.Value
	d.reference, d.told = names(t), "The service says of it: "+present.Word(t.Status)
	switch {
	case !t.HasAmount:
		d.told += ", and no amount that can be read."
	case t.Amount != m.record.Amount:
		d.told = "ANOTHER AMOUNT: " + t.Amount.String() + " instead of " + m.record.Amount.String() + ". " + d.told + "."
	default:
		d.told += ", " + t.Amount.String() + "."
	}
	return m.ask(d)
}

// notFound is open only once the attempt is old enough to be looked for (R46).
func (m *Model) notFound() tea.Cmd {
	if !m.finding {
		return m.say("It may still appear: \"" + m.keys.notFound.Help().Desc + "\" opens at " + m.opens() + ".")
	}
	return m.ask(decision{verdict: journal.NotFound})
}

// opens is when "not found" does.
func (m *Model) opens() string {
	return m.record.At.Add(journal.NotFoundAfter).Local().Format(time.TimeOnly)
}

// ask puts a decision as a question.
func (m *Model) ask(d decision) tea.Cmd {
	m.byReference.Drop()
	m.stage, m.trouble, m.decision = confirming, present.Problem{}, d
	m.confirm = ui.NewConfirm(m.theme, question(m.record.Attempt, d))
	return m.confirm.Init(m.scope)
}

// answered hands everything to the question and looks at its answer.
func (m *Model) answered(msg tea.Msg) tea.Cmd {
	d, cmd := m.confirm.Update(msg)
	switch d {
	case ui.Accepted:
		return m.write(m.decision)
	case ui.Declined:
		m.Back()
	}
	return cmd
}

// write records a decision. It is a commit: what was decided is written down even when the
// person leaves at once, and the console does not end before it is.
func (m *Model) write(d decision) tea.Cmd {
	m.stage, m.confirm, m.trouble = looking, nil, present.Problem{}
	m.search.end()
	book, id := m.book, m.id
	return m.decided.Commit(m.scope, writeLimit, func(ctx context.Context) (decision, error) {
		return d, book.Decide(ctx, id, d.verdict, d.reference)
	})
}

// recorded goes on to the payment that was found. Everything else is read anew from the
// journal, which knows who decided and when.
func (m *Model) recorded(a ui.Result[decision]) tea.Cmd {
	d := a.Value
	if a.Err == nil && d.verdict == journal.Found && d.reference != "" {
		return nav.ReplaceWith(nav.Payment{Reference: d.reference})
	}
	if a.Err != nil {
		m.trouble = unwritten(a.Err)
	}
	return m.load()
}

func unwritten(err error) present.Problem {
	t := present.Problem{What: "The decision was not recorded.", Next: "Decide again once that is mended.", Detail: clean(err.Error())}
	var blocked *journal.Unavailable
	if errors.As(err, &blocked) {
		t.What, t.Detail, t.Next = t.What+" "+present.Sentence(clean(blocked.Why)), "", ""
	}
	if errors.Is(err, ui.ErrPanicked) {
		t.What = "The console broke off while it was recording the decision."
		t.Next = "Below is what the journal has."
	}
	return t
}

// question says what a decision leads to.
func question(a journal.Attempt, d decision) ui.Question {
	q := ui.Question{Yes: "Record it", No: "Go back"}
	w := wordsOf(a.Kind)
	switch d.verdict {
	case journal.Found:
		q.Title, q.Lines = w.found(d.reference), w.afterFound
	case journal.NotFound:
		q.Title, q.Lines = w.notFound, w.afterNotFound
	default:
		q.Title = "Give up finding out what became of it?"
		q.Lines = []string{"It leaves the list of what is unresolved, and nobody is reminded of it any more.", w.afterGivingUp}
	}
	about := []string{strings.Join(essence(a), " · ")}
	if d.told != "" {
		about = append(about, d.told)
	}
	q.Lines = append(about, q.Lines...)
	return q
}
