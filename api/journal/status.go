package journal

import (
	"context"
	"slices"

	"paydesk/api"
	"paydesk/api/ledger"
)

// RecordTransaction records what the service answered about a payment in the journal. The same status
// again extends its fact. A payment that no attempt made is recorded as a [ledger.Known].
func (j *Journal) RecordTransaction(ctx context.Context, d ledger.Destination, got api.PaymentStatus) error {
	if got.Reference == "" {
		return nil
	}
	on, id := []string{paymentOn(got.Reference)}, j.opts.NewID()
	return j.update(ctx, on, named(d, got.Reference), func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Look(d, got, id, concerned), nil
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
	return j.update(ctx, nil, named(d, ref), func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Happened(d, ref, what, concerned), nil
	})
}

// initiations returns those with a reference, newest first.
func (t *readTx) initiations(d ledger.Destination, ref api.Reference) ([]*row, error) {
	all, err := t.byReference(d, ref)
	return ofKind(all, ledger.Initiate), err
}

// madeOrKnown returns the attempts that made the payment with a reference, or where there is none what is known of it.
func (t *readTx) madeOrKnown(d ledger.Destination, ref api.Reference) ([]*row, error) {
	made, err := t.initiations(d, ref)
	if err != nil || len(made) > 0 {
		return made, err
	}
	return t.known(d, ref)
}

// ofKind returns the rows of a kind; all stays as it is.
func ofKind(all []*row, k ledger.Kind) []*row {
	return slices.DeleteFunc(slices.Clone(all), func(r *row) bool { return r.Kind != k })
}
