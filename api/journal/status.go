package journal

import (
	"context"
	"slices"

	"paydesk/api"
	"paydesk/api/ledger"
)

// RecordTransaction records what the service answered about a payment in the journal. The same status
// again extends its fact. A payment that no attempt made is recorded as a [Lookup].
func (j *Journal) RecordTransaction(ctx context.Context, d Destination, got api.Transaction) error {
	if got.Reference == "" {
		return nil
	}
	return j.writeOn(ctx, []string{paymentOn(got.Reference)}, func(t *writeTx) error {
		made, err := t.answered(d, got.Reference, ledger.Checked{Transaction: got})
		if err != nil || made {
			return err
		}
		concerned, err := t.about(d.Stored().Environment, string(got.Reference))
		if err == nil {
			_, err = t.apply(concerned, t.console().Look(d, got, j.opts.NewID(), entries(concerned))...)
		}
		return err
	})
}

// RecordChallenge records that an authentication check asked the customer to authorise, also of a
// payment that was only looked up.
func (j *Journal) RecordChallenge(ctx context.Context, d Destination, ref api.Reference) error {
	return j.write(ctx, func(t *writeTx) error {
		made, err := t.answered(d, ref, ledger.Challenged{})
		if err != nil || made {
			return err
		}
		looked, err := t.lookup(d, ref)
		if err == nil {
			_, err = t.apply([]*row{looked}, t.console().Fact(looked.ID, ledger.Challenged{}))
		}
		return ifFound(err)
	})
}

// CustomerDone records that the operator confirmed that the customer has done their part.
func (j *Journal) CustomerDone(ctx context.Context, d Destination, ref api.Reference) error {
	return j.write(ctx, func(t *writeTx) error {
		_, err := t.answered(d, ref, ledger.CustomerDone{})
		return err
	})
}

// answered adds what happened to the payment with a reference, and reports whether it was made here.
func (t *writeTx) answered(d Destination, ref api.Reference, what ledger.Happening) (made bool, err error) {
	all, err := t.about(d.Stored().Environment, string(ref))
	if err != nil {
		return false, err
	}
	payments := slices.DeleteFunc(slices.Clone(all), func(r *row) bool {
		return r.Kind != Initiate || r.Reference != ref || !r.IsSameService(d.Stored())
	})
	for _, p := range payments {
		if _, err := t.apply(all, t.console().Fact(p.ID, what)); err != nil {
			return false, err
		}
	}
	return len(payments) > 0, nil
}

// ifFound is err, unless that is that nothing was found.
func ifFound(err error) error {
	if err == ErrNotFound {
		return nil
	}
	return err
}

// initiations returns those with a reference, newest first.
func (t *readTx) initiations(d Destination, ref api.Reference) ([]*row, error) {
	all, err := t.byReference(d, ref)
	return ofKind(all, Initiate), err
}

// ofKind returns the rows of a kind; all stays as it is.
func ofKind(all []*row, k Kind) []*row {
	return slices.DeleteFunc(slices.Clone(all), func(r *row) bool { return r.Kind != k })
}
