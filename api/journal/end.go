package journal

import (
	"cmp"
	"context"
	"time"

	"paydesk/api"
)

// A pendingOutcome is an outcome that could not be written when it arrived. It is written
// before anything else as soon as the file can be written again.
type pendingOutcome struct {
	id     ID
	result Result
	at     time.Time
}

// deferOutcome keeps an outcome in memory until [writeTx.flushPending] can write it.
func (j *Journal) deferOutcome(ctx context.Context, d pendingOutcome) {
	if j.lock(context.WithoutCancel(ctx)) != nil {
		return
	}
	defer j.unlock()
	j.pending = append(j.pending, d)
}

// End records the outcome of an attempt. A more certain outcome is never replaced by a less
// certain one: accepted stays accepted, and a known outcome never becomes unresolved. When
// the file cannot be written the error is an [*Unavailable], and the outcome is kept in
// memory and written before anything else.
func (j *Journal) End(ctx context.Context, id ID, result Result) error {
	ctx = context.WithoutCancel(ctx) // it has happened, even if the caller no longer waits
	var at time.Time
	err := j.write(ctx, func(t *writeTx) error {
		at = t.now
		return t.end(id, result, t.now)
	})
	if err != nil && !isRejection(err) {
		if at.IsZero() {
			at = j.opts.Now()
		}
		j.deferOutcome(ctx, pendingOutcome{id, result, at})
	}
	return err
}

// certainty orders outcomes by how much is known.
var certainty = map[Outcome]int{Sent: 0, Unresolved: 1, NotSent: 2, Refused: 2, Accepted: 3}

func (t *writeTx) end(id ID, a Result, at time.Time) error {
	r, err := t.byID(id)
	if err != nil {
		return err
	}
	if certainty[a.Outcome] <= certainty[Outcome(r.outcome)] {
		return nil
	}
	r.outcome, r.answered, r.why = string(a.Outcome), unixNano(at), sanitize(a.Why)
	if a.Outcome == Accepted {
		switch p, l := a.Payment, a.Link; {
		case p != nil:
			r.setPayment(p)
		case l != nil:
			r.setLink(l)
		}
	}
	if err := t.saveOutcome(r, at); err != nil {
		return err
	}
	if p := a.Payment; p != nil && a.Outcome == Accepted {
		return t.recordStatus(r, p.Status, string(Initiate), at)
	}
	return nil
}

// saveOutcome writes the outcome of a row, its event, and the payment it finalizes.
func (t *writeTx) saveOutcome(r *row, at time.Time) error {
	if err := t.update(r); err != nil {
		return err
	}
	err := t.addEvent(r, eventRow{at: unixNano(at), what: r.outcome, detail: cmp.Or(r.why, r.reference), source: thisConsole})
	if err != nil || r.kind != string(Finalize) {
		return err
	}
	return t.updateFinalized(r)
}

// updateFinalized brings the payment of the finalize r up to date with all its finalizes.
func (t *writeTx) updateFinalized(r *row) error {
	all, err := t.byReference(r.destination(), r.reference)
	if err != nil {
		return err
	}
	var finalized, lost int64
	for _, f := range ofKind(all, Finalize) {
		if f.outcome == string(Accepted) {
			finalized = 1
		}
		if f.outcome == string(Unresolved) && f.verdict == "" {
			// If its console ended, it is not known when, but no later than this.
			lost = max(lost, min(f.answered, f.at+int64(maxSendTime)))
		}
	}
	for _, p := range ofKind(all, Initiate) {
		if p.finalized != finalized || p.finalizeLost != lost {
			p.finalized, p.finalizeLost = finalized, lost
			if err := t.update(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// Decide records the operator's decision about an unresolved attempt; the journal adds the
// operator and the time. [Found] for a payment needs its reference, and the payment is then
// under way. The error of [NotFound] is a [*TooEarly] within [NotFoundAfter] of the sending;
// any other error is an [*Unavailable].
func (j *Journal) Decide(ctx context.Context, id ID, v Decision, r api.Reference) error {
	return j.write(ctx, func(t *writeTx) error {
		a, err := t.byID(id)
		if err != nil {
			return err
		}
		if err := t.checkDecision(a, v, r); err != nil {
			return err
		}
		by := j.opts.Operator
		a.verdict, a.decidedAt = string(v), unixNano(t.now)
		a.decidedUser, a.decidedHost, a.decidedSSH = by.User, by.Host, by.SSH
		if v == Found && a.kind == string(Initiate) {
			a.reference = string(r)
		}
		if err := t.update(a); err != nil {
			return err
		}
		detail := string(v)
		if v == Found && r != "" {
			detail += " as " + string(r)
		}
		if err := t.addEvent(a, eventRow{what: "decided", detail: detail, source: "person"}); err != nil {
			return err
		}
		if a.kind == string(Finalize) {
			return t.updateFinalized(a)
		}
		return nil
	})
}

// checkDecision rejects a decision that does not fit the attempt.
func (t *writeTx) checkDecision(a *row, v Decision, r api.Reference) error {
	switch {
	case a.outcome != string(Unresolved):
		return rejected("There is nothing to decide: the outcome of this attempt is known, or the service has not answered yet.")
	case a.verdict == string(Found):
		return rejected("There is nothing to decide: this attempt was found already.")
	case v != Found && v != NotFound && v != GaveUp:
		return rejected("Decide that it was found, was not found, or is given up.")
	}
	until := fromNano(a.at).Add(NotFoundAfter)
	if v == NotFound && t.now.Before(until) {
		return &TooEarly{until}
	}
	if v != Found || a.kind != string(Initiate) {
		return nil
	}
	if parsed, err := api.ParseReference(string(r)); err != nil || parsed != r {
		return rejected("Enter the reference of the payment you found.")
	}
	if sanitize(string(r)) != string(r) {
		return rejected("That looks like a card number, which is never recorded.")
	}
	others, err := t.byReference(a.destination(), string(r))
	if err != nil {
		return err
	}
	for _, o := range ofKind(others, Initiate) {
		if o.n != a.n {
			return rejected("Another attempt has this reference already.")
		}
	}
	return nil
}
