package journal

import (
	"context"
	"time"
)

// purgeAtOpen bounds how many attempts go when the journal is opened, so that a long
// absence does not keep a person waiting; the rest goes the next times.
const purgeAtOpen = 1000

// PurgePreview is what [Journal.Purge] would take.
func (j *Journal) PurgePreview(ctx context.Context, before time.Time) (s PurgeResult, err error) {
	err = j.read(ctx, func(t *readTx) error {
		s, err = t.purgeable(before, -1)
		return err
	})
	return s, err
}

// Purge deletes the attempts that were sent before a time, with their events; those that
// nobody knows the outcome of stay, however old.
func (j *Journal) Purge(ctx context.Context, before time.Time) (s PurgeResult, err error) {
	err = j.write(ctx, func(t *writeTx) error {
		s, err = t.purge(before, -1)
		return err
	})
	return s, err
}

// purgeableSQL is what a purge may take of what is older: all that is neither unresolved nor
// waited for.
const purgeableSQL = "at < ? AND NOT (outcome = 'sent' OR outcome = 'unresolved' AND verdict = '')"

// purgeable looks for what is older than a time, oldest first, most at the most; -1 is all.
func (t *readTx) purgeable(before time.Time, most int) (PurgeResult, error) {
	var s PurgeResult
	rows, err := t.q.QueryContext(t.ctx, `SELECT count(*), coalesce(min(at), 0), coalesce(max(at), 0)
		FROM (SELECT at FROM attempts WHERE `+purgeableSQL+` ORDER BY at LIMIT ?)`, unixNano(before), most)
	if err != nil {
		return s, err
	}
	defer rows.Close()
	for rows.Next() {
		var oldest, newest int64
		if err := rows.Scan(&s.Attempts, &oldest, &newest); err != nil {
			return s, err
		}
		s.Oldest, s.Newest = fromNano(oldest), fromNano(newest)
	}
	if err := rows.Err(); err != nil {
		return s, err
	}
	rows, err = t.q.QueryContext(t.ctx, `SELECT count(*) FROM attempts
		WHERE at < ? AND n IN (SELECT n FROM attempts WHERE outcome = 'unresolved' AND verdict = '' UNION SELECT n FROM attempts WHERE outcome = 'sent')`, unixNano(before))
	if err != nil {
		return s, err
	}
	return s, scanInt(rows, &s.Kept)
}

func (t *writeTx) purge(before time.Time, most int) (PurgeResult, error) {
	s, err := t.purgeable(before, most)
	if err != nil || s.Attempts == 0 {
		return s, err
	}
	_, err = t.tx.ExecContext(t.ctx, `DELETE FROM attempts WHERE n IN (SELECT n FROM attempts WHERE `+purgeableSQL+` ORDER BY at LIMIT ?)`, unixNano(before), most)
	return s, err
}
