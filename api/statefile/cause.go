package statefile

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A Cause is what is wrong with a file.
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

// causes are recognised by errors of the file system, or by result codes of SQLite, of which the last
// byte is the kind of failure. The first that fits counts.
var causes = []struct {
	cause Cause
	errs  []error
	codes []int
}{
	{Damaged, nil, []int{sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}},
	{DiskFull, []error{syscall.ENOSPC, syscall.EDQUOT}, []int{sqlite3.SQLITE_FULL}},
	{Locked, []error{syscall.EWOULDBLOCK}, []int{sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}},
	{ReadOnly, []error{syscall.EROFS}, []int{sqlite3.SQLITE_READONLY}},
	{Forbidden, []error{fs.ErrPermission}, nil},
	{TooLate, []error{context.Canceled, context.DeadlineExceeded}, nil},
	{CannotOpen, nil, []int{sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}},
	{DiskError, nil, []int{sqlite3.SQLITE_IOERR}},
}

// CauseOf returns the cause of an error.
func CauseOf(err error) Cause {
	e, fromSQLite := errors.AsType[*sqlite.Error](err)
	for _, c := range causes {
		if slices.ContainsFunc(c.errs, func(known error) bool { return errors.Is(err, known) }) ||
			fromSQLite && slices.Contains(c.codes, e.Code()&0xff) {
			return c.cause
		}
	}
	if fromSQLite {
		return InDatabase
	}
	return Unknown
}
