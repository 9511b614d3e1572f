package journal

import (
	"errors"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

var (
	errDamaged = statefile.ErrDamaged // a row is not what was written
	errEarlier = errors.New("the journal was written by an earlier version")
	errMoved   = errors.New("the journal was moved or deleted while it was open")
)

// unavailable wraps an error of the file at path, unless it is an Unavailable already.
func unavailable(path string, err error) *ledger.Unavailable {
	if u, ok := errors.AsType[*ledger.Unavailable](err); ok {
		return u
	}
	if _, exposed := errors.AsType[*statefile.Exposed](err); exposed {
		return &ledger.Unavailable{Why: statefile.Explain("journal", "", err).Error(), Err: err}
	}
	return &ledger.Unavailable{Why: describe(err) + " (" + path + ")", Err: err}
}

// advice says what to do about what is wrong with the journal.
var advice = map[statefile.Cause]string{
	statefile.DiskFull:   " Free some space and try again.",
	statefile.ReadOnly:   " Make it writable, or choose another folder with --state-dir.",
	statefile.Forbidden:  " Fix the permissions, or choose another folder with --state-dir.",
	statefile.TooLate:    " Try again.",
	statefile.CannotOpen: " Check the folder, or choose another with --state-dir.",
	statefile.DiskError:  " Check the disk, or choose another folder with --state-dir.",
	statefile.Unknown:    " Check its folder, or choose another with --state-dir.",
}

// describe says what is wrong with the journal, and what to do.
func describe(err error) string {
	cause := statefile.CauseOf(err)
	switch {
	case IsDamage(err):
		return "The journal is damaged. Quit and start again: the damaged file is kept beside a new journal, and nothing is sent before that loss is acknowledged."
	case errors.Is(err, statefile.ErrFolder):
		return "The journal cannot be opened: a folder is in its place. Move it, or choose another folder with --state-dir."
	case errors.Is(err, errMoved):
		return "The journal was moved or deleted while it was open. Look at what was sent last, then try again."
	case cause == statefile.Locked:
		return "Another program has locked the journal for more than 5 seconds. Try again, or close that program."
	}
	return statefile.Explain("journal", "", err).Error() + advice[cause]
}

// IsDamage reports whether an error means that the file is not what was written.
func IsDamage(err error) bool { return statefile.CauseOf(err) == statefile.Damaged }
