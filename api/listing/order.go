package listing

import (
	"cmp"
	"slices"
	"strings"

	"paydesk/api"
)

// An Order is the order of rows that were found. Rows that are equal in it are in the order of the list.
type Order struct {
	By         Column
	Descending bool
}

// A Column is what rows are ordered by.
type Column uint8

// What rows are ordered by.
const (
	ListOrder  Column = iota // as they came
	ByAmount                 // by currency, in each of them by amount; rows whose amount is not known come last
	ByStatus                 // as a payment goes through them; words that are not known come last
	ByCurrency               // by code
)

// order puts rows into an order.
func (r *Rows) order(found []int32, o Order) {
	s := sorter{rows: found, keys: make([]uint64, len(found))}
	column := func(key func(c *chunk, k int) uint64, descending bool) {
		for j, i := range found {
			s.keys[j] = key(r.chunks[i/chunkRows], int(i%chunkRows))
			if descending {
				s.keys[j] = ^s.keys[j]
			}
		}
		s.sort()
	}
	switch o.By {
	case ByAmount:
		ranks := ranks(r.currencies.all, byCode)
		column(func(c *chunk, k int) uint64 {
			if c.form[k]&known == 0 {
				return 0
			}
			return uint64(c.minor[k]) ^ 1<<63
		}, o.Descending)
		column(func(c *chunk, k int) uint64 {
			if c.form[k]&known == 0 {
				return uint64(len(ranks))
			}
			return ranks[c.currency[k]]
		}, false)
	case ByStatus:
		ranks := ranks(r.statuses.all, byStatus)
		column(func(c *chunk, k int) uint64 { return ranks[c.status[k]] }, o.Descending)
	case ByCurrency:
		ranks := ranks(r.currencies.all, byCode)
		column(func(c *chunk, k int) uint64 { return ranks[c.currency[k]] }, o.Descending)
	}
}

// byCode orders currencies, those that are not known last.
func byCode(a, b currency) int {
	if a.known.IsZero() != b.known.IsZero() {
		return pick(a.known.IsZero(), 1, -1)
	}
	return cmp.Or(cmp.Compare(a.known.Code(), b.known.Code()), pick(a.known.IsZero(), strings.Compare(a.text.Line(0), b.text.Line(0)), 0))
}

// byStatus orders statuses, those that are not known last.
func byStatus(a, b api.Status) int {
	if a.State != api.Unrecognised || b.State != api.Unrecognised {
		return cmp.Compare(a.State-1, b.State-1) // Unrecognised is 0, and so the last
	}
	return strings.Compare(a.Text.Line(0), b.Text.Line(0))
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// ranks is the place of each word among all of them. Words that are equal have one place.
func ranks[T any](all []T, compare func(a, b T) int) []uint64 {
	sorted := make([]int, len(all))
	for i := range sorted {
		sorted[i] = i
	}
	slices.SortFunc(sorted, func(a, b int) int { return compare(all[a], all[b]) })
	places := make([]uint64, len(all))
	for n, i := range sorted {
		places[i] = uint64(n)
		if n > 0 && compare(all[sorted[n-1]], all[i]) == 0 {
			places[i] = places[sorted[n-1]]
		}
	}
	return places
}

// A sorter sorts rows by keys: byte by byte, which takes a tenth of the time of comparing them, and leaves those
// with equal keys in their order.
type sorter struct {
	rows, spareRows []int32
	keys, spareKeys []uint64
}

func (s *sorter) sort() {
	var differ uint64
	for _, k := range s.keys {
		differ |= k ^ s.keys[0]
	}
	if s.spareKeys == nil {
		s.spareKeys, s.spareRows = make([]uint64, len(s.keys)), make([]int32, len(s.rows))
	}
	out := s.rows
	for shift := 0; differ>>shift > 0 && shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var at [256]int
		for _, k := range s.keys {
			at[k>>shift&0xff]++
		}
		sum := 0
		for b, n := range at {
			at[b], sum = sum, sum+n
		}
		for j, k := range s.keys {
			to := &at[k>>shift&0xff]
			s.spareKeys[*to], s.spareRows[*to] = k, s.rows[j]
			*to++
		}
		s.keys, s.spareKeys = s.spareKeys, s.keys
		s.rows, s.spareRows = s.spareRows, s.rows
	}
	if len(out) > 0 && &s.rows[0] != &out[0] { // the caller's
		copy(out, s.rows)
		s.rows, s.spareRows = out, s.rows
	}
}
