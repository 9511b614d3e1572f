package journal

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"
)

// A writeTx is one transaction that writes: all of it is on the disk, or nothing.
type writeTx struct {
	*readTx
	tx *sql.Tx
}

// A readTx is what a question sees: one state of the journal.
type readTx struct {
	ctx context.Context
	j   *Journal
	q   interface {
		QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	}
	now time.Time
}

// write runs f in a transaction that has the file's write lock from its beginning
// (BEGIN IMMEDIATE). Its error is a [*Blocked] or one of f's own answers. It is not cut
// short by ctx once it has the turn: it takes milliseconds, or 5 s when another program
// holds the file.
func (j *Journal) write(ctx context.Context, f func(*writeTx) error) error {
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

func (j *Journal) transact(ctx context.Context, f func(*writeTx) error) error {
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return j.failed(err)
	}
	defer tx.Rollback()
	t := &writeTx{&readTx{ctx, j, tx, j.opts.Now().Round(0)}, tx}
	err = t.flushPending()
	if err == nil {
		err = f(t)
	}
	if err != nil && isRejection(err) {
		return err
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
	j.pending = nil
	return nil
}

// read runs f on the journal as it is. What could not be written before is written now,
// and what was sent by a console that has ended is made unresolved, as far as the file
// takes it.
func (j *Journal) read(ctx context.Context, f func(*readTx) error) error {
	if err := j.lock(ctx); err != nil {
		return err
	}
	defer j.unlock()
	if err := j.ensureOpen(ctx); err != nil {
		return j.readOnly(ctx, f, err)
	}
	t := &readTx{ctx, j, j.db, j.opts.Now().Round(0)}
	if waiting, err := t.orphans(); err == nil && len(waiting)+len(j.pending) > 0 {
		if err := j.transact(context.WithoutCancel(ctx), func(*writeTx) error { return nil }); err != nil {
			return j.readOnly(ctx, f, err)
		}
	}
	return j.readError(f(t))
}

// readError is the error of a question. The handle stays: a question that was given up
// says nothing about the file.
func (j *Journal) readError(err error) error {
	if err == nil || isRejection(err) {
		return err
	}
	if isDamage(err) {
		return j.failed(err)
	}
	return unavailable(j.path, err)
}

// readOnly reads a file that cannot be written, because the disk is full, say, or a newer
// program wrote it. When it cannot be read either, why is what stands.
func (j *Journal) readOnly(ctx context.Context, f func(*readTx) error, why error) error {
	if j.path == "" || isDamage(why) || why == errClosed {
		return why
	}
	if _, err := os.Stat(j.path); err != nil {
		return why
	}
	sources := []string{dsn(j.path, false, false)}
	if _, err := os.Stat(j.path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		// In a folder that cannot be written SQLite reads a file only if told that nobody
		// writes it. Without a log nobody does.
		sources = append(sources, dsn(j.path, false, false)+"&immutable=1")
	}
	for _, from := range sources {
		if err := j.readFrom(ctx, from, f); err == nil || isRejection(err) {
			return err
		}
	}
	return why
}

func (j *Journal) readFrom(ctx context.Context, from string, f func(*readTx) error) error {
	db, err := sql.Open("sqlite", from)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	return f(&readTx{ctx, j, db, j.opts.Now().Round(0)})
}

// attempts reads rows of attempts; where is what follows FROM attempts.
func (t *readTx) attempts(where string, args ...any) ([]*row, error) {
	rows, err := t.q.QueryContext(t.ctx, "SELECT "+attemptColumns+" FROM attempts "+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []*row
	for rows.Next() {
		r := new(row)
		if err := scan(rows, &r.n, r.columns()); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// byID is the row of an id; [ErrNone] when there is none.
func (t *readTx) byID(id ID) (*row, error) {
	all, err := t.attempts("WHERE id = ?", string(id))
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, ErrNone
	}
	return all[0], nil
}

// toAttempts is rows for the rest of the program. What nobody waits for any more is
// unresolved even where that cannot be written.
func (t *readTx) toAttempts(rows []*row) []Attempt {
	var all []Attempt
	for _, r := range rows {
		if t.j.orphaned(r, t.now) {
			r.markUnresolved(t.now)
		}
		all = append(all, r.attempt())
	}
	return all
}

// orphans is the attempts whose console ended before the answer came.
func (t *readTx) orphans() ([]*row, error) {
	sent, err := t.attempts("WHERE outcome = 'sent'")
	if err != nil {
		return nil, err
	}
	var lost []*row
	for _, r := range sent {
		if t.j.orphaned(r, t.now) {
			lost = append(lost, r)
		}
	}
	return lost, nil
}

// flushPending writes what is known since the last write: the outcomes that could not be
// written then, and the attempts whose console ended.
func (t *writeTx) flushPending() error {
	for _, d := range t.j.pending {
		if err := t.end(d.id, d.answer, d.at); err != nil && !errors.Is(err, ErrNone) {
			return err
		}
	}
	lost, err := t.orphans()
	if err != nil {
		return err
	}
	for _, r := range lost {
		r.markUnresolved(t.now)
		if err := t.saveOutcome(r, t.now); err != nil {
			return err
		}
	}
	return nil
}

// insert writes a new attempt.
func (t *writeTx) insert(r *row) error {
	r.setSearchText()
	done, err := t.tx.ExecContext(t.ctx, insertAttempt, values(r.columns())...)
	if err != nil {
		return err
	}
	r.n, err = done.LastInsertId()
	return err
}

// update writes an attempt anew.
func (t *writeTx) update(r *row) error {
	r.setSearchText()
	_, err := t.tx.ExecContext(t.ctx, updateAttempt, append(values(r.columns()), r.n)...)
	return err
}

// addEvent adds an event to an attempt.
func (t *writeTx) addEvent(r *row, e eventRow) error {
	e.attempt = r.n
	e.times = 1
	if e.at == 0 {
		e.at = unixNano(t.now)
	}
	by := t.j.opts.Operator
	e.user, e.host, e.ssh = by.User, by.Host, by.SSH
	e.detail = sanitize(e.detail)
	_, err := t.tx.ExecContext(t.ctx, insertEvent, values(e.columns())...)
	return err
}

// The statements that write a whole row.
var (
	insertAttempt = insertSQL("attempts", new(row).columns())
	insertEvent   = insertSQL("events", new(eventRow).columns())
	updateAttempt = updateSQL("attempts", new(row).columns())
	updateEvent   = updateSQL("events", new(eventRow).columns())
)

func insertSQL(table string, cols []column) string {
	var names strings.Builder
	for _, c := range cols {
		names.WriteString(c.name + ", ")
	}
	return "INSERT INTO " + table + " (" + names.String() + "sum) VALUES (" + strings.Repeat("?, ", len(cols)) + "?)"
}

func updateSQL(table string, cols []column) string {
	var sets strings.Builder
	for _, c := range cols {
		sets.WriteString(c.name + " = ?, ")
	}
	return "UPDATE " + table + " SET " + sets.String() + "sum = ? WHERE n = ?"
}
