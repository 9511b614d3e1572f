package listing

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// A Summary says what became of a scan that was kept.
type Summary struct {
	Scan
	First            bool // nothing was kept of this service before
	New, Moved, Gone int  // rows that changed since the scan before
	// Missing are kept rows that a scan without trust did not have. They stay.
	Missing int
	// Unkept rows have an ID that is too long, cannot be shown as it is, or looks like a card number. Rows without one are not kept
	// either: the [Verdict] counts them.
	Unkept int
	// Doubled are the ids that came with several values. Which of them is right is not known, so what was kept of such an id
	// stays as it was, and none of it is a change.
	Doubled int
	// Dropped counts the scans whose changes were dropped to stay below the limit; NoLog is set where those of this scan were.
	Dropped int
	NoLog   bool
	// SetAside tells where a damaged mirror was put; "" when it was sound.
	SetAside string
}

// keep compares a scan with the rows that are kept of a service, writes down what changed, and keeps its rows: all of it or
// nothing. The scan must have reached the end of the list; only a trusted one says that rows are gone. Its error is an
// [*statefile.Unavailable], a [*TooLarge], [ErrIncomplete] or [ErrOlder].
func (m *Mirror) keep(ctx context.Context, place ledger.Destination, s State) (sum Summary, err error) {
	if s.Phase != Done {
		return Summary{}, ErrIncomplete
	}
	if err := m.lock(ctx); err != nil {
		return Summary{}, m.unavailable(err)
	}
	defer m.unlock()
	aside, err := statefile.Afresh(m.path, func() error {
		return m.write(ctx, func(tx *sql.Tx) error {
			k := &keeping{ctx: ctx, tx: tx, m: m, place: place, state: s}
			err := k.run()
			sum = k.sum
			return err
		})
	})
	if sum.SetAside = aside; err != nil {
		return Summary{SetAside: aside}, m.unavailable(err)
	}
	return sum, nil
}

// keeping is one scan that is being kept.
type keeping struct {
	ctx    context.Context
	tx     *sql.Tx
	m      *Mirror
	place  ledger.Destination
	state  State
	memory int64
	rows   statefile.Inserter
	grown  bool // since the size of the file was looked at
	sum    Summary
}

func (k *keeping) run() error {
	k.rows = statefile.Inserter{Tx: k.tx, Table: "list", Columns: 9, Replace: true}
	for _, step := range []func() error{k.begin, k.compare, k.fit} { // the last before all of it is written to the file
		if err := step(); err != nil {
			return err
		}
	}
	if k.sum.First {
		k.sum.New = 0
	}
	return nil
}

// begin finds the memory that the scan continues, and adds the scan.
func (k *keeping) begin() (err error) {
	if k.memory, err = k.memoryOf(); err != nil {
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
	k.sum.Scan = Scan{Began: k.state.Began, Ended: k.state.Ended, Rows: k.state.Rows.Len(), Trusted: k.state.Verdict.Trusted}
	k.sum.Unkept = k.state.Rows.parts.unkept
	done, err := k.tx.ExecContext(k.ctx, "INSERT INTO scans (memory, began, ended, rows, trusted) VALUES (?, ?, ?, ?, ?)",
		k.memory, k.state.Began.UnixMilli(), k.state.Ended.UnixMilli(), k.sum.Rows, k.sum.Trusted)
	if err == nil {
		k.grown = true
		k.sum.N, err = done.LastInsertId()
	}
	return err
}

// memoryOf is the memory that the scan continues, or a new one. With another key at the same address it may be another account:
// it is this one when a row of it is among those that were read, since ids are given once.
func (k *keeping) memoryOf() (int64, error) {
	all, err := memories(k.ctx, k.tx, k.place)
	place := k.place.Stored()
	for _, m := range all {
		same := !k.place.HasOtherKey(m.place)
		if !same && err == nil {
			same, err = k.shares(m.n)
		}
		if same || err != nil {
			if err == nil {
				_, err = k.tx.ExecContext(k.ctx, `UPDATE memories SET service = ?1, fingerprint = CASE ?2 WHEN '' THEN fingerprint ELSE ?2 END
					WHERE n = ?3 AND (service <> ?1 OR fingerprint <> ?2)`, place.Host, place.Fingerprint, m.n)
			}
			return m.n, err
		}
	}
	if err != nil {
		return 0, err
	}
	done, err := k.tx.ExecContext(k.ctx, "INSERT INTO memories (environment, service, fingerprint) VALUES (?, ?, ?)",
		place.Environment, place.Host, place.Fingerprint)
	if err != nil {
		return 0, err
	}
	return done.LastInsertId()
}

// part are the rows of a part of a memory as the last scan left them, by their IDs, and those that were read.
func (k *keeping) part(memory int64, part int) (kept map[string]keptRow, read []keptRow, err error) {
	kept = map[string]keptRow{}
	err = statefile.ForEach(k.ctx, k.tx, func(rows *sql.Rows) error {
		var one keptRow
		err := rows.Scan(&one.id, &one.since, &one.status, &one.currency, &one.minor, &one.raw)
		kept[one.id] = one
		return err
	}, "SELECT id, since, status, currency, minor, raw FROM list WHERE memory = ? AND until = 0 AND part = ?", memory, part)
	if err == nil {
		read, err = k.state.Rows.part(k.ctx, part)
	}
	return kept, read, err
}

// shares reports whether a memory has one of the rows that were read.
func (k *keeping) shares(memory int64) (shared bool, err error) {
	for part := 0; part < partsOfList && err == nil && !shared; part++ {
		kept, read, failed := k.part(memory, part)
		shared, err = slices.ContainsFunc(read, func(r keptRow) bool { return kept[r.id].since > 0 }), failed
	}
	return shared, err
}

// compare compares the rows that are kept with those that were read, and writes down what differs. Rows that were read later
// are no newer, since all belong to the same list: where an ID has several, what was kept of it stays.
func (k *keeping) compare() error {
	for part := range partsOfList {
		kept, read, err := k.part(k.memory, part)
		if err != nil {
			return err
		}
		for _, now := range read {
			was, is := kept[now.id]
			delete(kept, now.id)
			switch {
			case now.several:
				k.sum.Doubled++
				continue
			case is && was.value == now.value:
				continue
			case is:
				k.sum.Moved++
				err = k.over(part, was)
			default:
				k.sum.New++
			}
			if now.since = k.sum.N; err == nil {
				err = k.put(0, part, now)
			}
			if err != nil {
				return err
			}
		}
		if !k.sum.Trusted { // only a trusted scan says that rows are gone
			k.sum.Missing += len(kept)
			clear(kept)
		}
		for id, was := range kept {
			k.sum.Gone++
			if err = k.over(part, was); err == nil {
				_, err = k.tx.ExecContext(k.ctx, "DELETE FROM list WHERE memory = ? AND until = 0 AND part = ? AND id = ?", k.memory, part, id)
			}
			if err != nil {
				return err
			}
		}
		if err = k.rows.Flush(k.ctx); err == nil {
			err = k.fit()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// over notes how a row was until this scan.
func (k *keeping) over(part int, was keptRow) error {
	if k.sum.NoLog {
		return nil
	}
	return k.put(k.sum.N, part, was)
}

func (k *keeping) put(until int64, part int, r keptRow) error {
	k.grown = true
	return k.rows.Add(k.ctx, k.memory, until, part, r.id, r.since, r.status, r.currency, r.minor, r.raw)
}

// fit keeps the file below the limit: the changes of the oldest scans are dropped, of whichever service. The rows of the list are
// not: a list that is too large by itself is not kept.
func (k *keeping) fit() error {
	for k.grown {
		size, err := statefile.Used(k.ctx, k.tx)
		if k.grown = size > k.m.opts.Limit; err != nil || !k.grown {
			return err
		}
		dropped, err := k.dropOldest()
		if err != nil {
			return err
		}
		if !dropped {
			return &TooLarge{k.sum.Rows, k.m.opts.Limit}
		}
	}
	return nil
}

// dropOldest drops the oldest changes. The scan that found them becomes the one that the changes of its service begin from.
func (k *keeping) dropOldest() (bool, error) {
	var n, memory int64
	err := k.tx.QueryRowContext(k.ctx, `SELECT n, memory FROM scans AS s
		WHERE EXISTS (SELECT 1 FROM scans AS b WHERE b.memory = s.memory AND b.n < s.n) ORDER BY n LIMIT 1`).Scan(&n, &memory)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		_, err = k.tx.ExecContext(k.ctx, "DELETE FROM list WHERE memory = ? AND until BETWEEN 1 AND ?", memory, n)
	}
	if err == nil {
		_, err = k.tx.ExecContext(k.ctx, "DELETE FROM scans WHERE memory = ? AND n < ?", memory, n)
	}
	k.sum.Dropped++
	k.sum.NoLog = k.sum.NoLog || n == k.sum.N
	return true, err
}
