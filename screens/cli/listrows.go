package cli

import (
	"bufio"
	"context"
	"errors"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/journal"
	"paydesk/api/listing"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A lister prints the service's list, or what is to be said of it.
type lister struct {
	*listOptions
	*connection
	p        *program
	buffer   *bufio.Writer // a write for each of a million rows would take longer than the service
	out      *output.Writer
	progress *progress
	until    time.Time // what the service asked to wait for was said
	blind    bool      // it was said that the journal could not be read
	raw      bool      // an amount was printed that is in minor units
}

func (p *program) newLister(c *connection, o *listOptions) *lister {
	b := bufio.NewWriterSize(p.stdout(), 1<<16)
	return &lister{listOptions: o, connection: c, p: p, buffer: b, out: output.New(b, p.outputOptions()), progress: p.newProgress()}
}

// A listedRow is a row of the list, with what is known here of its payment.
type listedRow struct {
	export.Transaction
	mismatch  journal.Mismatch
	unchecked bool // the journal could not be read, so that there may be a mismatch
}

// errNotTaken is the error of rows that nobody takes any more: why is known to who printed them.
var errNotTaken = errors.New("no more rows are taken")

// print prints the rows that each yields.
func (l *lister) print(each func(yield func(listedRow) bool) error) (err error) {
	var written error
	if l.out.Format == output.CSV {
		rows := func(yield func(export.Transaction, error) bool) {
			err = each(func(r listedRow) bool { return yield(r.Transaction, nil) })
		}
		_, written = export.Write(l.out, export.CSV, export.Transactions(), rows, nil)
	} else {
		table := l.out.Table(l.rowColumns()...)
		err = each(func(r listedRow) bool {
			written = l.printRow(table, r)
			return written == nil
		})
	}
	if written == nil {
		written = l.buffer.Flush()
	}
	if l.raw {
		l.progress.clear()
		l.p.say("* raw minor units: the amount in major units is unknown")
	}
	if written != nil {
		return written
	}
	return err
}

// wideRow is the width that a row needs with the service's word for its status.
const wideRow = 98

// rowColumns are the columns. On a terminal without that room the service's word is left out where it says nothing new.
func (l *lister) rowColumns() []output.Column {
	last := output.Column{Name: "Raw status if different"}
	if l.narrow() {
		last.Name = ""
	}
	return []output.Column{{Name: "Status", Width: 12}, {Name: "Amount", Width: 14, Right: true}, {Name: "Cur", Width: 3}, {Name: "ID", Width: 36}, last}
}

func (l *lister) narrow() bool { return l.out.Terminal && l.out.Width < wideRow }

func (l *lister) printRow(table *output.Table, r listedRow) error {
	if l.out.Format == output.JSON {
		return l.out.Object(r.object())
	}
	return table.Row(r.status(), ui.Cell{Text: l.amount(r.Row)}, ui.Cell{Text: r.Currency.Line(8)}, ui.Cell{Text: export.Masked(r.ID)}, ui.Cell{Text: l.ownWord(r.Status)})
}

// status is the status in a column, as the screens have it. A payment about which an answer differed, or may have, is
// no success.
func (r listedRow) status() ui.Cell {
	cell := present.RowCell(r.Row.Status, r.mismatch)
	if r.unchecked && cell.Tone == ui.ToneGood {
		return ui.Cell{Text: "? " + cell.Text, Tone: ui.ToneUnknown}
	}
	return cell
}

// ownWord is the service's word for a status where it is another than that of the column.
func (l *lister) ownWord(s api.Status) string {
	word := export.Masked(s.Text)
	if s.State != api.Unrecognised && (l.narrow() || word == present.ShortStatus(s)) {
		return ""
	}
	return word
}

// amount is the amount of a row: with thousands separated for people, and plain for programs.
func (l *lister) amount(r api.Row) string {
	switch {
	case r.Known && l.out.Terminal:
		return r.Amount.Grouped()
	case r.Known:
		return r.Amount.Major()
	case r.Raw.Empty():
		return ""
	}
	l.raw = true
	return export.Masked(r.Raw) + "*"
}

// object is the row as an object.
func (r listedRow) object() shape.Transaction {
	row := listedObject(r.Row, !r.mismatch.IsZero() || r.unchecked)
	return shape.Transaction{
		Schema: shape.TransactionSchema, Position: r.Position, ID: export.Masked(r.ID), Money: row.Money, AmountRaw: row.AmountRaw,
		Currency: row.Currency, Status: row.Status, Mismatch: shape.NewMismatch(r.mismatch), Unchecked: r.unchecked,
	}
}

// listedObject is what the list says of a row. doubtful is whether its success is in doubt.
func listedObject(r api.Row, doubtful bool) (o shape.ListedRow) {
	o.Status = shape.NewStatus(r.Status, doubtful)
	if o.Status != nil {
		o.Status.Word = export.Masked(r.Status.Text)
	}
	code := export.Masked(r.Currency)
	if r.Known {
		o.Money = shape.NewMoney(r.Amount)
		return o
	}
	if raw := export.AmountRaw(r); raw == nil && !r.Raw.Empty() {
		o.Money = &shape.Money{Currency: code, Minor: export.Masked(r.Raw)}
		return o
	}
	o.AmountRaw, o.Currency = export.Masked(r.Raw), code
	return o
}

// marks are what is known here of the payments of some rows.
type marks struct {
	of     map[api.Reference]journal.Mismatch
	unread bool
}

// marksOf looks up about which of some rows an answer differed. Few payments are such, so that they are looked for among
// the rows and not the other way round.
func (l *lister) marksOf(ctx context.Context, rows *listing.Rows, numbers []int32) (m marks) {
	if len(numbers) == 0 {
		return m
	}
	return l.marksAmong(ctx, func(r api.Reference) bool {
		_, is := rows.Find(string(r))
		return is
	})
}

// marksAmong is that of the payments for which is holds.
func (l *lister) marksAmong(ctx context.Context, is func(api.Reference) bool) (m marks) {
	differing, err := l.Differing(ctx)
	m.unread = err != nil
	differing = slices.DeleteFunc(differing, func(r api.Reference) bool { return !is(r) })
	if len(differing) > 0 {
		m.of, err = l.Mismatches(ctx, differing)
		m.unread = m.unread || err != nil
	}
	if m.unread && !l.blind && ctx.Err() == nil {
		l.blind = true
		l.progress.clear()
		l.p.say("The journal could not be read: a payment marked ? may have a mismatch.")
	}
	return m
}

// about is what is known of the payment that an ID is the reference of, if it is one.
func (m marks) about(id api.Text) (known journal.Mismatch, unchecked bool) {
	r, err := api.ParseReference(id.Line(0))
	if err != nil || r == "" {
		return known, false
	}
	known = m.of[r]
	return known, m.unread && known.IsZero()
}

// row is a row with what is known of it.
func (m marks) row(r api.Row, position int) listedRow {
	l := listedRow{Transaction: export.Transaction{Position: position, Row: r}}
	l.mismatch, l.unchecked = m.about(r.ID)
	l.Means = present.RowMeans(r.Status, !l.mismatch.IsZero(), l.unchecked)
	return l
}

// numbersOf are the numbers of the rows of a selection.
func numbersOf(s listing.Selection) []int32 {
	if s.Numbers != nil {
		return s.Numbers
	}
	all := make([]int32, s.N)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// pageReading is how much of the list a page is.
func (l *lister) pageReading(page api.Page, found int) shape.Reading {
	r := shape.Reading{Page: l.page, PerPage: l.perPage, RowsRead: len(page.Rows), PagesRead: 1, Why: []string{"This is one page of the list."}}
	if page.HasMeta {
		r.Total, r.PageCount = &page.Meta.Total, &page.Meta.PageCount
	}
	for _, n := range page.Notices {
		r.Why = append(r.Why, n.Line(0))
	}
	r.Ended = shape.Time(time.Now())
	return l.searched(r, found)
}

// searched adds the query, and how many rows meet it.
func (l *lister) searched(r shape.Reading, found int) shape.Reading {
	if !l.query.Empty() {
		r.Where, r.RowsFound = l.query.String(), &found
	}
	return r
}

// printReading prints the object behind the rows.
func (l *lister) printReading(r shape.Reading) error {
	if l.out.Format != output.JSON {
		return nil
	}
	if err := l.out.Object(shape.Transactions{Schema: shape.TransactionsSchema, Reading: r}); err != nil {
		return err
	}
	return l.buffer.Flush()
}
