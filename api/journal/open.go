package journal

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// Options of [New] and [NewShared].
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

// A Journal records what was attempted, in a [Database]. Its methods may be called from any goroutine.
type Journal struct {
	opts        Options
	db          Database
	file        *file // the database of one user; nil for a team's
	self        ledger.Process
	serverClock bool // times are the server's, where there is one
	*memory

	waiting sync.Mutex // held while one of these two, or spoolRead, is changed
	late    atomic.Pointer[lateOutcomes]
	purged  time.Time // when what is too old was last deleted

	spools    []string                  // folders where outcomes wait; none in memory
	spoolTook atomic.Pointer[time.Time] // when one of them last took a file; nil before
	spoolRead time.Time                 // when they were last read; zero before the first time

	sending sync.Mutex
	sent    []ledger.Attempt // through this journal, while the outcome is not known

	ahead atomic.Int64 // of [Journal.SetAhead]
}

// New returns a journal whose file is opened, or created, by its first use.
func New(o Options) *Journal {
	j := newJournal(o)
	j.memory = ofFile(o.Dir, j.opts.Now)
	if o.Dir == "" {
		key := newKey()
		j.key.Store(&key)
	}
	j.file = &file{memory: j.memory, isLocal: statefile.IsLocal, sem: make(chan struct{}, 1)}
	j.db = j.file
	return j
}

// NewShared returns a journal whose rows are in a database that others use too. The first use connects to it; while it
// cannot be reached every use fails, and the next tries again. [Options.Dir] keeps the outcomes that could not be
// written; [Options.KeyFile] has the key of the hashes, which is the team's.
func NewShared(db Database, o Options) *Journal {
	j := newJournal(o)
	j.db, j.memory = db, ofTeam(o.Dir, db.Name(), j.opts.Now)
	return j
}

func newJournal(o Options) *Journal {
	serverClock := o.Now == nil
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
	j := &Journal{opts: o, spools: o.spoolDirs(), self: thisProcess(), serverClock: serverClock}
	j.late.Store(&lateOutcomes{})
	return j
}

// NewUnavailable returns a journal without a file: every use of it fails with why.
func NewUnavailable(why error) *Journal {
	j := New(Options{})
	j.blocked.Store(unavailable("", why))
	return j
}

// Check writes a record durably, so that a journal that cannot be written is noticed before
// anything is sent, and deletes attempts that are older than [Options] keeps. While a [Loss] stands it returns an error. A
// team's journal gets no such record: one at each start would make all consoles wait for one row. Memory can be written.
//
// Its error is a [*ledger.Unavailable]: the file can be read where the system permits it, and each write tries again.
func (j *Journal) Check(ctx context.Context) error {
	if why := j.blocked.Load(); j.file != nil && j.path == "" && why == nil {
		return nil
	}
	var due bool
	err := j.write(ctx, "check "+string(newID()), func(t *writeTx) error { // a name of its own: no other write holds it up
		due = j.purgeIsDue(t.now)
		if j.file == nil {
			return nil
		}
		return setAbout(t.ctx, t.tx, "opened", []byte(t.now.UTC().Format(time.RFC3339)))
	})
	purge := func(keep time.Duration) error {
		return j.transact(ctx, purgeOn, func(t *writeTx) error {
			_, err := t.purge(t.now.Add(-keep), purgeAtOpen)
			return err
		})
	}
	if err == nil && due {
		err = purge(j.opts.Retention)
		if e, is := errors.AsType[serverError](err); is && e.SQLState() == "PD001" { // only the owner deletes what is younger
			err = purge(defaultRetention)
		}
	}
	if err == nil {
		err = j.LossStands()
	}
	return err
}

// A serverError is an error that a team's server reports, with its code.
type serverError interface {
	error
	SQLState() string
}

// Shared reports whether the journal is a team's.
func (j *Journal) Shared() bool { return j.file == nil }

// Retention returns how long attempts are kept.
func (j *Journal) Retention() time.Duration { return j.opts.Retention }

// Path returns the path of the file; "" in memory.
func (j *Journal) Path() string { return j.path }

// Newer says that the file was last read as one of a newer paydesk, which may have recorded more than is read; "" when it
// was not.
func (j *Journal) Newer() string {
	if j.newer.Load() > 0 {
		return newerText
	}
	return ""
}

// Close closes the file, or the connections. A journal that is not closed loses nothing.
func (j *Journal) Close() error {
	j.blocked.Store(errClosed)
	j.db.Close()
	return nil
}

var errClosed = &ledger.Unavailable{Why: "The journal was closed."}

// Follow calls changed whenever another console, or this one, has changed a shared journal, and after a connection that
// was lost is back, until ctx ends. Of a file it does so when a console of this machine has added a fact, one is lost, or a
// loss acknowledged.
func (j *Journal) Follow(ctx context.Context, changed func()) error { return j.db.Listen(ctx, changed) }
