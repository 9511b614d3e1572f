package sandbox

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
)

// A transactionValue is the status of a payment (2.12).
type transactionValue struct {
	PaymentReference string         `json:"paymentReference"`
	Amount           currencyAmount `json:"amount"`
	PaymentStatus    string         `json:"paymentStatus"`
}

// transaction returns the status of a payment (endpoint 6).
func (s *Sandbox) transaction(c call) answer {
	p, no := s.lookUp(c, c.reference)
	if no != nil {
		return *no
	}
	return ok(plainEnvelope{
		Value:     transactionValue{p.reference, currencyAmount{p.currency, formatMajor(p.amount)}, p.at(c.now).word()},
		IsSuccess: true,
	})
}

// The limits of the list endpoint (section 8).
const (
	defaultPerPage = 20
	maxPerPage     = 100
	maxPage        = 1_000_000_000 // invented; keeps skipped far from overflow
)

// A listEnvelope is the response of the list endpoint (2.13).
type listEnvelope struct {
	Status bool     `json:"status"`
	Data   []row    `json:"data"`
	Meta   listMeta `json:"meta,omitzero"` // zero only when a fault removes it
}

// A row is one transaction; the amount is in minor units (2.13).
type row struct {
	ID       string `json:"id"`
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	Status   string `json:"status"`
}

// A listMeta is the pagination of a page (2.13).
type listMeta struct {
	Page      int `json:"page"`
	PageCount int `json:"pageCount"`
	Total     int `json:"total"`
	PerPage   int `json:"perPage"`
	Skipped   int `json:"skipped"`
}

// transactions returns a page of the list, newest first (endpoint 7).
func (s *Sandbox) transactions(c call) answer {
	page, problem := readQueryNumber(c.query, "page", 1, maxPage)
	if problem != "" {
		return c.refuse(http.StatusBadRequest, problem)
	}
	perPage, problem := readQueryNumber(c.query, "perPage", defaultPerPage, maxPerPage)
	if problem != "" {
		return c.refuse(http.StatusBadRequest, problem)
	}
	total := len(s.ordered) + s.rows.count
	skipped := (page - 1) * perPage
	data := make([]row, 0, perPage)
	for i := skipped; i < min(skipped+perPage, total); i++ {
		data = append(data, s.row(i, c))
	}
	return ok(listEnvelope{
		Status: true,
		Data:   data,
		Meta:   pagination(page, perPage, total),
	})
}

func pagination(page, perPage, total int) listMeta {
	return listMeta{page, (total + perPage - 1) / perPage, total, perPage, (page - 1) * perPage}
}

// row is the i-th row of the list: payments first, newest first, then seeded rows.
func (s *Sandbox) row(i int, c call) row {
	if i >= len(s.ordered) {
		return s.rows.row(i - len(s.ordered))
	}
	p := s.ordered[len(s.ordered)-1-i]
	return row{p.id, p.amount, p.currency, p.at(c.now).word()}
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

// seededRows are transactions older than the sandbox. A row is computed from its number on
// each access, so that a hundred thousand take no memory.
type seededRows struct {
	seed  uint64
	count int
}

// Each word's share of the seeded rows.
var (
	seedCurrencies = []string{"NGN", "NGN", "NGN", "NGN", "GBP", "GBP", "GBP", "CAD", "USD", "USD", "JPY", "KWD"}
	seedStatuses   = []string{
		wordSuccessful, wordSuccessful, wordSuccessful, wordSuccessful, wordSuccessful, wordSuccessful,
		wordPending, wordFailed, wordFailed, wordInitiated,
	}
)

const maxSeedAmount = 2_000_000

// row is the i-th row, 0 being the newest. Rows are numbered from the oldest, so their
// content does not depend on the count.
func (s seededRows) row(i int) row {
	r := rand.New(rand.NewPCG(s.seed, streamRows<<40|uint64(s.count-i)))
	return row{
		ID:       uuid(r),
		Amount:   100 + r.Int64N(maxSeedAmount),
		Currency: seedCurrencies[r.IntN(len(seedCurrencies))],
		Status:   seedStatuses[r.IntN(len(seedStatuses))],
	}
}
