package mirror

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"paydesk/api/journal"
	"paydesk/api/listing"
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
// rows are gone. Its error is an [*Unavailable], a [*TooLarge], [ErrIncomplete] or [ErrOlder].
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
			k := &keeping{ctx: ctx, tx: tx, m: m, place: place, state: s, rows: s.Rows, wait: wait}
			err := k.run()
			sum = k.sum
			return err
		})
		sum.settled = settled
		return err
	}
	err = once()
	if isDamage(err) && m.path != "" {
		var aside string
		if aside, err = m.setAside(); err == nil {
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
	rows   *listing.Rows
	wait   func(context.Context) error
	memory int64
	words  *words
	seen   []bool       // rows that were kept already
	double map[int]bool // the first row of each id that came with several values
	log    *sql.Stmt
	sum    Summary
}

func (k *keeping) run() (err error) {
	if k.words, err = readWords(k.ctx, k.tx); err != nil {
		return err
	}
	if err = k.begin(); err != nil {
		return err
	}
	if err = k.findDoubled(); err != nil {
		return err
	}
	k.seen = make([]bool, k.rows.Len())
	for _, step := range []func() error{k.prepare, k.compare, k.addNew, k.end} {
		if err := step(); err != nil {
			return err
		}
	}
	return k.pause() // before all of it is written to the file
}

// begin finds the memory that the scan continues, and adds the scan.
func (k *keeping) begin() (err error) {
	if k.memory, err = memoryOf(k.ctx, k.tx, k.place, k.rows); err != nil {
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
	k.sum.Scan = Scan{Began: k.state.Began, Ended: k.state.Ended, Trusted: k.state.Verdict.Trusted}
	done, err := k.tx.ExecContext(k.ctx, "INSERT INTO scans (memory, began, ended, rows, trusted, added, moved, gone) VALUES (?, ?, ?, 0, ?, 0, 0, 0)",
		k.memory, k.state.Began.UnixMilli(), k.state.Ended.UnixMilli(), k.state.Verdict.Trusted)
	if err == nil {
		k.sum.N, err = done.LastInsertId()
	}
	return err
}

func (k *keeping) prepare() (err error) {
	k.log, err = k.tx.PrepareContext(k.ctx, `INSERT INTO changes (memory, scan, id, was_minor, was_raw, was_currency, was_status, minor, raw, currency, status)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	return err
}

// findDoubled finds the ids that came with several values. A row that was read later is no newer state of an
// earlier one: both are of the same list.
func (k *keeping) findDoubled() error {
	k.double = map[int]bool{}
	if k.rows.Unique() == k.rows.Len() {
		return nil
	}
	for i := range k.rows.Len() {
		row := k.rows.At(i)
		first, is := k.rows.Find(row.ID.Line(0))
		if !is || first == i || k.double[first] {
			continue
		}
		one, err := k.words.record(k.ctx, k.tx, k.rows.At(first))
		if err != nil {
			return err
		}
		other, err := k.words.record(k.ctx, k.tx, row)
		if err != nil {
			return err
		}
		if one != other {
			k.double[first] = true
		}
	}
	k.sum.Doubled = len(k.double)
	return nil
}

// compare goes through the rows that are kept, in batches: what is equal is not written.
func (k *keeping) compare() error {
	var after key
	for first := true; !k.sum.First; first = false {
		batch, err := readBatch(k.ctx, k.tx, k.memory, after, first)
		if err != nil || len(batch) == 0 {
			return err
		}
		for _, was := range batch {
			if err := k.compareRow(was); err != nil {
				return err
			}
		}
		after = batch[len(batch)-1].key
		if err := k.pause(); err != nil {
			return err
		}
	}
	return nil
}

func (k *keeping) compareRow(was kept) error {
	i, is := k.rows.Find(was.key.String())
	switch {
	case is:
		k.seen[i] = true
		if k.double[i] {
			return nil
		}
		now, err := k.words.record(k.ctx, k.tx, k.rows.At(i))
		if err != nil || now == was.record {
			return err
		}
		k.sum.Moved++
		if err := k.note(was.key, was.record, now); err != nil {
			return err
		}
		_, err = k.tx.ExecContext(k.ctx, "UPDATE list SET minor = ?, raw = ?, currency = ?, status = ? WHERE memory = ? AND id = ?",
			append(now.values(), k.memory, was.key.value())...)
		return err
	case !k.sum.Trusted:
		k.sum.Missing++
		return nil
	}
	k.sum.Gone++
	if err := k.note(was.key, was.record, record{}); err != nil {
		return err
	}
	_, err := k.tx.ExecContext(k.ctx, "DELETE FROM list WHERE memory = ? AND id = ?", k.memory, was.key.value())
	return err
}

// note writes a change down.
func (k *keeping) note(id key, was, is record) error {
	if k.sum.First || k.sum.NoLog {
		return nil
	}
	args := append([]any{k.memory, k.sum.N, id.value()}, was.values()...)
	_, err := k.log.ExecContext(k.ctx, append(args, is.values()...)...)
	return err
}

// A fresh is a row that is not kept yet, by its UUID.
type fresh struct {
	uuid [16]byte
	i    int32
}

// addNew adds the rows that are not kept yet, in the order of their keys: SQLite then fills page after page.
func (k *keeping) addNew() error {
	var texts []int32
	var uuids []fresh
	if k.sum.First {
		uuids = make([]fresh, 0, k.rows.Len())
	}
	for i := range k.rows.Len() {
		id := k.rows.At(i).ID.Line(0)
		first, _ := k.rows.Find(id)
		to, ok := storable(id)
		switch {
		case id == "":
			k.sum.Nameless++
		case first != i || k.seen[i] || k.double[i]:
		case !ok:
			k.sum.Unkept++
		case to.text != "":
			texts = append(texts, int32(i))
		default:
			uuids = append(uuids, fresh{to.uuid, int32(i)})
		}
	}
	slices.SortFunc(texts, func(a, b int32) int {
		return key{text: k.rows.At(int(a)).ID.Line(0)}.compare(key{text: k.rows.At(int(b)).ID.Line(0)})
	})
	slices.SortFunc(uuids, func(a, b fresh) int { return key{uuid: a.uuid}.compare(key{uuid: b.uuid}) })
	return k.insert(texts, uuids)
}

func (k *keeping) insert(texts []int32, uuids []fresh) error {
	add, err := k.tx.PrepareContext(k.ctx, "INSERT INTO list (memory, id, minor, raw, currency, status) VALUES (?, ?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer add.Close()
	n := 0
	one := func(id key, i int32) error {
		r, err := k.words.record(k.ctx, k.tx, k.rows.At(int(i)))
		if err == nil {
			_, err = add.ExecContext(k.ctx, append([]any{k.memory, id.value()}, r.values()...)...)
		}
		if err == nil {
			err = k.note(id, record{}, r)
		}
		if n++; err == nil && n%batchRows == 0 {
			err = k.pause()
		}
		return err
	}
	for _, i := range texts {
		if err := one(key{text: k.rows.At(int(i)).ID.Line(0)}, i); err != nil {
			return err
		}
	}
	for _, f := range uuids {
		if err := one(key{uuid: f.uuid}, f.i); err != nil {
			return err
		}
	}
	if !k.sum.First {
		k.sum.New = n
	}
	return nil
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
	k.sum.Rows = k.rows.Len()
	_, err := k.tx.ExecContext(k.ctx, "UPDATE scans SET rows = ?, added = ?, moved = ?, gone = ? WHERE n = ?",
		k.sum.Rows, k.sum.New, k.sum.Moved, k.sum.Gone, k.sum.N)
	return errors.Join(err, k.log.Close())
}
