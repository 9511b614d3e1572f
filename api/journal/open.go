package journal

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
)

// Options of [New] and [Open].
type Options struct {
	// Dir is the folder of the journal, made with mode 0700 when it is missing; "" keeps
	// the journal in memory, for the demo and for tests.
	Dir      string
	Operator Operator         // who sits at this console: see [CurrentOperator]
	Keep     time.Duration    // how long attempts are kept; 0 is 90 days
	Now      func() time.Time // nil is time.Now
	NewID    func() ID        // nil draws at random
}

const defaultRetention = 90 * 24 * time.Hour

// A Journal is the open file. Its methods may be called from any goroutine; they take
// turns.
type Journal struct {
	opts    Options
	path    string // "" in memory
	self    process
	isLocal func(dir string) (local bool)

	sem chan struct{} // holds one token while somebody uses what follows

	db      *sql.DB                // nil while it has to be opened again
	file    os.FileInfo            // what was opened, to see that it is still there
	key     []byte                 // of the hashes
	blocked error                  // why nothing can be written until the program is started again
	pending []pendingOutcome       // what happened while nothing could be written
	backup  atomic.Pointer[string] // read while somebody else has the turn

	integrity *integrityCheck // the check that goes on behind; nil when there is none
}

// New is a journal that is opened, and made when there is none, with its first use.
func New(o Options) *Journal {
	if o.Keep <= 0 {
		o.Keep = defaultRetention
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = newID
	}
	o.Operator = Operator{sanitize(o.Operator.User), sanitize(o.Operator.Host), sanitize(o.Operator.SSH)}
	j := &Journal{opts: o, self: thisProcess(), isLocal: isLocalDisk, sem: make(chan struct{}, 1)}
	if o.Dir != "" {
		j.path = filepath.Join(o.Dir, fileName)
	}
	return j
}

// NewUnavailable is a journal that has no place, and why: nothing can be written to it.
func NewUnavailable(why error) *Journal {
	j := New(Options{})
	j.blocked = unavailable("", why)
	return j
}

// Open is a [New] journal after a [Journal.Check].
//
// The Journal is never nil. When it comes with an error, a [*Blocked], nothing can be
// written now: reading still works where the file can be read, and each write tries anew.
func Open(ctx context.Context, o Options) (*Journal, error) {
	j := New(o)
	return j, j.Check(ctx)
}

// Check writes one record durably, so that a place where nothing can be kept shows before
// anything is to be sent (R103), and lets go of what is older than is to be kept.
func (j *Journal) Check(ctx context.Context) error {
	return j.write(ctx, func(t *writeTx) error {
		if err := setFact(t.ctx, t.tx, "opened", []byte(t.now.UTC().Format(time.RFC3339))); err != nil {
			return err
		}
		_, err := t.purge(t.now.Add(-j.opts.Keep), purgeAtOpen)
		return err
	})
}

// Keeps is how long attempts are kept.
func (j *Journal) Keeps() time.Duration { return j.opts.Keep }

// Path is where the journal is; "" in memory.
func (j *Journal) Path() string { return j.path }

// DamagedBackup is where a damaged journal was kept when a new one was begun (R101); "" when it
// was sound.
func (j *Journal) DamagedBackup() string {
	if where := j.backup.Load(); where != nil {
		return *where
	}
	return ""
}

// Close ends the use of the journal. Nothing is lost without it.
func (j *Journal) Close() error {
	j.sem <- struct{}{}
	defer j.unlock()
	j.closeDB()
	j.blocked = errClosed
	return nil
}

var errClosed = &Unavailable{Why: "The journal was closed."}

// lock waits for the turn.
func (j *Journal) lock(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return unavailable(j.path, err)
	}
	select {
	case j.sem <- struct{}{}:
		return nil
	case <-ctx.Done():
		return unavailable(j.path, ctx.Err())
	}
}

func (j *Journal) unlock() { <-j.sem }

// closeDB lets the handle go, so that the next write opens another (R102).
func (j *Journal) closeDB() {
	j.integrity.stop()
	j.integrity = nil
	if j.db != nil {
		j.db.Close()
	}
	j.db = nil
}

// failed is the end of a handle on which something went wrong. A damaged file stays
// blocked until the next start, which looks at the whole and puts it aside: in the midst
// of the work a new and empty journal would forget what was sent in silence.
func (j *Journal) failed(err error) error {
	if isDamage(err) {
		j.blocked = unavailable(j.path, err)
		j.markSuspect()
	}
	if j.path != "" || j.blocked != nil {
		j.closeDB()
	}
	return unavailable(j.path, err)
}

// ensureOpen opens the file when it is not open.
func (j *Journal) ensureOpen(ctx context.Context) error {
	if j.blocked != nil {
		return j.blocked
	}
	if err := j.integrity.damage(); err != nil {
		return j.failed(err)
	}
	if j.db != nil {
		err := j.checkSameFile()
		if err != nil {
			// Said once: the journal that is opened next has forgotten what this one knew.
			j.closeDB()
			return unavailable(j.path, err)
		}
		return nil
	}
	if err := j.open(ctx); err != nil {
		j.closeDB()
		return unavailable(j.path, err)
	}
	return nil
}

// checkSameFile reports whether the file that is open is the one that is there. SQLite would
// write on into a file that was deleted or moved.
func (j *Journal) checkSameFile() error {
	if j.path == "" {
		return nil
	}
	about, err := os.Stat(j.path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return errMoved
		}
		return err
	}
	if !os.SameFile(about, j.file) {
		return errMoved
	}
	return nil
}

// open opens the file, after a look at it, and makes it when there is none.
func (j *Journal) open(ctx context.Context) error {
	if j.path == "" {
		db, err := sql.Open("sqlite", dsn("", true, true))
		if err != nil {
			return err
		}
		db.SetMaxOpenConns(1)
		j.db = db
		if err := createTables(ctx, db); err != nil {
			return err
		}
		j.key, err = readKey(ctx, db)
		return err
	}
	if err := makeDir(j.opts.Dir); err != nil {
		return err
	}
	release, err := lockDir(j.path + ".lock")
	if err != nil {
		return err
	}
	defer release()
	if err := j.ensureFile(ctx); err != nil {
		return err
	}
	return j.connect(ctx)
}

// ensureFile makes the file when it is missing, and puts it aside and makes another when it
// is damaged. The folder is held.
func (j *Journal) ensureFile(ctx context.Context) error {
	_, err := os.Stat(j.path)
	if err == nil {
		if err := checkFileModes(j.path); err != nil {
			return err
		}
		err = j.verify(ctx)
		if err == nil || !isDamage(err) {
			return err
		}
		if err := j.setAside(); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return j.create(ctx)
}

// create makes the file under another name and gives it its own when it is whole: a
// journal that is empty was damaged, never half made.
func (j *Journal) create(ctx context.Context) error {
	part := j.path + ".new"
	for _, end := range []string{"", "-journal", "-wal", "-shm"} { // what a crash left
		if err := os.Remove(part + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	f, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) // SQLite would make it 0644 (R100)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn(part, false, true))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if err := errors.Join(createTables(ctx, db), db.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, j.path); err != nil {
		return err
	}
	return syncDir(j.opts.Dir)
}

// connect opens the file for writing.
func (j *Journal) connect(ctx context.Context) error {
	about, err := os.Stat(j.path)
	if err != nil {
		return err
	}
	near := j.isLocal(j.opts.Dir)
	db, err := sql.Open("sqlite", dsn(j.path, near, true))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	j.db, j.file = db, about
	v, err := schemaVersion(ctx, db)
	switch {
	case err != nil:
		return err
	case v > currentVersion:
		return &Unavailable{Why: newerText + " (" + j.path + ")"}
	case v < currentVersion: // there was never a lower one
		return errDamaged
	}
	if err := checkLogMode(ctx, db, near); err != nil {
		return err
	}
	j.key, err = readKey(ctx, db)
	return err
}

// checkLogMode checks that the file is kept in the way that is right for its disk. SQLite says
// nothing when it cannot change that, since another program has the file open.
func checkLogMode(ctx context.Context, db *sql.DB, near bool) error {
	var mode string
	if err := db.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if near != (mode == "wal") {
		return &Unavailable{Why: "The journal is in use by a program that keeps it in a way that is not safe on this disk. End that program and try again."}
	}
	return nil
}

const newerText = "The journal was written by a newer version of this program. Nothing is sent with this one: use the newer, or name another folder with --state-dir."
