package journal

import (
	"context"
	"time"

	"paydesk/api/ledger"
)

// A PurgeResult tells what a purge deletes, or deleted.
type PurgeResult struct {
	Attempts       int
	Oldest, Newest time.Time
	Kept           int // older attempts that stay, because they are unresolved or mismatched
}

// purgeAtOpen bounds how many attempts are deleted when the journal is opened, so that a
// long absence does not delay the start; the rest is deleted later, each time as many.
const purgeAtOpen = 200

// PurgePreview returns what [Journal.Purge] would delete.
func (j *Journal) PurgePreview(ctx context.Context, before time.Time) (PurgeResult, error) {
	return ask(ctx, j, func(t *readTx) (PurgeResult, error) { return t.purgeable(before) })
}

// Purge deletes the attempts that were sent before a time, with their events, the payments that
// were looked up last before it, and the pins of both. Unresolved and mismatched attempts stay, however old.
// It deletes a batch at a time, so that no payment waits for long; with an error it returns what was deleted before.
func (j *Journal) Purge(ctx context.Context, before time.Time) (s PurgeResult, err error) {
	if s, err = j.PurgePreview(ctx, before); err != nil {
		return s, err
	}
	counted := s.Attempts
	s.Attempts = 0
	for more := true; more && err == nil; {
		gone := 0
		err = j.transact(ctx, purgeOn, func(t *writeTx) (err error) {
			gone, err = t.purge(before, min(counted-s.Attempts, purgeBatch))
			return err
		})
		if err == nil {
			s.Attempts += gone
		}
		more = gone > 0 && s.Attempts < counted
	}
	if j.file != nil {
		j.file.emptyLog(ctx) // it has what the rows were
	}
	return s, err
}

// purgeOn names what a purge concerns. No rule asks about purged rows, so only a write that names nothing waits for a batch.
const purgeOn = "purge"

// purgeBatch limits how many attempts one transaction deletes.
const purgeBatch = 1000

// purgePace sets how often a console deletes what is too old.
const purgePace = time.Hour

// purgeIsDue reports whether the last one is long ago, and notes the next.
func (j *Journal) purgeIsDue(now time.Time) bool {
	j.waiting.Lock()
	defer j.waiting.Unlock()
	due := now.Sub(j.purged) >= purgePace
	if due {
		j.purged = now
	}
	return due
}

// openSQL selects what is unresolved, mismatched or still being sent.
const openSQL = "(outcome = 'sent' OR outcome = 'unresolved' AND verdict = '' OR mismatch <> 0 AND mismatch_verdict = '')"

// purgeableSQL leaves out what is open, and the finalizes of a payment that is: it would seem not to be finalized.
const purgeableSQL = "at < ? AND NOT " + openSQL + ` AND NOT (kind = 'finalize' AND EXISTS (SELECT 1 FROM attempts AS p
	WHERE p.kind = 'initiate' AND p.reference = attempts.reference AND p.environment = attempts.environment AND ` + openSQL + "))"

// purgeable counts the attempts older than a time that may be deleted. It may read every row, so a start
// does without it.
func (t *readTx) purgeable(before time.Time) (s PurgeResult, err error) {
	var oldest, newest int64
	err = t.one("SELECT count(*), coalesce(min(at), 0), coalesce(max(at), 0), (SELECT count(*) FROM attempts WHERE at < ? AND "+openSQL+
		") FROM attempts WHERE "+purgeableSQL,
		[]any{unixNano(before), unixNano(before)}, &s.Attempts, &oldest, &newest, &s.Kept)
	s.Oldest, s.Newest = fromNano(oldest), fromNano(newest)
	return s, err
}

// purge deletes attempts that are older than a time, oldest first and at most limit of them, and returns how many. Of the
// facts about what it deletes their places in the chain are left. A server spares what is changed meanwhile, or by its facts
// is not what its row says, and does not tell: of a team's journal it returns limit.
func (t *writeTx) purge(before time.Time, limit int) (gone int, err error) {
	if t.shared { // who uses it may not delete
		return limit, t.exec("SELECT paydesk_purge(?, ?)", unixNano(before), limit)
	}
	deleted, err := collect(t.readTx, func(r scanner) (a ledger.Attempt, err error) {
		err = r.Scan(&a.ID, &a.Kind)
		return a, err
	}, "DELETE FROM entries WHERE n IN (SELECT n FROM payments AS p WHERE "+purgeableKnown+") OR n IN (SELECT n FROM attempts WHERE "+
		purgeableSQL+" ORDER BY at LIMIT ?) RETURNING id, kind", unixNano(before), unixNano(before), unixNano(before), limit)
	for _, a := range deleted {
		if a.Kind != ledger.Known {
			gone++
		}
		if err == nil {
			err = t.exec("UPDATE facts SET entry = '', at = 0, body = '', login = '', about = '' WHERE entry = ? AND entry <> ''", string(a.ID))
		}
	}
	return gone, err
}

// purgeableKnown is a payment that was last looked up and pinned a long time ago. The pin of one that was made here stays
// for as long as that is here.
const purgeableKnown = `answered < ? AND pinned < ? AND NOT (pinned <> 0 AND EXISTS (
	SELECT 1 FROM attempts AS a WHERE a.reference = p.reference AND a.reference <> '' AND a.environment = p.environment))`
