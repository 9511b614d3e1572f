package statefile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrDamaged is the error of a file that does not hold what was written to it.
var ErrDamaged = errors.New("the file is damaged")

// errNewer is the error of a file whose version this program does not know.
var errNewer = errors.New("the file was written by a newer version")

// A Cause says what is wrong with a file.
type Cause uint8

// The causes.
const (
	Unknown    Cause = iota
	InDatabase       // any other error of SQLite
	Damaged          // it is not what was written
	DiskFull
	Locked     // another program has locked it for longer than was waited
	ReadOnly   // its folder or file is
	Forbidden  // no permission
	TooLate    // not reached in time
	CannotOpen // it, or a file beside it
	DiskError  // the disk reports one
)

// causes say what is wrong, and which errors of the file system, or result codes of SQLite, mean that. The last
// byte of a code is the kind of failure. The first cause that fits counts.
var causes = [...]struct {
	words string
	errs  []error
	codes []int
}{
	Unknown:    {"cannot be opened or written", nil, nil},
	InDatabase: {"cannot be read or written", nil, nil},
	Damaged:    {"is damaged", []error{ErrDamaged}, []int{sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}},
	DiskFull:   {"cannot be written: the disk is full", []error{syscall.ENOSPC, syscall.EDQUOT}, []int{sqlite3.SQLITE_FULL}},
	Locked: {"is locked by another program", []error{syscall.EWOULDBLOCK},
		[]int{sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}},
	ReadOnly:  {"cannot be written: its folder or file is read-only", []error{syscall.EROFS}, []int{sqlite3.SQLITE_READONLY}},
	Forbidden: {"cannot be opened: you do not have permission", []error{fs.ErrPermission}, nil},
	TooLate:   {"could not be reached in time", []error{context.Canceled, context.DeadlineExceeded}, nil},
	CannotOpen: {"cannot be opened: its file, or one beside it, cannot be written", nil,
		[]int{sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}},
	DiskError: {"cannot be written: the disk reports an error", nil, []int{sqlite3.SQLITE_IOERR}},
}

// CauseOf returns the cause of an error.
func CauseOf(err error) Cause {
	e, fromSQLite := errors.AsType[*sqlite.Error](err)
	for cause, of := range causes {
		if slices.ContainsFunc(of.errs, func(known error) bool { return errors.Is(err, known) }) ||
			fromSQLite && slices.Contains(of.codes, e.Code()&0xff) {
			return Cause(cause)
		}
	}
	if fromSQLite {
		return InDatabase
	}
	return Unknown
}

// An Unavailable is the error of a file that cannot be read or written. Nothing else is held up by it. Why states what is
// wrong, and what to do where something can be done.
type Unavailable struct {
	Why string
	err error
}

// Error returns Why.
func (u *Unavailable) Error() string { return u.Why }

// Unwrap returns the error of the file system or the database.
func (u *Unavailable) Unwrap() error { return u.err }

// A Reason is an error that says itself why a file is unavailable.
type Reason string

// Error returns the reason, a sentence.
func (r Reason) Error() string { return string(r) }

// Explain makes an [*Unavailable] of an error of a file; nil stays nil. People call the file by name, such as "inbox".
func Explain(name, path string, err error) error {
	if err == nil {
		return nil
	}
	if _, is := errors.AsType[*Unavailable](err); is {
		return err
	}
	why := fmt.Sprintf("The %s %s.", name, causes[CauseOf(err)].words)
	reason, says := errors.AsType[Reason](err)
	exposed, is := errors.AsType[*Exposed](err)
	switch {
	case is:
		return &Unavailable{fmt.Sprintf("The %s is disabled because other users can read it. Fix it with: %s", name, exposed.Fix()), err}
	case says:
		why = string(reason)
	case errors.Is(err, ErrFolder):
		why = fmt.Sprintf("The %s cannot be opened: a folder is in its place.", name)
	case errors.Is(err, errNewer):
		why = fmt.Sprintf("The %s was written by a newer version of paydesk. Use that, or move the file to another name.", name)
	}
	if path != "" {
		why += " (" + path + ")"
	}
	return &Unavailable{why, err}
}
