package report

import (
	"time"

	"paydesk/api/export"
	"paydesk/ui"
)

// A Column describes a column of a list, wherever that is shown: how it is drawn on a screen and printed by a command, and what
// it is in a file. The places of columns are their order alone.
type Column[R any] struct {
	ui.Column                         // on a screen and a terminal
	Printed   int                     // its width on a terminal, where that is another
	On        Medium                  // where it is drawn or printed; 0 for in files alone
	Cell      func(R, Medium) ui.Cell // there
	Name      string                  // in CSV; "" for not in it. Other programs depend on it
	Member    string                  // in JSON; "" for not in it
	Value     func(R) any             // in both: see [export.Column]
}

// A Medium tells where a list is drawn or printed.
type Medium uint8

// The media.
const (
	Screen Medium = 1 << iota
	Wide          // a terminal on which all columns have room
	Narrow        // another
	Pipe          // for programs: nothing is aligned

	Terminal = Wide | Narrow
	Anywhere = Screen | Terminal | Pipe
)

// Drawn are the columns that a medium has.
func Drawn[R any](all []Column[R], on Medium) (drawn []Column[R]) {
	for _, c := range all {
		if c.On&on != 0 {
			drawn = append(drawn, c)
		}
	}
	return drawn
}

// Heads returns how the columns are drawn.
func Heads[R any](drawn []Column[R], on Medium) []ui.Column {
	heads := make([]ui.Column, len(drawn))
	for i, c := range drawn {
		if heads[i] = c.Column; on != Screen && c.Printed > 0 {
			heads[i].Width = c.Printed
		}
	}
	return heads
}

// Cells are a row of the columns.
func Cells[R any](drawn []Column[R], row R, on Medium) []ui.Cell {
	cells := make([]ui.Cell, len(drawn))
	for i, c := range drawn {
		cells[i] = c.Cell(row, on)
	}
	return cells
}

// FileOf returns what the columns are in a file.
func FileOf[R any](all []Column[R]) (t export.Table[R]) {
	for _, c := range all {
		value := func(row *R) any { return c.Value(*row) }
		if c.Name != "" {
			t.Columns = append(t.Columns, export.Column[R]{Name: c.Name, Value: value})
		}
		if c.Member != "" {
			t.Members = append(t.Members, export.Column[R]{Name: c.Member, Value: value})
		}
	}
	return t
}

// Within makes columns of rows, where they are drawn and printed, of the columns of a part of each.
func Within[R, P any](columns []Column[P], part func(R) P) []Column[R] {
	all := make([]Column[R], len(columns))
	for i, c := range columns {
		all[i] = Column[R]{Column: c.Column, Printed: c.Printed, On: c.On, Cell: func(row R, on Medium) ui.Cell { return c.Cell(part(row), on) }}
	}
	return all
}

// Time is a cell with a time: as RFC 3339 for programs, and in the words of people elsewhere.
func Time[R any](of func(R) time.Time, words func(time.Time) string) func(R, Medium) ui.Cell {
	return func(row R, on Medium) ui.Cell {
		if on == Pipe {
			return ui.Cell{Text: of(row).Local().Format(time.RFC3339)}
		}
		return ui.Cell{Text: words(of(row).Local())}
	}
}

// fitting returns the first form of an amount that has room in a column. None is cut: part of an amount would be another amount.
func fitting(cells int, forms ...string) string {
	for _, s := range forms {
		if len(s) <= cells {
			return s
		}
	}
	return "see details"
}

// Minute is the format of a time in a column.
const Minute = "2006-01-02 15:04"

// Text is a cell that is the same on every medium.
func Text[R any](of func(R) string) func(R, Medium) ui.Cell {
	return func(row R, _ Medium) ui.Cell { return ui.Cell{Text: of(row)} }
}
