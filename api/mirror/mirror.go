// Package mirror remembers the list of transactions as it was last read, in a SQLite file of its own, so
// that the next scan can say what changed.
//
// The file holds one current row for each id of each service, and a log of changes: new, moved, gone. A
// scan that found nothing changed adds a line. The rows are those of one address, since services may
// share a key and have other lists.
//
// What is in the list is the service's word alone. A scan that is not trusted ([listing.Verdict]) adds and
// moves rows, and removes none; one that was stopped is not kept.
//
// Nothing waits for the mirror. It has a file, a lock and a connection of its own, so that the journal can
// be written at any time, and what goes wrong with it is said and holds up nothing.
//
//   - mirror.go: a mirror, and how its file is opened; schema.sql: what is in it;
//   - gather.go: the rows of a scan in the order of their IDs; row.go: a row as a line;
//   - keep.go: they are compared with what is kept, and kept; limit.go: the file stays below its limit;
//   - memory.go: which rows belong to a service;
//   - history.go: what changed since; keeper.go: keeps each scan of a session.
package mirror

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"paydesk/api/statefile"
)

// FileName is the name of the file, in the folder of the journal.
const FileName = "mirror.db"

// version is the version of the schema, stored as the file's user_version. Version 1 was in no release: such a file is set
// aside. From the first release on, one of an older version is upgraded.
const version = 2

//go:embed schema.sql
var schema string

var tables = statefile.Schema{SQL: schema, Version: version}

// DefaultLimit limits how large the file may become, in bytes.
const DefaultLimit = 200 * statefile.MB

// Options of [New].
type Options = statefile.Options

// A Mirror is the file. Its methods may be called from any goroutine. Each opens the file, so that nothing
// is held open between them.
type Mirror struct {
	opts    Options
	path    string        // "" in memory
	sem     chan struct{} // holds a token while the mirror is written, and while one in memory is used
	memory  *sql.DB       // the one in memory; nil until it is used
	checked os.FileInfo   // the file whose structure was checked
	// patience tells how long another console's lock is waited for.
	patience time.Duration
	isLocal  func(dir string) bool
}

// New returns a mirror whose file is created by the first scan that is kept.
func New(o Options) *Mirror {
	o = o.WithDefaults(DefaultLimit)
	m := &Mirror{opts: o, sem: make(chan struct{}, 1), isLocal: statefile.IsLocal, patience: 5 * time.Second}
	if o.Dir != "" {
		m.path = filepath.Join(o.Dir, FileName)
	}
	return m
}

// Path returns the path of the file; "" in memory.
func (m *Mirror) Path() string { return m.path }

// Close forgets a mirror in memory.
func (m *Mirror) Close() {
	m.sem <- struct{}{}
	defer func() { <-m.sem }()
	if m.memory != nil {
		m.memory.Close()
		m.memory = nil
	}
}

func (m *Mirror) lock(ctx context.Context) error {
	select {
	case m.sem <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m *Mirror) unlock() { <-m.sem }

// source is the data source name for writing. Pages are written to the file when SQLite's cache is full, and are not waited for: a crash may lose the
// last scan, and damages nothing.
func (m *Mirror) source() string {
	return statefile.Writable(m.path, m.isLocal(m.opts.Dir), fmt.Sprintf("busy_timeout(%d)", m.patience.Milliseconds()), "synchronous(NORMAL)",
		"foreign_keys(0)", "wal_autocheckpoint(0)") // [Mirror.settle] does it
}

// open opens the file for writing, and creates it when it is missing. The caller holds the lock and closes
// the handle with done.
func (m *Mirror) open(ctx context.Context) (db *sql.DB, done func(), err error) {
	if m.path == "" {
		return m.inMemory(ctx)
	}
	if err := tables.Ensure(ctx, m.path); err != nil {
		return nil, nil, err
	}
	db = statefile.Open(m.source())
	if err := m.check(ctx, db); err != nil {
		db.Close()
		return nil, nil, err
	}
	return db, func() { db.Close() }, nil
}

func (m *Mirror) inMemory(ctx context.Context) (*sql.DB, func(), error) {
	if m.memory == nil {
		db, err := tables.OpenMemory(ctx, "mirror")
		if err != nil {
			return nil, nil, err
		}
		m.memory = db
	}
	return m.memory, func() {}, nil
}

// check rejects a file of another version, and, once, one that is damaged.
func (m *Mirror) check(ctx context.Context, db *sql.DB) error {
	about, err := os.Stat(m.path)
	if err != nil {
		return err
	}
	if err := tables.CheckVersion(ctx, db); err != nil {
		return err
	}
	if m.checked != nil && os.SameFile(m.checked, about) {
		return nil
	}
	if err := statefile.CheckStructure(ctx, db); err != nil {
		return err
	}
	m.checked = about
	return nil
}

// read runs f on the file as it is, also while another scan is being kept. Without a file it does nothing.
func (m *Mirror) read(ctx context.Context, f func(statefile.Querier) error) error {
	if m.path == "" {
		if err := m.lock(ctx); err != nil {
			return m.unavailable(err)
		}
		defer m.unlock()
		db, _, err := m.inMemory(ctx)
		if err == nil {
			err = f(db)
		}
		return m.unavailable(err)
	}
	if _, err := os.Stat(m.path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return m.unavailable(tables.Read(ctx, m.path, f))
}

const (
	errMoved statefile.Reason = "The mirror was moved or deleted while it was written."
	errBusy  statefile.Reason = "A payment is being sent."
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
func Size(bytes int64) string { return fmt.Sprintf("%d MB", (bytes+statefile.MB-1)/statefile.MB) }

// unavailable explains an error of the file, unless it says itself what it is; nil stays nil.
func (m *Mirror) unavailable(err error) error {
	if _, is := errors.AsType[*TooLarge](err); is || errors.Is(err, ErrIncomplete) || errors.Is(err, ErrOlder) || errors.Is(err, errBusy) {
		return err
	}
	return statefile.Explain("mirror", m.path, err)
}
