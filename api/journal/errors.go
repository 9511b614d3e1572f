package journal

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"paydesk/api"
)

// ErrNone says that the journal has no such attempt.
var ErrNone = errors.New("the journal has no such attempt")

// A Duplicate is the error of a payment that looks like others that were sent already
// (R44). Nothing was sent and nothing written down.
type Duplicate struct{ Attempts []Attempt } // newest first

// Is reports that nothing was sent ([api.ErrNotSent]).
func (l *Duplicate) Is(target error) bool { return target == api.ErrNotSent }

// Error says how many there are.
func (l *Duplicate) Error() string {
	if len(l.Attempts) == 1 {
		return "Nothing was sent: a payment like this one was sent already."
	}
	return "Nothing was sent: " + strconv.Itoa(len(l.Attempts)) + " payments like this one were sent already."
}

// A TooEarly says that it is too early to say that an attempt was never made (R46).
type TooEarly struct{ Until time.Time }

func (e *TooEarly) Error() string {
	return "it may still turn up: that it was not found can be said ten minutes after it was sent"
}

// A Unavailable is the error of a journal that cannot be written, so that nothing was sent
// (R102, R103). It never quotes what the journal holds. Why is a sentence about what is
// wrong and what to do.
type Unavailable struct {
	Why string
	err error
}

// Error is the sentence.
func (b *Unavailable) Error() string { return b.Why }

// Is reports that nothing was sent ([api.ErrNotSent]).
func (b *Unavailable) Is(target error) bool { return target == api.ErrNotSent }

// Unwrap is what the file system or the database said.
func (b *Unavailable) Unwrap() error { return b.err }

// errDamaged is a row that is not what was written.
var errDamaged = errors.New("the journal is damaged")

// errMoved is a file that is no longer where it was opened.
var errMoved = errors.New("the journal was moved or deleted while it was open")

// unavailable puts what went wrong with the file into words.
func unavailable(path string, err error) *Unavailable {
	if b, ok := errors.AsType[*Unavailable](err); ok {
		return b
	}
	return &Unavailable{describe(err) + " (" + path + ")", err}
}

func describe(err error) string {
	switch {
	case errors.Is(err, errDamaged):
		return damagedText
	case errors.Is(err, errMoved):
		return "The journal was moved or deleted while it was open. Try again: a new one is begun if it is gone."
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return diskFullText
	case errors.Is(err, syscall.EWOULDBLOCK):
		return lockedText
	case errors.Is(err, syscall.EROFS):
		return readOnlyText
	case errors.Is(err, fs.ErrPermission):
		return "The journal cannot be written: this user may not write there. Give it the permission, or name another folder with --state-dir."
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "The journal was not asked: there was no time left. Try again."
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return sqliteWhy(e.Code())
	}
	return "The journal cannot be opened or written. Look after its folder, or name another one with --state-dir."
}

const (
	damagedText  = "The journal is damaged. Leave and start again: the damaged file is kept beside a new journal."
	diskFullText = "The journal cannot be written: the disk is full. Free some space and try again."
	readOnlyText = "The journal cannot be written: its folder or file is read-only. Make it writable, or name another folder with --state-dir."
	lockedText   = "The journal is held by another program for more than 5 seconds. Try again, or end what holds it."
)

// sqliteWhy words a result code of SQLite, whose last byte is the kind of failure.
func sqliteWhy(code int) string {
	switch code & 0xff {
	case sqlite3.SQLITE_FULL:
		return diskFullText
	case sqlite3.SQLITE_READONLY:
		return readOnlyText
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return lockedText
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return damagedText
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return "The journal cannot be opened: its file, or one beside it, cannot be written. Look after the folder, or name another one with --state-dir."
	case sqlite3.SQLITE_IOERR:
		return "The journal cannot be written: the disk reports an error. Check the disk, or name another folder with --state-dir."
	}
	return "The journal cannot be read or written."
}

// isDamage reports whether an error says that the file is not what was written.
func isDamage(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		kind := e.Code() & 0xff
		return kind == sqlite3.SQLITE_CORRUPT || kind == sqlite3.SQLITE_NOTADB
	}
	return errors.Is(err, errDamaged)
}

// rejected is a request that makes no sense for what the journal holds: the journal
// itself is sound.
func rejected(why string) error { return &Unavailable{Why: why, err: errRejected} }

var errRejected = errors.New("refused")

// isRejection reports whether an error is an answer of ours, not a failure of the file.
func isRejection(err error) bool {
	if _, ok := errors.AsType[*Duplicate](err); ok {
		return true
	}
	if _, ok := errors.AsType[*TooEarly](err); ok {
		return true
	}
	return errors.Is(err, errRejected) || errors.Is(err, ErrNone)
}
