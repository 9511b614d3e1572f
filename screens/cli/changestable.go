package cli

import (
	"slices"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/screens/present"
)

// changesTable is what changed as CSV: the columns of a row, before and after.
func changesTable() export.Table[changedRow] {
	return export.Table[changedRow]{Columns: slices.Concat(
		[]export.Column[changedRow]{
			{Name: "change", Value: func(c *changedRow) any { return kindNames[c.Kind] }},
			{Name: "id", Value: func(c *changedRow) any { return export.Masked(c.ID) }},
		},
		changedColumns("was", func(c *changedRow) api.Row { return c.Was }),
		changedColumns("is", func(c *changedRow) api.Row { return c.Is }),
		[]export.Column[changedRow]{
			{Name: "after", Value: func(c *changedRow) any { return c.After }},
			{Name: "before", Value: func(c *changedRow) any { return c.Before }},
		},
	)}
}

// changedColumns are the columns of the row before or after.
func changedColumns(when string, of func(*changedRow) api.Row) []export.Column[changedRow] {
	column := func(name string, value func(c *changedRow, r api.Row) any) export.Column[changedRow] {
		return export.Column[changedRow]{Name: when + "_" + name, Value: func(c *changedRow) any {
			if r := of(c); present.RowIsIn(r) {
				return value(c, r)
			}
			return nil
		}}
	}
	return []export.Column[changedRow]{
		column("status", func(_ *changedRow, r api.Row) any { return export.Masked(r.Status.Text) }),
		column("status_means", func(c *changedRow, r api.Row) any {
			if means := present.RowMeans(r.Status, !c.mismatch.IsZero(), c.unchecked); means != "" {
				return means
			}
			return r.Status.State.String()
		}),
		column("currency", func(_ *changedRow, r api.Row) any { return export.Masked(r.Currency) }),
		column("amount_major", func(_ *changedRow, r api.Row) any {
			if !r.Known {
				return nil
			}
			return export.Decimal(r.Amount.Major())
		}),
		column("amount_minor", func(_ *changedRow, r api.Row) any { return export.AmountMinor(r) }),
		column("amount_raw", func(_ *changedRow, r api.Row) any { return export.AmountRaw(r) }),
	}
}
