package webhook

import (
	"errors"

	"paydesk/api/statefile"
)

// An Unavailable is the error of a store that cannot be read or written. Nothing else is held up by it. Why states
// what is wrong, and what to do where something can be done.
type Unavailable struct {
	Why string
	err error
}

// Error returns Why.
func (u *Unavailable) Error() string { return u.Why }

// Unwrap returns the error of the file system or the database.
func (u *Unavailable) Unwrap() error { return u.err }

var (
	errDamaged = errors.New("the inbox is damaged")
	errNewer   = errors.New("the inbox was written by a newer version")
	errNoRoom  = errors.New("the disk is nearly full")
	errBusy    = errors.New("too many deliveries wait to be stored")
)

// ErrNotFound is the error of an event that is not stored, or no longer.
var ErrNotFound = errors.New("There is no such event in the inbox. The oldest are dropped when it is full.") //lint:ignore ST1005 a sentence for people

var reasons = map[statefile.Cause]string{
	statefile.Damaged:    "The inbox is damaged.",
	statefile.DiskFull:   "The inbox cannot be written: the disk is full.",
	statefile.Locked:     "Another program has locked the inbox.",
	statefile.ReadOnly:   "The inbox cannot be written: its folder or file is read-only.",
	statefile.Forbidden:  "The inbox cannot be opened: you do not have permission.",
	statefile.TooLate:    "The inbox could not be reached in time.",
	statefile.CannotOpen: "The inbox cannot be opened: its file, or one beside it, cannot be written.",
	statefile.DiskError:  "The inbox cannot be written: the disk reports an error.",
	statefile.InDatabase: "The inbox cannot be read or written.",
	statefile.Unknown:    "The inbox cannot be opened or written.",
}

func isDamage(err error) bool {
	return errors.Is(err, errDamaged) || statefile.CauseOf(err) == statefile.Damaged
}

// unavailable wraps an error of the file, unless it says itself what it is; nil stays nil.
func (s *Store) unavailable(err error) error {
	if err == nil || errors.Is(err, ErrNotFound) {
		return err
	}
	if _, is := errors.AsType[*Unavailable](err); is {
		return err
	}
	why := reasons[statefile.CauseOf(err)]
	exposed, is := errors.AsType[*statefile.Exposed](err)
	switch {
	case is:
		return &Unavailable{"The inbox is disabled because other users can read it. Fix it with: " + exposed.Fix(), err}
	case errors.Is(err, statefile.ErrFolder):
		why = "The inbox cannot be opened: a folder is in its place."
	case errors.Is(err, errNewer):
		why = "The inbox was written by a newer version of paydesk. Use that, or move the file to another name."
	case errors.Is(err, errNoRoom):
		why = "The inbox is not written: its disk is nearly full, and what is left is for the journal."
	case errors.Is(err, errBusy):
		why = "Too many deliveries wait to be stored."
	}
	if s.path != "" {
		why += " (" + s.path + ")"
	}
	return &Unavailable{why, err}
}
