package journal

import (
	"context"
	"crypto/hmac"
	"errors"
	"io/fs"
	"sync"
	"time"

	"paydesk/api/ledger"
)

// sharedTimeout limits one use of a shared database, whoever asks for it.
const sharedTimeout = 10 * time.Second

// A shared is the database of a team's journal, as one console uses it.
type shared struct {
	db          Database
	serverClock bool // times are the server's

	mu     sync.Mutex
	purged time.Time // when attempts that are too old were last deleted
}

// NewShared returns a journal whose rows are in a database that others use too. The first use connects to it; while it
// cannot be reached every use fails, and the next tries again. [Options.Dir] is where outcomes wait that could not be
// written; [Options.KeyFile] has the key of the hashes, which is the team's.
func NewShared(db Database, o Options) *Journal {
	s := &shared{db: db, serverClock: o.Now == nil}
	j := New(o)
	j.path, j.shared, j.key = "", s, nil // the key is that of the team
	return j
}

// Shared is the database of a team's journal; "" for a file.
func (j *Journal) Shared() string {
	if j.shared == nil {
		return ""
	}
	return j.shared.db.Name()
}

// writeShared is [Journal.write] in a shared database.
func (j *Journal) writeShared(ctx context.Context, on []string, f func(*writeTx) error) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), sharedTimeout)
	defer stop()
	use, err := j.useShared(ctx)
	if err != nil {
		return err
	}
	if err := j.writeWaiting(ctx, use); err != nil {
		return err
	}
	j.sweep(ctx, use.key)
	return j.transactShared(ctx, on, func(t *writeTx) error {
		t.key = use.key
		return f(t)
	})
}

// writeWaiting writes the outcomes that wait, in a transaction of their own: what comes next may be rejected.
func (j *Journal) writeWaiting(ctx context.Context, u use) error {
	if len(u.waiting) == 0 {
		return nil
	}
	var strange []pendingOutcome
	err := j.transactShared(ctx, nil, func(t *writeTx) (err error) { // they are about anything
		t.key = u.key
		strange, err = t.flush(u.waiting)
		return err
	})
	if err == nil {
		j.sem <- struct{}{}
		defer j.unlock()
		j.written(u.waiting, strange)
	}
	return err
}

// transactShared runs f in a transaction about what on names. Its error is a [*ledger.Unavailable] or a rejection by f.
func (j *Journal) transactShared(ctx context.Context, on []string, f func(*writeTx) error) error {
	var last head
	err := j.shared.db.Write(ctx, on, j.inShared(ctx, func(t *writeTx) error {
		err := f(t)
		last = t.last
		return err
	}))
	if err == nil && last.number > 0 {
		j.committed(last)
	}
	return j.sharedProblem(err)
}

func (j *Journal) inShared(ctx context.Context, f func(*writeTx) error) func(Tx, At) error {
	return func(tx Tx, at At) error {
		return f(&writeTx{readTx: &readTx{ctx: ctx, j: j, q: tx, now: j.sharedTime(at.Time), login: at.Login, dialect: ofPostgres}, tx: tx})
	}
}

// readShared is [Journal.read] in a shared database. What cannot be written now stays as it is: looking is free.
func (j *Journal) readShared(ctx context.Context, f func(*readTx) error) error {
	ctx, stop := context.WithTimeout(ctx, sharedTimeout)
	defer stop()
	use, err := j.useShared(ctx)
	switch {
	case err == error(errClosed):
		return err
	case err == nil: // else the next use tries again
		_ = j.writeWaiting(ctx, use)
	}
	j.sweep(ctx, use.key)
	return j.viewShared(ctx, func(t *readTx) error {
		t.key, t.waiting = use.key, use.waiting
		return f(t)
	})
}

func (j *Journal) viewShared(ctx context.Context, f func(*readTx) error) error {
	return j.sharedProblem(j.shared.db.Read(ctx, func(q Querier, at At) error {
		return f(&readTx{ctx: ctx, j: j, q: q, now: j.sharedTime(at.Time), login: at.Login, dialect: ofPostgres, hides: true})
	}))
}

// sharedTime is the server's time, unless the journal was given a clock: consoles on many machines need one.
func (j *Journal) sharedTime(server time.Time) time.Time {
	if j.shared.serverClock {
		return server
	}
	return j.opts.Now().Round(0)
}

func (j *Journal) sharedProblem(err error) error {
	switch {
	case err == nil || isRejection(err):
		return err
	case errors.Is(err, errDamaged):
		row := "a row"
		if u, is := errors.AsType[*unreadableRow](err); is {
			row = u.named
		}
		return &ledger.Unavailable{Why: "The team's journal cannot read " + row + ": it is not what was written. Nothing was sent, since it may be " +
			"a payment like this one. Have the row restored from a backup. (" + j.shared.db.Name() + ")", Err: err}
	}
	if u, is := errors.AsType[*ledger.Unavailable](err); is {
		return u
	}
	return &ledger.Unavailable{Why: j.shared.db.Problem(err), Err: err}
}

// sweep marks attempts unresolved whose console has ended. It is not part of what else is written: the attempts under
// way are those of all consoles, and each transaction would wait for all others.
func (j *Journal) sweep(ctx context.Context, key []byte) {
	var waiting []*row
	_ = j.viewShared(ctx, func(t *readTx) (err error) {
		waiting, err = t.orphans()
		return err
	})
	if len(waiting) > 0 {
		_ = j.transactShared(ctx, nil, func(t *writeTx) error {
			t.key = key
			return t.markOrphans()
		})
	}
}

// A use is what a use of the journal begins with.
type use struct {
	waiting []pendingOutcome // to be written
	key     []byte           // of the hashes
}

// useShared begins a use. Its error is why nothing can be written.
func (j *Journal) useShared(ctx context.Context) (u use, err error) {
	if err := j.lock(ctx); err != nil {
		return u, err
	}
	defer j.unlock()
	if j.blocked != nil {
		return u, j.blocked
	}
	if j.key == nil {
		err = j.loadSharedKey(ctx)
	}
	j.lookForSpooled()
	return use{j.pending, j.key}, err
}

// loadSharedKey reads the team's key, and compares it with the check value in the database, which has none before the
// first console wrote one.
func (j *Journal) loadSharedKey(ctx context.Context) error {
	key, err := readKey(j.opts.KeyFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return sharedKeyProblem("is missing here", j.opts.KeyFile)
	case err != nil:
		return unavailable(j.opts.KeyFile, err)
	case key == nil:
		return sharedKeyProblem("holds no key", j.opts.KeyFile)
	}
	check, err := j.sharedCheck(ctx)
	if err == nil && check == nil {
		err = j.transactShared(ctx, nil, func(t *writeTx) error { return t.addCheck(key) })
		if err == nil {
			check, err = j.sharedCheck(ctx)
		}
	}
	switch {
	case err != nil:
		return err
	case !hmac.Equal(check, keyCheck(key)):
		return sharedKeyProblem("is not the one that the team's journal was written with", j.opts.KeyFile)
	}
	j.key = key
	return nil
}

func (j *Journal) sharedCheck(ctx context.Context) (check []byte, err error) {
	err = j.viewShared(ctx, func(t *readTx) error {
		check, err = readAbout(t.ctx, t.q, checkName)
		return err
	})
	return check, err
}

// addCheck stores the check value of a key, unless there is one.
func (t *writeTx) addCheck(key []byte) error {
	value := keyCheck(key)
	return t.exec("INSERT INTO about (name, value, checksum) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
		checkName, value, aboutSum(checkName, value))
}

func sharedKeyProblem(what, path string) error {
	return &ledger.Unavailable{Why: "The key of the team's journal " + what + ": a customer who has paid already would not be recognised. " +
		"Have a colleague write it to a file with paydesk journal key export, and read it here with paydesk journal key import. (" + path + ")"}
}

// purgePace is how often a console deletes what is too old.
const purgePace = time.Hour

// checkShared is [Journal.Check] in a shared database. It writes only what there is to write: a record of each start
// would make all consoles wait for one row.
func (j *Journal) checkShared(ctx context.Context) error {
	var due bool
	err := j.writeShared(ctx, []string{"check " + string(newID())}, func(t *writeTx) error { // it waits for nobody
		due = j.shared.purgeIsDue(t.now)
		return nil
	})
	if err == nil && due {
		err = j.deleteShared(ctx, func(t *writeTx) error { return t.purge(t.now.Add(-j.opts.Retention), purgeAtOpen) })
	}
	return err
}

// deleteShared runs f in a transaction that nobody waits for.
func (j *Journal) deleteShared(ctx context.Context, f func(*writeTx) error) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), sharedTimeout)
	defer stop()
	return j.sharedProblem(j.shared.db.Delete(ctx, j.inShared(ctx, f)))
}

// purgeIsDue reports whether the last one is long ago, and notes the next.
func (s *shared) purgeIsDue(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	due := now.Sub(s.purged) >= purgePace
	if due {
		s.purged = now
	}
	return due
}

// purgeShared deletes a batch at a time, so that nobody waits for long.
func (j *Journal) purgeShared(ctx context.Context, before time.Time) (s PurgeResult, err error) {
	if s, err = j.PurgePreview(ctx, before); err != nil {
		return s, err
	}
	for left := s.Attempts; err == nil; left -= purgeBatch {
		err = j.deleteShared(ctx, func(t *writeTx) error { return t.purge(before, min(left, purgeBatch)) })
		if err != nil || left <= purgeBatch {
			s.Attempts -= max(left-purgeBatch, 0)
			break
		}
	}
	return s, err
}

// purgeBatch is how many attempts one transaction of a shared database deletes.
const purgeBatch = 1000

// Follow calls changed whenever another console, or this one, has changed a shared journal, and after a connection that
// was lost is back, until ctx ends. Of a file it does so when one is lost, or a loss acknowledged.
func (j *Journal) Follow(ctx context.Context, changed func()) error {
	switch {
	case j.shared != nil:
		return j.shared.db.Listen(ctx, changed)
	case j.path != "":
		return j.followLosses(ctx, changed)
	}
	return nil
}
