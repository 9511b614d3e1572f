package journal

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"slices"
	"strconv"
	"strings"

	"paydesk/api"
	"paydesk/api/ledger"
)

// Begin durably records an attempt that is about to be sent and returns it with its ID, At
// and By and the outcome [Sent]. The attempt may only be sent when the error is nil.
//
// What [ledger.Console.Begin] asks is asked in the same transaction, across all consoles: its errors mean that nothing was
// recorded. While a [Loss] stands the error is [ErrLoss]. Any other error is an [*Unavailable]; it is also that of an
// attempt whose outcome could not wait in any file.
func (j *Journal) Begin(ctx context.Context, a Attempt, who Payer, allowed []ID) (Attempt, error) {
	e := ledger.Entry{Attempt: a}
	e.ID, e.Destination = j.opts.NewID(), a.Destination.Stored()
	var r *row
	err := j.writeOn(ctx, beginsOn(e), func(t *writeTx) error {
		if err := lossError(j.Losses()); err != nil {
			return err
		}
		e.Payer = who.Marks(t.key)
		concerned, err := t.beginConcerns(e)
		if err != nil {
			return err
		}
		if err := t.rejectUnreadable(&row{Entry: e}); err != nil {
			return err
		}
		fact, err := t.console().Begin(e, entries(concerned), allowed)
		if err != nil {
			return err
		}
		if err := j.trySpool(e.ID); err != nil {
			return err
		}
		all, err := t.apply(concerned, fact)
		r = all[len(all)-1]
		return err
	})
	if err != nil {
		if !isRejection(err) && r != nil {
			// The row may be in the file nevertheless, if the disk failed late.
			j.deferOutcome(pendingOutcome{id: e.ID, result: Result{Outcome: NotSent, Why: "it could not be written down"}, at: r.At})
		}
		return Attempt{}, err
	}
	j.noteSent(r.Attempt)
	return r.Attempt, nil
}

// beginsOn is what [Journal.Begin] asks about, nil for all: of a payment or a link, those of the same amount in the same
// environment. Of a link it is read whether somebody has to read it first, which it is not before it is created.
func beginsOn(e ledger.Entry) []string {
	if e.Kind == Finalize {
		return nil // all that is known of its payment
	}
	return []string{"alike " + strings.Join([]string{e.Environment, string(e.Kind), e.Amount.Currency.Code(), strconv.FormatInt(e.Amount.Minor, 10)}, " ")}
}

// beginConcerns returns what [ledger.Console.Begin] asks for, newest first.
func (t *writeTx) beginConcerns(e ledger.Entry) (all []*row, err error) {
	if e.Kind == Finalize {
		all, err = t.byReference(e.Destination, e.Reference)
		if err == nil && len(all) == 0 { // one that is not known is recorded as it is fit to be
			all, err = t.byReference(e.Destination, api.Reference(sanitize(string(e.Reference))))
		}
		return all, err
	}
	all, err = t.sameAmount(e)
	if err != nil || e.Kind != Initiate || e.Link == "" {
		return all, err
	}
	made, err := t.byAlias(e.Destination, e.Link)
	return append(all, made...), err
}

// sameAmount returns the payments or links over the same amount that may be duplicates, newest first: see
// [ledger.Console.Begin].
func (t *writeTx) sameAmount(e ledger.Entry) ([]*row, error) {
	const same = "kind = ? AND " + atService + " AND currency = ? AND minor = ?"
	args := append(append([]any{string(e.Kind)}, atArgs(e.Destination)...), e.Amount.Currency.Code(), e.Amount.Minor)
	return t.attempts(`WHERE n IN (
			SELECT n FROM attempts INDEXED BY attempts_unknown WHERE outcome = 'unresolved' AND verdict = '' AND `+same+`
			UNION
			SELECT n FROM attempts INDEXED BY attempts_outcome WHERE outcome = 'sent' AND `+same+`
			UNION
			SELECT n FROM attempts WHERE `+same+` AND mismatch <> 0
			UNION
			SELECT n FROM attempts WHERE `+same+` AND at >= ?
		)`+newestFirst, slices.Concat(args, args, args, args, []any{unixNano(t.now.Add(-DuplicateWithin))})...)
}

// crockford is Crockford's base 32 in lower case, without the letters that look like others.
var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz")

// newID returns ten random characters: 50 bits.
func newID() ID {
	b := make([]byte, 10)
	rand.Read(b)
	return ID(crockford.EncodeToString(b)[:10])
}

// paymentOn is all that is asked about the payment of a reference, whatever the case of its letters.
func paymentOn(r api.Reference) string { return "payment " + strings.ToLower(string(r)) }
