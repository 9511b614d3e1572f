package journal

import (
	"context"
	"slices"
	"time"

	"paydesk/api"
)

// RecordTransaction records what the service answered about a payment in the journal. The same status
// again extends its event, and a final status is never replaced. An answer that differs from what was
// asked is a mismatch; one about another payment says nothing about the status of this one. A payment
// that no attempt made is recorded as a [Lookup].
func (j *Journal) RecordTransaction(ctx context.Context, d Destination, got api.Transaction) error {
	if got.Reference == "" {
		return nil
	}
	return j.writeOn(ctx, []string{paymentOn(got.Reference)}, func(t *writeTx) error {
		made, err := t.payments(d, got.Reference)
		if err != nil {
			return err
		}
		if len(made) == 0 {
			return t.recordLookup(d, got)
		}
		for _, r := range made {
			if err := t.recordAnswer(r, got); err != nil {
				return err
			}
		}
		return nil
	})
}

// recordAnswer writes what the status endpoint answered into a payment.
func (t *writeTx) recordAnswer(r *row, got api.Transaction) error {
	was, differs := r.Mismatch, got.Compare(r.Asked())
	r.Mismatch = was.After(differs, got.HasAmount, t.now)
	if err := t.addMismatch(r, was, differs, got.Amount, FromCheck); err != nil {
		return err
	}
	if differs.What&api.ReferenceDiffers != 0 {
		return t.update(r)
	}
	return t.recordStatus(r, got.Status, FromCheck, t.now)
}

// RecordChallenge records that an authentication check asked the customer to authorise, also of a
// payment that was only looked up.
func (j *Journal) RecordChallenge(ctx context.Context, d Destination, ref api.Reference) error {
	return j.write(ctx, func(t *writeTx) error {
		asked := AnswerEvent(AskedToCheck, FromBankCheck, t.now)
		made, err := t.payments(d, ref)
		if err != nil {
			return err
		}
		for _, r := range made {
			r.Challenged = true
			if err := t.addAnswer(r, asked); err != nil {
				return err
			}
		}
		looked, err := t.lookup(d, ref)
		switch {
		case err == ErrNotFound || len(made) > 0:
			return nil
		case err != nil:
			return err
		}
		return t.addAnswerEvent(looked, asked)
	})
}

// CustomerDone records that the operator confirmed that the customer has done their part.
func (j *Journal) CustomerDone(ctx context.Context, d Destination, ref api.Reference) error {
	return j.updatePayment(ctx, d, ref, func(t *writeTx, r *row) error {
		r.Attempt.CustomerDone = true
		return t.addAnswer(r, AnswerEvent(Done, FromPerson, t.now))
	})
}

// addAnswer writes a payment and what has been answered about it.
func (t *writeTx) addAnswer(r *row, e Event) error {
	if err := t.update(r); err != nil {
		return err
	}
	return t.addAnswerEvent(r, e)
}

// updatePayment calls f for the payment with a reference, if the journal has it.
func (j *Journal) updatePayment(ctx context.Context, d Destination, ref api.Reference, f func(*writeTx, *row) error) error {
	if ref == "" {
		return nil
	}
	return j.write(ctx, func(t *writeTx) error {
		made, err := t.payments(d, ref)
		if err != nil {
			return err
		}
		for _, r := range made {
			if err := f(t, r); err != nil {
				return err
			}
		}
		return nil
	})
}

// payments returns the initiations with a reference, newest first.
func (t *readTx) payments(d Destination, ref api.Reference) ([]*row, error) {
	all, err := t.byReference(d, ref)
	return ofKind(all, Initiate), err
}

// ofKind returns the rows of a kind; all stays as it is.
func ofKind(all []*row, k Kind) []*row {
	return slices.DeleteFunc(slices.Clone(all), func(r *row) bool { return r.Kind != k })
}

// recordStatus writes a status into its payment and its timeline.
func (t *writeTx) recordStatus(r *row, s api.Status, source string, at time.Time) error {
	wasFinal := r.Status.State.Final()
	r.setStatus(s, at)
	if err := t.update(r); err != nil {
		return err
	}
	if err := t.addAnswerEvent(r, StatusEvent(s, source, at)); err != nil {
		return err
	}
	if wasFinal || !r.Status.State.Final() {
		return nil
	}
	return t.resolveFinalizes(r.Destination, r.Reference, r.Status)
}

// resolveFinalizes gives the unresolved finalizes of a payment the outcome that its final
// status proves.
func (t *writeTx) resolveFinalizes(d Destination, ref api.Reference, final api.Status) error {
	all, err := t.byReference(d, ref)
	if err != nil {
		return err
	}
	for _, f := range ofKind(all, Finalize) {
		if !f.IsUnresolved() {
			continue
		}
		f.Outcome, f.AnsweredAt, f.Why = Refused, t.now, "the payment is "+final.State.String()
		if final.State == api.Successful {
			f.Outcome = Accepted
		}
		if err := t.saveOutcome(f, t.now, FromCheck); err != nil {
			return err
		}
	}
	return nil
}
