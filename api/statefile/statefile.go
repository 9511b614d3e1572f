// Package statefile has the rules of the files in which paydesk keeps what it did and saw: who may read
// them, how SQLite opens them, how they are locked and replaced, and what an error about one of them
// means. Package journal keeps its file by them, and package listing its own beside it.
package statefile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"modernc.org/sqlite"

	"paydesk/api/text"
)

// forEachFile calls do with the end of the name of each file of a database that exists: SQLite's files beside it, and the
// database last.
func forEachFile(do func(end string) error) error {
	for _, end := range [...]string{"-wal", "-shm", "-journal", ""} {
		if err := do(end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// An Exposed is the error of a file or folder that other users can read.
type Exposed struct {
	Path string
	Most fs.FileMode // what its mode may be
}

// Error says what is wrong, and the command that corrects it.
func (e *Exposed) Error() string { return "Other users can read it. Fix it with: " + e.Fix() }

// Fix is the command that corrects it.
func (e *Exposed) Fix() string { return fmt.Sprintf("chmod %o %s", e.Most, text.ShellQuote(e.Path)) }

// MakeDir creates a folder with mode 0700 when it is missing, and rejects one that others can read.
func MakeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return CheckMode(dir, 0o700)
}

// CheckMode rejects modes looser than most with an [*Exposed]. It does not change them: whoever
// loosened them may have had a reason, and should know.
func CheckMode(path string, most fs.FileMode) error {
	about, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !hasModes || about.Mode().Perm()&^most == 0 {
		return nil
	}
	return &Exposed{path, most}
}

// ErrFolder is the error of a folder in the place of a database.
var ErrFolder = errors.New("a folder is in the place of the file")

// CheckDatabase rejects a folder in the place of a database, and loose modes of it and of SQLite's files beside it.
func CheckDatabase(path string) error {
	if about, err := os.Stat(path); err == nil && about.IsDir() {
		return ErrFolder
	}
	return forEachFile(func(end string) error { return CheckMode(path+end, 0o600) })
}

// RemoveDatabase removes a database and SQLite's files beside it, where they exist.
func RemoveDatabase(path string) error {
	return forEachFile(func(end string) error { return os.Remove(path + end) })
}

// RenameDatabase renames a database and SQLite's files beside it: the database last, so that a failure
// can be retried.
func RenameDatabase(from, to string) error {
	if err := forEachFile(func(end string) error { return os.Rename(from+end, to+end) }); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(to))
}

// CreateDatabase creates a database under another name, fills it, and renames it once it is complete. So
// an empty file is a damaged one, never an incomplete one. The caller holds the lock of [LockDir].
func CreateDatabase(path string, fill func(part string) error) error {
	part := path + ".new"
	if err := RemoveDatabase(part); err != nil { // left by a crash
		return err
	}
	if err := os.WriteFile(part, nil, 0o600); err != nil { // SQLite would create it with 0644
		return err
	}
	if err := fill(part); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// WriteFile writes a file that only its owner reads, durably: it appears complete or not at all. The caller keeps others
// from writing it meanwhile.
func WriteFile(path string, text []byte) error {
	part := path + ".new"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) { // left by a crash
		return err
	}
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// MoveTo gives a file another name, unless that is taken; the error is then [fs.ErrExist]. A link fails when it is, and the name
// never stands for less than the whole file, even if the program is killed. Where the file system has no links, an empty file of
// that name is created first, which fails as well: renaming alone would replace what is there. link is [os.Link], but in tests.
func MoveTo(from, path string, link func(from, to string) error) error {
	switch err := link(from, path); {
	case err == nil:
		os.Remove(from) // otherwise the file has two names, and is complete under both
		return nil
	case errors.Is(err, fs.ErrExist):
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	f.Close()
	if err := os.Rename(from, path); err != nil {
		os.Remove(path)
		return err
	}
	return nil
}

// SyncDir makes renames in a folder durable.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && hasModes { // some systems cannot sync a folder, and need not
		return err
	}
	return nil
}

// Source returns the data source name of a database for the driver: transactions take the write lock
// when they begin. The mode is SQLite's: ro, rw, or memory, for which path is only a name.
func Source(path, mode string, pragmas ...string) string {
	values := url.Values{"_txlock": {"immediate"}, "mode": {mode}, "_pragma": pragmas}
	if mode == "memory" {
		return "file:" + path + "?" + values.Encode()
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}).String() + "?" + values.Encode()
}

// Writable is the [Source] of a database that is written, on a disk of this machine or another. What a damaged or a foreign file
// could do is off.
func Writable(path string, local bool, pragmas ...string) string {
	mode := "journal_mode(DELETE)"
	if local {
		mode = "journal_mode(WAL)"
	}
	return Source(path, "rw", append(pragmas, mode, "mmap_size(0)", "trusted_schema(0)", "cell_size_check(1)")...)
}

// Open opens a database on one connection: SQLite writes one transaction at a time. It does not touch
// the file yet. The driver rejects only a source that cannot be parsed, which none of [Source] is.
func Open(source string) *sql.DB {
	c, err := sqlite.NewConnector(source)
	if err != nil {
		panic(err)
	}
	db := sql.OpenDB(connector{c})
	db.SetMaxOpenConns(1)
	return db
}

// namelessSource is a database without a name. Up to 2 MB of it are in memory: what the system keeps of its file is read nearly as
// fast. No other program can use it, and nothing of it is left after a crash.
var namelessSource = Source("", "rwc", "cache_size(-2000)", "journal_mode(OFF)", "synchronous(OFF)", "temp_store(MEMORY)")

// nameless are new ones, not opened yet. Package sql gives each a goroutine that belongs to no caller: a database may be used
// for longer than the caller runs.
var nameless = sync.OnceValue(func() <-chan *sql.DB {
	made := make(chan *sql.DB)
	go func() {
		for {
			made <- Open(namelessSource)
		}
	}()
	return made
})

// Nameless opens a database that is in memory while it is small, and otherwise in a file that has no name and ends with the
// program. The goroutine that makes them starts with the first: a test calls it once before its bubble of fake time.
func Nameless() *sql.DB { return <-nameless() }

// RollBack undoes a transaction that a killed program left half-written in a database without a write-ahead
// log, also while it was changing to one. SQLite does so by itself, but not for a process that only reads. The
// caller holds the lock of [LockDir].
func RollBack(ctx context.Context, path string) error {
	if _, err := os.Stat(path + "-journal"); err != nil {
		return nil // nothing was left
	}
	db := Open(Source(path, "rw", "busy_timeout(5000)"))
	defer db.Close()
	_, err := Pragma[int](ctx, db, "user_version")
	return err
}

// A Querier is a database, a connection or a transaction.
type Querier interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

// ForEach calls f for each row of a query.
func ForEach(ctx context.Context, q Querier, f func(*sql.Rows) error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// All returns the rows of a query. into says where the columns of a row go.
func All[T any](ctx context.Context, q Querier, into func(*T) []any, query string, args ...any) (all []T, err error) {
	err = ForEach(ctx, q, func(rows *sql.Rows) error {
		var one T
		err := rows.Scan(into(&one)...)
		all = append(all, one)
		return err
	}, query, args...)
	return all, err
}

// One returns where the only column of a row goes.
func One[T any](v *T) []any { return []any{v} }

// FromMilli is a time that is stored in milliseconds since 1970; 0 is the zero time.
func FromMilli(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// Milli returns where such a time goes.
func Milli(to *time.Time) sql.Scanner { return milli{to} }

type milli struct{ to *time.Time }

// Scan implements [sql.Scanner].
func (m milli) Scan(stored any) error {
	ms, _ := stored.(int64)
	*m.to = FromMilli(ms)
	return nil
}

// Pragma asks SQLite for a setting, or for a check.
func Pragma[T any](ctx context.Context, db Querier, name string) (v T, err error) {
	err = db.QueryRowContext(ctx, "PRAGMA "+name).Scan(&v)
	return v, err
}
