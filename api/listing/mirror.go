package listing

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"paydesk/api/statefile"
	"paydesk/api/text"
)

// MirrorFile is the name of the file, in the folder of the journal.
const MirrorFile = "mirror.db"

// mirrorVersion is the version of the schema, stored as the file's user_version. Earlier versions were in no release: such a
// file is set aside. From the first release on, one of an older version is upgraded.
const mirrorVersion = 4

//go:embed mirror.sql
var mirrorSchema string

var mirrorTables = statefile.Schema{SQL: mirrorSchema, Version: mirrorVersion}

// mirrorLimit limits how large the file may become, in bytes.
const mirrorLimit = 200 * statefile.MB

// A Mirror remembers the list as it was last read, in a SQLite file of its own, so that the next scan can say what changed. The
// rows are those of one address, since services may share a key and have other lists.
//
// The list is the service's word alone. A scan that is not trusted ([Verdict]) adds and moves rows, and removes none;
// one that was stopped is not kept.
//
// Nothing waits for the mirror. It has a file, a lock and a connection of its own, so that the journal can be written at any
// time, and what goes wrong with it is said and holds up nothing. Its methods may be called from any goroutine. Each opens the
// file, so that nothing is held open between them.
type Mirror struct {
	opts    MirrorOptions
	path    string        // "" in memory
	sem     chan struct{} // holds a token while the mirror is written, and while one in memory is used
	memory  *sql.DB       // the one in memory; nil until it is used
	checked os.FileInfo   // the file whose structure was checked
	// patience tells how long another console's lock is waited for.
	patience time.Duration
	isLocal  func(dir string) bool
}

// MirrorOptions holds the options of [NewMirror].
type MirrorOptions = statefile.Options

// NewMirror returns a mirror whose file is created by the first scan that is kept.
func NewMirror(o MirrorOptions) *Mirror {
	o = o.WithDefaults(mirrorLimit)
	m := &Mirror{opts: o, sem: make(chan struct{}, 1), isLocal: statefile.IsLocal, patience: 5 * time.Second}
	if o.Dir != "" {
		m.path = filepath.Join(o.Dir, MirrorFile)
	}
	return m
}

// Close forgets a mirror in memory.
func (m *Mirror) Close() {
	m.sem <- struct{}{}
	defer m.unlock()
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

// open opens the file for writing, and creates it when it is missing. The caller holds the lock and closes the handle with done.
// Pages are written to the file when SQLite's cache is full, and are not waited for: a crash may lose the last scan, and damages
// nothing.
func (m *Mirror) open(ctx context.Context) (db *sql.DB, done func(), err error) {
	if m.path == "" {
		return m.inMemory(ctx)
	}
	db, checked, err := mirrorTables.OpenFile(ctx, m.path, m.isLocal, m.checked, fmt.Sprintf("busy_timeout(%d)", m.patience.Milliseconds()),
		"synchronous(NORMAL)", "foreign_keys(0)", "wal_autocheckpoint(0)") // [settle] does it
	if err != nil {
		return nil, nil, err
	}
	m.checked = checked
	return db, func() { db.Close() }, nil
}

func (m *Mirror) inMemory(ctx context.Context) (db *sql.DB, done func(), err error) {
	if m.memory == nil {
		m.memory, err = mirrorTables.OpenMemory(ctx, "mirror")
	}
	return m.memory, func() {}, err
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
	return m.unavailable(mirrorTables.Read(ctx, m.path, f))
}

// write runs f in a transaction that holds the file's write lock. The caller holds the lock.
func (m *Mirror) write(ctx context.Context, f func(*sql.Tx) error) error {
	db, done, err := m.open(ctx)
	if err != nil {
		return err
	}
	defer done()
	before, _ := os.Stat(m.path)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err = f(tx); err == nil {
		err = tx.Commit()
	}
	if err != nil {
		tx.Rollback() // before the handle is closed
		return err
	}
	if about, err := os.Stat(m.path); m.path != "" && (errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(about, before)) {
		return errMoved // SQLite keeps writing to a file that was deleted
	} else if m.path != "" && err != nil {
		return err
	}
	return settle(context.WithoutCancel(ctx), db)
}

// settle gives the space of what was dropped back to the disk, and writes SQLite's log into the file. Beside another console that
// fails, and the next scan does it.
func settle(ctx context.Context, db *sql.DB) error {
	for _, what := range []string{"incremental_vacuum", "wal_checkpoint(TRUNCATE)"} {
		if _, err := db.ExecContext(ctx, "PRAGMA "+what); err != nil && statefile.CauseOf(err) != statefile.Locked {
			return err
		}
	}
	return nil
}

const errMoved statefile.Reason = "The saved list was moved or deleted while it was written."

// ErrIncomplete is the error of a scan that did not reach the end of the list.
var ErrIncomplete = errors.New("Only a scan that reached the end of the list is saved.") //lint:ignore ST1005 a sentence for people

// ErrOlder is the error of a scan that ended before the last one that is kept.
var ErrOlder = errors.New("A newer scan was saved already, by another console.") //lint:ignore ST1005 a sentence for people

// A TooLarge is the error of a list whose rows alone do not fit below the limit.
type TooLarge struct {
	Rows  int
	Limit int64
}

// Error says so, with the limit rounded up to megabytes.
func (t *TooLarge) Error() string {
	return fmt.Sprintf("%s rows do not fit into the limit of the saved list, %d MB, so none of them is saved. Raise it in the profile, as in mirror = \"400 MB\".",
		text.Grouped(strconv.Itoa(t.Rows)), (t.Limit+statefile.MB-1)/statefile.MB)
}

// unavailable explains an error of the file, unless it says itself what it is; nil stays nil.
func (m *Mirror) unavailable(err error) error {
	if _, is := errors.AsType[*TooLarge](err); is || errors.Is(err, ErrIncomplete) || errors.Is(err, ErrOlder) {
		return err
	}
	return statefile.Explain("saved list", m.path, err)
}
