package webhook

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"paydesk/api"
	"paydesk/api/statefile"
)

// FileName is the name of the file, in the folder of the journal.
const FileName = "webhooks.db"

// version is the version of the schema, stored as the file's user_version.
const version = 2

//go:embed schema.sql
var schema string

var tables = statefile.Schema{SQL: schema, Version: version}

// DefaultLimit limits how large the file may become, in bytes.
const DefaultLimit = 50 * statefile.MB

// Options of [New].
type Options = statefile.Options

// A Store has the events that arrived, of all profiles. Its methods may be called from any goroutine, and other
// processes may use the same file.
type Store struct {
	opts Options
	path string // "" in memory
	// reserve holds what [reserve] says, but in tests.
	reserve uint64
	// salt is of this run, and in memory alone: nobody can try which card number a digest was made of.
	salt string

	mu       sync.Mutex  // guards what follows
	db       *sql.DB     // nil until it is used
	about    os.FileInfo // of its file
	replaced string
	writing  sync.Mutex // held by whoever writes, so that SQLite's locks are waited for between processes alone

	queue   queue
	changes changes
	trouble atomic.Pointer[error] // of the last event; nil before the first
	keys    sync.Map              // of profiles, each an [api.Secret]
	heavy   chan struct{}         // holds a token while a long body is examined
}

// Hide has the secret key of a profile masked in what arrives, whatever it looks like.
func (s *Store) Hide(profile string, key api.Secret) { s.keys.Store(profile, key) }

// New returns a store whose file is created when it is first written.
func New(o Options) *Store {
	o = o.WithDefaults(DefaultLimit)
	s := &Store{opts: o, reserve: reserve, salt: rand.Text(), heavy: make(chan struct{}, 1)}
	s.queue.waiting, s.queue.turn = make(chan *delivery, maxQueued), make(chan struct{}, 1)
	s.changes.now = make(chan struct{})
	if o.Dir != "" {
		s.path = filepath.Join(o.Dir, FileName)
	}
	return s
}

// Path is the path of the file; "" in memory.
func (s *Store) Path() string { return s.path }

// Close closes the file, after what is being stored. Nothing is kept from then on.
func (s *Store) Close() error {
	s.queue.close()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeFile()
}

// closeFile closes the file where it is open.
func (s *Store) closeFile() (err error) {
	if s.db != nil {
		err = s.db.Close()
	}
	s.db = nil
	return err
}

// open opens the file, and creates it where it is missing. It stays open; a file that was moved or deleted since is
// left, and another begun.
func (s *Store) open(ctx context.Context) (*sql.DB, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db != nil && (s.path == "" || s.sameFile()) {
		return s.db, nil
	}
	s.closeFile()
	aside, err := statefile.Afresh(s.path, func() error { return s.openFile(ctx) })
	s.replaced = cmp.Or(aside, s.replaced)
	return s.db, err
}

// sameFile reports whether the file that is open is still in its place, and as closed to others as it was.
func (s *Store) sameFile() bool {
	about, err := os.Stat(s.path)
	return err == nil && os.SameFile(about, s.about) && about.Mode() == s.about.Mode()
}

func (s *Store) openFile(ctx context.Context) (err error) {
	if s.path == "" {
		s.db, err = tables.OpenMemory(ctx, "webhooks")
		return err
	}
	s.db, s.about, err = tables.OpenFile(ctx, s.path, statefile.IsLocal, nil, "busy_timeout(5000)", "cache_size(-2000)", "journal_size_limit(4000000)")
	if err == nil && statefile.IsLocal(s.opts.Dir) {
		s.db.SetMaxOpenConns(0) // while one writes, others read
	}
	return err
}

// Replaced is the new name of a file that was found damaged in this run, "" for none.
func (s *Store) Replaced() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.replaced
}

// Trouble returns why the last event that arrived in this process could not be stored; nil when it was, or none came. It does no I/O.
func (s *Store) Trouble() error {
	if err := s.trouble.Load(); err != nil {
		return *err
	}
	return nil
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
	switch statefile.CauseOf(err) {
	case statefile.ReadOnly, statefile.Forbidden, statefile.CannotOpen:
		return s.unavailable(tables.Read(ctx, s.path, f)) // a file that cannot be written
	}
	if err != nil {
		return s.unavailable(err)
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // which takes no lock of a writer
	if err != nil {
		return s.unavailable(err)
	}
	defer tx.Rollback()
	return s.unavailable(f(tx))
}

// A commit is SQLite's word for how a transaction is committed.
type commit string

const (
	durable commit = "FULL" // it is on the disk
	// quick does not wait for the disk. After a crash some of it may be missing, never of what was durable before: that
	// the service was asked, and what it answered, can be found out again.
	quick commit = "NORMAL"
)

// write runs f in a transaction, and tells all who wait for a change.
func (s *Store) write(ctx context.Context, how commit, f func(*sql.Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	db, err := s.open(ctx)
	if err == nil {
		err = commitTo(ctx, db, how, f)
	}
	if err == nil {
		s.changes.touch()
	}
	return s.unavailable(err)
}

// commitTo runs f in a transaction on a connection of its own.
func commitTo(ctx context.Context, db *sql.DB, how commit, f func(*sql.Tx) error) error {
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, "PRAGMA synchronous = "+string(how)); err != nil {
		return err
	}
	tx, err := c.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

const (
	errNoRoom statefile.Reason = "The inbox's disk is nearly full, and its last space is kept for the journal."
	errBusy   statefile.Reason = "Too many deliveries wait to be stored."
)

// ErrNotFound is the error of an event that is not stored, or no longer.
var ErrNotFound = errors.New("There is no such event in the inbox. The oldest are dropped when it is full.") //lint:ignore ST1005 a sentence for people

// unavailable explains an error of the file; nil stays nil.
func (s *Store) unavailable(err error) error {
	return statefile.Explain("inbox", s.path, err)
}

// changes counts what this process stored and, while a caller waits, what others did.
type changes struct {
	mu      sync.Mutex
	version uint64
	now     chan struct{} // closed at the next change
	written [2]time.Time  // when the file and SQLite's log were, as last seen
}

func (c *changes) touch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	close(c.now)
	c.now = make(chan struct{})
}

func (c *changes) at() (uint64, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version, c.now
}

// elsewhere sets how often another process is looked for.
const elsewhere = time.Second

// Wait waits until anything is stored or answered after a version, in this process at once, in another within a
// second, or until [Store.Trouble] begins or ends, and returns the new version. Version 0 precedes every change. Its only
// error is that of ctx.
func (s *Store) Wait(ctx context.Context, version uint64) (uint64, error) {
	var look <-chan time.Time
	if s.path != "" {
		every := time.NewTicker(elsewhere)
		defer every.Stop()
		look = every.C
	}
	for {
		at, next := s.changes.at()
		if at > version {
			return at, nil
		}
		select {
		case <-next:
		case <-look:
			s.lookElsewhere()
		case <-ctx.Done():
			return at, ctx.Err()
		}
	}
}

// lookElsewhere counts a change when the file or SQLite's log was written since it was looked at. What this process
// wrote counts once more.
func (s *Store) lookElsewhere() {
	var written [2]time.Time
	for i, name := range [...]string{s.path, s.path + "-wal"} {
		if about, err := os.Stat(name); err == nil {
			written[i] = about.ModTime()
		}
	}
	s.changes.mu.Lock()
	changed := s.changes.written != written
	s.changes.written = written
	s.changes.mu.Unlock()
	if changed {
		s.changes.touch()
	}
}
