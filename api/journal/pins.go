package journal

import (
	"context"
	"errors"
	"sync"
	"time"

	"paydesk/api"
)

// MaxPins is how many payments can be pinned at one destination.
const MaxPins = 200

// ErrTooManyPins is the error of pinning more than [MaxPins] payments; none of them is pinned then.
var ErrTooManyPins = errors.New("at most 200 payments can be pinned; unpin some first")

// A Pin is a payment that somebody keeps an eye on, with what the journal has of it. It may have been made
// here or elsewhere, and need not have been looked up yet.
type Pin struct {
	Destination
	Reference api.Reference
	At        time.Time // when it was pinned
	By        Operator  // who pinned it

	Attempt *Attempt // that made it; nil for a payment that was made elsewhere
	Lookup  *Lookup  // what was answered about one made elsewhere; nil before the first answer
	Changed Change   // how its status last changed
}

// Pin pins those of the payments at a destination that are not pinned yet. The error is [ErrTooManyPins]
// when they do not all fit. A reference that looks like a card number is rejected, unless a payment was made
// here that has it.
func (j *Journal) Pin(ctx context.Context, d Destination, payments ...api.Reference) error {
	return j.write(ctx, func(t *writeTx) error {
		all, err := t.pins(d)
		if err != nil {
			return err
		}
		pinned := map[api.Reference]bool{}
		for _, r := range all {
			pinned[r.Reference] = true
		}
		for _, ref := range payments {
			if pinned[ref] {
				continue
			}
			if pinned[ref] = true; len(pinned) > MaxPins {
				return ErrTooManyPins
			}
			if err := t.pin(d, ref); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *writeTx) pin(d Destination, ref api.Reference) error {
	if err := rejectCardNumber(string(ref)); err != nil {
		made, failed := t.payments(d, ref)
		if failed != nil || len(made) == 0 {
			return errors.Join(failed, err)
		}
	}
	return t.exec(insertPin(), values(&pinRow{Pin: Pin{Destination: d.Stored(), Reference: ref, At: t.now, By: t.j.opts.Operator}})...)
}

// Unpin removes the pins of payments at a destination. One that is not pinned is left as it is.
func (j *Journal) Unpin(ctx context.Context, d Destination, payments ...api.Reference) error {
	return j.write(ctx, func(t *writeTx) error {
		for _, ref := range payments {
			if err := t.exec("DELETE FROM pins WHERE reference = ? AND "+atService, append([]any{string(ref)}, atArgs(d)...)...); err != nil {
				return err
			}
		}
		return nil
	})
}

// Pins returns the payments that are pinned at a destination, whoever pinned them, the last pinned first.
func (j *Journal) Pins(ctx context.Context, d Destination) ([]Pin, error) {
	return ask(ctx, j, func(t *readTx) (all []Pin, err error) {
		rows, err := t.pins(d)
		for _, r := range rows {
			if err == nil {
				err = t.fillPin(&r.Pin, d)
			}
			all = append(all, r.Pin)
		}
		return all, err
	})
}

// fillPin reads what the journal has of a pinned payment.
func (t *readTx) fillPin(p *Pin, d Destination) error {
	made, err := t.payments(d, p.Reference)
	if err != nil {
		return err
	}
	if len(made) > 0 {
		p.Attempt = &t.toAttempts(made[:1])[0]
	} else if p.Lookup, err = t.lookupOf(d, p.Reference); err != nil {
		return err
	}
	events, err := t.paymentEvents(d, p.Reference)
	p.Changed = LastChange(events)
	return err
}

// lookupOf returns what was answered about a payment that was made elsewhere; nil before the first answer.
func (t *readTx) lookupOf(d Destination, ref api.Reference) (*Lookup, error) {
	r, err := t.lookup(d, ref)
	if err == ErrNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r.Mismatch, err = t.recordedMismatch(r)
	return &r.Lookup, err
}

func (t *readTx) pins(d Destination) ([]*pinRow, error) {
	return collect(t, scanned(func() *pinRow { return new(pinRow) }), selectPins()+"WHERE "+atService+" ORDER BY at DESC, n DESC", atArgs(d)...)
}

// purgePins removes the pins from before a time of payments that the journal has nothing of any more.
func (t *writeTx) purgePins(before time.Time) error {
	return t.exec(`DELETE FROM pins WHERE at < ?
		AND NOT EXISTS (SELECT 1 FROM attempts AS a WHERE a.reference = pins.reference AND a.reference <> '' AND a.environment = pins.environment)
		AND NOT EXISTS (SELECT 1 FROM lookups AS l WHERE l.reference = pins.reference AND l.environment = pins.environment)`, unixNano(before))
}

// A pinRow is a pin as it is stored.
type pinRow struct {
	n int64
	Pin
}

// columns are n and every other column but checksum, in the order of the table.
func (r *pinRow) columns() []column {
	return []column{
		{"n", &r.n}, {"at", &r.At}, {"user", &r.By.User}, {"host", &r.By.Host}, {"ssh", &r.By.SSH},
		{"profile", &r.Profile}, {"environment", &r.Environment}, {"service", &r.Host}, {"fingerprint", &r.Fingerprint},
		{"reference", (*string)(&r.Reference)},
	}
}

var (
	selectPins = sync.OnceValue(func() string { return "SELECT " + columnNames(new(pinRow)) + " FROM pins " })
	insertPin  = sync.OnceValue(func() string { return insertSQL("pins", new(pinRow)) })
)
