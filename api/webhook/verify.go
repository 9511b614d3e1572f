package webhook

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/statefile"
)

// An Asker asks the service about payments. Its methods are called from several goroutines.
type Asker interface {
	// Ready reports whether requests are of any use now. While they are not, another process may ask.
	Ready() bool
	// Known returns those of the references that the journal or a pin has, or that are watched.
	Known(ctx context.Context, references []api.Reference) (map[api.Reference]bool, error)
	// Ask requests the status of a payment. known repeats what [Asker.Known] said: of one that is not known nothing
	// but the answer is kept.
	Ask(ctx context.Context, r api.Reference, known bool) Answer
}

// Bounds of a verifier.
const (
	asking     = 16                     // questions at once; the scheduler has bounds of its own
	pause      = 100 * time.Millisecond // between two looks at the file, so that a flood does not wake it for each event
	afterError = 5 * time.Second
)

// A verifier asks about the payments of the events of a profile.
type verifier struct {
	store   *Store
	profile string
	asker   Asker

	mu    sync.Mutex
	asked map[api.Reference]bool // under way
	done  sync.WaitGroup
}

// Verify asks about the payments of the events of a profile until ctx ends, and stores the answers. Of several
// processes that verify the same file, one asks about each payment. Its only error is that of ctx: a file that
// cannot be used is tried again.
func Verify(ctx context.Context, s *Store, profile string, a Asker) error {
	v := &verifier{store: s, profile: profile, asker: a, asked: map[api.Reference]bool{}}
	defer v.done.Wait()
	for {
		version, _ := s.changes.at()
		next, err := v.round(ctx)
		if err != nil {
			next = time.Now().Add(afterError)
			version, _ = s.changes.at()
		}
		if err := v.wait(ctx, version, next); err != nil {
			return err
		}
	}
}

// wait waits until a payment is due or something changed; zero means that nothing is due.
func (v *verifier) wait(ctx context.Context, version uint64, next time.Time) error {
	select {
	case <-time.After(pause):
	case <-ctx.Done():
		return ctx.Err()
	}
	until := ctx
	if !next.IsZero() {
		deadline, cancel := context.WithDeadline(ctx, next)
		defer cancel()
		until = deadline
	}
	_, _ = v.store.Wait(until, version) // its only error is that of until
	return ctx.Err()
}

// round asks about what is due, and returns when the next payment is.
func (v *verifier) round(ctx context.Context) (next time.Time, err error) {
	if err := v.classify(ctx); err != nil {
		return next, err
	}
	next, err = v.store.nextDue(ctx, v.profile)
	if err != nil || next.IsZero() || next.After(v.store.opts.Now()) {
		return next, err
	}
	if !v.asker.Ready() {
		return v.store.opts.Now().Add(afterError), nil
	}
	v.mu.Lock()
	free := asking - len(v.asked)
	v.mu.Unlock()
	if free == 0 { // an answer wakes it, unless it cannot be stored
		return v.store.opts.Now().Add(afterError), nil
	}
	questions, err := v.store.claim(ctx, v.profile, free)
	if err != nil {
		return next, err
	}
	for _, q := range questions {
		v.ask(ctx, q)
	}
	return v.store.nextDue(ctx, v.profile)
}

// classify looks which payments are known here, of all that arrived: one of them may be behind a flood of others.
func (v *verifier) classify(ctx context.Context) error {
	for {
		all, err := v.store.unclassified(ctx, v.profile)
		if err != nil || len(all) == 0 {
			return err
		}
		known, err := v.asker.Known(ctx, all)
		if err != nil {
			return err
		}
		if err := v.store.classify(ctx, v.profile, all, known); err != nil {
			return err
		}
	}
}

// ask asks about a payment on a goroutine of its own, unless it is asked about already: then it is due again once
// that is answered.
func (v *verifier) ask(ctx context.Context, q question) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.asked[q.reference] {
		return
	}
	v.asked[q.reference] = true
	began := v.store.opts.Now()
	v.done.Go(func() {
		limited, cancel := context.WithTimeout(ctx, claimed-spacing)
		defer cancel()
		a := v.asker.Ask(limited, q.reference, q.known)
		v.mu.Lock()
		delete(v.asked, q.reference)
		v.mu.Unlock()
		if ctx.Err() == nil { // else a verifier asks once the claim is over
			_ = v.store.storeAnswer(ctx, v.profile, q.reference, began, a)
		}
	})
}

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
	_, err = tx.ExecContext(ctx, "UPDATE payments SET due = 0, problem = ?3 WHERE profile = ?1 AND reference IN ("+excess+")", profile, maxUnknown,
		"Too many payments that are not known here are waiting to be checked.")
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
		if err := row.Scan(&asking); err != nil || asking > now.UnixMilli() && asking <= now.Add(unknownEvery).UnixMilli() {
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
		(SELECT reference FROM payments WHERE profile = ?3 AND known = ?4 AND due > 0 AND (due <= ?2 OR due > ?6) ORDER BY due LIMIT ?5)
		RETURNING reference, known`,
		now.Add(claimed).UnixMilli(), now.UnixMilli(), profile, known, n, aheadAfter(now))
}

// nextDue returns when the next payment is due; zero for none. One that is not known waits for its turn, too.
func (s *Store) nextDue(ctx context.Context, profile string) (next time.Time, err error) {
	now := s.opts.Now()
	var due sql.NullInt64
	err = s.read(ctx, func(db statefile.Querier) error {
		return db.QueryRowContext(ctx, `
			SELECT min(max(CASE WHEN due > ?2 THEN ?3 ELSE due END, CASE WHEN known = 0 AND asking <= ?4 THEN asking ELSE 0 END))
			FROM payments LEFT JOIN (SELECT asking FROM profiles WHERE profile = ?1) WHERE profile = ?1 AND due > 0 AND known IS NOT NULL`,
			profile, aheadAfter(now), now.UnixMilli(), now.Add(unknownEvery).UnixMilli()).Scan(&due)
	})
	return statefile.FromMilli(due.Int64), err
}
