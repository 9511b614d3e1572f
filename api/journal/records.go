package journal

import (
	"context"
	"errors"
	"slices"

	"paydesk/api"
	"paydesk/api/ledger"
)

// Record returns how the payment with a reference stands at a destination, and its history, oldest first: that of the
// attempt that made it, or of a payment that was made elsewhere what was looked up, with its finalizes and whether it is
// pinned. The error is [ledger.ErrNotFound] where the journal has nothing of it.
func (j *Journal) Record(ctx context.Context, d ledger.Destination, ref api.Reference) (e ledger.Entry, history []ledger.Event, err error) {
	err = j.read(ctx, func(t *readTx) error {
		var of []ledger.Entry
		if e, of, err = t.payment(d, ref); err == nil {
			history, err = t.historyOf(finalizePrefix, of...)
		}
		return err
	})
	return e, history, err
}

// Standing returns how those of the payments stand at a destination of which the journal has anything, as [Journal.Record]
// does.
func (j *Journal) Standing(ctx context.Context, d ledger.Destination, payments []api.Reference) (map[api.Reference]ledger.Entry, error) {
	return ask(ctx, j, func(t *readTx) (map[api.Reference]ledger.Entry, error) {
		all := map[api.Reference]ledger.Entry{}
		for _, ref := range payments {
			switch e, _, err := t.payment(d, ref); {
			case err == nil:
				all[ref] = e
			case !errors.Is(err, ledger.ErrNotFound):
				return nil, err
			}
		}
		return all, nil
	})
}

// Payment returns the initiation that has a reference, or [ledger.ErrNotFound].
func (j *Journal) Payment(ctx context.Context, d ledger.Destination, ref api.Reference) (ledger.Attempt, error) {
	return ask(ctx, j, func(t *readTx) (ledger.Attempt, error) {
		e, _, err := t.payment(d, ref)
		if err == nil && e.Kind != ledger.Initiate {
			err = ledger.ErrNotFound
		}
		return e.Attempt, err
	})
}

// payment returns how a payment stands, and all that has its reference; [ledger.ErrNotFound] where nothing has.
func (t *readTx) payment(d ledger.Destination, ref api.Reference) (e ledger.Entry, of []ledger.Entry, err error) {
	of, err = t.ofPayment(d, ref)
	if err == nil && len(of) == 0 {
		err = ledger.ErrNotFound
	}
	return t.standing(d, ref, of), of, err
}

// ofPayment returns all that has a reference: what was looked up, and then the attempts, oldest first.
func (t *readTx) ofPayment(d ledger.Destination, ref api.Reference) ([]ledger.Entry, error) {
	const same = "WHERE reference = ? AND reference <> '' AND " + atService
	args := append([]any{string(ref)}, atArgs(d)...)
	known, err := t.payments(same, args...)
	if err != nil {
		return nil, err
	}
	made, err := t.attempts(same+newestFirst, args...)
	slices.Reverse(made)
	return append(known, made...), err
}

// standing returns a payment as it stands, from all its rows; it may be known by its finalizes alone.
func (t *readTx) standing(d ledger.Destination, ref api.Reference, of []ledger.Entry) ledger.Entry {
	e := ledger.Entry{Attempt: ledger.Attempt{Kind: ledger.Known, Destination: d, Reference: ref}}
	var pin ledger.Entry
	seen := slices.Clone(of)
	for i, r := range of {
		seen[i] = t.asSeen(r)
		switch r.Kind {
		case ledger.Known:
			e, pin = seen[i], r
		case ledger.Initiate:
			e = seen[i]
		}
	}
	e.FinalizedBy(pointers(seen))
	e.PinnedAt, e.PinnedBy = pin.PinnedAt, pin.PinnedBy
	return e
}

// Pins returns the payments that are pinned at a destination, whoever pinned them and wherever they were made, the first
// pinned first.
func (j *Journal) Pins(ctx context.Context, d ledger.Destination) ([]ledger.Entry, error) {
	return ask(ctx, j, func(t *readTx) ([]ledger.Entry, error) {
		all, err := t.pinned(d)
		for i, r := range all {
			if err == nil {
				all[i], _, err = t.payment(d, r.Reference)
			}
		}
		return all, err
	})
}

// pinned returns the payments that are pinned at a destination, the first pinned first.
func (t *readTx) pinned(d ledger.Destination) ([]ledger.Entry, error) {
	return t.payments("WHERE pinned <> 0 AND "+atService+" ORDER BY pinned, n", atArgs(d)...)
}

// Recent returns at most n payments that were made or found at a destination, newest first, whatever became of them, and
// then at most n that were made elsewhere and looked up, the last answered first.
func (j *Journal) Recent(ctx context.Context, d ledger.Destination, n int) ([]ledger.Entry, error) {
	return ask(ctx, j, func(t *readTx) ([]ledger.Entry, error) {
		at := atArgs(d)
		made, err := t.attempts("WHERE kind = 'initiate' AND reference <> '' AND "+atService+newestFirst+" LIMIT ?", append(at, n)...)
		if err != nil {
			return nil, err
		}
		for i := range made {
			made[i] = t.asSeen(made[i])
		}
		looked, err := t.payments("WHERE answered <> 0 AND "+atService+" AND NOT EXISTS (SELECT 1 FROM attempts AS o WHERE o.reference = a.reference AND o.reference <> '' AND o.kind = 'initiate' AND "+
			ofService("o")+") ORDER BY answered DESC, n DESC LIMIT ?", slices.Concat(at, at, []any{n})...)
		return append(made, looked...), err
	})
}

// payments reads rows of payments; where is the rest of the query after FROM payments.
func (t *readTx) payments(where string, args ...any) ([]ledger.Entry, error) {
	return t.entries("payments", where, args...)
}

// A PaymentRecord is an attempt to be compared with what others list: with the payment that it made, or may have made.
type PaymentRecord struct {
	ledger.Attempt
	// OtherKey is set where it was sent with a key that is known to differ from that of the destination asked for:
	// at the same address that may be another account, with a list of its own.
	OtherKey bool
}

// batch limits how many rows of the journal are read at a time where all of them are: a payment waits for the journal
// meanwhile.
const batch = 256

// EachPayment calls each with the payments that were made, or may have been made, at a destination, oldest first: the
// initiations that were accepted, may still be answered, or are unresolved, whatever was decided about those, and of a
// payment that was made elsewhere its last finalize. It reads a few of them at a time, between which others can read
// and write. What is recorded after it began is left out.
func (j *Journal) EachPayment(ctx context.Context, d ledger.Destination, each func([]PaymentRecord) error) error {
	var from, last int64
	if err := j.read(ctx, func(t *readTx) error {
		// Two queries: SQLite looks up an end of the table only where it is asked for alone.
		return t.one("SELECT coalesce((SELECT min(n) FROM entries), 0), coalesce((SELECT max(n) FROM entries), -1)", nil, &from, &last)
	}); err != nil {
		return err
	}
	for ; from <= last; from += batch {
		some, err := ask(ctx, j, func(t *readTx) ([]PaymentRecord, error) {
			return t.paymentRecords(d, from, min(from+batch, last+1))
		})
		if err == nil && len(some) > 0 {
			err = each(some)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// mayHaveMade is the condition of a request that the service carried out, or may have.
const mayHaveMade = "outcome NOT IN ('refused', 'not sent')"

// paymentRecords returns those of the rows from a number to before another. An attempt whose console has ended is
// unresolved even where that cannot be written.
func (t *readTx) paymentRecords(d ledger.Destination, from, before int64) (all []PaymentRecord, err error) {
	at := atArgs(d)
	rows, err := t.attempts("WHERE a.n >= ? AND a.n < ? AND "+mayHaveMade+" AND "+atService+` AND (
		kind = 'initiate' OR kind = 'finalize' AND reference <> '' AND NOT EXISTS (
			SELECT 1 FROM attempts AS o WHERE o.reference = a.reference AND o.reference <> '' AND `+mayHaveMade+" AND "+atService+`
				AND (o.kind = 'initiate' OR o.kind = 'finalize' AND o.n > a.n))) ORDER BY a.n`, slices.Concat([]any{from, before}, at, at)...)
	for _, r := range rows {
		all = append(all, PaymentRecord{t.console().AsSeen(r).Attempt, d.HasOtherKey(r.Destination)})
	}
	return all, err
}

// EachPayment calls each with the payments that were made, or may have been made, at this service, as
// [Journal.EachPayment] does.
func (rec *Recorder) EachPayment(ctx context.Context, each func([]PaymentRecord) error) error {
	return rec.journal.EachPayment(ctx, rec.Place(ctx), each)
}
