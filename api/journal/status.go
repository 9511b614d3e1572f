package journal

import (
	"context"
	"slices"

	"paydesk/api"
	"paydesk/api/ledger"
)

// RecordTransaction records what the service answered about a payment in the journal. The same status
// again extends its fact. A payment that no attempt made is recorded as a [ledger.Known].
func (j *Journal) RecordTransaction(ctx context.Context, d ledger.Destination, got api.Transaction) error {
	if got.Reference == "" {
		return nil
	}
	return j.writeOn(ctx, []string{paymentOn(got.Reference)}, func(t *writeTx) error {
		concerned, err := t.about(d.Stored().Environment, string(got.Reference))
		if err != nil {
			return err
		}
		made, err := t.state(concerned, ledger.Initiate, d, got.Reference, ledger.Checked{Transaction: got})
		if err == nil && !made {
			_, err = t.apply(concerned, t.console().Look(d, got, j.opts.NewID(), entries(concerned))...)
		}
		return err
	})
}

// RecordChallenge records that an authentication check asked the customer to authorise, also of a
// payment that was only looked up.
func (j *Journal) RecordChallenge(ctx context.Context, d ledger.Destination, ref api.Reference) error {
	return j.recordOf(ctx, d, ref, ledger.Challenged{})
}

// CustomerDone records that the operator confirmed that the customer has done their part.
func (j *Journal) CustomerDone(ctx context.Context, d ledger.Destination, ref api.Reference) error {
	return j.recordOf(ctx, d, ref, ledger.CustomerDone{})
}

// recordOf records what happened to a payment, unless nothing is known of it.
func (j *Journal) recordOf(ctx context.Context, d ledger.Destination, ref api.Reference, what ledger.Happening) error {
	return j.write(ctx, func(t *writeTx) error {
		concerned, err := t.about(d.Stored().Environment, string(ref))
		if err != nil {
			return err
		}
		made, err := t.state(concerned, ledger.Initiate, d, ref, what)
		if err == nil && !made {
			_, err = t.state(concerned, ledger.Known, d, ref, what)
		}
		return err
	})
}

// state adds what happened to those of a kind that have a reference, and reports whether there are any.
func (t *writeTx) state(concerned []*row, k ledger.Kind, d ledger.Destination, ref api.Reference, what ledger.Happening) (found bool, err error) {
	for _, p := range ofKind(concerned, k) {
		if p.Reference != ref || !p.IsSameService(d.Stored()) {
			continue
		}
		found = true
		if _, err := t.apply(concerned, t.console().Fact(p.ID, what)); err != nil {
			return found, err
		}
	}
	return found, nil
}

// initiations returns those with a reference, newest first.
func (t *readTx) initiations(d ledger.Destination, ref api.Reference) ([]*row, error) {
	all, err := t.byReference(d, ref)
	return ofKind(all, ledger.Initiate), err
}

// ofKind returns the rows of a kind; all stays as it is.
func ofKind(all []*row, k ledger.Kind) []*row {
	return slices.DeleteFunc(slices.Clone(all), func(r *row) bool { return r.Kind != k })
}
