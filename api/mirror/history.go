package mirror

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
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
func scans(ctx context.Context, q statefile.Querier, memory int64, rest string, args ...any) (all []Scan, err error) {
	err = statefile.ForEach(ctx, q, func(rows *sql.Rows) error {
		var s Scan
		var began, ended int64
		err := rows.Scan(&s.N, &began, &ended, &s.Rows, &s.Trusted, &s.New, &s.Moved, &s.Gone)
		s.Began, s.Ended = time.UnixMilli(began), time.UnixMilli(ended)
		all = append(all, s)
		return err
	}, "SELECT n, began, ended, rows, trusted, added, moved, gone FROM scans WHERE memory = ?"+" "+rest, append([]any{memory}, args...)...)
	return all, err
}

// Scans returns the scans of a service that are kept, newest first.
func (m *Mirror) Scans(ctx context.Context, place journal.Destination) (all []Scan, err error) {
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

// A Kind is how a row changed.
type Kind uint8

// The kinds.
const (
	Added  Kind = iota + 1 // it was not in the list
	Moved                  // its status is another
	Amount                 // its amount or currency is another, and its status the same
	Gone                   // it is not in the list any more
	Passed                 // it came and went in between
	Back                   // it changed in between, and is as it was
)

// A Group is rows that changed alike: how many, from which status to which. From and To are zero where the
// row was or is not in the list.
type Group struct {
	Kind     Kind
	From, To api.Status
	Count    int
}

// A History is what changed in a list between two scans.
type History struct {
	// From and To are the scans that are compared; From is zero when only one is kept, and both are when
	// none is.
	From, To Scan
	Between  int // scans between the two
	// Doubtful are the scans after From that are not trusted: what they did not have may be gone.
	Doubtful int
	// Short is whether what was asked for lies before the oldest scan that is kept.
	Short bool
	// Kept is how many rows are kept as of To: those that it read, and those that were kept before.
	Kept int
	// OtherKey is whether the list was read with another key than that of now.
	OtherKey bool
	Groups   []Group // the kinds in their order, and in each the largest first
	memory   int64
	scans    []Scan // from From to To
}

// Count is how many rows changed in a way.
func (h History) Count(of Kind) (n int) {
	for _, g := range h.Groups {
		if g.Kind == of {
			n += g.Count
		}
	}
	return n
}

// Since returns what changed since a time: between the last scan that had ended by then and the last of all.
// The zero time is that of the scan before the last.
func (m *Mirror) Since(ctx context.Context, place journal.Destination, since time.Time) (h History, err error) {
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
		if err = q.QueryRowContext(ctx, "SELECT count(*) FROM list WHERE memory = ?", h.memory).Scan(&h.Kept); err != nil {
			return err
		}
		if h.From.N == 0 {
			return nil
		}
		w, err := readWords(ctx, q)
		if err == nil {
			err = h.count(ctx, q, w)
		}
		return err
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
	net AS (SELECT span.id, span.last, b.was_minor, b.was_raw, b.was_currency, b.was_status, a.minor, a.raw, a.currency, a.status,
		CASE WHEN b.was_status IS NULL AND a.status IS NULL THEN 5
			WHEN b.was_status IS NULL THEN 1 WHEN a.status IS NULL THEN 4 WHEN b.was_status <> a.status THEN 2
			WHEN b.was_minor IS a.minor AND b.was_raw IS a.raw AND b.was_currency = a.currency THEN 6 ELSE 3 END AS kind
		FROM span JOIN changes AS b ON b.memory = ?1 AND b.scan = span.first AND b.id = span.id
			JOIN changes AS a ON a.memory = ?1 AND a.scan = span.last AND a.id = span.id)
	`

func (h *History) count(ctx context.Context, q statefile.Querier, w *words) error {
	return statefile.ForEach(ctx, q, func(rows *sql.Rows) error {
		var g Group
		var from, to sql.NullInt64
		if err := rows.Scan(&g.Kind, &from, &to, &g.Count); err != nil {
			return err
		}
		g.From, g.To = w.status(from), w.status(to)
		h.Groups = append(h.Groups, g)
		return nil
	}, net+"SELECT kind, was_status, status, count(*) FROM net GROUP BY kind, was_status, status ORDER BY kind, count(*) DESC, was_status, status",
		h.memory, h.From.N, h.To.N)
}

// A Change is how one row changed.
type Change struct {
	Kind Kind
	ID   api.Text
	// Was and Is are the row before and after: of one that was or is not in the list only the ID is set.
	Was, Is api.Row
	// After and Before are between when it was seen to change last. After is zero when that is not known:
	// the scan before may have missed the row.
	After, Before time.Time
}

// isIn reports whether a change is of a group.
func (c Change) isIn(g Group) bool {
	return c.Kind == g.Kind && c.Was.Status == g.From && c.Is.Status == g.To
}

// Changes returns the rows of some groups, or of all when none is named, in the order of their ids: at most n.
func (m *Mirror) Changes(ctx context.Context, h History, of []Group, n int) ([]Change, error) {
	all, _, err := m.changes(ctx, h, of, nil, n)
	return all, err
}

// EachChange calls f with all rows that changed, in the order of their ids, so many at a time. The file is not held open
// while f works. An error of f ends it.
func (m *Mirror) EachChange(ctx context.Context, h History, n int, f func([]Change) error) error {
	var after *key
	for {
		some, last, err := m.changes(ctx, h, nil, after, n)
		if err != nil || len(some) == 0 {
			return err
		}
		if err := f(some); err != nil || len(some) < n {
			return err
		}
		after = &last
	}
}

// changes reads rows that changed, from the one after an id on, and the id of the last of them.
func (m *Mirror) changes(ctx context.Context, h History, of []Group, after *key, n int) (all []Change, last key, err error) {
	following, args := "", []any{h.memory, h.From.N, h.To.N}
	if after != nil {
		following, args = " WHERE id > ?4", append(args, after.value())
	}
	err = m.read(ctx, func(q statefile.Querier) error {
		w, err := readWords(ctx, q)
		if err != nil {
			return err
		}
		err = statefile.ForEach(ctx, q, func(rows *sql.Rows) error {
			c, id, err := h.change(rows, w)
			if err != nil || of != nil && !slices.ContainsFunc(of, c.isIn) {
				return err
			}
			if len(all) == n {
				return errEnough
			}
			all, last = append(all, c), id
			return nil
		}, net+"SELECT kind, last, id, was_minor, was_raw, was_currency, was_status, minor, raw, currency, status FROM net"+following+" ORDER BY id", args...)
		if err == errEnough {
			err = nil
		}
		return err
	})
	return all, last, err
}

var errEnough = errors.New("as many as were asked for")

// change reads one row of net.
func (h History) change(rows *sql.Rows, w *words) (c Change, id key, err error) {
	var last int64
	var was, is record
	if err := rows.Scan(append(append([]any{&c.Kind, &last, &id}, was.columns()...), is.columns()...)...); err != nil {
		return c, id, err
	}
	if c.Was, err = w.row(id, was); err == nil {
		c.Is, err = w.row(id, is)
	}
	c.ID = c.Is.ID
	c.After, c.Before = h.between(last)
	return c, id, err
}

// between is when a change was seen: after the scan before it began, and before the one that found it ended.
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
