package api

import (
	"context"
	"fmt"
	"hash/maphash"
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
	Rows []Transaction
	Meta Meta
	// HasMeta is false when the response has no usable meta: a single page, count unknown.
	HasMeta bool
	// Notices describe what is inconsistent about the response.
	Notices []Text
}

// Meta is the pagination of a page (2.13), as the service reports it.
type Meta struct{ Page, PageCount, Total, PerPage int }

// A Transaction is one row of the list (2.13). Its ID is not documented to be a payment reference.
type Transaction struct {
	ID       Text
	IDHash   uint64       // tells apart IDs that are shown alike, since something in them was replaced or cut; 0 for one that is shown as it came
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
		page, perPage = clampPaging(page, perPage)
		bulk, scans := ctx.Value(scanContext{}).(bool)
		r := c.listRequest(page, perPage)
		r.noRetry = scans
		a, f := c.get(ctx, r)
		e, err := readOutcome(a, f, listEnvelope)
		if err != nil {
			return Page{}, err
		}
		p := c.readPage(e, !bulk)
		if !bulk {
			p.Notices = notices(p, page, perPage)
		}
		return p, nil
	})
}

// clampPaging clamps a page and its rows to what the service has.
func clampPaging(page, perPage int) (int, int) {
	return max(page, 1), min(max(perPage, 1), MaxPerPage)
}

// listRequest asks for a page of the list.
func (c *Client) listRequest(page, perPage int) request {
	query := "?page=" + strconv.Itoa(page) + "&perPage=" + strconv.Itoa(perPage)
	return request{origin: c.list, path: "/v1/api/transactions" + query, limit: listBody}
}

// readPage reads a page without its notices. Its rows have their objects only when they are whole.
func (c *Client) readPage(e envelope, whole bool) (p Page) {
	rows := e.payload.items()
	p.Rows = make([]Transaction, len(rows))
	for i, v := range rows {
		if p.Rows[i] = c.readRow(v); whole {
			p.Rows[i].Object = v.indented()
		}
	}
	p.Meta, p.HasMeta = meta(e.top.field("meta"))
	return p
}

var idSeed = maphash.MakeSeed()

// readRow reads one transaction without its Object. Of a row that is not an object nothing is set. Almost all IDs are UUIDs, in
// which there is nothing to redact; another may be taken for a card number.
func (c *Client) readRow(v *value) Transaction {
	id, currency := v.field("id"), v.field("currency")
	r := Transaction{Currency: currency.displayASCII(), Status: ParseStatus(v.field("status").redacted())}
	if s, is := id.text(); is && isPlain(s) && id.secrets.leaves(s) {
		r.ID = Clean(s)
	} else {
		if r.ID = id.displayID(); r.ID.Line(0) != id.plain() {
			r.IDHash = maphash.String(idSeed, id.plain())
		}
		c.name(r.ID.Line(0))
	}
	code, _ := currency.text()
	known, _ := money.ParseCurrency(code)
	amount := v.field("amount")
	if r.Raw = amount.displayID(); !known.IsZero() {
		r.Amount, r.Known = readAmount(amount, known, listAmount)
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
func countIDs(rows []Transaction) (nameless, twice int) {
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

// A scan reads thousands of pages, too many to look at one by one. What only a single request of a person needs would take
// most of its time, or push out the requests of people, and is left out.

type scanContext struct{}

// ForScan returns a context in which [Client.Transactions] reads for a scan, which has a schedule of its own: a request
// is not retried. In bulk, rows have no Object and pages no Notices, and only responses that are no success are kept as an
// [Answer]. Otherwise the page is one that a person looks at.
func ForScan(ctx context.Context, bulk bool) context.Context {
	return context.WithValue(ctx, scanContext{}, bulk)
}

// IsBulk reports whether a context is one of [ForScan] in bulk.
func IsBulk(ctx context.Context) bool {
	bulk, _ := ctx.Value(scanContext{}).(bool)
	return bulk
}
