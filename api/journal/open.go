package journal

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// Options of [New] and [Open].
type Options struct {
	// Dir is the folder of the journal, created with mode 0700 when it is missing; "" keeps
	// the journal in memory, for the demo and for tests.
	Dir       string
	Operator  ledger.Operator  // see [CurrentOperator]
	Retention time.Duration    // how long attempts are kept; 0 means 90 days
	Now       func() time.Time // nil means time.Now
	NewID     func() ledger.ID // nil means random
	KeyFile   string           // of [NewShared]: the key of the hashes
	Elsewhere []string         // folders where outcomes wait that cannot be written in Dir either: see [Elsewhere]
}

const defaultRetention = 90 * 24 * time.Hour

// A Journal is the open file. Its methods may be called from any goroutine; they run one at
// a time.
type Journal struct {
	opts    Options
	path    string // "" in memory
	self    ledger.Process
	isLocal func(dir string) (local bool)

	sem chan struct{} // holds a token while the fields below are in use

	db      *sql.DB                // nil until the next use opens it
	file    os.FileInfo            // what was opened, to notice when it is replaced
	key     []byte                 // of the hashes
	blocked error                  // why nothing can be written until the next start
	pending []pendingOutcome       // outcomes that could not be written yet
	backup  atomic.Pointer[string] // read without holding sem
	late    lateOutcomes           // read without holding sem

	spools    []string                  // folders where outcomes wait; none in memory
	spoolTook atomic.Pointer[time.Time] // when one of them last took a file; nil before
	spoolRead time.Time                 // when they were last read; zero before the first time
	strange   map[ledger.ID]bool        // outcomes of attempts that this journal does not have

	witnessing sync.Mutex // held while what the witness says is read and replaced

	losses atomic.Pointer[[]Loss] // as last read; read without holding sem
	newer  atomic.Int64           // the version of a file that a newer paydesk wrote; read without holding sem

	sending sync.Mutex
	sent    []ledger.Attempt // through this journal, while the outcome is not known

	integrity *integrityCheck // of a large file, in the background; nil when there is none

	shared *shared // nil for a file
}

// New returns a journal whose file is opened, or created, by its first use.
func New(o Options) *Journal {
	if o.Retention <= 0 {
		o.Retention = defaultRetention
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = newID
	}
	o.Operator = o.Operator.Stored()
	j := &Journal{opts: o, spools: o.spoolDirs(), self: thisProcess(), isLocal: statefile.IsLocal, sem: make(chan struct{}, 1)}
	if o.Dir != "" {
		j.path = filepath.Join(o.Dir, fileName)
	} else {
		j.key = newKey()
	}
	return j
}

// NewUnavailable returns a journal without a file: every use of it fails with why.
func NewUnavailable(why error) *Journal {
	j := New(Options{})
	j.blocked = unavailable("", why)
	return j
}

// Open returns a [New] journal after a [Journal.Check].
//
// The Journal is never nil. When the error is not nil, it is a [*ledger.Unavailable], and nothing
// can be written now: the file can be read where the system permits it, and each write tries
// again.
func Open(ctx context.Context, o Options) (*Journal, error) {
	j := New(o)
	return j, j.Check(ctx)
}

// Check writes a record durably, so that a journal that cannot be written is noticed before
// anything is sent, and deletes attempts that are older than [Options] keeps. While a [Loss] stands it is an error.
// Memory can be written.
func (j *Journal) Check(ctx context.Context) error {
	if j.shared != nil {
		return j.checkShared(ctx)
	}
	if done, err := j.checkMemory(ctx); done {
		return err
	}
	err := j.write(ctx, nil, func(t *writeTx) error {
		if err := setAbout(t.ctx, t.tx, "opened", []byte(t.now.UTC().Format(time.RFC3339))); err != nil {
			return err
		}
		return t.purge(t.now.Add(-j.opts.Retention), purgeAtOpen)
	})
	if err == nil {
		err = lossError(j.Losses())
	}
	return err
}

// checkMemory is all that [Journal.Check] does before a journal in memory is first written.
func (j *Journal) checkMemory(ctx context.Context) (done bool, err error) {
	if err := j.lock(ctx); err != nil {
		return true, err
	}
	defer j.unlock()
	return j.isUnwritten(), nil
}

// isUnwritten reports whether this is a journal in memory that has no tables yet. The caller holds the journal's lock.
func (j *Journal) isUnwritten() bool { return j.path == "" && j.db == nil && j.blocked == nil }

// Retention returns how long attempts are kept.
func (j *Journal) Retention() time.Duration { return j.opts.Retention }

// Path returns the path of the file; "" in memory.
func (j *Journal) Path() string { return j.path }

// DamagedBackup returns the path of the damaged journal that was set aside for a new one; ""
// when the journal was sound.
func (j *Journal) DamagedBackup() string {
	if where := j.backup.Load(); where != nil {
		return *where
	}
	return ""
}

// Newer says that the file was last read as one of a newer paydesk, which may have recorded more than is read; "" when it
// was not.
func (j *Journal) Newer() string {
	if j.newer.Load() > 0 {
		return newerText
	}
	return ""
}

// Close closes the file. A journal that is not closed loses nothing.
func (j *Journal) Close() error {
	j.sem <- struct{}{}
	defer j.unlock()
	if j.shared != nil {
		j.shared.db.Close()
	} else {
		j.integrity.stop()
		j.closeDB()
	}
	j.blocked = errClosed
	return nil
}

var errClosed = &ledger.Unavailable{Why: "The journal was closed."}

// lock waits for exclusive use of the journal. The error is a [*ledger.Unavailable] when ctx ends
// first.
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

// closeDB closes the handle; the next use opens another.
func (j *Journal) closeDB() {
	j.integrity.stop()
	j.integrity = nil
	if j.db != nil {
		j.db.Close()
	}
	j.db = nil
}

// failed closes a handle on which an operation failed. A damaged file stays blocked until the
// next start, which sets it aside: a new and empty journal in the middle of a session would
// silently forget what was sent.
func (j *Journal) failed(err error) error {
	if IsDamage(err) {
		j.blocked = unavailable(j.path, err)
		j.markSuspect()
	}
	if errors.Is(err, errMoved) && j.addMoved() != nil {
		return unavailable(j.path, err) // the open file is noticed again
	}
	if j.path != "" || j.blocked != nil {
		j.closeDB()
	}
	return unavailable(j.path, err)
}

// ensureOpen opens the file unless it is open and sound. The error says why nothing can be
// written.
func (j *Journal) ensureOpen(ctx context.Context) error {
	if j.blocked != nil {
		return j.blocked
	}
	err := j.integrity.damage()
	if err != nil {
		return j.failed(err)
	}
	if j.db != nil && j.checkSameFile() == errMoved {
		if err := j.addMoved(); err != nil {
			return unavailable(j.path, err)
		}
		j.closeDB()
	}
	if j.db != nil && j.isOverwritten(ctx) {
		j.closeDB()
	}
	if j.db == nil {
		err = j.open(ctx)
	} else {
		err = j.checkSameFile()
	}
	if err != nil {
		j.closeDB()
		return unavailable(j.path, err)
	}
	j.Losses()
	return nil
}

// checkSameFile returns [errMoved] when the open file is no longer at its path. SQLite would
// keep writing to a file that was deleted or moved.
func (j *Journal) checkSameFile() error {
	if j.path == "" {
		return nil
	}
	about, err := os.Stat(j.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(about, j.file) {
		return errMoved
	}
	return err
}

// isOverwritten reports whether the open file lacks what the [witness] knows of, because an older copy was written over it.
// SQLite does not notice, and goes on with the pages that it has in memory.
func (j *Journal) isOverwritten(ctx context.Context) bool {
	about, err := os.Stat(j.path)
	if j.path == "" || err != nil || about.Size() == j.file.Size() && about.ModTime().Equal(j.file.ModTime()) {
		return false
	}
	w := j.witness()
	if w.Number == 0 || w.Size == about.Size() && w.Modified == about.ModTime().UnixNano() {
		return false
	}
	db := statefile.Open(dsn(j.path, false, false))
	defer db.Close()
	t := &readTx{ctx: ctx, j: j, q: db}
	there, err := t.headOf(w.Number)
	if err != nil || hex.EncodeToString(there) != w.Head {
		return err == nil || IsDamage(err)
	}
	j.file = about // a console has written meanwhile
	return false
}

// open opens the journal for writing.
func (j *Journal) open(ctx context.Context) (err error) {
	if j.path != "" {
		err = j.openFile(ctx)
	} else {
		j.db = statefile.Open(dsn("", true, true))
		err = createTables(ctx, j.db)
	}
	return err
}

// openFile locks the folder, so that consoles that start together do not both create the file or
// set it aside.
func (j *Journal) openFile(ctx context.Context) error {
	if err := statefile.MakeDir(j.opts.Dir); err != nil {
		return err
	}
	release, err := statefile.LockDir(j.path + ".lock")
	if err != nil {
		return err
	}
	defer release()
	if err := j.ensureFile(ctx); err != nil {
		return err
	}
	if err := j.connect(ctx); err != nil {
		return err
	}
	if err := j.loadKey(ctx); err != nil {
		return err
	}
	return j.checkOpened(ctx)
}

// ensureFile creates the file when it is missing, and sets it aside and creates another when
// it is damaged or of an earlier version. The caller holds the folder's lock.
func (j *Journal) ensureFile(ctx context.Context) error {
	_, err := os.Stat(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		if j.existed() {
			if err := j.addLoss(Loss{Why: "the journal was deleted or moved away"}); err != nil {
				return err
			}
		}
		return j.create(ctx)
	}
	if err == nil {
		err = j.prepare(ctx)
	}
	lost := Loss{Why: "the journal was damaged, and a new one was started", Kept: j.asideName("damaged")}
	switch {
	case err == errEarlier:
		lost = Loss{Why: "the journal is that of an earlier paydesk, which this one does not read, and a new one was started", Kept: j.asideName("earlier")}
	case !IsDamage(err):
		return err
	}
	if err := j.addLoss(lost); err != nil {
		return err
	}
	if err := j.setAside(lost.Kept); err != nil {
		return err
	}
	j.backup.Store(&lost.Kept)
	return j.create(ctx)
}

// prepare makes an existing file fit for use, and checks it.
func (j *Journal) prepare(ctx context.Context) error {
	if err := statefile.CheckDatabase(j.path); err != nil {
		return err
	}
	if err := statefile.RollBack(ctx, j.path); err != nil {
		return err
	}
	return j.verify(ctx)
}

// create creates the file.
func (j *Journal) create(ctx context.Context) error {
	return statefile.CreateDatabase(j.path, func(part string) error {
		db := statefile.Open(dsn(part, false, true))
		if err := errors.Join(createTables(ctx, db), db.Close()); err != nil {
			return err
		}
		// Of a journal that was deleted. SQLite would apply a log that it left behind to the new one.
		for _, path := range []string{j.headPath(), j.path + "-wal", j.path + "-shm"} {
			os.Remove(path)
		}
		return nil
	})
}

// connect opens the file for writing.
func (j *Journal) connect(ctx context.Context) (err error) {
	if j.file, err = os.Stat(j.path); err != nil {
		return err
	}
	near := j.isLocal(j.opts.Dir)
	j.db = statefile.Open(dsn(j.path, near, true))
	if err := j.checkVersion(ctx, j.db); err != nil {
		return err
	}
	// SQLite does not report when it cannot change the mode because another program has the file
	// open.
	mode, err := statefile.Pragma[string](ctx, j.db, "journal_mode")
	if err == nil && near != (mode == "wal") {
		return &ledger.Unavailable{Why: "Another program uses the journal in a mode that is not safe on this disk. " +
			"Close that program and try again."}
	}
	return err
}

// checkVersion rejects a file of another version.
func (j *Journal) checkVersion(ctx context.Context, db querier) error {
	v, err := statefile.Pragma[int](ctx, db, "user_version")
	if v > currentVersion {
		return &ledger.Unavailable{Why: newerText + " (" + j.path + ")", Err: newerVersion(v)}
	}
	if err == nil && v < currentVersion {
		return errEarlier
	}
	return err
}

// newerVersion is the version of a file that a newer paydesk wrote.
type newerVersion int64

func (newerVersion) Error() string { return "the journal was written by a newer version" }

const newerText = "The journal was written by a newer version of paydesk. " +
	"Use that version, or choose another folder with --state-dir."
