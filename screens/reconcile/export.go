package reconcile

import (
	"context"
	"io"
	"iter"
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/listing"
	"paydesk/screens/fileform"
	"paydesk/screens/present"
)

// export asks where to write the payments listed.
func (m *Model) export() tea.Cmd {
	if len(m.cases()) == 0 || m.about != nil {
		return m.Notify("No payment is listed that could be written.")
	}
	r, cases, opened := m.result.Reconciliation, m.cases(), m.Scope.Now()
	form, cmd := fileform.Open(m.Theme, m.Scope, fileform.File{
		Parts: []fileform.Part{{Rows: len(cases)}}, Formats: export.Formats(), Start: m.folder, Folder: m.options.Folder,
		Name: func(c fileform.Choice) string { return export.FileName("reconcile", "."+string(c.Format), opened) },
		Write: func(ctx context.Context, w io.Writer, c fileform.Choice, told func(int)) (int, error) {
			return export.Write(w, c.Format, table(r), rows(ctx, cases), told)
		},
	}, func(w fileform.Written) tea.Cmd {
		m.folder, m.file = w.Folder, nil
		m.written = present.Count(w.Rows, "payment was", "payments were") + " written to " + present.Plain(w.Path)
		m.layout()
		return nil
	})
	m.file = form
	return cmd
}

// rows are the payments, until ctx ends.
func rows(ctx context.Context, cases []listing.Case) iter.Seq2[listing.Case, error] {
	return func(yield func(listing.Case, error) bool) {
		for _, c := range cases {
			if !yield(c, ctx.Err()) {
				return
			}
		}
	}
}

// standingNames are the standings in a file. Other programs depend on them.
var standingNames = [listing.Standings]string{
	"differs", "found", "missing", "no row", "not seen", "in doubt", "moved", "by amount", "unclear", "newer here", "agrees",
}

// table is how the payments listed are written.
func table(r *listing.Reconciliation) export.Table[listing.Case] {
	type column = export.Column[listing.Case]
	row := func(c *listing.Case) (api.Row, bool) {
		if c.Row < 0 {
			return api.Row{}, false
		}
		return r.Row(c.Row), true
	}
	fromRow := func(value func(api.Row) any) func(*listing.Case) any {
		return func(c *listing.Case) any {
			if of, is := row(c); is {
				return value(of)
			}
			return nil
		}
	}
	return export.Table[listing.Case]{Columns: slices.Concat([]column{
		{Name: "standing", Value: func(c *listing.Case) any { return standingNames[c.Standing] }},
		{Name: "attempt", Value: func(c *listing.Case) any { return string(c.ID) }},
		{Name: "sent", Value: func(c *listing.Case) any { return c.At }},
		{Name: "user", Value: func(c *listing.Case) any { return c.User }},
		{Name: "reference", Value: func(c *listing.Case) any { return string(c.Reference) }},
		{Name: "own_reference", Value: func(c *listing.Case) any { return c.OwnReference }},
		{Name: "status", Value: func(c *listing.Case) any { return c.Status.Text.Line(0) }},
		{Name: "currency", Value: func(c *listing.Case) any { return c.Amount.Currency.Code() }},
		{Name: "amount_major", Value: func(c *listing.Case) any {
			if c.Amount.Currency.IsZero() {
				return nil
			}
			return export.Decimal(c.Amount.Major())
		}},
		{Name: "difference", Value: func(c *listing.Case) any { return c.Difference.Words(c.Asked()) }},
		{Name: "candidates", Value: func(c *listing.Case) any { return int64(c.Candidates) }},
	}, []column{
		{Name: "list_id", Value: fromRow(func(r api.Row) any { return export.Masked(r.ID) })},
		{Name: "list_status", Value: fromRow(func(r api.Row) any { return export.Masked(r.Status.Text) })},
		{Name: "list_currency", Value: fromRow(func(r api.Row) any { return export.Masked(r.Currency) })},
		{Name: "list_amount_minor", Value: fromRow(export.AmountMinor)},
		{Name: "list_amount_raw", Value: fromRow(export.AmountRaw)},
	})}
}
