package journal

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"slices"
	"strings"

	"paydesk/api/ledger"
)

// Begin durably records an attempt that is about to be sent and returns it with its ID, At
// and By and the outcome [ledger.Sent]. The attempt may only be sent when the error is nil.
//
// [ledger.Console.Begin] decides in the same transaction, across all consoles: its errors mean that nothing was
// recorded. While a [Loss] stands the error is [ErrLoss]. Any other error is a [*ledger.Unavailable], also where the outcome
// of the attempt could not wait in any file.
func (j *Journal) Begin(ctx context.Context, a ledger.Attempt, who ledger.Payer, allowed []ledger.ID) (ledger.Attempt, error) {
	e := ledger.Entry{Attempt: a}
	e.ID, e.Destination = j.opts.NewID(), a.Destination.Stored()
	var begun ledger.Entry
	// For a payment through a link a rule also reads whether a person must read that link first, which is never so before the
	// link is created. A finalize concerns all that is known of its payment.
	on := e.Alike()
	if on != "" {
		on = "alike " + on
	}
	err := j.write(ctx, on, func(t *writeTx) error {
		if err := j.LossStands(); err != nil {
			return err
		}
		e.Payer = who.Marks(t.key)
		concerned, err := t.beginConcerns(e)
		if err != nil {
			return err
		}
		fact, err := t.console().Begin(e, slices.Clone(concerned), allowed)
		if err != nil {
			return err
		}
		if err := j.trySpool(e.ID); err != nil {
			return err
		}
		all, err := t.apply(concerned, fact)
		begun = *all[0]
		return err
	})
	if err != nil {
		if !ledger.IsRejection(err) && begun.ID != "" {
			// The row may be in the file nevertheless, if the disk failed late.
			j.deferOutcome(pendingOutcome{ID: e.ID, Result: ledger.Result{Outcome: ledger.NotSent, Why: "it could not be recorded"}, At: begun.At})
		}
		return ledger.Attempt{}, err
	}
	j.noteSent(begun.Attempt)
	return begun.Attempt, nil
}

// beginConcerns returns what [ledger.Console.Begin] asks for, newest first.
func (t *writeTx) beginConcerns(e ledger.Entry) (all []ledger.Entry, err error) {
	if e.Kind == ledger.Finalize { // a reference that is not known is recorded as it is fit to be
		return t.about(e.Environment, string(e.Reference), ledger.Stored(string(e.Reference)))
	}
	if all, err = t.alike(e); err != nil || e.Kind != ledger.Initiate || e.Link == "" {
		return all, err
	}
	made, err := t.about(e.Environment, string(e.Link))
	return withRows(all, made...), err
}

// crockford is Crockford's base 32 in lower case, without the letters that look like others.
var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz")

// newID returns ten random characters: 50 bits.
func newID() ledger.ID {
	b := make([]byte, 10)
	rand.Read(b)
	return ledger.ID(crockford.EncodeToString(b)[:10])
}

// nameOn names all that concerns the payment with a reference, or the link with an alias, whatever the case of its letters;
// "" for none. Consoles of an earlier version at the same server take locks of the same names.
func nameOn(noun, name string) string {
	if name == "" {
		return ""
	}
	return noun + " " + strings.ToLower(name)
}
