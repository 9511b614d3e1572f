package api

import (
	"context"

	"paydesk/api/money"
)

// The limits of the list endpoint (section 8).
const (
	DefaultPerPage = 20
	MaxPerPage     = 100
)

// A Page is one page of the list (2.13).
type Page struct {
	Rows []Row
	Meta Meta
	// HasMeta is false when no usable meta came: a single page, count unknown.
	HasMeta bool
	// Notices says in words what is odd about the answer (R54).
	Notices []Text
}

// Meta is the pagination of a page (2.13), as the service says it.
type Meta struct{ Page, PageCount, Total, PerPage, Skipped int }

// A Row is one transaction of the list (2.13). Its ID is not said to be a
// payment reference.
type Row struct {
	ID       Text
	Amount   money.Amount // minor units, exact; zero Currency when unknown
	Known    bool         // the currency's exponent is known and the amount was an integer
	Raw      Text         // amount as it came
	Currency Text
	Status   Status
	Object   Text // the whole object, indented, for the detail view
}

// Transactions asks for one page of the list (endpoint 7). page is at least 1,
// perPage between 1 and 100; others are clamped (R54).
func (c *Client) Transactions(ctx context.Context, page, perPage int) (Page, error) {
	panic("contract")
}
