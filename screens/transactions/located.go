package transactions

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// scanPage sets how many rows are read per page.
const scanPage = api.MaxPerPage

// A located row is a row as it is now, with its object, which is not kept of every row.
type located struct {
	row    api.Transaction
	page   int // on which it is
	found  bool
	around int // the page on which it was looked for, with those beside it
}

// locate reads the page of a row again, and those beside it: rows move on as others are added before them.
func locate(ctx context.Context, l Lister, row api.Transaction, page int) (at located, err error) {
	at.around = page
	last := page + 1
	for _, n := range []int{page, page + 1, page - 1} {
		if n < 1 || n > last {
			continue
		}
		p, err := l.Transactions(ctx, n, scanPage)
		if err != nil {
			return at, err
		}
		if i := slices.IndexFunc(p.Rows, func(r api.Transaction) bool { return r.ID == row.ID }); i >= 0 {
			at.row, at.page, at.found = p.Rows[i], n, true
			return at, nil
		}
		if p.HasMeta && p.Meta.PageCount > 0 {
			last = p.Meta.PageCount
		}
	}
	return at, nil
}

// readAround reads the object of the row that is open again.
func (m *Model) readAround(o *openRow, l listing.Listed) tea.Cmd {
	lister, row, page := m.lister, l.Transaction, pageOf(l)
	renew := func() {
		if now, is := m.Opened(); is {
			now.Transaction = l.Transaction
			m.Renew(now)
		}
	}
	return o.call.Then(func(a ui.Result[located]) tea.Cmd {
		switch {
		case a.Err != nil:
			p := present.Error(a.Err, present.Reading)
			o.note = strings.TrimSpace("Its page could not be read. " + p.What)
		case !a.Value.found:
			o.note = "This row is no longer on page " + present.Thousands(a.Value.around) + " of the list, nor on those beside it. This is how it was read."
		default:
			o.note = movedSince(row, a.Value.row)
			l.Transaction, o.page = a.Value.row, a.Value.page
		}
		renew()
		return nil
	}).Timed(3*api.ReadLimit, renew).Ask(m.Scope, func(ctx context.Context) (located, error) {
		return locate(ctx, lister, row, page)
	})
}

// movedSince says how a row differs from what a scan read of it; "" where it does not.
func movedSince(was, now api.Transaction) string {
	if was.Status != now.Status {
		return "Its status was " + present.OwnWord(was.Status) + " when the list was read."
	}
	if was.Raw != now.Raw || was.Currency != now.Currency {
		return "Its amount was " + strings.TrimSpace(report.AlignedAmount(was)) + " " + was.Currency.Line(8) + " when the list was read."
	}
	return ""
}
