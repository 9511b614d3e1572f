package api

import (
	"context"
	"fmt"
	"strconv"

	"paydesk/api/money"
)

// The limits of the list endpoint (section 8).
const (
	DefaultPerPage = 20
	MaxPerPage     = 100
)

// A Page is one page of the transactions (2.13).
type Page struct {
	Rows []Row
	Meta Meta
	// HasMeta is false when the response has no usable meta: a single page, count unknown.
	HasMeta bool
	// Notices describe what is inconsistent about the response.
	Notices []Text
}

// Meta is the pagination of a page (2.13), as the service reports it.
type Meta struct{ Page, PageCount, Total, PerPage int }

// A Row is one transaction (2.13). Its ID is not documented to be a payment reference.
type Row struct {
	ID       Text
	Amount   money.Amount // minor units, exact; zero Currency when unknown
	Known    bool         // the currency's exponent is known and the amount was an integer
	Raw      Text         // amount as received
	Currency Text
	Status   Status
	Object   Text // the whole object, indented, for the detail view
}

// Transactions requests one page of the transactions (endpoint 7). page is clamped to at least 1,
// and perPage to 1 to 100. Its errors are [*Refusal] and [*Failure].
func (c *Client) Transactions(ctx context.Context, page, perPage int) (Page, error) {
	return observe(ctx, c, OpTransactions, "", func(ctx context.Context) (Page, error) {
		return c.askTransactions(ctx, page, perPage)
	})
}

func (c *Client) askTransactions(ctx context.Context, page, perPage int) (Page, error) {
	page, perPage = max(page, 1), min(max(perPage, 1), MaxPerPage)
	query := "?page=" + strconv.Itoa(page) + "&perPage=" + strconv.Itoa(perPage)
	a, f := c.get(ctx, request{origin: c.list, path: "/v1/api/transactions" + query, limit: listBody})
	e, err := readOutcome(a, f, listEnvelope)
	if err != nil {
		return Page{}, err
	}
	p := readPage(e, page, perPage)
	for _, r := range p.Rows {
		c.named.add(r.ID.Line(0))
	}
	return p, nil
}

// readPage reads a page that was requested as page and perPage.
func readPage(e envelope, page, perPage int) Page {
	var p Page
	for _, v := range e.payload.items() {
		p.Rows = append(p.Rows, row(v))
	}
	p.Meta, p.HasMeta = meta(e.top.field("meta"))
	p.Notices = notices(p, page, perPage)
	return p
}

// row reads one transaction. Of a row that is not an object only Object is set.
func row(v *value) Row {
	amount, currency := v.field("amount"), v.field("currency")
	r := Row{
		ID: v.field("id").displayID(), Raw: amount.displayID(), Currency: currency.displayASCII(),
		Status: ParseStatus(v.field("status").redacted()), Object: v.indented(),
	}
	code, _ := currency.text()
	if c, err := money.ParseCurrency(code); err == nil {
		r.Amount, r.Known = readAmount(amount, c, listAmount)
	}
	return r
}

// meta reads the pagination. If page, pageCount or total is missing or negative, the count is
// unknown.
func meta(v *value) (Meta, bool) {
	page, hasPage := readCount(v.field("page"))
	count, hasCount := readCount(v.field("pageCount"))
	total, hasTotal := readCount(v.field("total"))
	if !hasPage || !hasCount || !hasTotal {
		return Meta{}, false
	}
	m := Meta{Page: page, PageCount: count, Total: total}
	m.PerPage, _ = readCount(v.field("perPage"))
	return m, true
}

// notices describes what is inconsistent about a page that was requested as page and perPage.
func notices(p Page, page, perPage int) []Text {
	var all []Text
	note := func(when bool, format string, args ...any) {
		if when {
			all = append(all, Clean(fmt.Sprintf(format, args...)))
		}
	}
	rows, m := len(p.Rows), p.Meta
	note(!p.HasMeta, "The service did not report how many pages there are; this is treated as a single page.")
	if p.HasMeta {
		note(m.Page != page, "Page %d was requested, but the service reports page %d.", page, m.Page)
		note(m.PageCount == 0 && (rows > 0 || m.Total > 0), "The service reports 0 pages but %s.", reportedCount(rows, m.Total))
		note(m.PageCount > 0 && page > m.PageCount, "There are %d pages now: page %d does not exist.", m.PageCount, page)
		note(m.Total < rows, "The service reports %d transactions in all, but this page alone has %d.", m.Total, rows)
		note(m.PerPage != perPage, "%d rows per page were requested, but the service reports %d.", perPage, m.PerPage)
		note(rows == 0 && page <= m.PageCount && m.Total > 0, "This page is empty, but the service reports %d transactions in all.", m.Total)
	}
	note(rows > perPage, "%d rows per page were requested, but %d were returned.", perPage, rows)
	nameless, twice := countIDs(p.Rows)
	note(nameless > 0, "Rows without an id, which cannot be opened: %d of %d.", nameless, rows)
	note(twice > 0, "Rows that repeat an id of this page: %d of %d.", twice, rows)
	return all
}

func reportedCount(rows, total int) string {
	if rows > 0 {
		return fmt.Sprintf("sent a page of %d rows", rows)
	}
	return fmt.Sprintf("%d transactions in all", total)
}

// countIDs counts rows without an id, and rows that repeat an earlier row's id.
func countIDs(rows []Row) (nameless, twice int) {
	seen := make(map[string]bool, len(rows))
	for _, r := range rows {
		id := r.ID.Line(0)
		switch {
		case id == "":
			nameless++
		case seen[id]:
			twice++
		}
		seen[id] = true
	}
	return nameless, twice
}
