package journal

import (
	"context"

	"paydesk/api"
	"paydesk/api/ledger"
)

// Pin pins those of the payments at a destination that are not pinned yet: see [ledger.Console.Pin].
func (j *Journal) Pin(ctx context.Context, d ledger.Destination, payments ...api.Reference) error {
	concerned := func(t *writeTx) ([]ledger.Entry, error) {
		all, err := named(d, payments...)(t)
		if err != nil {
			return nil, err
		}
		pinned, err := t.pinned(d)
		return withRows(all, pinned...), err
	}
	return j.update(ctx, nil, concerned, func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Pin(d, payments, j.opts.NewID, concerned)
	})
}

// Unpin removes the pins of payments at a destination. One that is not pinned is left as it is.
func (j *Journal) Unpin(ctx context.Context, d ledger.Destination, payments ...api.Reference) error {
	pinned := func(t *writeTx) ([]ledger.Entry, error) { return t.pinned(d) }
	return j.update(ctx, nil, pinned, func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Unpin(d.Stored(), payments, concerned), nil
	})
}

// Pin pins payments at this destination, as [Journal.Pin] does.
func (rec *Recorder) Pin(ctx context.Context, payments ...api.Reference) error {
	return rec.write(ctx, func(ctx context.Context) error { return rec.journal.Pin(ctx, rec.Place(ctx), payments...) })
}

// Unpin removes the pins of payments at this destination.
func (rec *Recorder) Unpin(ctx context.Context, payments ...api.Reference) error {
	return rec.write(ctx, func(ctx context.Context) error { return rec.journal.Unpin(ctx, rec.Place(ctx), payments...) })
}
