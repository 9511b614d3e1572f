package journal

import (
	"context"

	"paydesk/api"
)

// Differing returns the references of all payments at a destination about which an answer differed, wherever they were
// made and whatever was decided about it.
func (j *Journal) Differing(ctx context.Context, d Destination) ([]api.Reference, error) {
	return ask(ctx, j, func(t *readTx) ([]api.Reference, error) {
		rows, err := t.attempts("INDEXED BY attempts_mismatch WHERE mismatch <> 0 AND reference <> '' AND "+mayHaveMade+" AND "+atService+" ORDER BY n", atArgs(d)...)
		if err != nil {
			return nil, err
		}
		var all []api.Reference
		for _, r := range rows {
			all = append(all, r.Reference)
		}
		looked, err := t.lookups("WHERE n IN (SELECT lookup FROM lookup_events WHERE what = '"+Differed+"') AND "+atService, atArgs(d)...)
		for _, r := range looked {
			all = append(all, r.Reference)
		}
		return all, err
	})
}

// Differing are the references of the payments about which an answer of this service differed.
func (rec *Recorder) Differing(ctx context.Context) ([]api.Reference, error) {
	return rec.store.Differing(ctx, rec.known(ctx))
}
