package journal

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"sync/atomic"
	"time"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// A file is the [Database] of one user, in SQLite. Its methods run one at a time.
type file struct {
	*memory
	isLocal func(dir string) bool

	sem       chan struct{}   // holds a token while the fields below are in use
	db        *sql.DB         // nil until the next use opens it
	about     os.FileInfo     // what was opened, to notice when it is replaced
	integrity *integrityCheck // of a large file, in the background; nil when there is none
	unchecked bool            // of a large file that was not checked yet
	near      bool            // on a disk of this machine: commits go into a log beside it
	rested    int64           // of what was written, what is in the file itself

	written atomic.Int64 // how often this console has written
}

// Write implements [Database] in a transaction that holds the file's write lock from its beginning (BEGIN IMMEDIATE).
// ctx does not cancel it once it is this write's turn: it takes milliseconds, or 5 s when another program has locked the
// file. A commit is durable in the log, which [file.rest] writes into the file.
func (s *file) Write(ctx context.Context, _ string, f func(context.Context, Tx, At) error) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.unlock()
	ctx = context.WithoutCancel(ctx)
	if err := s.ensureOpen(ctx); err != nil {
		return err
	}
	s.startIntegrityCheck()
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.failed(err)
	}
	defer tx.Rollback()
	if err = f(ctx, tx, At{}); err != nil && ledger.IsRejection(err) {
		return err
	}
	if err == nil {
		err = tx.Commit()
	}
	if err == nil {
		err = s.checkSameFile()
	}
	if err != nil {
		tx.Rollback() // before the handle is closed
		return s.failed(err)
	}
	if s.written.Add(1); !s.near {
		s.changeWitness(func(w *witness) { w.note(s.path) })
	}
	return nil
}

// Read implements [Database]. After an error the handle stays open: a query that was cancelled does not mean that the
// file is bad.
func (s *file) Read(ctx context.Context, f func(context.Context, Querier, At) error) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.unlock()
	if s.isUnwritten() {
		return f(ctx, nil, At{})
	}
	if err := s.ensureOpen(ctx); err != nil {
		return s.readOnly(ctx, f, err)
	}
	err := f(ctx, s.db, At{})
	if IsDamage(err) {
		err = s.failed(err)
	}
	return err
}

// isUnwritten reports whether this is a journal in memory that has no tables yet. The caller holds its lock.
func (s *file) isUnwritten() bool {
	return s.path == "" && s.db == nil && s.blocked.Load() == nil
}

// readOnly runs f on a file that cannot be written, for example because the disk is full or
// a newer version wrote it. It returns why when the file cannot be read either.
func (s *file) readOnly(ctx context.Context, f func(context.Context, Querier, At) error, why error) error {
	if s.path == "" || IsDamage(why) || why == errClosed {
		return why
	}
	switch _, err := os.Stat(s.path); {
	case errors.Is(err, fs.ErrNotExist) && !s.existed(): // nothing was ever sent
		return f(ctx, nil, At{})
	case err != nil:
		return why
	}
	version, _ := errors.AsType[newerVersion](why)
	s.newer.Store(int64(version))
	err := statefile.Read(ctx, s.path, dsn(s.path, "ro"), func(source string) error {
		db := statefile.Open(source)
		defer db.Close()
		return f(ctx, db, At{})
	})
	if err == nil || ledger.IsRejection(err) {
		return err
	}
	return why
}

// Problem implements [Database].
func (s *file) Problem(err error) string { return unavailable(s.path, err).Why }

// Name implements [Database].
func (s *file) Name() string { return s.path }

// Close implements [Database].
func (s *file) Close() {
	s.sem <- struct{}{}
	defer s.unlock()
	s.integrity.stop() // it reads the log
	s.rest(context.Background(), passive)
	s.closeDB()
}

// lock waits for exclusive use of the journal. The error is a [*ledger.Unavailable] when ctx ends
// first.
func (s *file) lock(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return unavailable(s.path, err)
	}
	select {
	case s.sem <- struct{}{}:
		return nil
	case <-ctx.Done():
		return unavailable(s.path, ctx.Err())
	}
}

func (s *file) unlock() { <-s.sem }

// closeDB closes the handle; the next use opens another.
func (s *file) closeDB() {
	s.integrity.stop()
	s.integrity, s.unchecked = nil, false
	if s.db != nil {
		s.db.Close()
	}
	s.db = nil
}

// failed closes a handle on which an operation failed. A damaged file stays blocked until the
// next start, which sets it aside: a new and empty journal in the middle of a session would
// silently forget what was sent.
func (s *file) failed(err error) error {
	if IsDamage(err) {
		s.blocked.Store(unavailable(s.path, err))
		s.changeWitness(func(w *witness) { w.Suspect = true })
	}
	if errors.Is(err, errMoved) && s.addMoved() != nil {
		return unavailable(s.path, err) // the open file is noticed again
	}
	if s.path != "" || s.blocked.Load() != nil {
		s.closeDB()
	}
	return unavailable(s.path, err)
}

// ensureOpen opens the file unless it is open and sound. The error says why nothing can be
// written.
func (s *file) ensureOpen(ctx context.Context) error {
	if why := s.blocked.Load(); why != nil {
		return why
	}
	err := s.integrity.damage()
	if err != nil {
		return s.failed(err)
	}
	if s.db != nil && s.checkSameFile() == errMoved {
		if err := s.addMoved(); err != nil {
			return unavailable(s.path, err)
		}
		s.closeDB()
	}
	if s.db != nil && s.isOverwritten(ctx) {
		s.closeDB()
	}
	if s.db == nil {
		err = s.open(ctx)
	} else {
		err = s.checkSameFile()
	}
	if err != nil {
		s.closeDB()
		return unavailable(s.path, err)
	}
	s.Losses()
	return nil
}

// checkSameFile returns [errMoved] when the open file is no longer at its path. SQLite would
// keep writing to a file that was deleted or moved.
func (s *file) checkSameFile() error {
	if s.path == "" {
		return nil
	}
	about, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(about, s.about) {
		return errMoved
	}
	return err
}

// isOverwritten reports whether the open file lacks what the [witness] knows of, because an older copy was written over it.
// SQLite does not notice, and goes on with the pages that it has in memory.
func (s *file) isOverwritten(ctx context.Context) bool {
	about, err := os.Stat(s.path)
	if s.path == "" || err != nil || about.Size() == s.about.Size() && about.ModTime().Equal(s.about.ModTime()) {
		return false
	}
	w := s.witness()
	if w.Number != 0 && !w.is(s.path) {
		db := statefile.Open(immutable(s.path)) // the log would hide it
		defer db.Close()
		there, err := (&readTx{ctx: ctx, q: db}).headOf(w.Number)
		if err != nil || hex.EncodeToString(there) != w.Head {
			return err == nil || IsDamage(err)
		}
	}
	s.about = about // a console has written meanwhile
	return false
}

// How [file.rest] writes the log into the file: as far as readers permit, or all of it, which waits for them and empties it.
const (
	passive = "PASSIVE"
	emptied = "TRUNCATE"
)

// emptyLog leaves nothing in the log.
func (s *file) emptyLog(ctx context.Context) {
	if s.lock(ctx) == nil {
		defer s.unlock()
		s.rest(ctx, emptied)
	}
}

// rest writes the log into the file, and remembers the file as it then is: a file that differs was written by another
// program, or by a console that was killed meanwhile. Whoever opens the journal waits until both are done.
//
// It costs three syncs of the disk where a commit takes one, so a console does it when it has a moment, and when it ends.
// Until then a copy of the file alone is an older one. SQLite does it where the log becomes long.
func (s *file) rest(ctx context.Context, how string) {
	if s.path == "" || s.db == nil {
		return
	}
	release, err := statefile.LockDir(s.path + ".lock")
	if err != nil {
		return
	}
	defer release()
	if s.checkSameFile() != nil || s.isOverwritten(ctx) {
		return
	}
	before := s.witness()
	known := before.is(s.path) || !s.near
	s.rested = s.written.Load()
	_, _ = s.db.ExecContext(ctx, "PRAGMA wal_checkpoint("+how+")") // what stays in the log is as durable
	s.changeWitness(func(w *witness) {
		if w.note(s.path); !known {
			w.Checked = time.Time{} // what another program wrote into it was not
		}
	})
}
