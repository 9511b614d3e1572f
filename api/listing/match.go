package listing

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"paydesk/api"
	"paydesk/api/query"
)

// Match returns the numbers of the rows that a query of [Language] finds, in an order. A row whose amount is not
// known meets no term about amounts, negated or not. Rows that are added meanwhile are not looked at. Its only
// error is that of ctx.
func (r *Rows) Match(ctx context.Context, q query.Query, o Order) ([]int32, error) {
	found, err := r.MatchBetween(ctx, q, 0, r.Len())
	if err != nil {
		return nil, err
	}
	if o.By != ListOrder {
		r.mu.RLock() // what is in these does not change any more: whoever draws rows does not wait for the order
		seen := &Rows{chunks: r.chunks, statuses: r.statuses, currencies: r.currencies}
		r.mu.RUnlock()
		seen.order(found, o)
	}
	return found, ctx.Err()
}

// MatchBetween returns the numbers of the rows from one up to another that a query finds, in the order of the list, for
// rows that are still being read. Its only error is that of ctx.
func (r *Rows) MatchBetween(ctx context.Context, q query.Query, from, to int) ([]int32, error) {
	if r == nil {
		return nil, ctx.Err()
	}
	r.mu.RLock()
	f := r.compile(q)
	to = min(to, r.n)
	r.mu.RUnlock()
	found := make([]int32, 0, max(to-from, 0))
	for from < to {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end := min((from/chunkRows+1)*chunkRows, to)
		r.mu.RLock() // for the odd rows; what is in a chunk stays
		found = f.chunk(found, from, end)
		r.mu.RUnlock()
		from = end
	}
	return found, ctx.Err()
}

// A filter is a query made ready for the columns of rows.
type filter struct {
	rows  *Rows
	terms []term
	codes []code // of the currencies
	// Room for the texts of a row.
	buf, major, grouped [64]byte
}

// A code is what amounts of a currency are written with, in lower case.
type code struct {
	exponent int
	tail     []byte
}

// A term reports whether a row meets it; ok is false for a row of which that cannot be known.
type term struct {
	not   bool
	meets func(c *chunk, k, i int) (met, ok bool)
}

func (r *Rows) compile(q query.Query) *filter {
	f := &filter{rows: r}
	for _, cur := range r.currencies.all {
		f.codes = append(f.codes, code{cur.known.Exponent(), []byte(" " + strings.ToLower(cur.known.Code()))})
	}
	for _, t := range q.Terms {
		f.terms = append(f.terms, term{t.Not, f.term(t)})
	}
	return f
}

// chunk appends the rows from one up to another, all in one chunk, that meet all terms.
func (f *filter) chunk(found []int32, from, to int) []int32 {
	c := f.rows.chunks[from/chunkRows]
rows:
	for i := from; i < to; i++ {
		for _, t := range f.terms {
			if met, ok := t.meets(c, i%chunkRows, i); met == t.not || !ok {
				continue rows
			}
		}
		found = append(found, int32(i))
	}
	return found
}

func (f *filter) term(t query.Term) func(c *chunk, k, i int) (met, ok bool) {
	switch {
	case t.Kind == query.Amount:
		return f.amounts(t.Amounts)
	case t.Field == FieldStatus:
		is := table(f.rows.statuses.all, func(s api.Status) bool { return wordMeets(t.Values, s.State.String(), s.Text) })
		return func(c *chunk, k, _ int) (bool, bool) { return is[c.status[k]], true }
	case t.Field == FieldCurrency:
		is := table(f.rows.currencies.all, func(cur currency) bool { return wordMeets(t.Values, cur.known.Code(), cur.text) })
		return func(c *chunk, k, _ int) (bool, bool) { return is[c.currency[k]], true }
	case t.Field == FieldID:
		all := needles(t.Values)
		return func(c *chunk, k, i int) (bool, bool) { return f.id(all, c, k, i), true }
	case t.Field == "":
		has := f.anywhere(t.Values)
		if len(t.Amounts) == 0 {
			return has
		}
		is := f.amounts(t.Amounts)
		return func(c *chunk, k, i int) (bool, bool) {
			if met, known := is(c, k, i); met && known {
				return true, true
			}
			return has(c, k, i)
		}
	}
	return func(*chunk, int, int) (bool, bool) { return false, false } // nothing that rows have
}

// table is whether each word of a column fits.
func table[T any](all []T, fits func(T) bool) []bool {
	is := make([]bool, len(all))
	for i, w := range all {
		is[i] = fits(w)
	}
	return is
}

// wordMeets reports whether a word of a column fits one of some values: its name, or the text that came.
func wordMeets(values []query.Value, name string, text api.Text) bool {
	for _, v := range values {
		if v.How == query.Known && v.Match(name) || v.How != query.Known && v.Match(text.Line(0)) {
			return true
		}
	}
	return false
}

// A bound is a range of minor units.
type bound struct{ low, high int64 }

// amounts compares amounts in the minor units of each row's currency.
func (f *filter) amounts(ranges []query.Range) func(c *chunk, k, i int) (met, ok bool) {
	bounds := make([][]bound, len(f.rows.currencies.all))
	for i, cur := range f.rows.currencies.all {
		for _, r := range ranges {
			if low, high, any := r.Minor(cur.known.Exponent()); any {
				bounds[i] = append(bounds[i], bound{low, high})
			}
		}
	}
	return func(c *chunk, k, _ int) (bool, bool) {
		for _, b := range bounds[c.currency[k]] {
			if b.low <= c.minor[k] && c.minor[k] <= b.high {
				return true, c.form[k]&known != 0
			}
		}
		return false, c.form[k]&known != 0
	}
}

// A needle is a text that is looked for, in lower case.
type needle struct {
	query.Value
	low []byte
	// inUUID and inAmount are whether it may be in a UUID or in an amount at all.
	inUUID, inAmount bool
	comma            bool // it has one
}

func needles(values []query.Value) (all []needle) {
	for _, v := range values {
		low := strings.ToLower(v.Text)
		number, code, spaced := strings.Cut(low, " ")
		all = append(all, needle{
			Value: v, low: []byte(low), inUUID: strings.Trim(low, "0123456789abcdef-") == "",
			comma:    strings.Contains(low, ","),
			inAmount: strings.Trim(number, "0123456789.,-") == "" && (!spaced || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz") == ""),
		})
	}
	return all
}

// in is [query.Value.Match] for a text that is in lower case.
func (n *needle) in(text []byte) bool {
	switch n.How {
	case query.Contains:
		return bytes.Contains(text, n.low)
	case query.Begins:
		return bytes.HasPrefix(text, n.low)
	case query.Ends:
		return bytes.HasSuffix(text, n.low)
	case query.Filled:
		return len(text) > 0
	}
	return bytes.Equal(text, n.low)
}

// id reports whether the id of a row fits.
func (f *filter) id(all []needle, c *chunk, k, i int) bool {
	form := c.form[k] & formOfID
	var text []byte
	for j := range all {
		n := &all[j]
		switch {
		case form == foreign:
			if n.Match(f.rows.idAt(i)) {
				return true
			}
			continue
		case (form == lowerUUID || form == upperUUID) && !n.inUUID:
			continue
		case text == nil:
			if form == lowerUUID || form == upperUUID {
				text = appendUUID(f.buf[:0], &c.id[k])
			} else {
				text = lower(f.rows.ids.appendTo(f.buf[:0], &c.id[k], form))
			}
		}
		if n.in(text) {
			return true
		}
	}
	return false
}

// lower turns ASCII letters to lower case.
func lower(b []byte) []byte {
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] |= 0x20
		}
	}
	return b
}

// anywhere looks for texts in all that the list shows of a row: its id, its status and its currency, and its
// amount with and without commas, alone and before its currency.
func (f *filter) anywhere(values []query.Value) func(c *chunk, k, i int) (met, ok bool) {
	all := needles(values)
	anyOf := func(texts ...string) bool {
		for _, v := range values {
			for _, s := range texts {
				if s != "" && v.Match(s) {
					return true
				}
			}
		}
		return false
	}
	status := table(f.rows.statuses.all, func(s api.Status) bool {
		return anyOf(s.State.String(), shownStatus(s.State), s.Text.Line(0))
	})
	cur := table(f.rows.currencies.all, func(c currency) bool { return anyOf(c.text.Line(0), c.known.Code()) })
	return func(c *chunk, k, i int) (bool, bool) {
		switch {
		case status[c.status[k]], cur[c.currency[k]], f.id(all, c, k, i), f.amount(all, c, k):
			return true, true
		case c.form[k]&isOdd != 0:
			return anyOf(f.rows.odd[int32(i)].Raw.Line(0)), true
		}
		return false, true
	}
}

// shownStatus is the word of a state that screens show, where that is another than its own.
func shownStatus(s api.State) string {
	for _, w := range Language().Fields[0].Words {
		if w.Name == s.String() {
			return w.Shown
		}
	}
	return ""
}

// amount reports whether the amount of a row fits, in one of the ways in which people write it: in minor units, in
// major units with and without commas, and these before the currency.
func (f *filter) amount(all []needle, c *chunk, k int) bool {
	if c.form[k]&(known|whole) == 0 {
		return false
	}
	var minor, major, grouped []byte
	for j := range all {
		n := &all[j]
		if !n.inAmount {
			continue
		}
		if minor == nil {
			minor = strconv.AppendInt(f.buf[:0], c.minor[k], 10)
		}
		if n.in(minor) {
			return true
		}
		if c.form[k]&known == 0 {
			continue
		}
		code := &f.codes[c.currency[k]]
		if major == nil {
			major = appendMajor(f.major[:0], minor, code.exponent)
		}
		if n.inNumber(major, code.tail) {
			return true
		}
		if n.How == query.Contains && !n.comma { // commas only keep apart what is found above
			continue
		}
		if grouped == nil {
			grouped = appendGrouped(f.grouped[:0], major)
		}
		if n.inNumber(grouped, code.tail) {
			return true
		}
	}
	return false
}

// inNumber reports whether a number fits, alone or before its currency.
func (n *needle) inNumber(number, tail []byte) bool {
	whole := append(number, tail...)
	if n.How == query.Contains || n.How == query.Begins { // what is in the number is in the whole, too
		return n.in(whole)
	}
	return n.in(whole[:len(number)]) || n.in(whole)
}

// appendMajor appends a number of minor units as [money.Amount.Major] has it.
func appendMajor(b, minor []byte, exponent int) []byte {
	if minor[0] == '-' {
		b, minor = append(b, '-'), minor[1:]
	}
	for i := range max(exponent+1-len(minor), 0) {
		if i == 1 {
			b = append(b, '.')
		}
		b = append(b, '0')
	}
	for i, d := range minor {
		if i == len(minor)-exponent && exponent > 0 {
			b = append(b, '.')
		}
		b = append(b, d)
	}
	return b
}

// appendGrouped appends a number with commas between thousands, as [money.Amount.Grouped] has it.
func appendGrouped(b, major []byte) []byte {
	if major[0] == '-' {
		b, major = append(b, '-'), major[1:]
	}
	whole := bytes.IndexByte(append(major, '.'), '.')
	for i := range whole {
		if i > 0 && (whole-i)%3 == 0 {
			b = append(b, ',')
		}
		b = append(b, major[i])
	}
	return append(b, major[whole:]...)
}
