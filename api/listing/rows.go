package listing

import (
	"strconv"
	"sync"
	"unsafe"

	"paydesk/api"
	"paydesk/api/money"
)

// Rows are the rows that were read, in the order of the list. They are kept in columns, some 45 bytes a row:
// of a row only what no column can hold is kept as it was. The zero Rows is empty. It is safe for concurrent
// use; rows are only added.
type Rows struct {
	mu         sync.RWMutex
	chunks     []*chunk
	n          int
	statuses   words[api.Status]
	currencies words[currency]
	ids        arena
	index      index
	odd        map[int32]api.Row
	oddBytes   int
}

// A currency is the currency of a row as received, with what is known of it.
type currency struct {
	text  api.Text
	known money.Currency
}

const chunkRows = 1 << 12

// A chunk is columns of some rows. What is in it below [Rows.n] does not change any more.
type chunk struct {
	id       [chunkRows]id
	form     [chunkRows]form
	minor    [chunkRows]int64
	status   [chunkRows]uint32 // of Rows.statuses
	currency [chunkRows]uint32 // of Rows.currencies
}

// A form is how an id is stored, and whether the amount is known.
type form uint8

const (
	nameless  form = 0
	lastShort form = 16 // from 1: so many characters
	lowerUUID form = iota + 15
	upperUUID
	long            // in the arena
	foreign         // not printable ASCII: in Rows.odd
	formOfID = 0x1f // the bits that say which of these
	isOdd    = 0x20 // the row is in Rows.odd, whole
	whole    = 0x40 // the amount was a whole number, of an unknown currency
	known    = 0x80 // the amount is known
)

// Of is the rows of pages that were read elsewhere.
func Of(rows ...api.Row) *Rows {
	r := new(Rows)
	r.add(rows)
	return r
}

// Len is how many rows there are.
func (r *Rows) Len() int {
	if r == nil {
		return 0
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.n
}

// At is the i-th row, as it was read but without its Object.
func (r *Rows) At(i int) api.Row {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.at(i)
}

func (r *Rows) at(i int) api.Row {
	c, k := r.chunks[i/chunkRows], i%chunkRows
	if c.form[k]&isOdd != 0 {
		return r.odd[int32(i)]
	}
	cur := r.currencies.all[c.currency[k]]
	row := api.Row{ID: api.Clean(r.idAt(i)), Currency: cur.text, Status: r.statuses.all[c.status[k]]}
	if c.form[k]&(known|whole) != 0 {
		row.Raw = api.Clean(strconv.FormatInt(c.minor[k], 10))
	}
	if c.form[k]&known != 0 {
		row.Amount, row.Known = money.Amount{Minor: c.minor[k], Currency: cur.known}, true
	}
	return row
}

// Find is the first row with an id.
func (r *Rows) Find(id string) (i int, is bool) {
	if r == nil {
		return 0, false
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.find(id)
}

// Unique is how many different ids there are.
func (r *Rows) Unique() int {
	if r == nil {
		return 0
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.index.used
}

// added is what became of rows that were added.
type added struct {
	fresh    int // with an id that was not there, or without any
	repeated int // not added, since the same row was there
	differ   int // added, though another row has their id
	nameless int // added without an id
}

func (a *added) count(b added) {
	a.fresh += b.fresh
	a.repeated += b.repeated
	a.differ += b.differ
	a.nameless += b.nameless
}

// add adds the rows of a page. A row that is there already is not added again; one that differs from the row
// with its id is, since which of them is right is not known.
func (r *Rows) add(rows []api.Row) (a added) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, row := range rows {
		row.Object = api.Text{}
		k := keyOf(row.ID.Line(0))
		first, is := r.lookUp(&k)
		switch {
		case is && r.has(first, row):
			a.repeated++
			continue
		case is:
			a.differ++
		case k.form == nameless:
			a.nameless++
			a.fresh++
		default:
			a.fresh++
		}
		r.push(&row, &k)
	}
	return a
}

// compared is how many rows with one id are compared with another one, so that a list in which all rows have
// the same does not take for ever.
const compared = 64

// has reports whether a row is there among those with its id, of which the first is the i-th.
func (r *Rows) has(i int, row api.Row) bool {
	if r.at(i) == row {
		return true
	}
	others := r.index.others[int32(i)]
	for _, k := range others[max(len(others)-compared, 0):] {
		if r.at(int(k)) == row {
			return true
		}
	}
	return false
}

// push adds one row with its id, whether it is there already or not.
func (r *Rows) push(row *api.Row, id *key) {
	if r.n%chunkRows == 0 {
		r.chunks = append(r.chunks, new(chunk))
	}
	i := r.n
	c, k := r.chunks[i/chunkRows], i%chunkRows
	c.id[k], c.form[k] = r.ids.store(id), id.form
	c.status[k] = r.statuses.add(row.Status)
	c.currency[k] = r.currencies.add(currency{row.Currency, currencyOf(*row)})
	raw := row.Raw.Line(0)
	if row.Known {
		c.minor[k] = row.Amount.Minor
		c.form[k] |= known
	} else if minor, err := strconv.ParseInt(raw, 10, 64); raw != "" && err == nil {
		c.minor[k] = minor
		c.form[k] |= whole
	}
	r.n++
	if !isRegular(row, c.form[k], c.minor[k]) {
		r.keepOdd(i, *row)
		c.form[k] |= isOdd
	}
	if id.form != nameless {
		r.indexID(i, id)
	}
}

// isRegular reports whether the columns hold all of a row.
func isRegular(row *api.Row, f form, minor int64) bool {
	var buf [20]byte
	raw := row.Raw.Line(0)
	switch {
	case f&formOfID == foreign, f&known == 0 && row.Amount != (money.Amount{}):
		return false
	case f&(known|whole) == 0:
		return row.Raw.Empty()
	}
	return raw == string(strconv.AppendInt(buf[:0], minor, 10))
}

// keepOdd keeps a row that no column can hold.
func (r *Rows) keepOdd(i int, row api.Row) {
	if r.odd == nil {
		r.odd = map[int32]api.Row{}
	}
	r.odd[int32(i)] = row
	r.oddBytes += 160 + row.ID.Size() + row.Raw.Size()
}

// currencyOf is the currency of a row, also where its amount is unknown.
func currencyOf(row api.Row) money.Currency {
	if row.Known {
		return row.Amount.Currency
	}
	c, _ := money.ParseCurrency(row.Currency.Line(0))
	return c
}

// words are the different words of a column.
type words[T comparable] struct {
	all []T
	at  map[T]uint32
}

// fewWords is how many words are compared with each one, which is faster than a map.
const fewWords = 12

// add is the number of a word.
func (w *words[T]) add(word T) uint32 {
	for i := range w.all[:min(len(w.all), fewWords)] {
		if w.all[i] == word {
			return uint32(i)
		}
	}
	n, is := w.at[word]
	if !is {
		if w.at == nil {
			w.at = map[T]uint32{}
		}
		n = uint32(len(w.all))
		w.all, w.at[word] = append(w.all, word), n
	}
	return n
}

// size is about how many bytes the rows take.
func (r *Rows) size() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.chunks)*int(unsafe.Sizeof(chunk{})) + len(r.ids.blocks)*arenaBlock + 4*len(r.index.slots) +
		r.oddBytes + 128*(len(r.statuses.all)+len(r.currencies.all))
}
