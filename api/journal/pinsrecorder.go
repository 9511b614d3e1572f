package journal

import (
	"cmp"
	"context"

	"paydesk/api"
)

// Pin pins payments at this destination, as [Journal.Pin] does.
func (rec *Recorder) Pin(ctx context.Context, payments ...api.Reference) error {
	return rec.setPins(ctx, func(ctx context.Context) error { return rec.journal.Pin(ctx, rec.known(ctx), payments...) })
}

// Unpin removes the pins of payments at this destination.
func (rec *Recorder) Unpin(ctx context.Context, payments ...api.Reference) error {
	return rec.setPins(ctx, func(ctx context.Context) error { return rec.journal.Unpin(ctx, rec.known(ctx), payments...) })
}

// setPins changes the pins. One that is rejected is no trouble of the journal's.
func (rec *Recorder) setPins(ctx context.Context, change func(context.Context) error) error {
	var rejection error
	err := rec.write(ctx, func(ctx context.Context) error {
		err := change(ctx)
		if isRejection(err) {
			rejection, err = err, nil
		}
		return err
	})
	return cmp.Or(err, rejection)
}
