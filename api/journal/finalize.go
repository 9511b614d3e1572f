package journal

import (
	"time"

	"paydesk/api"
)

// A FinalizeConflict is the error of a finalize while another of the same payment is being sent,
// was accepted, or may have been, or while the payment, which is then Other, has an undecided mismatch. Nothing was sent and nothing was recorded.
type FinalizeConflict struct{ Other Attempt }

// Is reports that nothing was sent ([api.ErrNotSent]).
func (c *FinalizeConflict) Is(target error) bool { return target == api.ErrNotSent }

// Error names the other one.
func (c *FinalizeConflict) Error() string {
	if c.Other.Mismatch.Undecided() {
		return "Nothing was sent: nobody has decided about the mismatch of attempt " + c.Other.ID.Short() + "."
	}
	return "Nothing was sent: attempt " + c.Other.ID.Short() + " is to finalize this payment, or has done so."
}

// rejectFinalize returns a [*FinalizeConflict] when an undecided mismatch of the payment, or another
// finalize of it, stands against r. Two consoles ask in two transactions, so that exactly one of them sends.
func (t *writeTx) rejectFinalize(r *row) error {
	all, err := t.byReference(r.Destination, r.Reference)
	if err != nil {
		return err
	}
	for _, p := range t.toAttempts(ofKind(all, Initiate)) {
		if p.Mismatch.Undecided() {
			return &FinalizeConflict{p}
		}
	}
	for _, sent := range ofKind(all, Finalize) {
		f := t.toAttempts([]*row{sent})[0]
		if t.j.mayStillSend(sent) || f.Outcome == Sent || f.finalized() || t.now.Before(f.lostAt().Add(api.FinalizeAgain)) {
			return &FinalizeConflict{f}
		}
	}
	return nil
}

// finalized reports whether a finalize is known to have succeeded: the service said so, or a
// person did.
func (a Attempt) finalized() bool {
	return a.Outcome == Accepted || a.Outcome == Unresolved && a.Decision == Found
}

// lostAt is when the answer to a finalize was lost, and zero once its outcome is known. When its
// console ended, it is no later than when the answer was due.
func (a Attempt) lostAt() time.Time {
	due := a.At.Add(maxSendTime)
	switch {
	case a.Outcome != Unresolved || a.Decision == Found || a.Decision == NotFound:
		return time.Time{}
	case a.AnsweredAt.Before(due):
		return a.AnsweredAt
	}
	return due
}

// updateFinalized brings a payment up to date with all its finalizes. r is one of them, or the
// payment.
func (t *writeTx) updateFinalized(r *row) error {
	all, err := t.byReference(r.Destination, r.Reference)
	if err != nil {
		return err
	}
	finalized, lost := false, int64(0)
	for _, f := range ofKind(all, Finalize) {
		finalized = finalized || f.finalized()
		lost = max(lost, unixNano(f.lostAt()))
	}
	for _, p := range ofKind(all, Initiate) {
		if p.Finalized != finalized || unixNano(p.FinalizeUnresolvedAt) != lost {
			p.Finalized, p.FinalizeUnresolvedAt = finalized, fromNano(lost)
			if err := t.update(p); err != nil {
				return err
			}
		}
	}
	return nil
}
