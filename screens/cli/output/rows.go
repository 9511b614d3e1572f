package output

import (
	"iter"

	"paydesk/api/export"
	"paydesk/screens/report"
	"paydesk/ui"
)

// Rows prints rows: as CSV, as objects, or with the columns that have room.
func Rows[R any](out *Writer, columns []report.Column[R], rows iter.Seq2[R, error], object func(R) any) error {
	if out.Format == CSV {
		_, err := export.Write(out, export.CSV, report.FileOf(columns), rows, nil)
		return err
	}
	printed := List(out, columns, object)
	for r, err := range rows {
		if err == nil {
			err = printed(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// List prints rows as they come: as objects, or with the columns that have room.
func List[R any](out *Writer, columns []report.Column[R], object func(R) any) func(R) error {
	if out.Format == JSON {
		return func(r R) error { return out.Object(object(r)) }
	}
	on := report.Pipe
	if out.Terminal {
		if on = report.Wide; Room(report.Heads(report.Drawn(columns, on), on)) > out.Width {
			on = report.Narrow
		}
	}
	drawn := report.Drawn(columns, on)
	table := out.Table(report.Heads(drawn, on)...)
	return func(r R) error { return table.Row(report.Cells(drawn, r, on)...) }
}

// Cells are texts as cells without a state.
func Cells(texts ...string) []ui.Cell {
	cells := make([]ui.Cell, len(texts))
	for i, t := range texts {
		cells[i].Text = t
	}
	return cells
}
