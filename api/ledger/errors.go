package ledger

import (
	"errors"

	"paydesk/api"
)

// ErrNotFound is the error of a question for an attempt that is not recorded.
var ErrNotFound = errors.New("the journal has no such attempt")

// ErrNotSender is the error of the outcome of an attempt that a colleague with another login at the database has sent.
var ErrNotSender = errors.New("a colleague sent this attempt, under another login at the team's journal")

// ErrTooEarly is the error of the decision [NotFound] within [NotFoundAfter] of the sending.
var ErrTooEarly = errors.New("it may still appear; you can mark it as not found ten minutes after it was sent")

// ErrChanged is the error of a decision about an attempt that is no longer as the operator saw it.
var ErrChanged = errors.New("another answer or decision arrived meanwhile; it is shown now")

// An Unavailable is the error of what was not recorded, and so nothing was sent. Why states what is wrong and what to
// do, and never quotes what is recorded.
type Unavailable struct {
	Why string
	Err error // of the file system or the database; nil where a rule rejected it
}

// Error returns Why.
func (u *Unavailable) Error() string { return u.Why }

// Is reports that nothing was sent ([api.ErrNotSent]).
func (u *Unavailable) Is(target error) bool { return target == api.ErrNotSent }

// Unwrap returns the error of the file system or the database.
func (u *Unavailable) Unwrap() error { return u.Err }

// Rejected is the error of what does not fit what is recorded.
func Rejected(why string) error { return &Unavailable{Why: why, Err: errRejected} }

var errRejected = errors.New("rejected")

// errNothingToDecide is the error of a decision about what became of an attempt that is not unresolved.
var errNothingToDecide = Rejected("There is nothing to decide: the outcome of this attempt is known, or the service has not answered yet.")

// errRecorded is that a decision would change nothing.
var errRecorded = Rejected("This is already recorded.")

// IsRejection reports whether a rule rejected something, and nothing failed.
func IsRejection(err error) bool {
	_, duplicate := errors.AsType[*Duplicate](err)
	_, conflict := errors.AsType[*FinalizeConflict](err)
	_, taken := errors.AsType[*TakenError](err)
	_, ask := errors.AsType[*AskFirst](err)
	return ask || duplicate || conflict || taken || errors.Is(err, ErrTooManyPins) || errors.Is(err, ErrTooEarly) || errors.Is(err, ErrChanged) ||
		errors.Is(err, ErrNotFound) || errors.Is(err, ErrNotSender) || errors.Is(err, errRejected)
}
