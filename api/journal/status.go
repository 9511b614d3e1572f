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

// ofKind returns the rows of a kind; all stays as it is.
func ofKind(all []ledger.Entry, k ledger.Kind) []ledger.Entry {
	return slices.DeleteFunc(slices.Clone(all), func(r ledger.Entry) bool { return r.Kind != k })
}
