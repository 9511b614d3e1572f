package cli

import (
	"context"
	"iter"
	"strconv"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/listing"
	"paydesk/api/money"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
	"paydesk/screens/present"
	"paydesk/ui"
)

// printTotals prints what the rows come to that a search finds, by currency and status, and returns how many they are.
func (l *lister) printTotals(ctx context.Context, rows *listing.Rows, s listing.Search, read func(found int) shape.Reading) (int, error) {
	differing, err := l.Differing(ctx)
	unchecked := err != nil
	ids := make([]string, len(differing))
	for i, r := range differing {
		ids[i] = string(r)
	}
	t, _, err := rows.Totals(ctx, s, ids)
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	l.progress.clear()
	if unchecked {
		l.p.warn("The journal could not be read: a payment with a mismatch may be counted by its status.")
	}
	switch {
	case err != nil:
	case l.out.Format == output.JSON:
		err = l.out.Object(totalsObject(t, unchecked, read(t.Rows)))
	case l.out.Format == output.CSV:
		_, err = export.Write(l.out, export.CSV, totalsTable(), totalRows(t), nil)
	default:
		err = l.printSums(t)
	}
	if err != nil {
		return t.Rows, err
	}
	return t.Rows, l.buffer.Flush()
}

// A totalRow is the rows of one currency and status.
type totalRow struct {
	currency listing.CurrencyTotal
	listing.StatusTotal
}

// totalRows are a row for each currency and status.
func totalRows(t listing.Totals) iter.Seq2[totalRow, error] {
	return func(yield func(totalRow, error) bool) {
		for _, c := range t.Currencies {
			for _, s := range c.Statuses {
				if !yield(totalRow{c, s}, nil) {
					return
				}
			}
		}
	}
}

// code is the currency's code, or the service's word for one that is not known.
func code(c listing.CurrencyTotal) string {
	if c.Currency.IsZero() {
		return export.Masked(c.Text)
	}
	return c.Currency.Code()
}

// means is what a class of rows is counted as.
func means(c listing.Class) string {
	if c.Differs {
		return present.Mismatch
	}
	return c.State.String()
}

// totalsTable is the totals as CSV. What is not known has no sum.
func totalsTable() export.Table[totalRow] {
	sum := func(text func(money.Sum) string) func(t *totalRow) any {
		return func(t *totalRow) any {
			if t.Sum.Currency().IsZero() {
				return nil
			}
			return export.Decimal(text(t.Sum))
		}
	}
	return export.Table[totalRow]{Columns: []export.Column[totalRow]{
		{Name: "currency", Value: func(t *totalRow) any { return code(t.currency) }},
		{Name: "status_means", Value: func(t *totalRow) any { return means(t.Class) }},
		{Name: "status", Value: func(t *totalRow) any { return export.Masked(t.Text) }},
		{Name: "rows", Value: func(t *totalRow) any { return int64(t.Rows) }},
		{Name: "sum_major", Value: sum(money.Sum.Major)},
		{Name: "sum_minor", Value: sum(money.Sum.MinorText)},
		{Name: "unread", Value: func(t *totalRow) any { return int64(t.Unread) }},
	}}
}

// printSums prints the totals as lines: those of each currency by status, and of all its statuses.
func (l *lister) printSums(t listing.Totals) error {
	table := l.out.Table(
		ui.Column{Title: "Currency"}, ui.Column{Title: "Status", Width: 14}, ui.Column{Title: "Rows", Width: 9, Right: true},
		ui.Column{Title: "Sum", Width: 20, Right: true}, ui.Column{Title: "Unread", Right: true},
	)
	for _, c := range t.Currencies {
		name := code(c)
		if c.Currency.IsZero() {
			name = present.Quoted(api.Clean(name), "none")
		}
		for _, s := range c.Statuses {
			tone, word := present.ClassOf(s.Class)
			table.Row(l.sumCells(name, ui.Cell{Text: word, Tone: tone}, s)...)
		}
		table.Row(l.sumCells(name, ui.Cell{Text: "all"}, c.StatusTotal)...)
	}
	return l.out.Err()
}

func (l *lister) sumCells(currency string, status ui.Cell, t listing.StatusTotal) []ui.Cell {
	rows, sum, unread := strconv.Itoa(t.Rows), t.Sum.Major(), strconv.Itoa(t.Unread)
	if l.out.Terminal {
		rows, sum, unread = present.Thousands(t.Rows), t.Sum.Grouped(), present.Thousands(t.Unread)
	}
	if t.Sum.Currency().IsZero() {
		sum = "not summed"
	}
	return []ui.Cell{{Text: currency}, status, {Text: rows}, {Text: sum}, {Text: unread}}
}

// totalsObject is the totals as an object.
func totalsObject(t listing.Totals, unchecked bool, read shape.Reading) shape.Totals {
	all := shape.Totals{Schema: shape.TotalsSchema, Rows: t.Rows, Unchecked: unchecked, Reading: read, Currencies: []shape.CurrencyTotal{}}
	for _, c := range t.Currencies {
		one := shape.CurrencyTotal{Currency: code(c), Known: !c.Currency.IsZero(), Total: totalObject(c.StatusTotal)}
		for _, s := range c.Statuses {
			one.Statuses = append(one.Statuses, shape.StatusTotal{Means: means(s.Class), Word: export.Masked(s.Text), Total: totalObject(s)})
		}
		all.Currencies = append(all.Currencies, one)
	}
	return all
}

func totalObject(t listing.StatusTotal) shape.Total {
	return shape.Total{Rows: t.Rows, Sum: sumObject(t.Sum), Unread: t.Unread}
}

// sumObject is a sum as an object; nil in a currency that is not known.
func sumObject(s money.Sum) *shape.Money {
	c := s.Currency()
	if c.IsZero() {
		return nil
	}
	digits := c.Exponent()
	return &shape.Money{Amount: s.Major(), Currency: c.Code(), Minor: s.MinorText(), Exponent: &digits}
}
