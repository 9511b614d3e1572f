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
	if e, ok := errors.AsType[*statefile.Exposed](err); ok {
		return &ledger.Unavailable{Why: "The journal is disabled because other users can read it. Fix it with: " + e.Fix(), Err: err}
	}
	return &ledger.Unavailable{Why: describe(err) + " (" + path + ")", Err: err}
}

// reasons says what is wrong with the journal and what to do.
var reasons = map[statefile.Cause]string{
	statefile.Damaged: "The journal is damaged. Quit and start again: the damaged file is kept beside a new journal, " +
		"and nothing is sent before that loss is acknowledged.",
	statefile.DiskFull: "The journal cannot be written: the disk is full. Free some space and try again.",
	statefile.Locked:   "Another program has locked the journal for more than 5 seconds. Try again, or close that program.",
	statefile.ReadOnly: "The journal cannot be written: its folder or file is read-only. " +
		"Make it writable, or choose another folder with --state-dir.",
	statefile.Forbidden: "The journal cannot be written: you do not have permission. " +
		"Fix the permissions, or choose another folder with --state-dir.",
	statefile.TooLate: "The journal could not be reached in time. Try again.",
	statefile.CannotOpen: "The journal cannot be opened: its file, or one beside it, cannot be written. " +
		"Check the folder, or choose another with --state-dir.",
	statefile.DiskError: "The journal cannot be written: the disk reports an error. " +
		"Check the disk, or choose another folder with --state-dir.",
	statefile.InDatabase: "The journal cannot be read or written.",
	statefile.Unknown:    "The journal cannot be opened or written. Check its folder, or choose another with --state-dir.",
}

func describe(err error) string {
	switch {
	case errors.Is(err, statefile.ErrFolder):
		return "The journal cannot be opened: a folder is in its place. Move it, or choose another folder with --state-dir."
	case errors.Is(err, errMoved):
		return "The journal was moved or deleted while it was open. Look at what was sent last, then try again."
	}
	return reasons[statefile.CauseOf(err)]
}

// IsDamage reports whether an error means that the file is not what was written.
func IsDamage(err error) bool { return statefile.CauseOf(err) == statefile.Damaged }
