package payment

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
)

// Finalize tells the service that the customer's part of a payment is complete.
func (p Commands) Finalize() *cobra.Command {
	var yes, done bool
	c := command.Ends(&cobra.Command{
		Use: "finalize REF", Short: "Tell the service that the customer has paid a link",
		Long: "A payment through a link has to be finalized once the customer has done their part. It is sent\n" +
			"once, after a confirmation. The answer is not the payment's status: paydesk status REF shows that.",
		Example: "  paydesk finalize P5KQ2M7X1A\n  paydesk finalize P5KQ2M7X1A --yes && paydesk status P5KQ2M7X1A --until final",
		RunE:    onPayment(func(ctx context.Context, r api.Reference) error { return p.finalize(ctx, r, yes, done) }),
	}, command.Refused, command.Unresolved, command.PaymentFailed, command.Duplicate, command.Locked)
	c.Flags().BoolVar(&done, "customer-done", false, "the customer says that they have done their part, such as the transfer")
	c.Flags().BoolVar(&yes, "yes", false, "send without asking; test profiles only")
	return c
}

func (p Commands) finalize(ctx context.Context, r api.Reference, yes, done bool) error {
	c, err := p.Connect(ctx)
	if err != nil {
		return err
	}
	if err := p.recall(ctx, c, []api.Reference{r}); err != nil && !errors.Is(err, journal.ErrLoss) { // that is refused where it is sent
		return command.Refuse(command.WhyJournal, "Nothing was sent: the journal could not be read, and it may have this payment.", "")
	}
	if err := p.checkFirst(ctx, c, r); err != nil {
		return err
	}
	if e, _ := c.Find(r); done && e.WhyNot(ledger.ToAuthorise, time.Now()) == "" {
		c.CustomerDone(r) // stored with the finalize
	}
	got, err := p.finalizeAsked(ctx, c, r, yes)
	if err == nil {
		o := output.Finalization{Reference: string(r), Accepted: true, Word: got.Status.Line(0), Message: got.Message.Line(0)}
		if p.Data.Format != output.JSON {
			p.Say("The service accepted it. That is not the payment's status: paydesk status %s shows that.", r)
		}
		p.Data.Show(o, [][2]string{{"Reference", o.Reference}, {"Finalize", "accepted"}, {"Message", o.Message}}...)
	}
	return p.Kept(ctx, c, "finalize of "+string(r), err)
}

// checkFirst asks how a payment stands: whether it can be finalized, and what a person confirms, depends on that.
func (p Commands) checkFirst(ctx context.Context, c *command.Connection, r api.Reference) error {
	found, err := p.now(ctx, c, nil, r)
	if err != nil {
		return err
	}
	switch k := found[0]; {
	case k.Live.Err != nil:
		err := command.Problem(k.Live.Err, present.Reading, "")
		if refused, is := errors.AsType[*command.Refusal](err); is {
			refused.Reason, refused.Done = k.unanswered(), "Nothing was sent: its status has to be known first."
		}
		return err
	case k.LookedUp && k.Mismatch.InDoubt():
		return command.Refuse(command.WhyMismatch, k.means()+" Nothing was sent.", "paydesk case "+string(r)+" says what is known.")
	}
	return nil
}

// finalizeAsked finalizes a payment once a person has confirmed it.
func (p Commands) finalizeAsked(ctx context.Context, c *command.Connection, r api.Reference, yes bool) (api.Finalization, error) {
	e, known := c.Find(r)
	if why, reason := whyNotFinalize(e); why != "" {
		return api.Finalization{}, command.Refuse(reason, why+" Nothing was sent.", "")
	}
	s := command.Sending{Question: "Finalize " + string(r) + "?", Typed: "finalize", Yes: yes, Facts: [][2]string{{"Payment", string(r)}}}
	if known {
		paid, _ := present.ReceivedWords(e.Received, e.Asked(), 70)
		s.Typed = e.Amount.Grouped()
		s.Facts = append(s.Facts, [2]string{"Amount", present.AmountDue(e.Asked()) + " by " + present.Subject(e.Attempt)})
		if received := present.ReceivedWhen(paid, e.IsTransfer(), e.Status, e.StatusAt); received != "" {
			s.Facts = append(s.Facts, [2]string{"Received", strings.TrimPrefix(received, "Received ")})
		}
	}
	if lost := present.FinalizeLost(e.FinalizeLostAt()); lost != "" {
		careful := lost + " Finalizing again sends a second one, for the same payment."
		if s.Facts = append(s.Facts, [2]string{"Careful", careful}); yes {
			p.Warn("%s", careful)
		}
	}
	if err := p.Allow(ctx, c, s); err != nil {
		return api.Finalization{}, err
	}
	got, err := command.Send(ctx, p.Program, func(ctx context.Context) (api.Finalization, error) { return c.Finalize(ctx, r) })
	next := "" // of what was not done, the error itself says it
	if errors.As(err, new(*ledger.FinalizeConflict)) || api.OutcomeOf(err) == api.OutcomeUnresolved {
		next = "paydesk status " + string(r) + " shows its status. If it is not final after a minute, you may finalize it again."
	} else if no, is := errors.AsType[*api.Refusal](err); is && !api.KeyRejected(no) && !api.Temporary(no) { // nothing can be corrected
		next = "paydesk status " + string(r) + " shows its status."
	}
	return got, command.Problem(err, present.Sending, next)
}

// whyNotFinalize says why a payment cannot be finalized now, and for which reason a command ends; "" when it can. A second finalize has
// a reason of its own, however far the payment has come.
func whyNotFinalize(e session.Entry) (words string, r command.Reason) {
	if e.Mismatch.Undecided() {
		return "A mismatch: decide about it first, with paydesk resolve " + string(e.ID) + ".", command.WhyMismatch
	}
	r = command.WhyRecorded
	switch state := e.Status.State; {
	case e.Mismatch.InDoubt():
		r = command.WhyMismatch
	case state == api.Failed:
		r = command.WhyPaymentFailed
	case state == api.Successful, e.Finalized, !e.FinalizeLostAt().IsZero():
		r = command.WhyFinalized
	}
	return e.WhyNot(ledger.ToFinalize, time.Now()), r
}
