package journal

import (
	"context"
	"slices"

	"paydesk/api"
	"paydesk/api/ledger"
)

// Record returns how the payment with a reference stands at a destination, and its history, oldest first: that of the
// attempt that made it, or of a payment that was made elsewhere what was looked up, with its finalizes and whether it is
// pinned. The error is [ledger.ErrNotFound] where the journal has nothing of it.
func (j *Journal) Record(ctx context.Context, d ledger.Destination, ref api.Reference) (e ledger.Entry, history []ledger.Event, err error) {
	err = j.read(ctx, func(t *readTx) error {
		of, err := t.ofPayment(d, ref)
		if err == nil && len(of) == 0 {
			err = ledger.ErrNotFound
		}
		if err != nil {
			return err
		}
		e = t.standing(d, ref, of)
		history, err = t.historyOf(finalizePrefix, of...)
		return err
	})
	return e, history, err
}

// ofPayment returns all that has a reference: what was looked up, and then the attempts, oldest first.
func (t *readTx) ofPayment(d ledger.Destination, ref api.Reference) ([]*row, error) {
	known, err := t.known(d, ref)
	if err != nil {
		return nil, err
	}
	same, err := t.byReference(d, ref)
	slices.Reverse(same)
	return append(known, same...), err
}

// standing is how a payment stands of which some rows are all that is recorded; it may be known by its finalizes alone.
func (t *readTx) standing(d ledger.Destination, ref api.Reference, of []*row) ledger.Entry {
	e := ledger.Entry{Attempt: ledger.Attempt{Kind: ledger.Known, Destination: d, Reference: ref}}
	seen := make([]ledger.Entry, len(of))
	all := make([]*ledger.Entry, len(of))
	var pin ledger.Entry
	for i, r := range of {
		seen[i] = t.asSeen(r.Entry)
		all[i] = &seen[i]
		switch {
		case r.isKnown():
			e, pin = seen[i], r.Entry
		case r.Kind == ledger.Initiate:
			e = seen[i]
		}
	}
	e.FinalizedBy(all)
	e.PinnedAt, e.PinnedBy = pin.PinnedAt, pin.PinnedBy
	return e
}

// Pins returns the payments that are pinned at a destination, whoever pinned them and wherever they were made, the first
// pinned first.
func (j *Journal) Pins(ctx context.Context, d ledger.Destination) ([]ledger.Entry, error) {
	return ask(ctx, j, func(t *readTx) (all []ledger.Entry, err error) {
		rows, err := t.pinned(d)
		for _, r := range rows {
			if err != nil {
				break
			}
			var of []*row
			of, err = t.ofPayment(d, r.Reference)
			all = append(all, t.standing(d, r.Reference, of))
		}
		return all, err
	})
}

// pinned returns the payments that are pinned at a destination, the first pinned first.
func (t *readTx) pinned(d ledger.Destination) ([]*row, error) {
	return t.payments("WHERE pinned <> 0 AND "+atService+" ORDER BY pinned, n", atArgs(d)...)
}

// Recent returns at most n payments that were made or found at a destination, newest first, whatever
// became of them.
func (j *Journal) Recent(ctx context.Context, d ledger.Destination, n int) ([]ledger.Attempt, error) {
	return ask(ctx, j, func(t *readTx) ([]ledger.Attempt, error) {
		rows, err := t.attempts("WHERE kind = 'initiate' AND reference <> '' AND "+atService+newestFirst+" LIMIT ?", append(atArgs(d), n)...)
		return t.toAttempts(rows), err
	})
}

// Lookups returns at most n payments that were looked up at a destination, the last answered first.
// One that was found to be an attempt's since is not among them.
func (j *Journal) Lookups(ctx context.Context, d ledger.Destination, n int) ([]ledger.Entry, error) {
	return ask(ctx, j, func(t *readTx) (all []ledger.Entry, err error) {
		rows, err := t.payments("WHERE answered <> 0 AND "+atService+" ORDER BY answered DESC, n DESC", atArgs(d)...)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if len(all) == n {
				break
			}
			made, err := t.initiations(d, r.Reference)
			if err != nil {
				return nil, err
			}
			if len(made) == 0 {
				all = append(all, r.Entry)
			}
		}
		return all, nil
	})
}

// known returns the payments with a reference that were looked up or pinned, whoever made them.
func (t *readTx) known(d ledger.Destination, ref api.Reference) ([]*row, error) {
	return t.payments("WHERE reference = ? AND reference <> '' AND "+atService, append([]any{string(ref)}, atArgs(d)...)...)
}

// payments reads rows of payments; where is the rest of the query after FROM payments.
func (t *readTx) payments(where string, args ...any) ([]*row, error) {
	return collect(t, scan, selectEntries()+"payments AS a "+where, args...)
}
