package ledger

import (
	"slices"
	"time"

	"paydesk/api"
)

// A FinalizeConflict is the error of a finalize while another of the same payment is being sent,
// was accepted, or may have been, or while the payment, which is then Other, has a mismatch in doubt. Nothing was sent and nothing was recorded.
type FinalizeConflict struct{ Other Attempt }

// Is reports that nothing was sent ([api.ErrNotSent]).
func (c *FinalizeConflict) Is(target error) bool { return target == api.ErrNotSent }

// Error names the other one.
func (c *FinalizeConflict) Error() string {
	switch m := c.Other.Mismatch; {
	case m.Undecided():
		return "Nothing was sent: decide about the mismatch of attempt " + c.Other.ID.Short() + " first."
	case m.InDoubt():
		return "Nothing was sent: it was decided that attempt " + c.Other.ID.Short() + " is not our payment."
	}
	return "Nothing was sent: attempt " + c.Other.ID.Short() + " is to finalize this payment, or has done so."
}

// rejectFinalize returns a [*FinalizeConflict] when a mismatch in doubt of the payment, or another
// finalize of it, stands against e.
func (c Console) rejectFinalize(e *Entry, concerned []Entry) error {
	for _, o := range concerned {
		if !o.concerns(e.Destination, e.Reference) {
			continue
		}
		if o.Kind == Initiate && o.Mismatch.InDoubt() {
			return &FinalizeConflict{o.Attempt}
		}
	}
	for _, f := range concerned {
		if f.Kind != Finalize || !f.concerns(e.Destination, e.Reference) {
			continue
		}
		if c.mayStillSend(f) || f.Outcome == Sent || f.finalized() || c.Now.Before(f.lostAt().Add(api.FinalizeAgain)) {
			return &FinalizeConflict{f.Attempt}
		}
	}
	return nil
}

// refer ties a finalize to its payment. A reference that is not recorded may have been typed, and may be a card number,
// so it is recorded as a line; a known one is recorded exactly as the service assigned it.
func (e *Entry) refer(concerned []Entry) {
	isKnown := func(o Entry) bool { return o.concerns(e.Destination, e.Reference) }
	if !slices.ContainsFunc(concerned, isKnown) {
		e.Reference = api.Reference(Stored(string(e.Reference)))
	}
}

// finalized reports whether a finalize is known to have succeeded: the service said so, or a
// person did.
func (a Attempt) finalized() bool {
	return a.Outcome == Accepted || a.Outcome == Unresolved && a.Decision == Found
}

// lostAt returns when the answer to a finalize was lost, and zero once its outcome is known. When its
// console ended, it is no later than when the answer was due.
func (a Attempt) lostAt() time.Time {
	due := a.At.Add(SendTime)
	switch {
	case a.Outcome != Unresolved || a.Decision == Found || a.Decision == NotFound:
		return time.Time{}
	case a.AnsweredAt.Before(due):
		return a.AnsweredAt
	}
	return due
}
