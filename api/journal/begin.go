package journal

import (
	"context"
	"crypto/rand"
)

// Begin durably records an attempt that is about to be sent and returns it with its ID, At
// and By and the outcome [Sent]. The attempt may only be sent when the error is nil.
//
// For an [Initiate] it checks in the same transaction, across all consoles, for duplicates:
// if one of them is not in allowed, the error is a [*Duplicate] with all of them, and nothing
// is recorded. Any other error is an [*Unavailable].
func (j *Journal) Begin(ctx context.Context, a Attempt, who Payer, allowed []ID) (Attempt, error) {
	a.ID = j.opts.NewID()
	var begun Attempt
	err := j.write(ctx, func(t *writeTx) error {
		a.At, a.By = t.now, j.opts.Operator
		r := rowOf(a)
		r.machine, r.pid, r.started = j.self.machine, j.self.pid, j.self.started
		r.email, r.phone = hashPayer(j.key, who)
		if err := t.setReference(r, string(a.Reference)); err != nil {
			return err
		}
		if a.Kind == Initiate {
			if err := t.rejectDuplicates(r, allowed); err != nil {
				return err
			}
		}
		if err := t.insert(r); err != nil {
			return err
		}
		begun = r.attempt()
		return t.addEvent(r, eventRow{what: string(Sent), source: thisConsole})
	})
	if err != nil {
		if !isRejection(err) && !a.At.IsZero() {
			// The row may be in the file nevertheless, if the disk failed late.
			j.deferOutcome(ctx, pendingOutcome{a.ID, Result{Outcome: NotSent, Why: "it could not be written down"}, a.At})
		}
		return Attempt{}, err
	}
	return begun, nil
}

const thisConsole = "this console"

// setReference ties a finalize to its payment. A reference that is not in the journal may
// have been typed, and may be a card number, so it is sanitized; a known one is stored
// exactly as the service assigned it.
func (t *writeTx) setReference(r *row, ref string) error {
	r.reference = sanitize(ref)
	if r.kind != string(Finalize) {
		r.reference = "" // the service assigns it
		return nil
	}
	known, err := t.byReference(r.destination(), ref)
	if err == nil && len(known) > 0 {
		r.reference = ref
	}
	return err
}

// newID returns ten random characters of Crockford's base 32: 50 bits.
func newID() ID {
	const letters = "0123456789abcdefghjkmnpqrstvwxyz"
	var b [10]byte
	rand.Read(b[:])
	for i := range b {
		b[i] = letters[b[i]%32]
	}
	return ID(b[:])
}
