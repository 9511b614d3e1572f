package transactions

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/detail"
	"paydesk/screens/list"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

const (
	indent = "  "
	// aboveTotals are the lines that the pane keeps for the row and its object before it has totals, so that these stay where they are
	// from row to row.
	aboveTotals = 30
)

// report returns what is known of a row, with so many lines of its object at most.
func (m *Model) report(l listing.Listed, object int) report.Report {
	r := report.OfTransaction(l, m.madeHere(l.Transaction), m.state.Began, object)
	if ref, is := reference(l.Transaction); is && m.made.elsewhere && m.made.of == ref {
		none := report.Words{Text: "The journal has no payment with this reference.", In: report.OnPage}
		r.Sections = slices.Insert(r.Sections, 1, report.Section{Title: "In this console", Words: []report.Words{none}})
	}
	return r
}

// pane says what a row is, beside the list or below it.
func (m *Model) pane(l listing.Listed, w, h int) []string {
	if !m.Beside() {
		return m.preview(l, w, h)
	}
	totals := m.totals.belowLines(w, min(h, m.H)-aboveTotals)
	room := max(h-len(totals), 0)
	lines := m.report(l, room).Pane(m.Theme, w, room)
	for len(lines) < min(h, m.H)-len(totals) { // h is more where the pane is scrolled
		lines = append(lines, "")
	}
	return append(lines[:min(len(lines), room)], totals...)
}

// preview is a row in the few lines below the list: what the list has no room for.
func (m *Model) preview(l listing.Listed, w, h int) []string {
	if h == 1 { // under the rows, without a rule
		return ui.Indented(m.Theme.FactLines("ID", l.ID.Line(80), len("ID")+2, w-len(indent)))
	}
	r := m.report(l, 1)
	r.Amount, r.Status = "", ui.Cell{} // the row above has both
	if row := &r.Sections[0]; m.hasIDs(w) {
		row.Facts = slices.DeleteFunc(row.Facts, func(f report.Fact) bool { return f.Label == "ID" })
	}
	return r.Preview(m.Theme, cmp.Or(m.note(r.Brief), "enter: all of it"), w, h)
}

// A made is the attempt that made the payment whose reference is the ID of a row; nil where none was made from here.
type made struct {
	of        api.Reference
	attempt   *ledger.Attempt
	elsewhere bool // the journal has none
}

// more reads what the journal knows of a row.
func (m *Model) more(l listing.Listed) list.Background {
	r, is := reference(l.Transaction)
	read := m.options.Made
	return func(ctx context.Context) (func(), error) {
		now := made{of: r}
		if read != nil && is {
			a, err := read(ctx, r)
			if now.elsewhere = errors.Is(err, ledger.ErrNotFound); err == nil {
				now.attempt = &a
			}
		}
		return func() { m.made = now }, nil
	}
}

// madeHere is the attempt that made the payment of a row from here; nil for none.
func (m *Model) madeHere(row api.Transaction) *ledger.Attempt {
	if r, is := reference(row); is && m.made.of == r {
		return m.made.attempt
	}
	return nil
}

// An openRow holds what is known of the row on its own screen besides it.
type openRow struct {
	page int              // where it is now; 0 until that is known
	note string           // how it differs now, or why it could not be read again
	call ui.Call[located] // reads the page of such a row again
}

// open shows a row on its own screen, where its raw object scrolls. One that is not kept is read again.
func (m *Model) open(l listing.Listed) tea.Cmd {
	o, read := &openRow{}, tea.Cmd(nil)
	switch {
	case !listing.InList(l.Place):
		o.note = "This row is not in the list that was read. It is shown as it was read earlier, or as it is known here."
	case l.Object.Empty():
		read = m.readAround(o, l)
	default:
		o.page = pageOf(l)
	}
	return tea.Batch(read, m.Open(l, detail.Of{
		Title: "Transaction", Head: func(w int) []string { return m.openHead(o, w) },
		Commands: func() ui.Commands {
			return append(m.rowCommands(), ui.Command{Key: ui.Bind("v", "raw page"), On: o.page > 0, Do: func() tea.Cmd { return m.openRaw(o.page) }})
		},
		Help: []string{"One transaction, as it was when its page was read, with the whole raw object."},
		Left: o.call.Drop,
	}))
}

// openHead says that the page of a row that is open is being read again, or how it differs now.
func (m *Model) openHead(o *openRow, w int) []string {
	switch {
	case o.call.Pending():
		return append(m.Theme.WaitLines(o.call.Wait(), "Reading its page again", w), "")
	case o.note != "":
		return append(m.Theme.MarkLines(ui.ToneAct, o.note, w), "")
	}
	return nil
}

// openRaw shows a page as it came; 0 is one that is not kept.
func (m *Model) openRaw(page int) tea.Cmd {
	if page == 0 {
		return m.Notify("Its page is not kept: enter reads it, then v shows it.")
	}
	return nav.Open(nav.Raw{Operation: api.OpTransactions, Page: page})
}

// A located row is a row as it is now, with its object, which is not kept of every row.
type located struct {
	row  api.Transaction
	page int // on which it is; 0 where it was not found
}

// locate reads the page of a row again, and those beside it: rows move on as others are added before them.
func locate(ctx context.Context, l Lister, row api.Transaction, page int) (at located, err error) {
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
			return located{p.Rows[i], n}, nil
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
		case a.Value.page == 0:
			o.note = "This row is no longer on page " + present.Thousands(page) + " of the list, nor on those beside it. This is how it was read."
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
		return "Its amount was " + strings.TrimSpace(report.RowAmount(was)) + " when the list was read."
	}
	return ""
}
