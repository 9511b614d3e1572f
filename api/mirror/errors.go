package mirror

import (
	"errors"
	"fmt"

	"paydesk/api/statefile"
)

// An Unavailable is the error of a mirror that cannot be read or written. Nothing else is held up by it. Why
// states what is wrong, and what to do where something can be done.
type Unavailable struct {
	Why string
	err error
}

// Error returns Why.
func (u *Unavailable) Error() string { return u.Why }

// Unwrap returns the error of the file system or the database.
func (u *Unavailable) Unwrap() error { return u.err }

var (
	errDamaged = errors.New("the mirror is damaged")
	errNewer   = errors.New("the mirror was written by a newer version")
	errMoved   = errors.New("the mirror was moved or deleted while it was written")
	errBusy    = errors.New("a payment is being sent")
)

// ErrIncomplete is the error of a scan that did not reach the end of the list.
var ErrIncomplete = errors.New("Only a scan that reached the end of the list is kept.") //lint:ignore ST1005 a sentence for people

// ErrOlder is the error of a scan that ended before the last one that is kept.
var ErrOlder = errors.New("A newer scan is kept already, from another console.") //lint:ignore ST1005 a sentence for people

// A TooLarge is the error of a list whose rows alone do not fit below the limit.
type TooLarge struct {
	Rows  int
	Limit int64
}

// Error says so.
func (t *TooLarge) Error() string {
	return fmt.Sprintf("%d rows do not fit below the mirror's limit of %s, so none of this scan is kept. Raise it in the profile: mirror = \"400 MB\".",
		t.Rows, Size(t.Limit))
}

// Size is a number of bytes in megabytes, rounded up.
func Size(bytes int64) string { return fmt.Sprintf("%d MB", (bytes+MB-1)/MB) }

var reasons = map[statefile.Cause]string{
	statefile.Damaged:    "The mirror is damaged.",
	statefile.DiskFull:   "The mirror cannot be written: the disk is full.",
	statefile.Locked:     "Another console is writing the mirror.",
	statefile.ReadOnly:   "The mirror cannot be written: its folder or file is read-only.",
	statefile.Forbidden:  "The mirror cannot be written: you do not have permission.",
	statefile.TooLate:    "The mirror could not be reached in time.",
	statefile.CannotOpen: "The mirror cannot be opened: its file, or one beside it, cannot be written.",
	statefile.DiskError:  "The mirror cannot be written: the disk reports an error.",
	statefile.InDatabase: "The mirror cannot be read or written.",
	statefile.Unknown:    "The mirror cannot be opened or written.",
}

func isDamage(err error) bool {
	return errors.Is(err, errDamaged) || statefile.CauseOf(err) == statefile.Damaged
}

// unavailable wraps an error of the file, unless it says itself what it is; nil stays nil.
func (m *Mirror) unavailable(err error) error {
	if err == nil || errors.Is(err, ErrIncomplete) || errors.Is(err, ErrOlder) || errors.Is(err, errBusy) {
		return err
	}
	if _, is := errors.AsType[*TooLarge](err); is {
		return err
	}
	if _, is := errors.AsType[*Unavailable](err); is {
		return err
	}
	why := reasons[statefile.CauseOf(err)]
	exposed, is := errors.AsType[*statefile.Exposed](err)
	switch {
	case is:
		return &Unavailable{"The mirror is disabled because other users can read it. Fix it with: " + exposed.Fix(), err}
	case errors.Is(err, statefile.ErrFolder):
		why = "The mirror cannot be opened: a folder is in its place."
	case errors.Is(err, errDamaged):
		why = reasons[statefile.Damaged]
	case errors.Is(err, errNewer):
		why = "The mirror was written by a newer version of paydesk. Use that, or move the file to another name."
	case errors.Is(err, errMoved):
		why = "The mirror was moved or deleted while it was written."
	}
	if m.path != "" {
		why += " (" + m.path + ")"
	}
	return &Unavailable{why, err}
}
