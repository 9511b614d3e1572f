package journal

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"paydesk/api"
)

// ErrNotFound is the error of a query for an attempt that the journal does not have.
var ErrNotFound = errors.New("the journal has no such attempt")

// An UnresolvedAttempt is the error of a POST whose outcome is not known: the attempt that
// was recorded for it, and what went wrong. It is always an [api.ErrUnresolved], whatever Err
// is.
type UnresolvedAttempt struct {
	ID  ID
	Err error
}

// Error returns what went wrong, in plain sentences.
func (u *UnresolvedAttempt) Error() string {
	if u.Err == nil {
		return "It is not known whether this was done."
	}
	return u.Err.Error()
}

// Unwrap returns what went wrong.
func (u *UnresolvedAttempt) Unwrap() error { return u.Err }

// Is reports that every UnresolvedAttempt is [api.ErrUnresolved].
func (u *UnresolvedAttempt) Is(target error) bool { return target == api.ErrUnresolved }

// A TooEarly is the error of the decision [NotFound] within [NotFoundAfter] of the sending.
type TooEarly struct{ Until time.Time }

func (e *TooEarly) Error() string {
	return "it may still appear; you can mark it as not found ten minutes after it was sent"
}

// An Unavailable is the error of a journal that cannot be read or written, and so nothing
// was sent. Why states what is wrong and what to do, and never quotes the journal's contents.
type Unavailable struct {
	Why string
	err error
}

// Error returns Why.
func (u *Unavailable) Error() string { return u.Why }

// Is reports that nothing was sent ([api.ErrNotSent]).
func (u *Unavailable) Is(target error) bool { return target == api.ErrNotSent }

// Unwrap returns the error of the file system or the database.
func (u *Unavailable) Unwrap() error { return u.err }

var (
	errDamaged = errors.New("the journal is damaged") // a row is not what was written
	errMoved   = errors.New("the journal was moved or deleted while it was open")
)

// unavailable wraps an error of the file at path, unless it is an Unavailable already.
func unavailable(path string, err error) *Unavailable {
	if u, ok := errors.AsType[*Unavailable](err); ok {
		return u
	}
	return &Unavailable{describe(err) + " (" + path + ")", err}
}

// What is wrong with the journal, and what to do, by the cause.
const (
	damagedText  = "The journal is damaged. Quit and start again: the damaged file is kept beside a new journal."
	diskFullText = "The journal cannot be written: the disk is full. Free some space and try again."
	readOnlyText = "The journal cannot be written: its folder or file is read-only. " +
		"Make it writable, or choose another folder with --state-dir."
	lockedText = "Another program has locked the journal for more than 5 seconds. Try again, or close that program."
	movedText  = "The journal was moved or deleted while it was open. Try again; a new journal is created if it is gone."
	deniedText = "The journal cannot be written: you do not have permission. " +
		"Fix the permissions, or choose another folder with --state-dir."
	lateText   = "The journal could not be reached in time. Try again."
	besideText = "The journal cannot be opened: its file, or one beside it, cannot be written. " +
		"Check the folder, or choose another with --state-dir."
	ioErrorText = "The journal cannot be written: the disk reports an error. " +
		"Check the disk, or choose another folder with --state-dir."
)

// whyOf words the errors of the file system and of this package. The first that fits counts.
var whyOf = []struct {
	err error
	why string
}{
	{errDamaged, damagedText}, {errMoved, movedText},
	{syscall.ENOSPC, diskFullText}, {syscall.EDQUOT, diskFullText},
	{syscall.EWOULDBLOCK, lockedText}, {syscall.EROFS, readOnlyText}, {fs.ErrPermission, deniedText},
	{context.Canceled, lateText}, {context.DeadlineExceeded, lateText},
}

// whyOfSQLite words the result codes of SQLite, of which the last byte is the kind of failure.
var whyOfSQLite = map[int]string{
	sqlite3.SQLITE_FULL: diskFullText, sqlite3.SQLITE_READONLY: readOnlyText, sqlite3.SQLITE_IOERR: ioErrorText,
	sqlite3.SQLITE_BUSY: lockedText, sqlite3.SQLITE_LOCKED: lockedText, sqlite3.SQLITE_PROTOCOL: lockedText,
	sqlite3.SQLITE_CORRUPT: damagedText, sqlite3.SQLITE_NOTADB: damagedText,
	sqlite3.SQLITE_CANTOPEN: besideText, sqlite3.SQLITE_PERM: besideText, sqlite3.SQLITE_AUTH: besideText,
}

func describe(err error) string {
	for _, known := range whyOf {
		if errors.Is(err, known.err) {
			return known.why
		}
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return cmp.Or(whyOfSQLite[e.Code()&0xff], "The journal cannot be read or written.")
	}
	return "The journal cannot be opened or written. Check its folder, or choose another with --state-dir."
}

// isDamage reports whether an error means that the file is not what was written.
func isDamage(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return whyOfSQLite[e.Code()&0xff] == damagedText
	}
	return errors.Is(err, errDamaged)
}

// rejected is the error of a request that does not fit the journal's contents. The journal
// itself is sound.
func rejected(why string) error { return &Unavailable{Why: why, err: errRejected} }

var errRejected = errors.New("rejected")

// isRejection reports whether the journal rejected the request, and did not fail.
func isRejection(err error) bool {
	var duplicate *Duplicate
	var early *TooEarly
	return errors.As(err, &duplicate) || errors.As(err, &early) || errors.Is(err, errRejected) || errors.Is(err, ErrNotFound)
}
