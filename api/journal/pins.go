package journal

import (
	"context"

	"paydesk/api"
	"paydesk/api/ledger"
)

// Pin pins those of the payments at a destination that are not pinned yet: see [ledger.Console.Pin].
func (j *Journal) Pin(ctx context.Context, d ledger.Destination, payments ...api.Reference) error {
	concerned := func(t *writeTx) ([]*row, error) {
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
	pinned := func(t *writeTx) ([]*row, error) { return t.pinned(d) }
	return j.update(ctx, nil, pinned, func(c ledger.Console, concerned []ledger.Entry) ([]ledger.Fact, error) {
		return c.Unpin(d.Stored(), payments, concerned), nil
	})
}
