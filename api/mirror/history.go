package mirror

import (
	"context"
	"database/sql"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/statefile"
)

// A Scan is one reading of the whole list that was kept, and what it found changed since the one before.
type Scan struct {
	N                int64
	Began, Ended     time.Time
	Rows             int
	Trusted          bool // see [listing.Verdict]
	New, Moved, Gone int
}

// scans reads scans of a memory; rest is the end of the query.
func scans(ctx context.Context, q statefile.Querier, memory int64, rest string, args ...any) ([]Scan, error) {
	return statefile.All(ctx, q, func(s *Scan) []any {
		return []any{&s.N, statefile.Milli(&s.Began), statefile.Milli(&s.Ended), &s.Rows, &s.Trusted, &s.New, &s.Moved, &s.Gone}
	}, "SELECT n, began, ended, rows, trusted, added, moved, gone FROM scans WHERE memory = ? "+rest, append([]any{memory}, args...)...)
}

// Scans returns the scans of a service that are kept, newest first.
func (m *Mirror) Scans(ctx context.Context, place ledger.Destination) (all []Scan, err error) {
	err = m.read(ctx, func(q statefile.Querier) error {
		same, err := memories(ctx, q, place)
		if err != nil || len(same) == 0 {
			return err
		}
		all, err = scans(ctx, q, same[0].n, "ORDER BY n DESC")
		return err
	})
	return all, err
}

// A History is what changed in a list between two scans.
type History struct {
	// From and To are the scans that are compared; From is zero when only one is kept, and both are when
	// none is.
	From, To Scan
	Between  int // scans between the two
	// Doubtful are the scans after From that are not trusted: what they did not have may be gone.
	Doubtful int
	// Short reports whether what was asked for lies before the oldest scan that is kept.
	Short bool
	// Kept tells how many rows are kept as of To: those that it read, and those that were kept before.
	Kept int
	// OtherKey reports whether the list was read with another key than that of now.
	OtherKey bool
	Counts   map[string]int // rows by how they changed: [listing.New] and those after it
	memory   int64
	scans    []Scan // from From to To
}

// Since returns what changed since a time: between the last scan that had ended by then and the last of all.
// The zero time is that of the scan before the last.
func (m *Mirror) Since(ctx context.Context, place ledger.Destination, since time.Time) (h History, err error) {
	err = m.read(ctx, func(q statefile.Querier) error {
		same, err := memories(ctx, q, place)
		if err != nil || len(same) == 0 {
			return err
		}
		h.memory, h.OtherKey = same[0].n, place.HasOtherKey(same[0].place)
		all, err := scans(ctx, q, h.memory, "ORDER BY n")
		if err != nil || len(all) == 0 {
			return err
		}
		h.choose(all, since)
		if err = q.QueryRowContext(ctx, "SELECT coalesce(sum(count), 0) FROM list WHERE memory = ?", h.memory).Scan(&h.Kept); err != nil {
			return err
		}
		if h.From.N == 0 {
			return nil
		}
		return h.count(ctx, q)
	})
	return h, err
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
	h.From, h.scans, h.Between = all[from], all[from:], max(last-from-1, 0)
	for _, s := range h.scans[1:] {
		if !s.Trusted {
			h.Doubtful++
		}
	}
}

// net is each row that changed in a range of scans, as it was before and as it is after.
const net = `WITH span AS (SELECT id, min(scan) AS first, max(scan) AS last FROM changes
		WHERE memory = ?1 AND scan > ?2 AND scan <= ?3 GROUP BY id),
	net AS (SELECT span.id, span.last, b.was_status, b.was_value, a.status, a.value,
		CASE WHEN b.was_status IS NULL AND a.status IS NULL THEN '` + listing.Passed + `'
			WHEN b.was_status IS NULL THEN '` + listing.New + `' WHEN a.status IS NULL THEN '` + listing.Gone + `' WHEN b.was_status <> a.status THEN '` + listing.Moved + `'
			WHEN b.was_value = a.value THEN '` + listing.Back + `' ELSE '` + listing.Amount + `' END AS how
		FROM span JOIN changes AS b ON b.memory = ?1 AND b.scan = span.first AND b.id = span.id
			JOIN changes AS a ON a.memory = ?1 AND a.scan = span.last AND a.id = span.id)
	`

func (h *History) count(ctx context.Context, q statefile.Querier) error {
	h.Counts = map[string]int{}
	return statefile.ForEach(ctx, q, func(rows *sql.Rows) error {
		var how string
		var n int
		err := rows.Scan(&how, &n)
		h.Counts[how] = n
		return err
	}, net+"SELECT how, count(*) FROM net GROUP BY how", h.memory, h.From.N, h.To.N)
}

// A Change is how one row changed.
type Change struct {
	How string // [listing.New] or another after it
	ID  api.Text
	// Was and Is are the row before and after: of one that was or is not in the list only the ID is set.
	Was, Is api.Transaction
	// After and Before are between when it was seen to change last. After is zero when that is not known:
	// the scan before may have missed the row.
	After, Before time.Time
}

// EachChange calls f with all rows that changed, in the order of their ids, so many at a time. The file is not held open
// while f works. An error of f ends it.
func (m *Mirror) EachChange(ctx context.Context, h History, n int, f func([]Change) error) error {
	after := ""
	for h.From.N != 0 {
		var some []Change
		err := m.read(ctx, func(q statefile.Querier) error {
			return statefile.ForEach(ctx, q, func(rows *sql.Rows) (err error) {
				var c Change
				if c, after, err = h.change(rows); err == nil {
					some = append(some, c)
				}
				return err
			}, net+"SELECT how, last, id, was_status, was_value, status, value FROM net WHERE id > ?4 ORDER BY id LIMIT ?5",
				h.memory, h.From.N, h.To.N, after, n)
		})
		if err != nil {
			return err
		}
		if err := f(some); err != nil || len(some) < n {
			return err
		}
	}
	return nil
}

// change reads one row of net.
func (h History) change(rows *sql.Rows) (c Change, id string, err error) {
	var last int64
	var wasStatus, wasValue, status, value *string
	if err := rows.Scan(&c.How, &last, &id, &wasStatus, &wasValue, &status, &value); err != nil {
		return c, id, err
	}
	if c.Was, err = rowOf(id, wasStatus, wasValue); err == nil {
		c.Is, err = rowOf(id, status, value)
	}
	c.ID = c.Is.ID
	c.After, c.Before = h.between(last)
	return c, id, err
}

// comparedAtOnce limits how many rows that changed are in memory.
const comparedAtOnce = 10_000

// Compare puts beside rows what changed since a scan that a query asks about: see [listing.Asked]. rows are those that
// were kept last; where they are nil it returns the rows that changed, as they are now.
func (m *Mirror) Compare(ctx context.Context, place ledger.Destination, asked string, rows *listing.Rows) (*listing.Rows, History, error) {
	var since time.Time
	if day, err := time.ParseInLocation(time.DateOnly, asked, time.Local); err == nil {
		since = day
	}
	h, err := m.Since(ctx, place, since)
	if err != nil {
		return rows, h, err
	}
	changed := rows == nil
	if changed {
		rows = listing.Of()
	} else if err := rows.Forget(ctx, asked); err != nil {
		return rows, h, err
	}
	err = m.EachChange(ctx, h, comparedAtOnce, func(some []Change) error {
		var known []listing.Known
		var is, gone []api.Transaction
		for _, c := range some {
			switch c.How {
			case listing.Passed: // it has no values, before or after
				continue
			case listing.Gone:
				gone = append(gone, c.Was)
			default:
				is = append(is, c.Is)
			}
			known = append(known, listing.Known{ID: c.ID.Line(0), How: c.How, Was: c.Was.Status.Text.Line(0), Seen: c.Before})
		}
		if changed {
			rows.Append(is...)
		}
		return rows.Know(ctx, asked, known, gone)
	})
	return rows, h, err
}

// between returns when a change was seen: after the scan before it began, and before the one that found it ended.
// A scan that is not trusted may have missed the row, so the last trusted one counts; without any, after is
// zero.
func (h History) between(n int64) (after, before time.Time) {
	for _, s := range h.scans {
		switch {
		case s.N == n:
			return after, s.Ended
		case s.Trusted:
			after = s.Began
		}
	}
	return time.Time{}, time.Time{}
}
