package journal

import (
	"context"
	"time"

	"paydesk/api"
)

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

// Pin pins those of the payments at a destination that are not pinned yet: see [ledger.Console.Pin].
func (j *Journal) Pin(ctx context.Context, d Destination, payments ...api.Reference) error {
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
func (j *Journal) Unpin(ctx context.Context, d Destination, payments ...api.Reference) error {
	return j.write(ctx, func(t *writeTx) error {
		concerned, err := t.pinned(d)
		if err == nil {
			_, err = t.apply(concerned, t.console().Unpin(d.Stored(), payments, entries(concerned))...)
		}
		return err
	})
}

// Pins returns the payments that are pinned at a destination, whoever pinned them, the last pinned first.
func (j *Journal) Pins(ctx context.Context, d Destination) ([]Pin, error) {
	return ask(ctx, j, func(t *readTx) (all []Pin, err error) {
		rows, err := t.pinned(d)
		for _, r := range rows {
			p := Pin{Destination: r.Destination, Reference: r.Reference, At: r.PinnedAt, By: r.PinnedBy}
			if err == nil {
				err = t.fillPin(&p, d, r)
			}
			all = append(all, p)
		}
		return all, err
	})
}

// fillPin reads what the journal has of a pinned payment.
func (t *readTx) fillPin(p *Pin, d Destination, known *row) error {
	made, err := t.initiations(d, p.Reference)
	if err != nil {
		return err
	}
	if len(made) > 0 {
		p.Attempt = &t.toAttempts(made[:1])[0]
	} else if !known.AnsweredAt.IsZero() {
		looked := known.Lookup()
		p.Lookup = &looked
	}
	events, err := t.paymentEvents(d, p.Reference)
	p.Changed = LastChange(events)
	return err
}

// pinned returns the payments that are pinned at a destination, the last pinned first.
func (t *readTx) pinned(d Destination) ([]*row, error) {
	return t.payments("WHERE pinned <> 0 AND "+atService+" ORDER BY pinned DESC, n DESC", atArgs(d)...)
}
