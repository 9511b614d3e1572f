package journal

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// A writeTx is one transaction that writes: it is durable as a whole, or not at all.
type writeTx struct {
	*readTx
	tx   Tx
	last head // the fact that was added last
}

// A readTx is what a query reads from.
type readTx struct {
	ctx     context.Context
	j       *Journal
	q       Querier
	now     time.Time
	login   string // at the server; "" for a file
	key     []byte // of the hashes; nil where it could not be read
	dialect dialect

	waiting []pendingOutcome // that could not be written yet

	hides  bool // leaves out rows that cannot be read
	hidden int  // how many
}

type querier = statefile.Querier

// onSQLite is a transaction of the file.
func (j *Journal) onSQLite(ctx context.Context, tx *sql.Tx) *writeTx {
	return &writeTx{readTx: &readTx{ctx: ctx, j: j, q: tx, now: j.opts.Now().Round(0), key: j.key}, tx: tx}
}

// write runs f in a transaction that holds the file's write lock from its beginning
// (BEGIN IMMEDIATE). Its error is a [*ledger.Unavailable] or a rejection by f. ctx does not cancel
// it once it holds the journal's lock: it takes milliseconds, or 5 s when another program has
// locked the file. on is what the rules that f asks are known to be about, nil for anything: see [Database]. Who uses it
// says why nothing else can change what f reads. In a file one console writes at a time.
func (j *Journal) write(ctx context.Context, on []string, f func(*writeTx) error) error {
	if j.shared != nil {
		return j.writeShared(ctx, on, f)
	}
	if err := j.lock(ctx); err != nil {
		return err
	}
	defer j.unlock()
	ctx = context.WithoutCancel(ctx)
	if err := j.ensureOpen(ctx); err != nil {
		return err
	}
	return j.transact(ctx, f)
}

// transact checkpoints every commit into the file at once.
func (j *Journal) transact(ctx context.Context, f func(*writeTx) error) error {
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return j.failed(err)
	}
	j.takeSpooled()
	var strange []pendingOutcome
	defer tx.Rollback()
	t := j.onSQLite(ctx, tx)
	err = t.checkLoss(j.witness())
	if err == nil {
		strange, err = t.flush(j.pending)
	}
	if err == nil {
		err = t.markOrphans()
	}
	if err == nil {
		err = f(t)
	}
	if err != nil && isRejection(err) {
		return err
	}
	var last head
	if err == nil {
		last, err = t.head()
	}
	if err == nil {
		err = tx.Commit()
	}
	if err == nil {
		err = j.checkSameFile()
	}
	if err != nil {
		tx.Rollback() // before the handle is closed
		return j.failed(err)
	}
	j.written(j.pending, strange)
	checkpoint(ctx, j.db)
	j.committed(last)
	return nil
}

// read runs f on the current state of the journal. Where the file can be written, it first
// writes the pending outcomes and marks orphaned attempts unresolved.
func (j *Journal) read(ctx context.Context, f func(*readTx) error) error {
	if j.shared != nil {
		return j.readShared(ctx, f)
	}
	if err := j.lock(ctx); err != nil {
		return err
	}
	defer j.unlock()
	if j.isUnwritten() {
		return f(&readTx{ctx: ctx, j: j, now: j.opts.Now().Round(0), key: j.key})
	}
	if err := j.ensureOpen(ctx); err != nil {
		return j.readOnly(ctx, f, err)
	}
	j.lookForSpooled()
	t := &readTx{ctx: ctx, j: j, q: j.db, now: j.opts.Now().Round(0), key: j.key, waiting: j.pending}
	if waiting, err := t.orphans(); err == nil && len(waiting)+len(j.pending) > 0 {
		if err := j.transact(context.WithoutCancel(ctx), func(*writeTx) error { return nil }); err != nil {
			return j.readOnly(ctx, f, err)
		}
	}
	err := f(t)
	switch {
	case err == nil || isRejection(err):
		return err
	case IsDamage(err):
		return j.failed(err)
	}
	// The handle stays open: a query that was cancelled does not mean that the file is bad.
	return unavailable(j.path, err)
}

// ask returns what f reads, as [Journal.read] does.
func ask[T any](ctx context.Context, j *Journal, f func(*readTx) (T, error)) (v T, err error) {
	err = j.read(ctx, func(t *readTx) error {
		v, err = f(t)
		return err
	})
	return v, err
}

// readOnly runs f on a file that cannot be written, for example because the disk is full or
// a newer version wrote it. It returns why when the file cannot be read either.
func (j *Journal) readOnly(ctx context.Context, f func(*readTx) error, why error) error {
	if j.path == "" || IsDamage(why) || why == errClosed {
		return why
	}
	if _, err := os.Stat(j.path); err != nil {
		return why
	}
	version, _ := errors.AsType[newerVersion](why)
	j.newer.Store(int64(version))
	sources := []string{dsn(j.path, false, false)}
	if _, err := os.Stat(j.path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		// In a folder that cannot be written, SQLite opens a file only as immutable. That is
		// safe without a log, since then nobody is writing.
		sources = append(sources, dsn(j.path, false, false)+"&immutable=1")
	}
	for _, from := range sources {
		db := statefile.Open(from)
		err := f(&readTx{ctx: ctx, j: j, q: db, now: j.opts.Now().Round(0), key: j.key, waiting: j.pending})
		db.Close()
		if err == nil || isRejection(err) {
			return err
		}
	}
	return why
}

// attempts reads rows of attempts; where is the rest of the query after FROM attempts. In a team's journal, where a row can
// be changed, it only says which attempts are meant: they are folded from their facts.
func (t *readTx) attempts(where string, args ...any) ([]*row, error) {
	rows, err := collect(t, scan, selectEntries()+"attempts AS a "+where, args...)
	if err != nil || t.dialect == ofSQLite || len(rows) == 0 {
		return rows, err
	}
	var ids []ledger.ID
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	folded, err := t.all().folded(ids)
	if t.hides && errors.Is(err, errDamaged) { // of one of them
		folded, err = t.foldedApart(ids)
	}
	of := map[ledger.ID]*row{}
	for _, f := range folded {
		of[f.ID] = f
	}
	for i, r := range rows {
		rows[i] = of[r.ID]
	}
	return slices.DeleteFunc(rows, func(r *row) bool { return r == nil }), err
}

// foldedApart folds entries one by one, without those of which a fact is not what was written.
func (t *readTx) foldedApart(ids []ledger.ID) (all []*row, err error) {
	for _, id := range ids {
		some, err := t.all().folded([]ledger.ID{id})
		switch {
		case t.hide(err):
		case err != nil:
			return nil, err
		}
		all = withRows(all, some...)
	}
	return all, nil
}

// byID returns the attempt with an ID, or [ledger.ErrNotFound].
func (t *readTx) byID(id ledger.ID) (*row, error) {
	rows, err := t.all().concerned(id)
	if err == nil && rows[0].isKnown() {
		err = ledger.ErrNotFound
	}
	return first(rows, err)
}

// first returns the first of the rows that were read, or [ledger.ErrNotFound].
func first[R any](rows []*R, err error) (*R, error) {
	if err == nil && len(rows) == 0 {
		err = ledger.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return rows[0], nil
}

// newestFirst ends a query of attempts.
const newestFirst = " ORDER BY at DESC, n DESC"

// byReference returns the attempts with a reference, newest first. It names the index,
// because SQLite would estimate the environment to be more selective.
func (t *readTx) byReference(d ledger.Destination, ref api.Reference) ([]*row, error) {
	if ref == "" {
		return nil, nil
	}
	return t.attempts("WHERE reference = ? AND reference <> '' AND "+atService+newestFirst,
		append([]any{string(ref)}, atArgs(d)...)...)
}

// bySpelling is byReference whatever the case of the letters: two references that differ only in it
// are taken for one, because statuses are answered in either.
func (t *readTx) bySpelling(d ledger.Destination, ref api.Reference) ([]*row, error) {
	return t.attempts("WHERE lower(reference) = ? AND reference <> '' AND "+atService+newestFirst,
		append([]any{api.LowerASCII(string(ref))}, atArgs(d)...)...)
}

// asSeen is an entry as it stands: with an outcome that waits to be written, and unresolved where no console waits for
// the answer any more, even where that cannot be written.
func (t *readTx) asSeen(e ledger.Entry) ledger.Entry {
	for _, w := range t.waiting {
		if w.ID == e.ID && !ledger.IsKnown(e.Outcome) {
			c := t.console()
			c.Now, c.Operator = w.At, e.By
			e.Add(nil, c.Fact(e.ID, ledger.Answered{Result: w.Result, Source: ledger.FromConsole}))
		}
	}
	return t.console().AsSeen(e)
}

// toAttempts converts rows.
func (t *readTx) toAttempts(rows []*row) []ledger.Attempt {
	var all []ledger.Attempt
	for _, r := range rows {
		all = append(all, t.asSeen(r.Entry).Attempt)
	}
	return all
}

// toAttempt converts the one row that was read, as toAttempts does.
func (t *readTx) toAttempt(r *row, err error) (ledger.Attempt, error) {
	if err != nil {
		return ledger.Attempt{}, err
	}
	return t.toAttempts([]*row{r})[0], nil
}

// orphans returns the attempts whose console ended before the service answered.
func (t *readTx) orphans() ([]*row, error) {
	sent, err := t.readable().attempts("WHERE outcome = 'sent'")
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(sent, func(r *row) bool { return !t.console().IsLost(r.Entry) }), nil
}

// flush writes outcomes that could not be written when they arrived, and returns those whose attempts are not there. An
// attempt that was not sent need not be: its beginning was not written either.
func (t *writeTx) flush(waiting []pendingOutcome) (strange []pendingOutcome, err error) {
	for _, d := range waiting {
		_, err := t.end(d.ID, d.Result, d.At)
		isStrange := errors.Is(err, ledger.ErrNotFound) || errors.Is(err, ledger.ErrNotSender)
		switch {
		case isStrange && d.Result.Outcome != ledger.NotSent:
			strange = append(strange, d)
		case err != nil && !isStrange:
			return nil, err
		}
	}
	return strange, nil
}

// markOrphans marks attempts unresolved whose console has ended.
func (t *writeTx) markOrphans() error {
	orphans, err := t.orphans()
	if err != nil {
		return err
	}
	for _, r := range orphans {
		rows, err := t.concerned(r.ID)
		if err != nil {
			return err
		}
		if _, err := t.apply(rows, t.console().Lost(r.Entry)); err != nil {
			return err
		}
	}
	return nil
}
