package mirror

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/statefile"
)

// A Summary says what became of a scan that was kept.
type Summary struct {
	Scan
	First bool // nothing was kept of this service before
	// Missing are kept rows that a scan without trust did not have. They stay.
	Missing int
	// Nameless rows have no id; Unkept have one that is too long, cannot be shown as it is, or
	// looks like a card number.
	Nameless, Unkept int
	// Doubled are the ids that came with several values. Which of them is right is not known, so what was kept
	// of such an id stays as it was, and none of it is a change.
	Doubled int
	// Dropped are the scans whose changes were dropped to stay below the limit; NoLog is whether those of
	// this scan were.
	Dropped int
	NoLog   bool
	// SetAside tells where a damaged mirror was put; "" when it was sound.
	SetAside string
	Size     int64 // of the file, in bytes
	settled  bool  // see [Mirror.settle]
}

// Keep compares a scan with the rows that are kept of a service, writes down what changed, and keeps its
// rows: all of it or nothing. The scan must have reached the end of the list; only a trusted one says that
// rows are gone. Its error is an [*statefile.Unavailable], a [*TooLarge], [ErrIncomplete] or [ErrOlder].
func (m *Mirror) Keep(ctx context.Context, place ledger.Destination, s listing.State) (Summary, error) {
	return m.keepRows(ctx, place, s, noWait)
}

func (m *Mirror) keepRows(ctx context.Context, place ledger.Destination, s listing.State, wait func(context.Context) error) (Summary, error) {
	g := &gathering{}
	defer g.close()
	if err := s.Rows.Each(ctx, listing.Search{}, func(_ int, row api.Transaction) error {
		g.add([]api.Transaction{row})
		return nil
	}); err != nil {
		return Summary{}, m.unavailable(err)
	}
	return m.keep(ctx, place, s, g, wait)
}

// keep calls wait between batches, which returns once nothing more important is being done.
func (m *Mirror) keep(ctx context.Context, place ledger.Destination, s listing.State, g *gathering, wait func(context.Context) error) (sum Summary, err error) {
	if s.Phase != listing.Done {
		return Summary{}, ErrIncomplete
	}
	if err := m.lock(ctx); err != nil {
		return Summary{}, m.unavailable(err)
	}
	defer m.unlock()
	once := func() error {
		settled, err := m.write(ctx, wait, func(tx *sql.Tx) error {
			k := &keeping{ctx: ctx, tx: tx, m: m, place: place, state: s, from: g, wait: wait}
			err := k.run()
			sum = k.sum
			return err
		})
		sum.settled = settled
		return err
	}
	aside, err := statefile.Afresh(m.path, once)
	if sum.SetAside = aside; err != nil {
		return Summary{SetAside: aside}, m.unavailable(err)
	}
	if about, err := os.Stat(m.path); err == nil {
		sum.Size = about.Size()
	}
	return sum, nil
}

func noWait(context.Context) error { return nil }

// write runs f in a transaction that holds the file's write lock, and reports whether the file was settled. The
// caller holds the lock.
func (m *Mirror) write(ctx context.Context, wait func(context.Context) error, f func(*sql.Tx) error) (settled bool, err error) {
	db, done, err := m.open(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	before, _ := os.Stat(m.path)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	if err = f(tx); err == nil {
		err = tx.Commit()
	}
	if err != nil {
		tx.Rollback() // before the handle is closed
		return false, err
	}
	if err := m.checkSameFile(before); err != nil {
		return false, err
	}
	return m.settle(ctx, db, wait)
}

// checkSameFile returns [errMoved] when the file that was written is no longer at its path: SQLite keeps
// writing to a file that was deleted.
func (m *Mirror) checkSameFile(before os.FileInfo) error {
	if m.path == "" {
		return nil
	}
	about, err := os.Stat(m.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(about, before) {
		return errMoved
	}
	return err
}

// keeping is one scan that is being kept.
type keeping struct {
	ctx     context.Context
	tx      *sql.Tx
	m       *Mirror
	place   ledger.Destination
	state   listing.State
	from    *gathering
	wait    func(context.Context) error
	memory  int64
	read    *merged
	changes statefile.Inserter
	sum     Summary
}

func (k *keeping) run() (err error) {
	k.sum.Rows, k.sum.Nameless, k.sum.Unkept = k.from.rows, k.from.nameless, len(k.from.unkept)
	k.changes = statefile.Inserter{Tx: k.tx, Table: "changes", Columns: 7}
	for _, step := range []func() error{k.begin, k.compare, k.end} {
		if err := step(); err != nil {
			return err
		}
	}
	return k.pause() // before all of it is written to the file
}

// begin finds the memory that the scan continues, and adds the scan.
func (k *keeping) begin() (err error) {
	if k.memory, err = k.memoryOf(); err != nil {
		return err
	}
	if k.memory == 0 {
		k.memory, err = newMemory(k.ctx, k.tx, k.place)
	} else {
		err = moveMemory(k.ctx, k.tx, k.memory, k.place)
	}
	if err != nil {
		return err
	}
	last, err := scans(k.ctx, k.tx, k.memory, "ORDER BY n DESC LIMIT 1")
	if err != nil {
		return err
	}
	if k.sum.First = len(last) == 0; !k.sum.First {
		ended := last[0].Ended // unless a clock was wrong
		if now := k.m.opts.Now(); !ended.Before(k.state.Ended.Truncate(time.Millisecond)) && !ended.After(now) {
			return ErrOlder
		}
	}
	k.sum.Scan = Scan{Began: k.state.Began, Ended: k.state.Ended, Rows: k.sum.Rows, Trusted: k.state.Verdict.Trusted}
	done, err := k.tx.ExecContext(k.ctx, "INSERT INTO scans (memory, began, ended, rows, trusted, added, moved, gone) VALUES (?, ?, ?, 0, ?, 0, 0, 0)",
		k.memory, k.state.Began.UnixMilli(), k.state.Ended.UnixMilli(), k.state.Verdict.Trusted)
	if err == nil {
		k.sum.N, err = done.LastInsertId()
	}
	return err
}

// A part is rows that are kept together.
type part struct {
	first string // the ID of the first; "" for none
	text  string
}

// partAfter is the first part of a memory behind an ID.
func partAfter(ctx context.Context, q statefile.Querier, memory int64, id string) (p part, err error) {
	err = q.QueryRowContext(ctx, "SELECT first, rows FROM list WHERE memory = ? AND first > ? ORDER BY first LIMIT 1", memory, id).Scan(&p.first, &p.text)
	if err == sql.ErrNoRows {
		err = nil
	}
	return p, err
}

// compare goes through the rows that are kept and those that were read, both in the order of their IDs, and writes the parts
// in which one is another.
func (k *keeping) compare() error {
	var err error
	if k.read, err = k.from.ordered(k.ctx); err != nil {
		return err
	}
	old, err := partAfter(k.ctx, k.tx, k.memory, "")
	for err == nil {
		var next part
		if old.first != "" {
			next, err = partAfter(k.ctx, k.tx, k.memory, old.first)
		}
		if err == nil {
			err = k.comparePart(old, next.first)
		}
		if err == nil {
			err = k.pause()
		}
		if old = next; old.first == "" {
			break
		}
	}
	if err == nil && !k.sum.NoLog {
		err = k.changes.Flush(k.ctx)
	}
	return err
}

// comparePart compares the rows of a part with those that were read before the next.
func (k *keeping) comparePart(old part, next string) (err error) {
	w := partWriter{keeping: k, old: old.first}
	kept := cursor{text: old.text, more: func() (string, error) { return "", nil }}
	if err = kept.next(); err != nil {
		return err
	}
	for {
		id, is := kept.line.id(), kept.line != ""
		l := k.read.line()
		found := l != "" && (next == "" || l.id() < next)
		switch {
		case !is && !found:
			return w.end()
		case is && (!found || id < l.id()):
			err = k.missing(&w, kept.line)
		case !is || l.id() < id:
			err = k.one(&w, l.id(), "")
		default:
			err = k.one(&w, id, kept.line)
		}
		if err == nil && is && (!found || id <= l.id()) {
			err = kept.next()
		}
		if err != nil {
			return err
		}
	}
}

// one takes the lines with an ID that were read. Where they are several, which of them is right is not known: one that was read
// later is no newer state, since all are of the same list. What was kept then stays.
func (k *keeping) one(w *partWriter, id string, was line) error {
	now, several := k.read.line(), false
	for l := now; l.id() == id; l = k.read.line() {
		several = several || l != now
		if err := k.read.next(); err != nil {
			return err
		}
	}
	switch {
	case several:
		k.sum.Doubled++
		now = was
	case was == "":
		k.sum.New++
	case was != now:
		k.sum.Moved++
	}
	return w.put(id, was, now)
}

// missing takes a row that is kept and was not read: only a trusted scan says that it is gone.
func (k *keeping) missing(w *partWriter, was line) error {
	if !k.sum.Trusted {
		k.sum.Missing++
		return w.put(was.id(), was, was)
	}
	k.sum.Gone++
	return w.put(was.id(), was, "")
}

// A partWriter writes what becomes of a part, once something of it changes.
type partWriter struct {
	*keeping
	old     string // the ID with which the part begins that is replaced; "" for none
	lines   []line
	changed bool
}

func (w *partWriter) put(id string, was, now line) error {
	if now != "" {
		w.lines = append(w.lines, now)
	}
	if was != now {
		w.changed = true
		if err := w.note(id, was, now); err != nil {
			return err
		}
	}
	if len(w.lines) < 2*linesAtOnce {
		return nil
	}
	if err := w.write(w.lines[:linesAtOnce]); err != nil {
		return err
	}
	w.lines = append(w.lines[:0], w.lines[linesAtOnce:]...)
	return w.pause()
}

// note writes down a change.
func (k *keeping) note(id string, was, now line) error {
	if k.sum.First || k.sum.NoLog {
		return nil
	}
	wasStatus, wasValue := was.parts()
	status, value := now.parts()
	return k.changes.Add(k.ctx, k.memory, k.sum.N, id, wasStatus, wasValue, status, value)
}

func (w *partWriter) end() error {
	if !w.changed {
		return nil
	}
	return w.write(w.lines)
}

// write writes lines in place of the part.
func (w *partWriter) write(lines []line) (err error) {
	if w.old != "" {
		_, err = w.tx.ExecContext(w.ctx, "DELETE FROM list WHERE memory = ? AND first = ?", w.memory, w.old)
		w.old = ""
	}
	if err == nil && len(lines) > 0 {
		_, err = w.tx.ExecContext(w.ctx, "INSERT INTO list VALUES (?, ?, ?, ?)", w.memory, lines[0].id(), textOf(lines), len(lines))
	}
	return err
}

// pause lets what is more important pass, and looks at the size of the file.
func (k *keeping) pause() error {
	if err := k.wait(k.ctx); err != nil {
		return err
	}
	return k.fit()
}

// end writes down what was counted.
func (k *keeping) end() error {
	if k.sum.First {
		k.sum.New = 0
	}
	_, err := k.tx.ExecContext(k.ctx, "UPDATE scans SET rows = ?, added = ?, moved = ?, gone = ? WHERE n = ?",
		k.sum.Rows, k.sum.New, k.sum.Moved, k.sum.Gone, k.sum.N)
	return err
}
