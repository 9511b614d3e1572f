package webhook

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"paydesk/api/statefile"
)

// FileName is the name of the file, in the folder of the journal.
const FileName = "webhooks.db"

// version is the version of the schema, stored as the file's user_version.
const version = 1

//go:embed schema.sql
var schema string

// MB is a megabyte, as the configuration counts them.
const MB = 1_000_000

// DefaultLimit is how large the file may become, in bytes.
const DefaultLimit = 50 * MB

// Options of [New].
type Options struct {
	// Dir is the folder of the file, created with mode 0700 when it is missing; "" keeps the events in
	// memory, for the demo and for tests.
	Dir   string
	Limit int64            // bytes; 0 means [DefaultLimit]
	Now   func() time.Time // nil means time.Now
}

// A Store has the events that arrived, of all profiles. Its methods may be called from any goroutine, and other
// processes may use the same file.
type Store struct {
	opts Options
	path string // "" in memory

	mu       sync.Mutex // guards db, file and replaced
	db       *sql.DB    // nil until it is used
	file     os.FileInfo
	replaced string

	queue   queue
	changes changes
}

// New returns a store whose file is created when it is first written.
func New(o Options) *Store {
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Store{opts: o}
	s.changes.now = make(chan struct{})
	if o.Dir != "" {
		s.path = filepath.Join(o.Dir, FileName)
	}
	return s
}

// Path is the path of the file; "" in memory.
func (s *Store) Path() string { return s.path }

// Limit is how large the file may become, in bytes.
func (s *Store) Limit() int64 { return s.opts.Limit }

// Close closes the file, after what is being stored.
func (s *Store) Close() error {
	s.queue.wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil
	}
	err := s.db.Close()
	s.db = nil
	return err
}

// connections is how many may use the file at once: one writes, others read meanwhile.
const connections = 4

// open opens the file, and creates it where it is missing. It stays open; a file that was moved or deleted since is
// left, and another begun.
func (s *Store) open(ctx context.Context) (*sql.DB, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db != nil && (s.path == "" || s.sameFile()) {
		return s.db, nil
	}
	if s.db != nil {
		s.db.Close()
		s.db = nil
	}
	db, err := s.openFile(ctx)
	if isDamage(err) {
		if err = s.setAside(); err == nil {
			db, err = s.openFile(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	s.db = db
	return db, nil
}

// sameFile reports whether the file that is open is still in its place.
func (s *Store) sameFile() bool {
	about, err := os.Stat(s.path)
	return err == nil && os.SameFile(about, s.file)
}

func (s *Store) openFile(ctx context.Context) (*sql.DB, error) {
	if s.path == "" {
		db := statefile.Open(statefile.Source("webhooks", "memory", "auto_vacuum(INCREMENTAL)"))
		return db, closeOn(createTables(ctx, db), db)
	}
	if err := s.ensureFile(ctx); err != nil {
		return nil, err
	}
	about, err := os.Stat(s.path)
	if err != nil {
		return nil, err
	}
	db := statefile.Open(s.source())
	if s.local() {
		db.SetMaxOpenConns(connections)
	}
	if err := closeOn(s.check(ctx, db), db); err != nil {
		return nil, err
	}
	s.file = about
	return db, nil
}

func (s *Store) local() bool { return statefile.IsLocal(s.opts.Dir) }

// source is the data source name. What is committed is on the disk, as the sender of a webhook is told so.
func (s *Store) source() string {
	pragmas := []string{
		"busy_timeout(5000)", "synchronous(FULL)", "mmap_size(0)", "trusted_schema(0)", "cell_size_check(1)", "cache_size(-2000)",
	}
	if s.local() {
		pragmas = append(pragmas, "journal_mode(WAL)", "journal_size_limit(4000000)")
	} else {
		pragmas = append(pragmas, "journal_mode(DELETE)")
	}
	return statefile.Source(s.path, "rw", pragmas...)
}

// closeOn closes a database after an error, and returns the error.
func closeOn(err error, db *sql.DB) error {
	if err != nil {
		db.Close()
	}
	return err
}

// ensureFile creates the file where it is missing. It locks the folder, so that programs that start together do
// not both create it.
func (s *Store) ensureFile(ctx context.Context) error {
	if err := statefile.MakeDir(s.opts.Dir); err != nil {
		return err
	}
	release, err := statefile.LockDir(s.path + ".lock")
	if err != nil {
		return err
	}
	defer release()
	if _, err := os.Stat(s.path); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, statefile.CheckDatabase(s.path))
	}
	return statefile.CreateDatabase(s.path, func(part string) error {
		db := statefile.Open(statefile.Source(part, "rw", "auto_vacuum(INCREMENTAL)"))
		return errors.Join(createTables(ctx, db), db.Close())
	})
}

// createTables writes the tables into an empty file.
func createTables(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA user_version = %d", schema, version)); err != nil {
		return err
	}
	return tx.Commit()
}

// check rejects a file of another version, and one that is damaged.
func (s *Store) check(ctx context.Context, db *sql.DB) error {
	v, err := statefile.Pragma[int](ctx, db, "user_version")
	switch {
	case err != nil:
		return err
	case v > version:
		return errNewer
	case v < version: // an empty file, too: it is renamed only when it is complete
		return errDamaged
	}
	result, err := statefile.Pragma[string](ctx, db, "quick_check(1)")
	if err == nil && result != "ok" {
		err = errDamaged
	}
	return err
}

// setAside renames a damaged file. There is one: it takes the place of an earlier one, so that a bad disk does
// not fill itself.
func (s *Store) setAside() error {
	release, err := statefile.LockDir(s.path + ".lock")
	if err != nil {
		return err
	}
	defer release()
	aside := s.path + ".damaged"
	if err := statefile.RemoveDatabase(aside); err != nil {
		return err
	}
	s.replaced = aside
	return statefile.RenameDatabase(s.path, aside)
}

// exists reports whether there is anything to read.
func (s *Store) exists() bool {
	if s.path == "" {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.db != nil
	}
	_, err := os.Stat(s.path)
	return !errors.Is(err, fs.ErrNotExist)
}

// read runs f on the store as it is at one moment. Where nothing was ever stored it does nothing.
func (s *Store) read(ctx context.Context, f func(statefile.Querier) error) error {
	if !s.exists() {
		return nil
	}
	db, err := s.open(ctx)
	if err != nil {
		return s.unavailable(err)
	}
	// A transaction of this driver takes the write lock; one connection reads without.
	conn, err := db.Conn(ctx)
	if err != nil {
		return s.unavailable(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN DEFERRED"); err != nil {
		return s.unavailable(err)
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	return s.unavailable(f(conn))
}

// write runs f in a transaction, and tells all who wait for a change.
func (s *Store) write(ctx context.Context, f func(*sql.Tx) error) error {
	db, err := s.open(ctx)
	if err != nil {
		return s.unavailable(err)
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return s.unavailable(err)
	}
	defer tx.Rollback()
	if err = f(tx); err == nil {
		err = tx.Commit()
	}
	if err == nil {
		s.changes.touch()
	}
	return s.unavailable(err)
}
