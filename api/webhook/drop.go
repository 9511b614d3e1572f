package webhook

import (
	"context"
	"database/sql"
	"strconv"
	"time"

	"paydesk/api/statefile"
)

// dropAtOnce is the part of the events that is dropped when the file is full: one in so many, so that a full file is
// not searched for each delivery.
const dropAtOnce = 50

// fit keeps the file below its limit. The oldest events are dropped: first those that were not understood or are of payments
// that are not known here, since a stranger can make up such, then the others.
// What the transaction itself stored, from a delivery on, stays.
func (s *Store) fit(ctx context.Context, tx *sql.Tx, from int64) error {
	for {
		size, err := statefile.Used(ctx, tx)
		if err != nil || size <= s.opts.Limit {
			return err
		}
		if left, err := s.drop(ctx, tx, from); err != nil || !left {
			return err
		}
	}
}

// unclassifiedFor sets how long an event counts as one of a known payment before it was looked up.
const unclassifiedFor = 10 * time.Minute

// reserve sets how much of the disk, in bytes, is left to the journal, which is beside the file: an event is not worth a payment
// that cannot be recorded.
const reserve = 16 * statefile.MB

// checkRoom rejects events when the disk is nearly full.
func (s *Store) checkRoom() error {
	if s.path == "" {
		return nil
	}
	if free, known := statefile.Free(s.opts.Dir); known && free < s.reserve {
		return errNoRoom
	}
	return nil
}

// drop drops some events with all that is about them. It reports whether any are left.
func (s *Store) drop(ctx context.Context, tx *sql.Tx, from int64) (left bool, err error) {
	var n int64
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM events WHERE delivery < ?", from).Scan(&n); err != nil || n == 0 {
		return false, err
	}
	fresh := s.opts.Now().Add(-unclassifiedFor).UnixMilli()
	for _, statement := range [...]string{
		"CREATE TEMP TABLE IF NOT EXISTS dropping (id INTEGER PRIMARY KEY)",
		"DELETE FROM dropping",
		`INSERT INTO dropping SELECT id FROM events LEFT JOIN payments USING (profile, reference)
			WHERE delivery < ` + strconv.FormatInt(from, 10) + ` ORDER BY known IS 1 OR known IS NULL AND reference <> '' AND last > ` + strconv.FormatInt(fresh, 10) + `, last, id
			LIMIT max(1, (SELECT count(*) FROM events) / ` + strconv.Itoa(dropAtOnce) + `)`,
		`INSERT INTO profiles (profile, dropped) SELECT profile, sum(deliveries) FROM events WHERE id IN (SELECT id FROM dropping) GROUP BY profile
			ON CONFLICT (profile) DO UPDATE SET dropped = dropped + excluded.dropped`,
		"DELETE FROM deliveries WHERE event IN (SELECT id FROM dropping)",
		"DELETE FROM forwards WHERE event IN (SELECT id FROM dropping)",
		"DELETE FROM events WHERE id IN (SELECT id FROM dropping)",
		"DELETE FROM payments WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.profile = payments.profile AND events.reference = payments.reference)",
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return false, err
		}
	}
	return true, nil
}
