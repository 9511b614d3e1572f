package journal

import (
	"context"
	"slices"

	"paydesk/api"
	"paydesk/api/ledger"
)

// Mismatches returns those of the payments at a destination about which an answer differed, wherever they were made.
func (j *Journal) Mismatches(ctx context.Context, d ledger.Destination, payments []api.Reference) (map[api.Reference]ledger.Mismatch, error) {
	return ask(ctx, j, func(t *readTx) (map[api.Reference]ledger.Mismatch, error) {
		all := map[api.Reference]ledger.Mismatch{}
		for _, ref := range payments {
			of, err := t.madeOrKnown(d, ref)
			if err != nil {
				return nil, err
			}
			if i := slices.IndexFunc(of, func(r *row) bool { return !r.Mismatch.IsZero() }); i >= 0 {
				all[ref] = of[i].Mismatch
			}
		}
		return all, nil
	})
}

// Differing returns the references of all payments at a destination about which an answer differed, wherever they were
// made and whatever was decided about it.
func (j *Journal) Differing(ctx context.Context, d ledger.Destination) ([]api.Reference, error) {
	return ask(ctx, j, func(t *readTx) (all []api.Reference, err error) {
		made, err := t.attempts("WHERE mismatch <> 0 AND reference <> '' AND "+mayHaveMade+" AND "+atService+" ORDER BY n", atArgs(d)...)
		if err != nil {
			return nil, err
		}
		looked, err := t.payments("WHERE mismatch <> 0 AND "+atService+" ORDER BY n", atArgs(d)...)
		for _, r := range append(made, looked...) {
			all = append(all, r.Reference)
		}
		return all, err
	})
}

// KnownPayments returns those of the payments at a destination that were made or looked up from here, or are pinned.
func (j *Journal) KnownPayments(ctx context.Context, d ledger.Destination, payments []api.Reference) (map[api.Reference]bool, error) {
	return ask(ctx, j, func(t *readTx) (map[api.Reference]bool, error) {
		known := map[api.Reference]bool{}
		for _, ref := range payments {
			of, err := t.madeOrKnown(d, ref)
			if err != nil {
				return nil, err
			}
			known[ref] = slices.ContainsFunc(of, func(r *row) bool { return !r.isKnown() || r.IsPinned() || !r.AnsweredAt.IsZero() })
		}
		return known, nil
	})
}
