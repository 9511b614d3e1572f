package listing

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// A memory identifies what is kept of one service.
type memory struct {
	n     int64
	place ledger.Destination
}

// memories returns the memories of one address, the likeliest first: with the same key, then with an unknown key, then the
// one that was kept last. Another address has another list, even with the same key.
func memories(ctx context.Context, q statefile.Querier, place ledger.Destination) (all []memory, err error) {
	place = place.Stored()
	at := place.Hosts()
	all, err = statefile.All(ctx, q, func(m *memory) []any {
		return []any{&m.n, &m.place.Environment, &m.place.Host, &m.place.Fingerprint}
	}, `SELECT n, environment, service, fingerprint FROM memories WHERE environment = ? AND service IN (?, ?, ?)
		ORDER BY (SELECT max(s.n) FROM scans AS s WHERE s.memory = memories.n) DESC`, place.Environment, at[0], at[1], at[2])
	likely := func(m memory) int {
		switch {
		case place.HasSameKey(m.place):
			return 0
		case !place.HasOtherKey(m.place):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(all, func(a, b memory) int { return likely(a) - likely(b) })
	return all, err
}

// Forget removes all that is kept of a service: rows, scans and changes. What is kept of another account at the same address
// stays.
func (m *Mirror) Forget(ctx context.Context, place ledger.Destination) error {
	if err := m.lock(ctx); err != nil {
		return m.unavailable(err)
	}
	defer m.unlock()
	return m.unavailable(m.write(ctx, func(tx *sql.Tx) error {
		all, err := memories(ctx, tx, place)
		for i, one := range all {
			if i > 0 && place.HasOtherKey(one.place) { // the first is the one that [since] chooses
				continue
			}
			for _, from := range []string{"list WHERE memory", "scans WHERE memory", "memories WHERE n"} {
				if err == nil {
					_, err = tx.ExecContext(ctx, "DELETE FROM "+from+" = ?", one.n)
				}
			}
		}
		return err
	}))
}

// A Scan is one reading of the whole list that was kept.
type Scan struct {
	N            int64
	Began, Ended time.Time
	Rows         int
	Trusted      bool // see [Verdict]
}

// scans reads scans of a memory; rest is the end of the query.
func scans(ctx context.Context, q statefile.Querier, memory int64, rest string, args ...any) ([]Scan, error) {
	return statefile.All(ctx, q, func(s *Scan) []any {
		return []any{&s.N, statefile.Milli(&s.Began), statefile.Milli(&s.Ended), &s.Rows, &s.Trusted}
	}, "SELECT n, began, ended, rows, trusted FROM scans WHERE memory = ? "+rest, append([]any{memory}, args...)...)
}

// A History tells what changed in a list between two scans.
type History struct {
	// From and To are the scans that are compared; From is zero when only one is kept, and both are when none is.
	From, To Scan
	Between  int // scans between the two
	// Doubtful are the scans after From that are not trusted: what they did not have may be gone.
	Doubtful int
	// Short reports whether what was asked for lies before the oldest scan that is kept.
	Short bool
	// Kept tells how many rows are kept: those that the last scan read, and those that were kept before.
	Kept int
	// OtherKey reports whether the list was read with a key other than the present one.
	OtherKey bool
	Counts   map[string]int // rows by how they changed: [New] and those after it
	memory   int64
}

// since returns the scans to compare where a time is asked for: the last scan that had ended by then, and the last of all. The
// zero time stands for the scan before the last.
func since(ctx context.Context, q statefile.Querier, place ledger.Destination, at time.Time) (h History, err error) {
	same, err := memories(ctx, q, place)
	if err != nil || len(same) == 0 {
		return h, err
	}
	h.memory, h.OtherKey = same[0].n, place.HasOtherKey(same[0].place)
	all, err := scans(ctx, q, h.memory, "ORDER BY n")
	if err != nil || len(all) == 0 {
		return h, err
	}
	h.choose(all, at)
	return h, q.QueryRowContext(ctx, "SELECT count(*) FROM list WHERE memory = ? AND until = 0", h.memory).Scan(&h.Kept)
}

// choose chooses the scans that are compared.
func (h *History) choose(all []Scan, since time.Time) {
	last := len(all) - 1
	h.To = all[last]
	from := last - 1
	if !since.IsZero() {
		from = -1
		for i, s := range all {
			if !s.Ended.After(since) {
				from = i
			}
		}
		if from < 0 {
			from, h.Short = 0, true
		}
	}
	if from < 0 || from == last && since.IsZero() {
		return
	}
	h.From, h.Between, h.Counts = all[from], max(last-from-1, 0), map[string]int{}
	for _, s := range all[from+1:] {
		if !s.Trusted {
			h.Doubtful++
		}
	}
}

// changed is each row that is not as it was in an earlier scan: as it was and as it is, and the scan that saw it change last.
const changed = `WITH span AS (SELECT id, max(since, until) AS last, iif(since <= ?2, status, NULL) AS was, iif(since <= ?2, currency, NULL) AS was_currency,
			iif(since <= ?2, minor, NULL) AS was_minor, iif(since <= ?2, raw, NULL) AS was_raw, iif(until = 0, status, NULL) AS status,
			iif(until = 0, currency, NULL) AS currency, iif(until = 0, minor, NULL) AS minor, iif(until = 0, raw, NULL) AS raw
		FROM list WHERE memory = ?1 AND (until > ?2 OR until = 0 AND since > ?2)),
	net AS (SELECT id, max(last) AS last, max(was) AS was, max(was_currency) AS was_currency, max(was_minor) AS was_minor, max(was_raw) AS was_raw,
			max(status) AS status, max(currency) AS currency, max(minor) AS minor, max(raw) AS raw FROM span GROUP BY id)
	SELECT CASE WHEN was IS NULL AND status IS NULL THEN '` + Passed + `' WHEN was IS NULL THEN '` + New + `' WHEN status IS NULL THEN '` + Gone + `'
			WHEN was <> status THEN '` + Moved + `' WHEN (was_currency, was_minor, was_raw) IS (currency, minor, raw) THEN '` + Back + `' ELSE '` + Amount + `' END,
		(SELECT ended FROM scans WHERE n = last), id, coalesce(was, ''), coalesce(was_currency, ''), was_minor, was_raw,
		coalesce(status, ''), coalesce(currency, ''), minor, raw FROM net`

// A change tells how one row changed.
type change struct {
	Known
	// was and is hold the row before and after: of one that was or is not in the list only the ID is set.
	was, is api.Transaction
}

// read reads one row of changed.
func (c *change) read(rows *sql.Rows) error {
	var was, is value
	err := rows.Scan(&c.How, statefile.Milli(&c.Seen), &c.ID, &was.status, &was.currency, &was.minor, &was.raw, &is.status, &is.currency, &is.minor, &is.raw)
	c.Was, c.was, c.is = was.status, was.row(c.ID), is.row(c.ID)
	return err
}

// comparedAtOnce limits how many rows that changed are in memory.
const comparedAtOnce = 10_000

// Compare puts beside rows what changed since a scan that a query asks about: see [Asked]. rows must be those kept last;
// where they are nil it returns the rows that changed, as they are now.
func (m *Mirror) Compare(ctx context.Context, place ledger.Destination, asked string, rows *Rows) (*Rows, History, error) {
	at, _ := time.ParseInLocation(time.DateOnly, asked, time.Local)
	onlyChanged := rows == nil
	if onlyChanged {
		rows = Of()
	} else if err := rows.Forget(ctx, asked); err != nil {
		return rows, History{}, err
	}
	h, err := m.changes(ctx, place, at, func(some []change) error {
		var known []Known
		var is, gone []api.Transaction
		for _, c := range some {
			switch c.How {
			case Passed: // it has no values, before or after
				continue
			case Gone:
				gone = append(gone, c.was)
			default:
				is = append(is, c.is)
			}
			known = append(known, c.Known)
		}
		if onlyChanged {
			_, _ = rows.add(is, true) // an error is reported to whoever reads them
		}
		return rows.Know(ctx, asked, known, gone)
	})
	return rows, h, err
}

// changes calls f with all rows that changed since a time, in the order of their ids, some at a time.
func (m *Mirror) changes(ctx context.Context, place ledger.Destination, at time.Time, f func([]change) error) (h History, err error) {
	err = m.read(ctx, func(q statefile.Querier) (err error) {
		if h, err = since(ctx, q, place, at); err != nil || h.From.N == 0 {
			return err
		}
		var some []change
		err = statefile.ForEach(ctx, q, func(rows *sql.Rows) error {
			var c change
			err := c.read(rows)
			h.Counts[c.How]++
			if some = append(some, c); err == nil && len(some) == comparedAtOnce {
				err = f(some)
				some = some[:0]
			}
			return err
		}, changed, h.memory, h.From.N)
		if err == nil {
			err = f(some)
		}
		return err
	})
	return h, err
}
