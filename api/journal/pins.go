package journal

import (
	"context"

	"paydesk/api"
	"paydesk/api/ledger"
)

// Pin pins those of the payments at a destination that are not pinned yet: see [ledger.Console.Pin].
func (j *Journal) Pin(ctx context.Context, d ledger.Destination, payments ...api.Reference) error {
	return j.write(ctx, func(t *writeTx) error {
		var names []string
		for _, ref := range payments {
			names = append(names, string(ref))
		}
		concerned, err := t.about(d.Stored().Environment, names...)
		if err != nil {
			return err
		}
		pinned, err := t.pinned(d)
		if err != nil {
			return err
		}
		concerned = withRows(concerned, pinned...)
		facts, err := t.console().Pin(d, payments, t.j.opts.NewID, entries(concerned))
		if err == nil {
			_, err = t.apply(concerned, facts...)
		}
		return err
	})
}

// Unpin removes the pins of payments at a destination. One that is not pinned is left as it is.
func (j *Journal) Unpin(ctx context.Context, d ledger.Destination, payments ...api.Reference) error {
	return j.write(ctx, func(t *writeTx) error {
		concerned, err := t.pinned(d)
		if err == nil {
			_, err = t.apply(concerned, t.console().Unpin(d.Stored(), payments, entries(concerned))...)
		}
		return err
	})
}
