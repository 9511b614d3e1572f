package detail

import (
	"reflect"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Rows are a short list, of which one is marked. Its functions are called on the event loop and do no I/O.
type Rows[T any] struct {
	Title   string
	Columns func() []ui.Column
	All     func() []T
	Cells   func(T) []ui.Cell
	ID      func(T) string       // the same row stays marked when there are others; nil where there are not
	Least   int                  // lines of the rows where there is room; 0 for as in a low window
	Head    func(w int) []string // above the rows; nil for nothing
	About   string               // the title of what there is to say
	// Says is that of the marked row, if there is one, in lines of w cells: h of them cost no row. Nil for nothing.
	Says     func(one T, some bool, w, h int) []present.Line
	Commands func(marked T, some bool) ui.Commands
	Help     []string
	Follow   func() tea.Cmd // is called when what is said has followed the mark; nil for nothing
	Left     func()         // is called when it is left; nil for nothing
}

// A Chooser is the screen of a short list: rows in as few lines as they need, and what there is to say of the marked one below them, or
// beside them in a wide window.
type Chooser[T any] struct {
	Part
	of    Rows[T]
	rows  []T
	table *ui.Table
	panes *ui.Panes
}

// NewChooser makes the screen. The body is that of the screen that it is a part of, or its own.
func NewChooser[T any](b *ui.Body, of Rows[T]) *Chooser[T] {
	c := &Chooser[T]{Part: Part{b}, of: of, table: ui.NewTable(b.Theme, of.Columns()...)}
	c.panes = ui.NewPanes(b.Theme, c.table)
	c.panes.OnFollow(of.Follow)
	c.fill()
	return c
}

// Open marks a row, and is the command that opens the list over the screen that it is a part of.
func (c *Chooser[T]) Open(marked int) tea.Cmd {
	c.table.Select(marked)
	return nav.Open(nav.Over{Screen: c})
}

// fill lists the rows as they are now. What is said of one waits for the mark to rest, which rows that are new would end.
func (c *Chooser[T]) fill() {
	rows := c.of.All()
	if reflect.DeepEqual(rows, c.rows) {
		return
	}
	was, some := ui.Selected(c.table, c.rows)
	c.rows = slices.Clone(rows)
	c.table.SetColumns(c.of.Columns()...)
	c.table.SetRows(len(rows), func(i int) []ui.Cell { return c.of.Cells(c.rows[i]) })
	if some && c.of.ID != nil {
		if at := slices.IndexFunc(rows, func(r T) bool { return c.of.ID(r) == c.of.ID(was) }); at >= 0 {
			c.table.Select(at)
		}
	}
}

// Selected is the marked row, if there is one.
func (c *Chooser[T]) Selected() (T, bool) {
	c.fill()
	return ui.Selected(c.table, c.rows)
}

// Shown is the row that something is said of: that at the mark, once it rests.
func (c *Chooser[T]) Shown() (one T, some bool) {
	c.fill()
	if i := c.panes.Row(); i >= 0 && i < len(c.rows) {
		return c.rows[i], true
	}
	return one, false
}

// Resize implements [ui.Screen].
func (c *Chooser[T]) Resize(w, h int) {
	c.Body.Resize(w, h)
	c.panes.Resize(w, h)
	c.fill()
	c.lay()
}

// Update implements [ui.Screen].
func (c *Chooser[T]) Update(msg tea.Msg) tea.Cmd {
	if k, pressed := msg.(tea.KeyPressMsg); pressed {
		if follow, used := c.panes.Update(c.Scope, k); used {
			c.EndNews()
			return follow
		}
	}
	return c.Press(msg, c.commands())
}

func (c *Chooser[T]) commands() ui.Commands { return c.of.Commands(c.Selected()) }

const (
	leastRows = 4  // lines in a low window: the titles and three rows
	roomyRows = 18 // lines from which the rows have those that they ask for
)

// lay gives the rows the lines that they need, and what is said the rest: in a low window both have less.
func (c *Chooser[T]) lay() (head, says []string) {
	if c.of.Head != nil {
		head = c.of.Head(c.W)
	}
	room, wanted := max(c.H-len(head), 0), 0
	if n := len(c.rows); n > 0 {
		wanted = n + 1
	}
	if c.Beside() {
		left, _ := c.panes.ListSize()
		w, _ := c.panes.PaneSize()
		c.table.Resize(left, min(wanted, room))
		h := max(room-1, 0)
		return head, append([]string{c.Theme.Rule(c.of.About, "", w)}, present.FitHeight(h, c.says(w, h))...)
	}
	least := leastRows
	if room >= roomyRows {
		least = max(c.of.Least, leastRows)
	}
	least = min(wanted, least)
	says = present.FitHeight(max(room-least-1, 0), c.says(c.W, max(room-wanted-1, 0)))
	c.table.Resize(c.W, min(wanted, max(room-len(says)-1, least)))
	return head, says
}

func (c *Chooser[T]) says(w, h int) []present.Line {
	if c.of.Says == nil {
		return nil
	}
	one, some := c.Shown()
	return c.of.Says(one, some, w, h)
}

// Beside reports whether what is said is beside the rows.
func (c *Chooser[T]) Beside() bool { return c.panes.Beside() && len(c.rows) > 0 && c.of.Says != nil }

// View implements [ui.Screen].
func (c *Chooser[T]) View() (string, *tea.Cursor) {
	if c.W < 1 || c.H < 1 {
		return "", nil
	}
	c.fill()
	head, says := c.lay()
	var rows []string
	if len(c.rows) > 0 {
		rows = strings.Split(c.table.View(), "\n")
	}
	if c.Beside() {
		left, _ := c.panes.ListSize()
		return ui.Lines(c.W, c.H, append(head, c.Theme.Beside(left, c.H-len(head), rows, says))...), nil
	}
	if len(rows) > 0 && len(says) > 0 {
		rows = append(rows, c.Theme.Rule(c.of.About, "", c.W))
	}
	return ui.Lines(c.W, c.H, slices.Concat(head, rows, says)...), nil
}

// Title implements [ui.Screen].
func (c *Chooser[T]) Title() string { return c.of.Title }

// Keys implements [ui.Screen]: rows that are all in the window have no pages.
func (c *Chooser[T]) Keys() []key.Binding {
	move, most := c.table.Keys(), 2
	if from, to := c.table.Visible(); to-from == len(c.rows) {
		most = 1
	}
	return append(c.commands().Keys(), move[:min(len(move), most)]...)
}

// Explain is the text of the help page.
func (c *Chooser[T]) Explain() []string { return c.of.Help }

// Back notes that the screen is left.
func (c *Chooser[T]) Back() bool {
	if c.of.Left != nil {
		c.of.Left()
	}
	return c.Part.Back()
}
