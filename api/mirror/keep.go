package mirror

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/listing"
	"paydesk/api/statefile"
)

// A Summary says what became of a scan that was kept.
type Summary struct {
	Scan
	First bool // nothing was kept of this service before
	// Missing are kept rows that a scan without trust did not have. They stay.
	Missing int
	// Nameless rows have no id; Unkept have one that is too long or looks like a card number.
	Nameless, Unkept int
	// Doubled are the ids that came with several values. Which of them is right is not known, so what was kept
	// of such an id stays as it was, and none of it is a change.
	Doubled int
	// Dropped are the scans whose changes were dropped to stay below the limit; NoLog is whether those of
	// this scan were.
	Dropped int
	NoLog   bool
	// SetAside is where a damaged mirror was put; "" when it was sound.
	SetAside string
	Size     int64 // of the file, in bytes
	settled  bool  // see [Mirror.settle]
}

// Keep compares a scan with the rows that are kept of a service, writes down what changed, and keeps its
// rows: all of it or nothing. The scan must have reached the end of the list; only a trusted one says that
// rows are gone. Its error is an [*statefile.Unavailable], a [*TooLarge], [ErrIncomplete] or [ErrOlder].
func (m *Mirror) Keep(ctx context.Context, place journal.Destination, s listing.State) (Summary, error) {
	return m.keep(ctx, place, s, noWait)
}

// keep calls wait between batches, which returns once nothing more important is being done.
func (m *Mirror) keep(ctx context.Context, place journal.Destination, s listing.State, wait func(context.Context) error) (sum Summary, err error) {
	if s.Phase != listing.Done {
		return Summary{}, ErrIncomplete
	}
	if err := m.lock(ctx); err != nil {
		return Summary{}, m.unavailable(err)
	}
	defer m.unlock()
	once := func() error {
		settled, err := m.write(ctx, wait, func(tx *sql.Tx) error {
			k := &keeping{ctx: ctx, tx: tx, m: m, place: place, state: s, wait: wait}
			err := k.run()
			sum = k.sum
			return err
		})
		sum.settled = settled
		return err
	}
	seen, _ := os.Stat(m.path)
	err = once()
	if statefile.CauseOf(err) == statefile.Damaged && m.path != "" {
		var aside string
		if aside, err = statefile.SetAside(m.path, seen); err == nil {
			err = once()
			sum.SetAside = aside
		}
	}
	if err != nil {
		return Summary{SetAside: sum.SetAside}, m.unavailable(err)
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
	ctx    context.Context
	tx     *sql.Tx
	m      *Mirror
	place  journal.Destination
	state  listing.State
	wait   func(context.Context) error
	memory int64
	words  *words
	sum    Summary
}

func (k *keeping) run() (err error) {
	if k.words, err = readWords(k.ctx, k.tx); err != nil {
		return err
	}
	for _, step := range []func() error{k.read, k.begin, k.compare, k.end} {
		if err := step(); err != nil {
			return err
		}
	}
	return k.pause() // before all of it is written to the file
}

// seen are the rows of the scan, each ID once. Where one came with several values, doubled is set: a row that was read later
// is no newer state of an earlier one, since both are of the same list. They come from arrived, where they are as they were
// read: put into the order of IDs first, each is added behind the last, and not in the midst of all others.
const seen = `CREATE TEMP TABLE IF NOT EXISTS arrived (id ANY, minor INTEGER, raw TEXT, currency INTEGER, status INTEGER) STRICT; DELETE FROM arrived;
	CREATE TEMP TABLE IF NOT EXISTS seen (id ANY PRIMARY KEY, minor INTEGER, raw TEXT, currency INTEGER NOT NULL, status INTEGER NOT NULL,
		doubled INTEGER NOT NULL DEFAULT FALSE) STRICT, WITHOUT ROWID; DELETE FROM seen`

// batchRows is how many rows are read or written before a payment is let pass.
const batchRows = 1000

// sortedRows is how many rows are put into order by one statement, which takes some tenths of a second.
const sortedRows = 100_000

// read reads the rows of the scan.
func (k *keeping) read() error {
	if _, err := k.tx.ExecContext(k.ctx, seen); err != nil {
		return err
	}
	const order = `INSERT INTO seen (id, minor, raw, currency, status) SELECT * FROM arrived WHERE TRUE ORDER BY id ON CONFLICT (id) DO UPDATE SET
		doubled = doubled OR minor IS NOT excluded.minor OR raw IS NOT excluded.raw OR currency <> excluded.currency OR status <> excluded.status`
	unkept := map[string]bool{}
	var args []any
	flush := func() error {
		if len(args) == 0 {
			return nil
		}
		values := strings.Repeat(", (?, ?, ?, ?, ?)", len(args)/seenColumns-1)
		_, err := k.tx.ExecContext(k.ctx, "INSERT INTO arrived VALUES (?, ?, ?, ?, ?)"+values, args...)
		args = args[:0]
		return err
	}
	sort := func() error {
		if err := flush(); err != nil {
			return err
		}
		_, err := k.tx.ExecContext(k.ctx, order+"; DELETE FROM arrived")
		return err
	}
	err := k.state.Rows.Each(k.ctx, listing.Search{}, func(_ int, row api.Row) error {
		id := row.ID.Line(0)
		to, ok := storable(id)
		switch k.sum.Rows++; {
		case id == "":
			k.sum.Nameless++
			return nil
		case !ok:
			unkept[id] = true
			k.sum.Unkept = len(unkept)
			return nil
		}
		r, err := k.words.record(k.ctx, k.tx, row)
		if args = append(append(args, to.value()), r.values()...); err == nil && len(args) == seenAtOnce*seenColumns {
			err = flush()
		}
		if err == nil && k.sum.Rows%sortedRows == 0 {
			err = sort()
		}
		if err == nil && k.sum.Rows%batchRows == 0 {
			err = k.wait(k.ctx)
		}
		return err
	})
	if err == nil {
		err = sort()
	}
	return err
}

// seenAtOnce is how many rows a statement inserts, of so many columns.
const seenAtOnce, seenColumns = 20, 5

// begin finds the memory that the scan continues, and adds the scan.
func (k *keeping) begin() (err error) {
	if k.memory, err = memoryOf(k.ctx, k.tx, k.place); err != nil {
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

// How the rows of the scan are compared with those that are kept. A range of IDs follows, as of all statements here.
const (
	differ = `FROM list AS l JOIN seen AS s ON s.id = l.id WHERE l.memory = ?1 AND NOT s.doubled
		AND (l.minor IS NOT s.minor OR l.raw IS NOT s.raw OR l.currency <> s.currency OR l.status <> s.status)`
	missing = "FROM list AS l WHERE l.memory = ?1 AND NOT EXISTS (SELECT 1 FROM seen AS s WHERE s.id = l.id)"
	fresh   = "FROM seen AS l WHERE NOT l.doubled AND NOT EXISTS (SELECT 1 FROM list AS k WHERE k.memory = ?1 AND k.id = l.id)"
	log     = "INSERT INTO changes (memory, scan, id, was_minor, was_raw, was_currency, was_status, minor, raw, currency, status) SELECT ?1, ?2, l.id, "
	was     = "l.minor, l.raw, l.currency, l.status"
	nothing = "NULL, NULL, NULL, NULL"
)

// compare compares the rows in ranges of their IDs, and writes what is not equal.
func (k *keeping) compare() error {
	if err := k.tx.QueryRowContext(k.ctx, "SELECT count(*) FROM seen WHERE doubled").Scan(&k.sum.Doubled); err != nil {
		return err
	}
	for after := any(0); ; { // a number is before each ID
		last := any(bytes.Repeat([]byte{0xff}, 2*len(key{}.uuid))) // which is behind each
		err := k.tx.QueryRowContext(k.ctx, "SELECT id FROM seen WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?", after, 10*batchRows).Scan(&last)
		if err != nil && err != sql.ErrNoRows {
			return err
		}
		end := err != nil
		if err := k.compareRange(after, last); err != nil {
			return err
		}
		if err := k.pause(); err != nil || end {
			return err
		}
		after = last
	}
}

// compareRange compares the rows after one ID and up to another.
func (k *keeping) compareRange(after, last any) (err error) {
	do := func(n *int, statement string) {
		if err != nil {
			return
		}
		var done sql.Result
		done, err = k.tx.ExecContext(k.ctx, statement+" AND l.id > ?3 AND l.id <= ?4", k.memory, k.sum.N, after, last)
		if err == nil && n != nil {
			changed, _ := done.RowsAffected() // SQLite knows it
			*n += int(changed)
		}
	}
	note := func(values, which string) {
		if !k.sum.First && !k.sum.NoLog {
			do(nil, log+values+" "+which)
		}
	}
	note(was+", s.minor, s.raw, s.currency, s.status", differ)
	do(&k.sum.Moved, "UPDATE list AS l SET minor = s.minor, raw = s.raw, currency = s.currency, status = s.status "+strings.NewReplacer("list AS l JOIN seen AS s ON s.id = l.id WHERE", "seen AS s WHERE s.id = l.id AND").Replace(differ))
	if k.sum.Trusted {
		note(was+", "+nothing, missing)
		do(&k.sum.Gone, "DELETE "+missing)
	} else if err == nil {
		var n int
		err = k.tx.QueryRowContext(k.ctx, "SELECT count(*) "+missing+" AND l.id > ?2 AND l.id <= ?3", k.memory, after, last).Scan(&n)
		k.sum.Missing += n
	}
	note(nothing+", "+was, fresh)
	do(&k.sum.New, "INSERT INTO list (memory, id, minor, raw, currency, status) SELECT ?1, l.id, "+was+" "+fresh)
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
