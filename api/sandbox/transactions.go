package sandbox

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sort"
	"strconv"
)

// transaction returns the status of a payment (endpoint 6, 2.12).
func (s *Sandbox) transaction(c call) *answer {
	p, no := s.lookUp(c, c.reference)
	if no != nil {
		return no
	}
	v := objectNode(
		"paymentReference", p.reference,
		"amount", currencyAmount{p.currency, formatMajor(p.amount)},
		"paymentStatus", p.at(c.now),
	)
	if s.switches.is("transaction.extras", "on") {
		v.add("amountPaid", currencyAmount{p.currency, formatMajor(p.received(c.now))})
	}
	return ok(objectNode("value", v, "isSuccess", true))
}

// The limits of the list endpoint (section 8).
const (
	defaultPerPage = 20
	maxPerPage     = 100
	maxPage        = 1_000_000_000 // invented; keeps skipped far from overflow
)

// A ListPage is the response of the list endpoint (2.13).
type ListPage struct {
	Status bool     `json:"status"`
	Data   []Row    `json:"data"`
	Meta   ListMeta `json:"meta,omitzero"` // zero only when a fault removes it
}

// A Row is one transaction; the amount is in minor units (2.13).
type Row struct {
	ID       string `json:"id"`
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	Status   state  `json:"status"`
}

// A ListMeta is the pagination of a page (2.13).
type ListMeta struct {
	Page      int `json:"page"`
	PageCount int `json:"pageCount"`
	Total     int `json:"total"`
	PerPage   int `json:"perPage"`
	Skipped   int `json:"skipped"`
}

// transactions returns a page of the list, newest first (endpoint 7).
func (s *Sandbox) transactions(c call) *answer {
	page, wrongPage := readQueryNumber(c.query, "page", 1, maxPage)
	perPage, wrongPerPage := readQueryNumber(c.query, "perPage", defaultPerPage, maxPerPage)
	if problem := cmp.Or(wrongPage, wrongPerPage); problem != "" {
		return c.refuse(http.StatusBadRequest, problem)
	}
	s.changes.next(s.rows, s.switches.of("list.changes"))
	l := Listing{
		ListMeta: ListMeta{Page: page, PerPage: perPage, Skipped: (page - 1) * perPage},
		Row:      func(i int) Row { return s.row(i, c) },
	}
	return ok(l.MakePage(s.listed()))
}

// A Listing makes pages of the list.
type Listing struct {
	ListMeta
	Count int           // calls that the fault of this call applied to before
	Row   func(int) Row // the i-th row of the whole list
}

// MakePage returns the page made of the first total rows.
func (l Listing) MakePage(total int) ListPage {
	end := min(l.Skipped+l.PerPage, total)
	e := ListPage{Status: true, Data: make([]Row, 0, max(end-l.Skipped, 0))}
	for i := l.Skipped; i < end; i++ {
		e.Data = append(e.Data, l.Row(i))
	}
	e.Meta = ListMeta{l.Page, (total + l.PerPage - 1) / l.PerPage, total, l.PerPage, (l.Page - 1) * l.PerPage}
	return e
}

// readQueryNumber reads an integer from 1 to most from a query.
func readQueryNumber(query url.Values, name string, usual, most int) (int, string) {
	given, is := query[name]
	if !is {
		return usual, ""
	}
	if len(given) == 1 && isDigits(given[0]) {
		if n, err := strconv.Atoi(given[0]); err == nil && n >= 1 && n <= most {
			return n, ""
		}
	}
	return 0, fmt.Sprintf("%s must be a whole number from 1 to %d", name, most)
}

// listed returns how many rows the list has.
func (s *Sandbox) listed() int { return s.rows.count + s.changes.grown + len(s.ordered) }

// row is the i-th row of the list, newest first: payments and the rows that the list has
// grown by, in the order in which they came, then the seeded rows.
func (s *Sandbox) row(i int, c call) Row {
	number := s.listed() - i // 1 is the oldest row
	if number <= s.rows.count {
		return s.changes.draw(s.rows, number).Row
	}
	place := func(k int) int { return s.rows.count + s.ordered[k].older + k + 1 }
	k := sort.Search(len(s.ordered), func(k int) bool { return place(k) >= number })
	if k == len(s.ordered) || place(k) != number {
		return s.changes.draw(s.rows, number-k).Row
	}
	p := s.ordered[k]
	id := p.id
	if s.switches.is("list.id", "reference") {
		id = p.reference
	}
	return Row{id, p.amount, p.currency, p.at(c.now)}
}

// seededRows are transactions older than the sandbox. A row is computed from its number on
// each access, so that a million take no memory.
type seededRows struct {
	seed  uint64
	count int
}

// Each word's share of the seeded rows.
var (
	seedCurrencies = []string{"NGN", "NGN", "NGN", "NGN", "GBP", "GBP", "GBP", "CAD", "USD", "USD", "JPY", "KWD"}
	seedStatuses   = []state{
		successful, successful, successful, successful, successful, successful, pending, failed, failed, initiated,
	}
)

const maxSeedAmount = 2_000_000

// A seededRow is a row, and what becomes of it when its status moves on.
type seededRow struct {
	Row
	rejected, declined bool
}

// draw makes the row of a number, 1 being the oldest, so that its content does not depend on the count.
func (s seededRows) draw(number int) seededRow {
	r := rand.New(rand.NewPCG(s.seed, streamRows<<40|uint64(number)))
	high, low := r.Uint64(), r.Uint64()
	row := Row{
		ID:       uuidOf(high, low),
		Amount:   100 + r.Int64N(maxSeedAmount),
		Currency: seedCurrencies[r.IntN(len(seedCurrencies))],
		Status:   seedStatuses[r.IntN(len(seedStatuses))],
	}
	declined := r.IntN(4) == 0
	return seededRow{row, declined && low%2 == 0, declined}
}

// moveOn moves the status on once, as that of a payment moves (see "The life of a payment").
// It reports whether the status was not final.
func (r *seededRow) moveOn() bool {
	switch {
	case r.Status == initiated && r.rejected: // by the customer
		r.Status = failed
	case r.Status == initiated:
		r.Status = pending
	case r.Status == pending && r.declined:
		r.Status = failed
	case r.Status == pending:
		r.Status = successful
	default:
		return false
	}
	return true
}

// listChanges describes what the switch list.changes has done to the list. It depends on the seed and on
// the number of pages requested, and on nothing else: a test sets the switch, with SetSwitch or
//
//	POST /_sandbox/switches {"list.changes":"both"}
//
// and requests pages. Each request that is answered with a page first adds one row at the top
// (grows, both) and moves the status of one row on (moves, both), so that a row is on the next
// page when the reader gets there, and so that a page that was read says something else when it
// is read again. Statuses move by turns from the newest row down, and anywhere. "off" stops
// the list; what has changed stays, until the sandbox is reset.
type listChanges struct {
	grown  int
	moved  map[int]int // how often a row's status has moved on, by the row's number
	turns  int         // moves so far
	cursor int         // the number of the row that the walk down the list has reached
}

// next makes the changes that come before a page.
func (l *listChanges) next(rows seededRows, how string) {
	if how == "grows" || how == "both" {
		l.grown++
	}
	if how == "moves" || how == "both" {
		l.move(rows)
	}
}

// draw makes the row of a number, as it is now.
func (l *listChanges) draw(rows seededRows, number int) seededRow {
	r := rows.draw(number)
	for range l.moved[number] {
		r.moveOn()
	}
	return r
}

// move moves the status of one row on, if any is not final.
func (l *listChanges) move(rows seededRows) {
	count := rows.count + l.grown
	from := l.cursor
	if l.turns%2 == 1 {
		from = 1 + rand.New(rand.NewPCG(rows.seed, streamMoves<<40|uint64(l.turns))).IntN(count)
	}
	for i := range count {
		number := (from-1-i+2*count)%count + 1 // down the list, and on at its top
		if r := l.draw(rows, number); !r.moveOn() {
			continue
		}
		l.moved[number]++
		if l.turns%2 == 0 {
			l.cursor = number - 1
		}
		l.turns++
		return
	}
}
