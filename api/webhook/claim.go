package webhook

import (
	"context"
	"database/sql"
	"time"

	"paydesk/api"
	"paydesk/api/statefile"
)

// A question is a payment that this process is to ask about now.
type question struct {
	reference api.Reference
	known     bool
}

// unclassified returns some of the payments that are due and were not looked up here yet.
func (s *Store) unclassified(ctx context.Context, profile string) (all []api.Reference, err error) {
	err = s.read(ctx, func(db statefile.Querier) error {
		all, err = statefile.All(ctx, db, statefile.One[api.Reference],
			"SELECT reference FROM payments WHERE profile = ? AND known IS NULL AND due > 0 ORDER BY due LIMIT 200", profile)
		return err
	})
	return all, err
}

// classify stores which payments are known here. Of the others so many wait, and the rest is not asked about.
func (s *Store) classify(ctx context.Context, profile string, all []api.Reference, known map[api.Reference]bool) error {
	if len(all) == 0 {
		return nil
	}
	return s.write(ctx, quick, func(tx *sql.Tx) error {
		for _, r := range all {
			if _, err := tx.ExecContext(ctx, "UPDATE payments SET known = ? WHERE profile = ? AND reference = ?", known[r], profile, string(r)); err != nil {
				return err
			}
		}
		return leaveOut(ctx, tx, profile)
	})
}

// leaveOut takes the payments that are too many out of the queue of those that are not known.
func leaveOut(ctx context.Context, tx *sql.Tx, profile string) error {
	const excess = "SELECT reference FROM payments WHERE profile = ?1 AND known = 0 AND due > 0 ORDER BY due LIMIT -1 OFFSET ?2"
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM ("+excess+")", profile, maxUnknown).Scan(&n); err != nil || n == 0 {
		return err
	}
	number, err := nextJudgement(ctx, tx, profile)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE events SET verdict = ?3, judged = ?5 WHERE profile = ?1 AND verdict = ?4 AND reference IN ("+excess+")",
		profile, maxUnknown, string(NotAsked), string(Waiting), number)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE payments SET due = 0, problem = ?3 WHERE profile = ?1 AND reference IN ("+excess+")", profile, maxUnknown, errTooMany)
	return err
}

// claim takes at most n payments that are due, so that no other process asks about them: those that are known at once, of the
// others one a second.
func (s *Store) claim(ctx context.Context, profile string, n int) (all []question, err error) {
	now := s.opts.Now()
	err = s.write(ctx, quick, func(tx *sql.Tx) error {
		if all, err = claimDue(ctx, tx, profile, true, n, now); err != nil || len(all) == n {
			return err
		}
		var asking int64
		row := tx.QueryRowContext(ctx, "INSERT INTO profiles (profile) VALUES (?) ON CONFLICT DO UPDATE SET profile = profile RETURNING asking", profile)
		if err := row.Scan(&asking); err != nil || asking > now.UnixMilli() {
			return err
		}
		more, err := claimDue(ctx, tx, profile, false, 1, now)
		if err != nil || len(more) == 0 {
			return err
		}
		all = append(all, more...)
		_, err = tx.ExecContext(ctx, "UPDATE profiles SET asking = ? WHERE profile = ?", now.Add(unknownEvery).UnixMilli(), profile)
		return err
	})
	return all, err
}

func claimDue(ctx context.Context, tx *sql.Tx, profile string, known bool, n int, now time.Time) ([]question, error) {
	return statefile.All(ctx, tx, func(q *question) []any { return []any{&q.reference, &q.known} },
		`UPDATE payments SET due = ?1, asked = ?2, tries = tries + 1 WHERE profile = ?3 AND reference IN
		(SELECT reference FROM payments WHERE profile = ?3 AND known = ?4 AND due > 0 AND due <= ?2 ORDER BY due LIMIT ?5) RETURNING reference, known`,
		now.Add(claimed).UnixMilli(), now.UnixMilli(), profile, known, n)
}

// nextDue returns when the next payment is due; zero for none.
func (s *Store) nextDue(ctx context.Context, profile string) (next time.Time, err error) {
	err = s.read(ctx, func(db statefile.Querier) error {
		var known, other, asking sql.NullInt64
		err := db.QueryRowContext(ctx, `
			SELECT (SELECT min(due) FROM payments WHERE profile = ?1 AND due > 0 AND known = 1),
				(SELECT min(due) FROM payments WHERE profile = ?1 AND due > 0 AND known = 0), (SELECT asking FROM profiles WHERE profile = ?1)`,
			profile).Scan(&known, &other, &asking)
		if other.Valid {
			other.Int64 = max(other.Int64, asking.Int64)
		}
		for _, at := range []sql.NullInt64{known, other} {
			if at.Valid && (next.IsZero() || statefile.FromMilli(at.Int64).Before(next)) {
				next = statefile.FromMilli(at.Int64)
			}
		}
		return err
	})
	return next, err
}
