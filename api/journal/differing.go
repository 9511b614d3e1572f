package journal

import (
	"context"

	"paydesk/api"
)

// Differing returns the references of all payments at a destination about which an answer differed, wherever they were
// made and whatever was decided about it. As [Journal.EachPayment] does, it reads a few at a time.
func (j *Journal) Differing(ctx context.Context, d Destination) (all []api.Reference, err error) {
	err = j.EachPayment(ctx, d, func(some []PaymentRecord) error {
		for _, p := range some {
			if p.Differed != 0 && p.Reference != "" {
				all = append(all, p.Reference)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	looked, err := ask(ctx, j, func(t *readTx) ([]api.Reference, error) {
		rows, err := t.lookups("WHERE n IN (SELECT lookup FROM lookup_events WHERE what = ?) AND "+atService, append([]any{Differed}, d.args()...)...)
		var found []api.Reference
		for _, r := range rows {
			found = append(found, r.Reference)
		}
		return found, err
	})
	return append(all, looked...), err
}

// Differing are the references of the payments about which an answer of this service differed.
func (rec *Recorder) Differing(ctx context.Context) ([]api.Reference, error) {
	return rec.store.Differing(ctx, rec.known(ctx))
}
