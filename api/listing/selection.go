package listing

import (
	"paydesk/api"
)

// A Selection is some of the rows: those with the given numbers, or the first N where Numbers is nil. Rows that are added
// later are not in it, so that what is computed of it in the background is about what was listed when that began.
type Selection struct {
	Rows    *Rows
	N       int
	Numbers []int32
}

// Select is rows of pages. A row that is listed twice is in it twice.
func Select(rows []api.Row) Selection {
	r := new(Rows)
	for _, row := range rows {
		row.Object = api.Text{}
		k := keyOf(row.ID.Line(0))
		r.push(&row, &k)
	}
	return Selection{Rows: r, N: r.n}
}

// Len is how many rows there are in it.
func (s Selection) Len() int {
	if s.Numbers != nil {
		return len(s.Numbers)
	}
	return s.N
}

// columns are the columns of the rows as they are now. What is in them does not change any more, so that they are read
// without a lock: whoever draws the rows never waits for a million of them.
func (s Selection) columns() ([]*chunk, []api.Status, []currency) {
	if s.Rows == nil {
		return nil, nil, nil
	}
	s.Rows.mu.RLock()
	defer s.Rows.mu.RUnlock()
	return s.Rows.chunks, s.Rows.statuses.all, s.Rows.currencies.all
}

// each calls do with the place in the columns and the number of each row.
func (s Selection) each(chunks []*chunk, do func(c *chunk, k int, row int32)) {
	for _, i := range s.Numbers {
		do(chunks[i/chunkRows], int(i%chunkRows), i)
	}
	if s.Numbers != nil {
		return
	}
	for i := 0; i < s.N; i += chunkRows {
		c := chunks[i/chunkRows]
		for k := range min(chunkRows, s.N-i) {
			do(c, k, int32(i+k))
		}
	}
}

// numbers are those of all rows with one of the ids.
func (r *Rows) numbers(ids []string) map[int32]bool {
	if r == nil || len(ids) == 0 {
		return nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	all := map[int32]bool{}
	for _, id := range ids {
		first, is := r.find(id)
		if !is {
			continue
		}
		all[int32(first)] = true
		for _, n := range r.index.others[int32(first)] {
			all[n] = true
		}
	}
	return all
}
