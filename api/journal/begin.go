package journal

import (
	"context"
	"crypto/rand"
	"encoding/base32"

	"paydesk/api"
)

// Begin durably records an attempt that is about to be sent and returns it with its ID, At
// and By and the outcome [Sent]. The attempt may only be sent when the error is nil.
//
// For an [Initiate] and a [CreateLink] it checks in the same transaction, across all consoles, for
// duplicates: if one of them is not in allowed, the error is a [*Duplicate] with all of them, and
// nothing is recorded. That of a [Finalize] is a [*FinalizeConflict], and while a [Loss] stands it is [ErrLoss]. Any
// other error is an [*Unavailable]; it is also that of a payment through a link that [Attempt.MustBeRead], of a kind
// that the journal has no rules for, and where the outcome could not wait in any file.
func (j *Journal) Begin(ctx context.Context, a Attempt, who Payer, allowed []ID) (Attempt, error) {
	rules, known := kinds[a.Kind]
	if !known {
		return Attempt{}, errNoKind
	}
	id := j.opts.NewID()
	var r *row
	err := j.writeOn(ctx, rules.about(newRow(id, a)), func(t *writeTx) error {
		if err := lossError(j.Losses()); err != nil {
			return err
		}
		r = newRow(id, a)
		r.At, r.By, r.sender = t.now, j.opts.Operator, j.self
		r.payer = hashPayer(t.key, who)
		if err := rules.refer(t, r, a.Reference); err != nil {
			return err
		}
		if err := rules.conflict(t, r, hashPayerWhole(t.key, who), allowed); err != nil {
			return err
		}
		if err := j.trySpool(id); err != nil {
			return err
		}
		if err := t.add(r); err != nil {
			return err
		}
		return t.addEvent(r, Event{What: string(Sent), Source: FromConsole})
	})
	if err != nil {
		if !isRejection(err) && r != nil {
			// The row may be in the file nevertheless, if the disk failed late.
			j.deferOutcome(pendingOutcome{id: id, result: Result{Outcome: NotSent, Why: "it could not be written down"}, at: r.At})
		}
		return Attempt{}, err
	}
	j.noteSent(r.Attempt)
	return r.Attempt, nil
}

// newRow returns the row of an attempt that is about to be sent, with the fields that are known
// by then.
func newRow(id ID, a Attempt) *row {
	a.Host = address(a.Host)
	r := &row{Attempt: Attempt{
		ID: id, Kind: a.Kind, Destination: a.Destination, Amount: a.Amount, Channel: a.Channel, Link: a.Link,
		Card: lastFour(a.Card), OwnReference: a.OwnReference, Outcome: Sent, Draft: a.Draft,
	}}
	for _, s := range []*string{&r.Profile, &r.Environment, &r.Host, &r.Channel, (*string)(&r.Link), &r.OwnReference,
		&r.Draft.Name, &r.Draft.Description} {
		*s = sanitize(*s)
	}
	return r
}

// referToPayment ties a finalize to its payment. A reference that is not in the journal may
// have been typed, and may be a card number, so it is sanitized; a known one is stored
// exactly as the service assigned it.
func (t *writeTx) referToPayment(r *row, ref api.Reference) error {
	r.Reference = api.Reference(sanitize(string(ref)))
	known, err := t.byReference(r.Destination, ref)
	if len(known) > 0 {
		r.Reference = ref
	}
	return err
}

// crockford is Crockford's base 32 in lower case, without the letters that look like others.
var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz")

// newID returns ten random characters: 50 bits.
func newID() ID {
	b := make([]byte, 10)
	rand.Read(b)
	return ID(crockford.EncodeToString(b)[:10])
}
