package transactions

import (
	"context"
	"strconv"
	"time"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/listing"
	"paydesk/api/money"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A lister prints the service's list, or its totals.
type lister struct {
	*listOptions
	*command.Connection
	p     Commands
	until time.Time      // the end of the service's wait that was said last
	blind bool           // it was said that the journal could not be read
	read  output.Reading // the part of the list that the rows come from
	row   func(listing.Listed)
	raw   bool // an amount was printed in minor units
}

// begin opens what rows are printed to.
func (l *lister) begin() {
	l.row = output.List(l.p.Data, report.Transactions(l.asked != ""), output.NewTransaction)
}

// print prints the rows that a search finds, with what the journal knows of them, and returns how many.
func (l *lister) print(ctx context.Context, rows *listing.Rows, s listing.Search) (n int, err error) {
	s.Mismatches = listing.MismatchesOf(ctx, l)
	for r, failed := range rows.Each(ctx, s) {
		if err = failed; err != nil {
			break
		}
		if r.Unchecked && !l.blind {
			l.blind = true
			l.p.Warn("The journal could not be read: a payment marked ? may have a mismatch.")
		}
		l.raw = l.raw || !r.Known && !r.Raw.Empty()
		n++
		l.row(r)
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return n, err
}

// end prints what is held, and explains amounts in minor units where the rows had any.
func (l *lister) end() {
	l.p.Data.Flush()
	if l.raw && l.p.Data.Format == output.Text {
		l.p.Say("%s", report.RawAmounts)
	}
}

// readPage notes how much of the list a page holds.
func (l *lister) readPage(page api.Page) {
	l.read = output.Reading{
		Page: l.page, PerPage: l.perPage, RowsRead: len(page.Rows), PagesRead: 1, Why: []string{"This is one page of the list."}, Ended: output.Time(time.Now()),
	}
	if page.HasMeta {
		l.read.Total, l.read.PageCount = &page.Meta.Total, &page.Meta.PageCount
	}
	l.read.Why = append(l.read.Why, api.Lines(page.Notices)...)
}

// reading returns how much was read, with the query and how many rows meet it.
func (l *lister) reading(found int) output.Reading {
	r := l.read
	if !l.query.Empty() {
		r.Where, r.RowsFound = l.where, &found
	}
	return r
}

// printReading prints the object behind the rows.
func (l *lister) printReading(found int) {
	if l.p.Data.Format == output.JSON && !l.totals {
		l.p.Data.Object(output.Transactions{Reading: l.reading(found)})
		l.p.Data.Flush()
	}
}

// printTotals prints what the rows come to that a search finds, by currency and status, and returns how many they are.
func (l *lister) printTotals(ctx context.Context, rows *listing.Rows, s listing.Search) (int, error) {
	s.Mismatches = listing.MismatchesOf(ctx, l)
	t, err := rows.Totals(ctx, s)
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if t.Unchecked {
		l.p.Warn("The journal could not be read: a payment with a mismatch may be counted by its status.")
	}
	unread := 0
	for _, c := range t.Currencies {
		unread += c.Unread
	}
	if unread > 0 {
		l.p.Warn("Not in the sums: %s whose amount cannot be read.", present.Count(unread, "row", "rows"))
	}
	switch {
	case err != nil:
	case l.p.Data.Format == output.JSON:
		l.p.Data.Object(totalsObject(t, l.reading(t.Rows)))
	default:
		printed := output.List[totalRow, output.Object](l.p.Data, totalColumns(), nil)
		for _, r := range totalRows(t, l.p.Data.Format == output.Text) {
			printed(r)
		}
	}
	l.p.Data.Flush()
	return t.Rows, err
}

// A totalRow is the rows of one currency, and of one status or all.
type totalRow struct {
	currency listing.CurrencyTotal
	listing.StatusTotal
	all bool
}

// totalRows returns a row for each currency and status, and for people one for each currency.
func totalRows(t listing.Totals, people bool) (all []totalRow) {
	for _, c := range t.Currencies {
		for _, s := range c.Statuses {
			all = append(all, totalRow{currency: c, StatusTotal: s})
		}
		if people {
			all = append(all, totalRow{c, c.StatusTotal, true})
		}
	}
	return all
}

// code returns the currency's code, or the service's word for one that is not known.
func code(c listing.CurrencyTotal) string {
	if c.Currency.IsZero() {
		return export.Masked(c.Text)
	}
	return c.Currency.Code()
}

// means names a class of rows.
func means(c listing.Class) string {
	if c.Differs {
		return present.Mismatch
	}
	return c.State.String()
}

// totalColumns returns the columns of the totals. A currency that is not known has no sum.
func totalColumns() []report.Column[totalRow] {
	const on = report.Terminal | report.Pipe
	count := func(n func(totalRow) int) func(totalRow, report.Medium) ui.Cell {
		return func(t totalRow, on report.Medium) ui.Cell {
			if on == report.Pipe {
				return ui.Cell{Text: strconv.Itoa(n(t))}
			}
			return ui.Cell{Text: present.Thousands(n(t))}
		}
	}
	sum := func(text func(money.Sum) string) func(totalRow) any {
		return func(t totalRow) any {
			if t.Sum.Currency().IsZero() {
				return nil
			}
			return export.Decimal(text(t.Sum))
		}
	}
	rows, unread := func(t totalRow) int { return t.Rows }, func(t totalRow) int { return t.Unread }
	return []report.Column[totalRow]{
		{Column: ui.Column{Title: "Currency"}, On: on, Cell: currencyCell, Name: "currency", Value: func(t totalRow) any { return code(t.currency) }},
		{Column: ui.Column{Title: "Status", Width: 14}, On: on, Cell: classCell, Name: "status_means", Value: func(t totalRow) any { return means(t.Class) }},
		{Name: "status", Value: func(t totalRow) any { return export.Masked(t.Text) }},
		{Column: ui.Column{Title: "Rows", Width: 9, Right: true}, On: on, Cell: count(rows), Name: "rows", Value: func(t totalRow) any { return int64(t.Rows) }},
		{Column: ui.Column{Title: "Sum", Width: 20, Right: true}, On: on, Cell: sumCell, Name: "sum_major", Value: sum(money.Sum.Major)},
		{Name: "sum_minor", Value: sum(money.Sum.MinorText)},
		{Column: ui.Column{Title: "Unread", Right: true}, On: on, Cell: count(unread), Name: "unread", Value: func(t totalRow) any { return int64(t.Unread) }},
	}
}

func currencyCell(t totalRow, _ report.Medium) ui.Cell {
	if t.currency.Currency.IsZero() {
		return ui.Cell{Text: present.Quoted(api.Clean(code(t.currency)), "none")}
	}
	return ui.Cell{Text: code(t.currency)}
}

func classCell(t totalRow, _ report.Medium) ui.Cell {
	if t.all {
		return ui.Cell{Text: "all"}
	}
	tone, word := present.ClassOf(t.Class)
	return ui.Cell{Text: word, Tone: tone}
}

func sumCell(t totalRow, on report.Medium) ui.Cell {
	switch {
	case t.Sum.Currency().IsZero():
		return ui.Cell{Text: "not summed"}
	case on == report.Pipe:
		return ui.Cell{Text: t.Sum.Major()}
	}
	return ui.Cell{Text: t.Sum.Grouped()}
}

// totalsObject returns the totals as an object.
func totalsObject(t listing.Totals, read output.Reading) output.Totals {
	all := output.Totals{Rows: t.Rows, Unchecked: t.Unchecked, Reading: read, Currencies: []output.CurrencyTotal{}}
	for _, c := range t.Currencies {
		one := output.CurrencyTotal{Currency: code(c), Known: !c.Currency.IsZero(), Total: totalObject(c.StatusTotal)}
		for _, s := range c.Statuses {
			one.Statuses = append(one.Statuses, output.StatusTotal{Means: means(s.Class), Word: export.Masked(s.Text), Total: totalObject(s)})
		}
		all.Currencies = append(all.Currencies, one)
	}
	return all
}

func totalObject(t listing.StatusTotal) output.Total {
	return output.Total{Rows: t.Rows, Sum: sumObject(t.Sum), Unread: t.Unread}
}

// sumObject returns a sum as an object; nil in a currency that is not known.
func sumObject(s money.Sum) *output.Money {
	c := s.Currency()
	if c.IsZero() {
		return nil
	}
	digits := c.Exponent()
	return &output.Money{Amount: s.Major(), Currency: c.Code(), Minor: s.MinorText(), Exponent: &digits}
}
