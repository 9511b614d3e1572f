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
	t := &writeTx{&readTx{ctx, j, tx, j.o.Now().Round(0)}, tx}
	err = t.flushPending()
	if err == nil {
		err = f(t)
	}
	if err != nil && ours(err) {
		return err
	}
	if err == nil {
		err = tx.Commit()
	}
	if err == nil {
		err = j.same()
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
		return j.peek(ctx, f, err)
	}
	t := &readTx{ctx, j, j.db, j.o.Now().Round(0)}
	if waiting, err := t.orphaned(); err == nil && len(waiting)+len(j.pending) > 0 {
		if err := j.transact(context.WithoutCancel(ctx), func(*writeTx) error { return nil }); err != nil {
			return j.peek(ctx, f, err)
		}
	}
	return j.answered(f(t))
}

// answered is the error of a question. The handle stays: a question that was given up
// says nothing about the file.
func (j *Journal) answered(err error) error {
	if err == nil || ours(err) {
		return err
	}
	if damaged(err) {
		return j.failed(err)
	}
	return unavailable(j.path, err)
}

// peek reads a file that cannot be written, because the disk is full, say, or a newer
// program wrote it. When it cannot be read either, why is what stands.
func (j *Journal) peek(ctx context.Context, f func(*readTx) error, why error) error {
	if j.path == "" || damaged(why) || why == errClosed {
		return why
	}
	if _, err := os.Stat(j.path); err != nil {
		return why
	}
	sources := []string{source(j.path, false, false)}
	if _, err := os.Stat(j.path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		// In a folder that cannot be written SQLite reads a file only if told that nobody
		// writes it. Without a log nobody does.
		sources = append(sources, source(j.path, false, false)+"&immutable=1")
	}
	for _, from := range sources {
		if err := j.peekInto(ctx, from, f); err == nil || ours(err) {
			return err
		}
	}
	return why
}

func (j *Journal) peekInto(ctx context.Context, from string, f func(*readTx) error) error {
	db, err := sql.Open("sqlite", from)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	return f(&readTx{ctx, j, db, j.o.Now().Round(0)})
}

// attempts reads rows of attempts; where is what follows FROM attempts.
func (t *readTx) attempts(where string, args ...any) ([]*row, error) {
	rows, err := t.q.QueryContext(t.ctx, "SELECT "+attemptNames+" FROM attempts "+where, args...)
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

// one is the row of an id; [ErrNone] when there is none.
func (t *readTx) one(id ID) (*row, error) {
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
		if t.j.lost(r, t.now) {
			r.markUnresolved(t.now)
		}
		all = append(all, r.attempt())
	}
	return all
}

// orphaned is the attempts whose console ended before the answer came.
func (t *readTx) orphaned() ([]*row, error) {
	sent, err := t.attempts("WHERE outcome = 'sent'")
	if err != nil {
		return nil, err
	}
	var lost []*row
	for _, r := range sent {
		if t.j.lost(r, t.now) {
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
	lost, err := t.orphaned()
	if err != nil {
		return err
	}
	for _, r := range lost {
		r.markUnresolved(t.now)
		if err := t.outcome(r, t.now); err != nil {
			return err
		}
	}
	return nil
}

// add writes a new attempt.
func (t *writeTx) add(r *row) error {
	r.setSearchText()
	done, err := t.tx.ExecContext(t.ctx, addAttempt, values(r.columns())...)
	if err != nil {
		return err
	}
	r.n, err = done.LastInsertId()
	return err
}

// save writes an attempt anew.
func (t *writeTx) save(r *row) error {
	r.setSearchText()
	_, err := t.tx.ExecContext(t.ctx, saveAttempt, append(values(r.columns()), r.n)...)
	return err
}

// happened adds an event to an attempt.
func (t *writeTx) happened(r *row, e eventRow) error {
	e.attempt = r.n
	e.times = 1
	if e.at == 0 {
		e.at = unixNano(t.now)
	}
	by := t.j.o.Operator
	e.user, e.host, e.ssh = by.User, by.Host, by.SSH
	e.detail = sanitize(e.detail)
	_, err := t.tx.ExecContext(t.ctx, addEvent, values(e.columns())...)
	return err
}

// The statements that write a whole row.
var (
	addAttempt  = adding("attempts", new(row).columns())
	addEvent    = adding("events", new(eventRow).columns())
	saveAttempt = setting("attempts", new(row).columns())
	saveEvent   = setting("events", new(eventRow).columns())
)

func adding(table string, cols []column) string {
	var names strings.Builder
	for _, c := range cols {
		names.WriteString(c.name + ", ")
	}
	return "INSERT INTO " + table + " (" + names.String() + "sum) VALUES (" + strings.Repeat("?, ", len(cols)) + "?)"
}

func setting(table string, cols []column) string {
	var sets strings.Builder
	for _, c := range cols {
		sets.WriteString(c.name + " = ?, ")
	}
	return "UPDATE " + table + " SET " + sets.String() + "sum = ? WHERE n = ?"
}
