package journal

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"paydesk/api"
	"paydesk/api/ledger"
)

// Unfinished returns what needs attention at a destination: first the unresolved attempts and the
// links that must be read, then the mismatched payments, then those under way, newest first in each
// group.
func (j *Journal) Unfinished(ctx context.Context, d ledger.Destination) ([]ledger.Attempt, error) {
	return ask(ctx, j, func(t *readTx) ([]ledger.Attempt, error) { return t.unfinished(d) })
}

func (t *readTx) unfinished(d ledger.Destination) (all []ledger.Attempt, err error) {
	var parts []string
	var args []any
	for _, c := range []string{
		undecided, "outcome = 'sent'", unread, "mismatch <> 0 AND mismatch_verdict = '' AND at BETWEEN 0 AND 9000000000000000000",
		"kind = 'initiate' AND reference <> '' AND final = 0",
	} { // each has an index, which SQLite takes for the mismatches because their time is bounded; a view would be expanded five times
		parts, args = append(parts, "SELECT n FROM entries WHERE kind <> 'payment' AND "+c+" AND "+atService), append(args, atArgs(d)...)
	}
	rows, err := t.entries("attempts", "WHERE n IN ("+strings.Join(parts, " UNION ")+")"+newestFirst, args...)
	var differ, underWay []ledger.Attempt
	for _, a := range t.toAttempts(rows) {
		switch {
		case a.IsUnresolved(), a.MustBeRead():
			all = append(all, a)
		case a.Mismatch.Undecided():
			differ = append(differ, a)
		case a.UnderWay():
			underWay = append(underWay, a)
		}
	}
	return slices.Concat(all, differ, underWay), err
}

// Attempt returns the attempt with an ID, or [ledger.ErrNotFound].
func (j *Journal) Attempt(ctx context.Context, id ledger.ID) (ledger.Attempt, error) {
	return ask(ctx, j, func(t *readTx) (ledger.Attempt, error) {
		e, err := t.byID(id)
		return t.asSeen(e).Attempt, err
	})
}

// CardLike returns the references at a destination that look like card numbers; most journals have
// none.
func (j *Journal) CardLike(ctx context.Context, d ledger.Destination) ([]api.Reference, error) {
	return ask(ctx, j, func(t *readTx) ([]api.Reference, error) { return t.cardLike(d) })
}

// Respelled returns the reference at a destination that differs from ref in the case of letters alone, ""
// for none.
func (j *Journal) Respelled(ctx context.Context, d ledger.Destination, ref api.Reference) (api.Reference, error) {
	return ask(ctx, j, func(t *readTx) (api.Reference, error) {
		all, err := t.entries("attempts", "WHERE lower(reference) = ? AND reference <> '' AND "+atService+newestFirst,
			append([]any{api.LowerASCII(string(ref))}, atArgs(d)...)...)
		for _, r := range all {
			if r.Reference != ref {
				return r.Reference, err
			}
		}
		return "", err
	})
}

// cardLike names the index that has all it asks for: SQLite would read each row of the environment.
func (t *readTx) cardLike(d ledger.Destination) ([]api.Reference, error) {
	all, err := collect(t, only[api.Reference], `SELECT reference FROM attempts
		WHERE reference <> '' AND length(reference) >= 13 AND `+atService, atArgs(d)...)
	return slices.DeleteFunc(all, func(r api.Reference) bool { return !r.LooksLikeCard() }), err
}

// Differing returns all payments at a destination about which an answer differed, and how, wherever they were made and
// whatever was decided about it.
func (j *Journal) Differing(ctx context.Context, d ledger.Destination) (map[api.Reference]ledger.Mismatch, error) {
	return ask(ctx, j, func(t *readTx) (map[api.Reference]ledger.Mismatch, error) {
		looked, err := t.entries("payments", "WHERE mismatch <> 0 AND "+atService, atArgs(d)...)
		made, failed := t.entries("attempts", "WHERE mismatch <> 0 AND reference <> '' AND "+mayHaveMade+" AND "+atService, atArgs(d)...)
		all := map[api.Reference]ledger.Mismatch{}
		for _, e := range append(looked, made...) { // what was made here was also asked about before that was known
			all[e.Reference] = e.Mismatch
		}
		return all, cmp.Or(err, failed)
	})
}

// History returns an attempt and its events, oldest first, or [ledger.ErrNotFound]. Those of a payment are all that
// [Journal.Record] returns.
func (j *Journal) History(ctx context.Context, id ledger.ID) (a ledger.Attempt, events []ledger.Event, err error) {
	err = j.read(ctx, func(t *readTx) error {
		r, err := t.byID(id)
		if err != nil {
			return err
		}
		a = t.asSeen(r).Attempt
		if r.Kind != ledger.Initiate {
			events, err = t.historyOf("", r)
			return err
		}
		same, err := t.ofPayments(r.Destination, r.Reference)
		if err == nil {
			events, err = t.historyOf(finalizePrefix, withRows(same[r.Reference], r)...)
		}
		return err
	})
	return a, events, err
}

// finalizePrefix tells what happened to a finalize from what happened to its payment.
const finalizePrefix = string(ledger.Finalize) + " "

// historyOf returns what the facts about rows add to their history, in the order in which it happened. What happened to a
// finalize gets a prefix that tells it from what happened to the payment.
func (t *readTx) historyOf(prefix string, of ...ledger.Entry) (all []ledger.Event, err error) {
	facts, err := t.factsOf(idsOf(of)...)
	if err != nil {
		return nil, err
	}
	for _, r := range of {
		_, history := ledger.Fold(facts[r.ID])
		for _, e := range history {
			if r.Kind == ledger.Finalize && prefix != "" {
				e.What = prefix + e.What
				if e.Detail == string(r.Reference) {
					e.Detail = "" // it is the payment's
				}
			}
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b ledger.Event) int { return a.At.Compare(b.At) })
	return all, nil
}

// Choices returns the values that occur in the journal.
func (j *Journal) Choices(ctx context.Context) (Choices, error) {
	return ask(ctx, j, func(t *readTx) (c Choices, err error) {
		var all [5][]string
		for i, name := range []string{"outcome", "verdict", "status", "currency", "operator"} {
			if all[i], err = t.distinct(name); err != nil {
				return c, err
			}
		}
		c = Choices{Statuses: all[2], Outcomes: slices.Concat(all[0], all[1]), Currencies: all[3], Users: all[4]}
		differ, err := t.exists("mismatch <> 0")
		if differ {
			c.Statuses = append(c.Statuses, Mismatched)
		}
		open, failed := t.exists(undecided)
		if !open { // all of them were decided about
			c.Outcomes = slices.DeleteFunc(c.Outcomes, func(o string) bool { return o == string(ledger.Unresolved) })
		}
		slices.Sort(c.Statuses)
		slices.Sort(c.Outcomes)
		return c, cmp.Or(err, failed)
	})
}

// exists reports whether an attempt meets a condition, which should have an index.
func (t *readTx) exists(condition string) (is bool, err error) {
	err = t.one("SELECT EXISTS (SELECT 1 FROM attempts WHERE "+condition+")", nil, &is)
	return is, err
}

// distinct returns the values of a column, sorted. It steps from value to value through the
// column's index; DISTINCT would read all rows.
func (t *readTx) distinct(name string) ([]string, error) {
	return collect(t, only[string], strings.ReplaceAll(`
		WITH RECURSIVE step (v) AS (
			SELECT (SELECT min(COL) FROM attempts WHERE COL <> '')
			UNION ALL
			SELECT (SELECT min(COL) FROM attempts WHERE COL <> '' AND COL > v) FROM step WHERE v IS NOT NULL
		) SELECT v FROM step WHERE v IS NOT NULL`, "COL", name))
}

// SQLiteVersion is the version of the database library.
const SQLiteVersion = sqlite3.SQLITE_VERSION

// Statistics describe a journal without saying anything of a payment.
type Statistics struct {
	Size           int64 // bytes; 0 in memory
	Version        int   // of the file's format
	Retention      time.Duration
	Attempts       int
	Oldest, Newest time.Time // attempts; zero without any
	Groups         []Group
}

// A Group are the attempts that are alike.
type Group struct {
	Kind     ledger.Kind
	Outcome  ledger.Outcome
	Decision ledger.Decision
	Status   string // the documented word; "" for none
	Attempts int
}

// Statistics counts the attempts of all profiles.
func (j *Journal) Statistics(ctx context.Context) (Statistics, error) {
	return ask(ctx, j, func(t *readTx) (s Statistics, err error) {
		s.Version, s.Retention = currentVersion, j.opts.Retention
		if newer := j.newer.Load(); newer > 0 {
			s.Version = int(newer)
		}
		if about, err := os.Stat(j.path); err == nil {
			s.Size = about.Size()
		}
		s.Groups, err = collect(t, func(rows scanner) (g Group, err error) {
			var oldest, newest int64
			err = rows.Scan((*string)(&g.Kind), (*string)(&g.Outcome), (*string)(&g.Decision), &g.Status, &g.Attempts, &oldest, &newest)
			s.Attempts += g.Attempts
			if from := fromNano(oldest); s.Oldest.IsZero() || from.Before(s.Oldest) {
				s.Oldest = from
			}
			if to := fromNano(newest); to.After(s.Newest) {
				s.Newest = to
			}
			return g, err
		}, `SELECT kind, outcome, verdict, status, count(*), min(at), max(at) FROM attempts
			GROUP BY kind, outcome, verdict, status ORDER BY kind, outcome, verdict, status`)
		return s, err
	})
}
