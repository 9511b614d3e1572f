package journal

import (
	"context"
	"slices"
	"time"

	"paydesk/api/ledger"
)

// A PaymentRecord is an attempt to be compared with what others list: with the payment that it made, or may have made.
type PaymentRecord struct {
	ledger.Attempt
	// OtherKey is whether it was sent with a key that is known to be another than that of the destination asked for:
	// at the same address that may be another account, with a list of its own.
	OtherKey bool
}

// LatestMade is the latest time at which the service may have made the payment: when it was accepted, or, where no
// answer is known, when a request can no longer be under way. A list that was read from then on has it.
func (p PaymentRecord) LatestMade() time.Time {
	if p.Outcome != ledger.Accepted || p.AnsweredAt.IsZero() {
		return p.At.Add(ledger.SendTime)
	}
	if p.AnsweredAt.Before(p.At) { // the clock was set back meanwhile
		return p.At
	}
	return p.AnsweredAt
}

// batch is how many rows of the journal are read at a time where all of them are: a payment waits for the journal
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
		p := PaymentRecord{r.Attempt, d.HasOtherKey(r.Destination)}
		if p.Outcome == ledger.Sent && t.now.Sub(p.At) > ledger.SendTime {
			p.Outcome = ledger.Unresolved
		}
		all = append(all, p)
	}
	return all, err
}

// EachPayment calls each with the payments that were made, or may have been made, at this service, as
// [Journal.EachPayment] does.
func (rec *Recorder) EachPayment(ctx context.Context, each func([]PaymentRecord) error) error {
	return rec.journal.EachPayment(ctx, rec.Place(ctx), each)
}
