package ui

import tea "charm.land/bubbletea/v2"

// A Column of a table. Columns with the largest Drop are left out first when
// the width does not do; Drop 0 stays always.
type Column struct {
	Title string
	Width int  // least cells
	Grow  bool // takes what is left
	Right bool
	Drop  int
}

// A Cell is a text and what it means.
type Cell struct {
	Text string
	Tone Tone // with a tone other than none the cell is its glyph and text
}

// A Table shows a window of rows. Only rows in sight are built. The selected
// row has a mark in front; its own colours stay as they are.
type Table struct{}

// NewTable makes an empty table.
func NewTable(t *Theme, columns ...Column) *Table { return &Table{} }

// SetRows says how many rows there are and how to build one. The selection
// stays on the same index, or the last row.
func (t *Table) SetRows(n int, row func(i int) []Cell) {}

// Resize sets the size, header included.
func (t *Table) Resize(w, h int) {}

// Update takes up, down, k, j, pgup, pgdown, home, end, g, G; it reports
// whether the key was one of them.
func (t *Table) Update(msg tea.Msg) bool { return false }

// Selected is the selected row's index, -1 when there are no rows.
func (t *Table) Selected() int { return -1 }

// Select moves the selection.
func (t *Table) Select(i int) {}

// View draws header and rows in exactly the height given.
func (t *Table) View() string { return "" }
