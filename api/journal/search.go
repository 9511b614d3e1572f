package journal

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Page is some of the rows that were found, newest first.
type Page[T any] struct {
	Rows  []T
	From  int // the number of the first of them, from 0
	Count int // how many were found so far
	// Complete means that there are no more. Searching means that the search is not over, although
	// Count is not yet what was asked for: ask again with Search to continue.
	Complete, Searching bool
	Search              Search
}

// Row returns the row with a number; ok is false where it is not on the page.
func (p *Page[T]) Row(i int) (row T, ok bool) {
	if i -= p.From; i < 0 || i >= len(p.Rows) {
		return row, false
	}
	return p.Rows[i], true
}

// Covers reports whether the rows from first to before last are on the page, or do not exist.
func (p *Page[T]) Covers(first, last int) bool {
	return max(first, 0) >= p.From && min(last, p.Count) <= p.From+len(p.Rows) && (p.Complete || last <= p.Count)
}

// A Search is how far a search came and what it found; the zero Search is a new one. Every step of one
// must have the same filter. What is recorded meanwhile is not found.
type Search struct {
	found []hit // newest first
	begun bool
	below int64  // rows from this one on have been searched
	first int64  // the oldest there is to search
	match string // the query of FTS5; "" for a text without trigrams
}

// IsZero reports whether it is a new one.
func (s Search) IsZero() bool { return !s.begun }

func (s Search) complete() bool { return s.begun && s.below <= s.first }

// A hit is a row that was found.
type hit struct{ n, at int64 }

const (
	// firstPage is how many rows are found at least, if there are as many, before a search rests.
	firstPage = 1000
	// stepTime limits one step, so that keys, and payments, which wait for the journal, do not.
	stepTime = 8 * time.Millisecond
)

// How many rows a strip has: the first has few, since many of the newest may have the text. Where few
// have it, strips become wider, as long as one does not take most of a step.
var narrow, widest int64 = 1024, 1 << 40

// A row is found by the rarest trigrams of a text, as SQLite compares the lists of rows of all that it is
// asked for. Which are rare is seen in the rows that are sampled, the newest, for as many as are compared.
const (
	sampled  = 8192
	compared = 16
	rarest   = 3
)

// goal is how many rows a step looks for when the rows from..from+n are asked for: it is ahead of
// somebody who scrolls.
func goal(from, n int) int { return max(firstPage, from+2*n) }

// A quest is what is searched for, and where.
type quest struct {
	table string // of FTS5
	text  string // in lower case; "" finds all
	where string // condition on the row of attempts
	args  []any
	// also returns more text of a row, which depends on its time and on who looks; nil for none.
	also func(at time.Time) string
}

// trigrams returns those of the text, as terms of FTS5; none for a text of less than three characters, and
// where the index does not have all that is searched.
func (q quest) trigrams() (all []string) {
	letters := []rune(q.text)
	if q.also != nil || strings.ContainsRune(q.text, 0) {
		return nil
	}
	for i := range max(len(letters)-2, 0) {
		one := `"` + strings.ReplaceAll(string(letters[i:i+3]), `"`, `""`) + `"`
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// match returns a query of FTS5 for rows that may have the text; "" when the index is of no use.
func (t *readTx) match(q quest, newest int64) (string, error) {
	all := q.trigrams()
	for len(all) > compared { // every second, since the beginning may be a prefix that all have
		for i := range len(all) / 2 {
			all[i] = all[2*i+1]
		}
		all = all[:len(all)/2]
	}
	if len(all) > rarest {
		rows := map[string]int{}
		for _, one := range all {
			var n int
			err := t.q.QueryRowContext(t.ctx, "SELECT count(*) FROM "+q.table+" WHERE "+q.table+" MATCH ? AND rowid >= ?", one, newest-sampled).Scan(&n)
			if err != nil {
				return "", err
			}
			rows[one] = n
		}
		slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(rows[a], rows[b]) })
		all = all[:rarest]
	}
	return strings.Join(all, " AND "), nil
}

// A strip is a run of rows that was searched.
type strip struct {
	low   int64 // where it begins
	found []hit
	read  int // rows with the text, of which found are those that meet the condition
}

// step searches on until it has found enough, everything was searched, or its time is over.
//
// It goes through the rows strip by strip, in the reverse order of their recording: what a strip costs
// does not depend on how large the journal is. The rows are returned by their time, which is the same
// order unless the clock was set back.
func (t *readTx) step(q quest, s Search, enough int) (_ Search, err error) {
	s.found = slices.Clip(s.found) // another step may go on from it
	if !s.begun {
		s.begun = true
		// Two queries: SQLite looks up an end in the table only where it is asked for alone.
		ends := "SELECT coalesce((SELECT min(id) FROM " + q.table + "_content), 0), coalesce((SELECT max(id) FROM " + q.table + "_content), -1) + 1"
		if err = t.q.QueryRowContext(t.ctx, ends).Scan(&s.first, &s.below); err != nil {
			return s, err
		}
		if s.match, err = t.match(q, s.below); err != nil {
			return s, err
		}
	}
	began := t.j.opts.Now()
	for at, width := began, narrow; !s.complete() && len(s.found) < enough; {
		now, err := t.searchStrip(q, s.match, s.below, width)
		if err != nil {
			return s, err
		}
		s.below, s.found = now.low, append(s.found, now.found...)
		took := t.j.opts.Now().Sub(at)
		if at = at.Add(took); at.Sub(began) >= stepTime {
			break
		}
		if int64(now.read) < width/16 && took < stepTime/4 {
			width = min(2*width, widest)
		}
	}
	if !slices.IsSortedFunc(s.found, newer) {
		slices.SortFunc(s.found, newer)
	}
	return s, nil
}

// newer is the order of newestFirst.
func newer(a, b hit) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.n, a.n)) }

// searchStrip searches the next strip. A text without trigrams is looked for in the text of each row.
func (t *readTx) searchStrip(q quest, match string, high, width int64) (s strip, err error) {
	s.low = max(high-width, 0)
	from, terms := q.table+"_content AS c", ""
	args := append([]any{q.text}, q.args...)
	if match != "" {
		from, terms = q.table+" AS t CROSS JOIN "+from+" ON c.id = t.rowid", "t."+q.table+" MATCH ? AND t.rowid >= ? AND t.rowid < ? AND "
		args = append(args, match, s.low, high)
	} else if s.low, err = t.lowest(q.table, high, width); err != nil {
		return s, err
	}
	if q.also == nil {
		terms += "instr(c.c0, ?) > 0 AND "
		args = append(args, q.text)
	}
	return s, forEach(t.ctx, t.q, func(rows *sql.Rows) error {
		var h hit
		var text, meets bool
		if err := rows.Scan(&h.n, &h.at, &text, &meets); err != nil {
			return err
		}
		s.read++
		if meets && (text || q.also != nil && strings.Contains(q.also(fromNano(h.at)), q.text)) {
			s.found = append(s.found, h)
		}
		return nil
	}, "SELECT a.n, a.at, instr(c.c0, ?) > 0, "+cmp.Or(q.where, "1")+" FROM "+from+" CROSS JOIN attempts AS a ON a.n = c.id WHERE "+
		terms+"c.id >= ? AND c.id < ?", append(args, s.low, high)...)
}

// lowest is where a strip of so many rows begins, 0 when there are none left: they may have been purged since.
func (t *readTx) lowest(table string, high, rows int64) (low int64, err error) {
	err = t.q.QueryRowContext(t.ctx, "SELECT coalesce(min(id), 0) FROM (SELECT id FROM "+table+"_content WHERE id < ? ORDER BY id DESC LIMIT ?)",
		high, rows).Scan(&low)
	return low, err
}

// rowsOf returns the rows from..from+n of those that were found. Rows that were deleted since are left out.
func (t *readTx) rowsOf(s *Search, from, n int) ([]*row, error) {
	for {
		from := min(max(from, 0), len(s.found))
		page := s.found[from:min(from+max(n, 0), len(s.found))]
		var ns strings.Builder
		for _, h := range page {
			fmt.Fprint(&ns, ",", h.n)
		}
		rows, err := t.attempts("WHERE n IN (SELECT value FROM json_each(?))"+newestFirst, "["+strings.TrimPrefix(ns.String(), ",")+"]")
		if err != nil || len(rows) == len(page) {
			return rows, err
		}
		gone := slices.DeleteFunc(slices.Clone(page), func(h hit) bool {
			return slices.ContainsFunc(rows, func(r *row) bool { return r.n == h.n })
		})
		s.found = slices.DeleteFunc(slices.Clone(s.found), func(h hit) bool { return slices.Contains(gone, h) })
	}
}

// find makes a step of a search and returns the page that it is done for.
func find[T any](ctx context.Context, j *Journal, q quest, s Search, from, n, enough int,
	read func(*readTx, []*row) ([]T, error)) (p Page[T], err error) {
	err = j.read(ctx, func(t *readTx) error {
		if s, err = t.step(q, s, enough); err != nil {
			return err
		}
		rows, err := t.rowsOf(&s, from, n)
		if err != nil {
			return err
		}
		p = Page[T]{From: max(from, 0), Count: len(s.found), Complete: s.complete(), Search: s}
		p.Searching = !p.Complete && p.Count < enough
		p.Rows, err = read(t, rows)
		return err
	})
	return p, err
}

// Find returns the rows from..from+n of those a filter selects, newest first. With a text, it makes
// one step of a search, which takes some milliseconds however large the journal is.
func (j *Journal) Find(ctx context.Context, f Filter, s Search, from, n int) (Page[Attempt], error) {
	return j.findAttempts(ctx, f, s, from, n, goal(from, n))
}

func (j *Journal) findAttempts(ctx context.Context, f Filter, s Search, from, n, enough int) (Page[Attempt], error) {
	terms, args := f.terms()
	if f.text() == "" {
		rows, count, err := j.attemptsWhere(ctx, terms, args, from, n)
		return Page[Attempt]{Rows: rows, From: max(from, 0), Count: count, Complete: err == nil}, err
	}
	q := quest{table: "attempts_text", text: f.text(), where: strings.Join(terms, " AND "), args: args}
	return find(ctx, j, q, s, from, n, enough, func(t *readTx, rows []*row) ([]Attempt, error) { return t.toAttempts(rows), nil })
}
