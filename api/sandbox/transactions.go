package sandbox

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
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
