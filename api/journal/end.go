package journal

import (
	"context"
	"errors"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
)

// A pendingOutcome is an outcome that could not be written when it arrived. It is written
// before anything else as soon as the journal can be written again.
type pendingOutcome struct {
	ID     ledger.ID     `json:"id"`
	At     time.Time     `json:"at"`
	Result ledger.Result `json:"result"`
	kept   bool          // in a file
}

// deferOutcome keeps an outcome in a file and in memory until [writeTx.flush] can write it.
func (j *Journal) deferOutcome(d pendingOutcome) {
	j.waiting.Lock()
	defer j.waiting.Unlock()
	d.kept = j.spool(d)
	late := *j.late.Load()
	late.waiting = append(slices.Clip(late.waiting), d)
	j.late.Store(&late)
}

// lateOutcomes are those that could not be written when they arrived. They are not changed, but replaced.
type lateOutcomes struct {
	waiting []pendingOutcome   // to be written
	strange map[ledger.ID]bool // of attempts that this journal does not have
	written int                // since
}

// LateOutcomes returns how many outcomes could not be written yet, and how many were written later, since this console
// began. It does no I/O.
func (j *Journal) LateOutcomes() (waiting, written int) {
	late := j.late.Load()
	return len(late.waiting), late.written
}

// UnkeptOutcomes returns the attempts that were sent and whose outcomes are in no file, neither the journal nor one where
// they wait: this process alone knows them. It tries to write them once more.
func (j *Journal) UnkeptOutcomes(ctx context.Context) (all []ledger.ID) {
	if len(j.late.Load().waiting) == 0 {
		return nil
	}
	_ = j.read(ctx, func(*readTx) error { return nil }) // it writes what waits
	for _, p := range j.late.Load().waiting {
		if !p.kept && p.Result.Outcome != ledger.NotSent {
			all = append(all, p.ID)
		}
	}
	return all
}

// StrangeOutcomes counts the outcomes that wait in files for attempts that the journal does not have: it was restored from a
// backup, or they were sent from another journal. It does no I/O.
func (j *Journal) StrangeOutcomes() int { return len(j.late.Load().strange) }

// End records the outcome of an attempt. A more certain outcome is never replaced by a less
// certain one: accepted stays accepted, and a known outcome never becomes unresolved. When
// the journal cannot be written, or was replaced by one without the attempt, the outcome waits in a
// file, or where even that fails in memory ([Journal.UnkeptOutcomes]), and is written before anything else.
//
// One reference is one payment, and one alias one link: an accepted result with the reference or alias of another attempt
// is recorded as unresolved, and the error is an [*api.Unresolved] that says so.
func (j *Journal) End(ctx context.Context, id ledger.ID, result ledger.Result) error {
	ctx = context.WithoutCancel(ctx) // it has happened, even if the caller no longer waits
	at := j.opts.Now()
	var taken *api.Unresolved
	end := func(on string) error {
		return j.write(ctx, on, func(t *writeTx) (err error) {
			at = t.now
			if on != "" && t.isFoundAsAnother(id, result) {
				return errWider
			}
			taken, err = t.end(id, result, t.now)
			return err
		})
	}
	noun := "payment"
	if result.Link != nil {
		noun = "link"
	}
	err := end(nameOn(noun, result.Name())) // any other outcome may be that of a finalize, or name a reference
	if err == errWider {
		err = end("")
	}
	if err != nil && (!ledger.IsRejection(err) || isOfAnother(err) && result.Outcome != ledger.NotSent) {
		j.deferOutcome(pendingOutcome{ID: id, Result: result, At: at})
	}
	if err == nil && taken != nil {
		return taken
	}
	j.noteEnd(id, result.Outcome)
	return err
}

// isOfAnother reports whether an outcome belongs to an attempt that the journal does not have, or has of another sender.
func isOfAnother(err error) bool {
	return errors.Is(err, ledger.ErrNotFound) || errors.Is(err, ledger.ErrNotSender)
}

// errWider is the error of a write that turned out to concern more than was named.
var errWider = ledger.Rejected("it concerns another payment too")

// isFoundAsAnother reports whether an attempt was found as another payment than the one in its answer.
func (t *writeTx) isFoundAsAnother(id ledger.ID, a ledger.Result) bool {
	rows, err := t.concerned(id)
	return err == nil && rows[0].WasFound() && (a.Payment == nil || rows[0].Reference != a.Payment.Reference)
}

// end records an outcome that arrived at a time.
func (t *writeTx) end(id ledger.ID, result ledger.Result, at time.Time) (*api.Unresolved, error) {
	rows, err := t.concerned(id, result.Name())
	if err != nil {
		return nil, err
	}
	c := t.console()
	c.Now = at
	facts, taken, err := c.End(id, result, slices.Clone(rows))
	if err == nil {
		_, err = t.apply(rows, facts...)
	}
	return taken, err
}

// LeftOpen returns what was sent through j since [New] and is unresolved, or was not answered yet, and
// then the payments of this process with a mismatch, each oldest first. What a person has decided since,
// at any console, is not among them. An attempt that cannot be read counts as open.
func (j *Journal) LeftOpen(ctx context.Context) (open []ledger.Attempt) {
	j.sending.Lock()
	sent := slices.Clone(j.sent)
	j.sending.Unlock()
	for _, a := range sent {
		now, err := j.Attempt(ctx, a.ID)
		if err != nil || now.Outcome == ledger.Sent || now.IsUnresolved() {
			open = append(open, a)
		}
	}
	differ, _ := ask(ctx, j, func(t *readTx) ([]ledger.Attempt, error) {
		rows, err := t.entries("attempts", "WHERE mismatch <> 0 AND mismatch_verdict = '' ORDER BY at")
		return t.toAttempts(slices.DeleteFunc(rows, func(r ledger.Entry) bool { return r.Sender != j.self })), err
	})
	return append(open, differ...)
}

// noteSent remembers an attempt that is about to be sent, for [Journal.LeftOpen].
func (j *Journal) noteSent(a ledger.Attempt) {
	j.sending.Lock()
	defer j.sending.Unlock()
	j.sent = append(j.sent, a)
}

// noteEnd forgets an attempt once its outcome is known, whether or not that could be written.
func (j *Journal) noteEnd(id ledger.ID, o ledger.Outcome) {
	if !ledger.IsKnown(o) {
		return
	}
	j.sending.Lock()
	defer j.sending.Unlock()
	j.sent = slices.DeleteFunc(j.sent, func(a ledger.Attempt) bool { return a.ID == id })
}
