package mirror

import (
	"context"
	"database/sql"
	"fmt"

	"paydesk/api/statefile"
)

// fit keeps the file below the limit: the changes of the oldest scans are dropped, of whichever service. The
// rows of the list are not: a list that is too large by itself is not kept.
func (k *keeping) fit() error {
	for {
		size, err := statefile.Used(k.ctx, k.tx)
		if err != nil || size <= k.m.opts.Limit {
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
}

// dropOldest drops the oldest changes. The scan that found them becomes the one that the changes of its
// service begin from.
func (k *keeping) dropOldest() (bool, error) {
	var n, memory sql.NullInt64
	err := k.tx.QueryRowContext(k.ctx, `SELECT n, memory FROM scans AS s
		WHERE EXISTS (SELECT 1 FROM scans AS b WHERE b.memory = s.memory AND b.n < s.n) ORDER BY n LIMIT 1`).Scan(&n, &memory)
	if err == sql.ErrNoRows {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if _, err = k.tx.ExecContext(k.ctx, "DELETE FROM changes WHERE memory = ? AND scan = ?", memory, n); err != nil {
		return false, err
	}
	k.sum.Dropped++
	k.sum.NoLog = k.sum.NoLog || n.Int64 == k.sum.N
	_, err = k.tx.ExecContext(k.ctx, "DELETE FROM scans WHERE memory = ? AND n < ?", memory, n)
	return true, err
}

// vacuumPages are the pages that are given back to the disk before a payment is let pass.
const vacuumPages = 100

// settle gives the space of what was dropped back to the disk, and writes SQLite's log into the file. It calls
// wait before each step, and returns false when that fails: the rest is for [Mirror.settleLater].
func (m *Mirror) settle(ctx context.Context, db *sql.DB, wait func(context.Context) error) (whole bool, err error) {
	ctx, waiting := context.WithoutCancel(ctx), ctx // it is kept
	for last := int64(-1); ; {
		free, err := statefile.Pragma[int64](ctx, db, "freelist_count")
		if err != nil {
			return false, err
		}
		if free == 0 || free == last {
			break
		}
		last = free
		if wait(waiting) != nil {
			return false, nil
		}
		if err := runPragma(ctx, db, fmt.Sprintf("incremental_vacuum(%d)", vacuumPages)); err != nil {
			return false, err
		}
	}
	if m.path == "" {
		return true, nil
	}
	if wait(waiting) != nil {
		return false, nil
	}
	return true, runPragma(ctx, db, "wal_checkpoint(TRUNCATE)")
}

func runPragma(ctx context.Context, db *sql.DB, pragma string) error {
	return statefile.ForEach(ctx, db, func(*sql.Rows) error { return nil }, "PRAGMA "+pragma)
}

// settleLater is [Mirror.settle] of what was written before.
func (m *Mirror) settleLater(ctx context.Context, wait func(context.Context) error) (whole bool, err error) {
	if err := m.lock(ctx); err != nil {
		return false, err
	}
	defer m.unlock()
	db, done, err := m.open(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	return m.settle(ctx, db, wait)
}
