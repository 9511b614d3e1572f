package payment

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/session"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A payment joins the record of one with the answers of the service, as the screens report it.
type payment struct {
	report.Subject
	unread error // why nothing was compared with what was asked: the journal cannot be read, or has lost records
	late   bool  // the time to wait for its end is over: it had an answer, or no check ended
}

// paymentOf puts together what is known about a payment.
func paymentOf(c *command.Connection, s session.WatchState, unread error) payment {
	e, ours := c.Find(s.Reference)
	if ours {
		unread = nil
	}
	return payment{Subject: report.OfWatch(s, e, ours, nil, time.Now()), unread: unread}
}

// now asks how payments stand.
func (p Commands) now(ctx context.Context, c *command.Connection, unread error, all ...api.Reference) (found []payment, err error) {
	states, err := c.Watches.CheckOnce(ctx, all)
	for _, s := range states {
		found = append(found, paymentOf(c, s, unread))
	}
	return found, err
}

// cell returns the status in a column, in our own words, or what is in doubt about it. Only people read that a transfer waits for the
// customer: programs have the service's word.
func (p payment) cell(people bool) ui.Cell {
	c := p.Circumstances(p.Now)
	c.Unpaid = c.Unpaid && people
	switch {
	case p.Live.Phase == session.NotFound:
		return ui.Cell{Text: "NOT FOUND", Tone: ui.ToneBad}
	case p.Live.Err != nil && !p.Mismatch.InDoubt(): // what is in doubt stays so
		return ui.Cell{Text: "UNKNOWN", Tone: ui.ToneUnknown}
	case !p.Live.History.Any && p.Mismatch.IsZero():
		return ui.Cell{Text: "NO STATUS", Tone: ui.ToneUnknown}
	}
	return present.PaymentCell(p.Attempt, c)
}

// remembered returns the status of an earlier answer, where the last check had none, and when it was reported.
func (p payment) remembered() *output.Remembered {
	if p.Live.Err == nil || !p.Live.History.Any {
		return nil
	}
	at := p.Live.ReportedAt
	if at.IsZero() { // the initiation reported it
		at = p.Live.Entry.At
	}
	s := p.Status
	return &output.Remembered{Word: s.Text.Line(0), Means: s.State.String(), At: output.Time(at)}
}

// failure returns the error behind a missing answer; nil where an answer counts.
func (p payment) failure() error {
	if p.Live.Err != nil {
		return p.Live.Err
	}
	return p.unread
}

// settled reports whether nothing about the payment changes by itself any more.
func (p payment) settled() bool {
	return p.Live.History.Settled() || p.Live.Phase == session.NotFound || p.Live.Phase == session.KeyRejected
}

// code returns the exit code of the payment alone.
func (p payment) code() command.Code { return p.reason().Exit }

// reason judges the outcome of the payment alone, in the one place that does. A success beside a mismatch, decided or not, was never
// paid: that the answer is right does not make it what was asked for.
func (p payment) reason() command.Reason {
	lost := !p.FinalizeLostAt().IsZero()
	switch {
	case p.Mismatch.InDoubt(), !p.Mismatch.IsZero() && p.Status.State == api.Successful:
		return command.WhyMismatch
	case lost:
		return command.WhyUnresolved
	case p.late && p.Live.Err != nil: // no other end: the next check may get an answer
		return command.WhyNotFinal
	case p.Live.Err != nil:
		return p.unanswered()
	case errors.Is(p.unread, journal.ErrLoss):
		return command.Judge(p.unread)
	case p.unread != nil:
		return command.WhyJournal
	case p.Status.State == api.Failed:
		return command.WhyPaymentFailed
	case !p.Status.State.Final():
		return command.WhyNotFinal
	}
	return command.Reason{}
}

// unanswered judges why there is no status. That the service does not know a payment made elsewhere is said in several ways.
func (p payment) unanswered() command.Reason {
	if p.Live.Phase == session.NotFound {
		return command.WhyNotFound
	}
	return command.Judge(p.Live.Err)
}

// means explains the status, and says what to do, in a line.
func (p payment) means() string {
	switch {
	case !p.Mismatch.IsZero():
		return present.Sentence(p.Mismatch.Words(p.Asked()))
	case p.Live.History.Any && p.failure() == nil: // an answer that was not compared releases no goods
		return p.Means()
	}
	return ""
}

// says returns the last column of a payment: why no answer counts, or what the status means.
func (p payment) says() string {
	if err := p.failure(); err != nil {
		words := problem(err)
		says := words.What
		if words.Detail != "" {
			says = strings.TrimSuffix(says, ".") + ": " + words.Detail
		}
		if words.Next != "" {
			says = present.Sentence(says) + " " + words.Next
		}
		return says
	}
	return p.means()
}

// problem words why no answer counts. What comes next is said where that is to wait.
func problem(err error) present.Problem {
	words := present.Error(err, present.Reading)
	if wait, busy := api.Backoff(err); !busy && wait == 0 {
		words.Next = ""
	}
	return words
}

// object returns the payment as JSON.
func (p payment) object() output.PaymentStatus {
	o := output.PaymentStatus{
		Reference: p.Reference.String(), Remembered: p.remembered(),
		Amount: output.NewMoney(p.Amount), Received: output.NewMoney(p.Live.Said.Received), MadeHere: !p.LookedUp,
		AmountStated: p.Live.Said.HasAmount && !p.Live.ReportedAt.IsZero(),
		Mismatch:     output.NewMismatch(p.Mismatch),
		Means:        p.means(), Exit: int(p.code()),
	}
	if p.Live.History.Any && p.Live.Err == nil {
		o.Status, o.At = output.NewStatus(p.Status, p.code() != command.Done), output.Time(p.Live.ReportedAt)
	}
	if err := p.failure(); err != nil {
		words := problem(err)
		o.Problem = &output.Problem{What: words.What, Detail: words.Detail, Next: words.Next}
	}
	return o
}

// onPayment runs a command about the payment that its argument names.
func onPayment(do func(context.Context, api.Reference) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		r, err := command.Reference(args[0])
		if err != nil {
			return err
		}
		return do(c.Context(), r)
	}
}

// recall reads what was recorded of payments. The service is asked even where the journal cannot be read, but its
// answers are then not compared with what was asked; nor are those about payments that may have been lost.
func (p Commands) recall(ctx context.Context, c *command.Connection, references []api.Reference) (unread error) {
	if len(references) == 1 {
		p.About.Reference = references[0]
	}
	for _, r := range references {
		if err := c.Recall(ctx, r); err != nil {
			p.Warn("The journal cannot be read, so answers are not compared with what was asked: %s", err)
			return err
		}
		switch e, ours := c.Find(r); {
		case !ours && unread == nil:
			unread = c.Journal.LossStands()
		case ours && len(references) == 1:
			p.About.Attempt = e.ID
		}
	}
	if unread != nil {
		p.Warn("Answers about payments that the journal does not have are not compared with what was asked.")
	}
	return unread
}
