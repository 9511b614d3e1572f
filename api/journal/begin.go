package journal

import (
	"context"
	"crypto/rand"
	"slices"
)

// Begin writes down an attempt that is about to be sent, durably, and gives it its ID, At
// and By; its outcome is [Sent]. Without a nil error nothing may be sent (R40).
//
// For an [Initiate] it looks in the same step, across all consoles, for what was sent
// already and looks alike (R44): if one of those is not in despite the error is a
// [*LookAlike] with all of them, and nothing is written. Any other error is a [*Blocked].
func (j *Journal) Begin(ctx context.Context, a Attempt, who Payer, despite []ID) (Attempt, error) {
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
			if err := t.rejectDuplicates(r, despite); err != nil {
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
			// It may be in the file all the same, if the disk failed late.
			j.deferOutcome(ctx, pendingOutcome{a.ID, Answer{Outcome: NotSent, Why: "it could not be written down"}, a.At})
		}
		return Attempt{}, err
	}
	return begun, nil
}

const thisConsole = "this console"

// setReference ties a finalize to its payment. A reference that this journal does not know may
// have been typed, and be anything; one that it knows stands as the service made it.
func (t *writeTx) setReference(r *row, ref string) error {
	r.reference = sanitize(ref)
	if r.kind != string(Finalize) {
		r.reference = "" // the service makes it
		return nil
	}
	known, err := t.byReference(r.destination(), ref)
	if err == nil && len(known) > 0 {
		r.reference = ref
	}
	return err
}

// newID is ten characters of Crockford's base 32: 50 bits.
func newID() ID {
	const letters = "0123456789abcdefghjkmnpqrstvwxyz"
	var b [10]byte
	rand.Read(b[:])
	for i := range b {
		b[i] = letters[b[i]%32]
	}
	return ID(b[:])
}

// rejectDuplicates looks for attempts that look like r and are not in despite.
func (t *writeTx) rejectDuplicates(r *row, despite []ID) error {
	const sameMoney = "kind = 'initiate' AND profile = ? AND environment = ? AND service = ? AND currency = ? AND minor = ?"
	same := []any{r.profile, r.environment, r.service, r.currency, r.minor}
	args := append(slices.Clone(same), same...)
	args = append(args, unixNano(t.now.Add(-DuplicateWithin)),
		r.link, r.link, r.email, r.email, r.phone, r.phone, r.link+r.email+r.phone)
	alike, err := t.attempts(`WHERE n IN (
			SELECT n FROM attempts WHERE outcome = 'unresolved' AND verdict = '' AND `+sameMoney+`
			UNION
			SELECT n FROM attempts WHERE `+sameMoney+` AND at >= ?
				AND outcome IN ('sent', 'accepted', 'unresolved')
				AND NOT (outcome = 'unresolved' AND verdict = 'not found') AND status <> 'FAILED'
				AND (? <> '' AND link = ? OR ? <> '' AND email = ? OR ? <> '' AND phone = ?
					OR ? = '' AND link = '' AND email = '' AND phone = '')
		) ORDER BY at DESC, n DESC`, args...)
	if err != nil {
		return err
	}
	for _, a := range alike {
		if !slices.Contains(despite, ID(a.id)) {
			return &Duplicate{t.toAttempts(alike)}
		}
	}
	return nil
}
