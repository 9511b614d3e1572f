package journal

import (
	"context"
	"errors"
	"slices"
	"time"

	"paydesk/api/ledger"
)

// A writeTx is one transaction that writes: it is durable as a whole, or not at all.
type writeTx struct {
	*readTx
	tx   Tx
	last head // of all facts
}

// A readTx has what a query reads from.
type readTx struct {
	ctx    context.Context
	j      *Journal
	q      Querier
	now    time.Time
	login  string // at the server; "" for a file
	key    []byte // of the hashes; nil where it could not be read
	shared bool   // a team's, in PostgreSQL; else in SQLite

	waiting []pendingOutcome // that could not be written yet

	alone bool // nothing changes from one statement to the next
	hides bool // lists are without rows that cannot be read
}

// write runs f in a transaction. on names what the rules that f asks are known to concern, "" for anything: see [Database].
// Its callers say why nothing else can change what f reads. Its error is a [*ledger.Unavailable] or a rejection by f.
func (j *Journal) write(ctx context.Context, on string, f func(*writeTx) error) error {
	if err := j.settle(ctx); err != nil {
		return err
	}
	return j.transact(ctx, on, f)
}

// read runs f on what is committed. What cannot be written now stays as it is: looking is free.
func (j *Journal) read(ctx context.Context, f func(*readTx) error) error {
	if err := j.settle(ctx); err == error(errClosed) {
		return err
	}
	return j.sweep(ctx, f)
}

// ask returns what f reads, as [Journal.read] does.
func ask[T any](ctx context.Context, j *Journal, f func(*readTx) (T, error)) (v T, err error) {
	err = j.read(ctx, func(t *readTx) error {
		v, err = f(t)
		return err
	})
	return v, err
}

// settle begins a use of the journal: it writes the outcomes that wait, in a transaction of their own, as they may concern
// anything, and what comes next may be rejected. Its error says why nothing can be written.
func (j *Journal) settle(ctx context.Context) error {
	if why := j.blocked.Load(); why != nil {
		return why
	}
	if j.file == nil && j.key.Load() == nil {
		if err := j.loadSharedKey(ctx); err != nil {
			return err
		}
	}
	waiting, exposed := j.lookForSpooled()
	if len(waiting) > 0 {
		var strange []pendingOutcome
		if err := j.transact(ctx, "", func(t *writeTx) (err error) {
			strange, err = t.flush(waiting)
			return err
		}); err != nil {
			return err
		}
		j.written(waiting, strange)
	}
	if exposed != nil {
		return unavailable(j.path, exposed)
	}
	return nil
}

// sweep marks attempts unresolved whose console has ended, where that can be written, and then runs f, if it is not nil, on what
// is committed. As a rule there are none: then the journal is opened, and its server reached, once for both.
func (j *Journal) sweep(ctx context.Context, f func(*readTx) error) error {
	again := false // f was not run, on a journal that can be read
	err := j.view(ctx, func(t *readTx) error {
		lost, _, err := t.orphans()
		if again = err != nil || len(lost) > 0; again || f == nil {
			return err
		}
		return f(t)
	})
	if !again {
		return err
	}
	if err == nil {
		_ = j.transact(ctx, "", (*writeTx).markOrphans)
	}
	if f == nil {
		return nil
	}
	return j.view(ctx, f)
}

// transact runs f in a transaction about what on names.
func (j *Journal) transact(ctx context.Context, on string, f func(*writeTx) error) error {
	var last head
	err := j.db.Write(ctx, on, func(ctx context.Context, tx Tx, at At) (err error) {
		t := &writeTx{readTx: j.reader(ctx, tx, at), tx: tx}
		t.alone = j.file != nil
		w := j.witness()
		if t.last, err = j.compare(w, t.readTx); err == nil {
			err = f(t)
		}
		last = t.last
		return err
	})
	if err == nil {
		j.committed(last)
	}
	return j.problem(err)
}

// view runs f on what is committed.
func (j *Journal) view(ctx context.Context, f func(*readTx) error) error {
	return j.problem(j.db.Read(ctx, func(ctx context.Context, q Querier, at At) error {
		return f(j.reader(ctx, q, at))
	}))
}

// reader reads from a database. The time is the server's, unless the journal was given a clock: consoles on many machines
// need one.
func (j *Journal) reader(ctx context.Context, q Querier, at At) *readTx {
	t := &readTx{ctx: ctx, j: j, q: q, now: at.Time, login: at.Login, waiting: j.late.Load().waiting}
	if at.Time.IsZero() || !j.serverClock {
		t.now = j.opts.Now().Round(0)
	}
	if key := j.key.Load(); key != nil {
		t.key = *key
	}
	if j.file == nil {
		t.shared, t.hides = true, true
	}
	return t
}

// problem is an error of the database in words for the operator. A rejection stays as it is.
func (j *Journal) problem(err error) error {
	u, is := errors.AsType[*ledger.Unavailable](err)
	switch {
	case err == nil || ledger.IsRejection(err):
		return err
	case j.file == nil && errors.Is(err, errDamaged):
		row := "a row"
		if u, is := errors.AsType[*unreadableRow](err); is {
			row = u.named
		}
		return &ledger.Unavailable{Why: "The team's journal cannot read " + row + ": it is damaged or was changed. Nothing was sent, since it may be " +
			"a payment like this one. Have the row restored from a backup. (" + j.db.Name() + ")", Err: err}
	case is:
		return u
	}
	return &ledger.Unavailable{Why: j.db.Problem(err), Err: err}
}

// entries reads rows of the table of entries, or of its views attempts and payments; where is the rest of the query. In a
// team's journal, where a row can be changed, it only says which entries are meant: they are folded from their facts. A journal
// in memory without tables spares the statement, which takes a while to be put together: a console asks before its first frame.
func (t *readTx) entries(from, where string, args ...any) ([]ledger.Entry, error) {
	if t.q == nil {
		return nil, nil
	}
	rows, err := list(t, scan, selectEntries()+from+" AS a "+where, args...)
	if err != nil || !t.shared || len(rows) == 0 {
		return rows, err
	}
	ids := idsOf(rows)
	folded, err := t.listed(ids...)
	var all []ledger.Entry
	for _, id := range ids { // in their order, without others that have the same reference
		if i := slices.IndexFunc(folded, func(e ledger.Entry) bool { return e.ID == id }); i >= 0 {
			all = append(all, folded[i])
		}
	}
	return all, err
}

func idsOf(rows []ledger.Entry) (ids []ledger.ID) {
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids
}

// listed folds entries, as a list has them: without those that have a fact that was changed since it was written.
func (t *readTx) listed(ids ...ledger.ID) ([]ledger.Entry, error) {
	all, err := t.folded(nil, ids...)
	if !t.hide(err) {
		return all, err
	}
	all = nil
	for _, id := range ids { // one of them is in the way of the others
		some, err := t.folded(nil, id)
		if err != nil && !t.hide(err) {
			return nil, err
		}
		all = withRows(all, some...)
	}
	return all, nil
}

// byID returns the attempt with an ID, or [ledger.ErrNotFound].
func (t *readTx) byID(id ledger.ID) (ledger.Entry, error) {
	rows, err := t.concerned(id)
	switch {
	case err != nil:
	case rows[0].Kind == ledger.Known:
		err = ledger.ErrNotFound
	case rows[0].Kind == ledger.Initiate && len(t.key) == 0: // where it cannot be read, facts do not lead to the finalizes
		same, failed := t.ofPayments(rows[0].Destination, rows[0].Reference)
		rows[0].FinalizedBy(pointers(same[rows[0].Reference]))
		err = failed
	}
	return first(rows, err)
}

// first returns the first of the rows that were read, or [ledger.ErrNotFound].
func first[R any](rows []R, err error) (r R, _ error) {
	if err == nil && len(rows) == 0 {
		err = ledger.ErrNotFound
	}
	if err != nil {
		return r, err
	}
	return rows[0], nil
}

// newestFirst ends a query of attempts.
const newestFirst = " ORDER BY at DESC, n DESC"

// SetAhead notes by how much the service's clock is ahead of this machine's: accounts expire by that clock. It is not
// recorded, because the clock of another console differs in another way.
func (j *Journal) SetAhead(by time.Duration) { j.ahead.Store(int64(by)) }

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
	if e.Account != nil {
		account := *e.Account
		account.Ahead = time.Duration(t.j.ahead.Load())
		e.Account = &account
	}
	return t.console().AsSeen(e)
}

// toAttempts converts rows.
func (t *readTx) toAttempts(rows []ledger.Entry) []ledger.Attempt {
	var all []ledger.Attempt
	for _, r := range rows {
		all = append(all, t.asSeen(r).Attempt)
	}
	return all
}

// orphans returns the facts that attempts are lost, because their console ended before the service answered, and all entries concerned.
func (t *readTx) orphans() (lost []ledger.Fact, concerned []ledger.Entry, err error) {
	sent, err := collect(t, only[ledger.ID], "SELECT id FROM attempts WHERE outcome = 'sent'")
	if err == nil {
		concerned, err = t.listed(sent...)
	}
	for _, e := range concerned {
		if t.console().IsLost(e) {
			lost = append(lost, t.console().Lost(e))
		}
	}
	return lost, concerned, err
}

// flush writes outcomes that could not be written when they arrived, and returns those whose attempts are not there. An
// attempt that was not sent need not be: its beginning was not written either.
func (t *writeTx) flush(waiting []pendingOutcome) (strange []pendingOutcome, err error) {
	for _, d := range waiting {
		_, err := t.end(d.ID, d.Result, d.At)
		switch {
		case isOfAnother(err) && d.Result.Outcome != ledger.NotSent:
			strange = append(strange, d)
		case err != nil && !isOfAnother(err):
			return nil, err
		}
	}
	return strange, nil
}

// markOrphans marks attempts unresolved whose console has ended.
func (t *writeTx) markOrphans() error {
	lost, concerned, err := t.orphans()
	if err == nil {
		_, err = t.apply(concerned, lost...)
	}
	return err
}
