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

// Rows are a short list, of which one is marked. Their functions are called on the event loop and do no I/O.
type Rows[T any] struct {
	Title   string
	Columns func() []ui.Column
	All     func() []T
	Cells   func(T) []ui.Cell
	Group   func(i int) (title, note string) // of the rule above a row, and above those after it with the same title; nil for none
	ID      func(T) string                   // the same row stays marked when there are others; nil where there are not
	Least   int                              // lines of the rows where there is room; 0 for as in a low window
	Head    func(w int) []string             // above the rows; nil for nothing
	About   string                           // the title of what Says returns; "" for none
	// Says describes the marked row, if there is one, in lines of w cells: h of them cost no row. Nil for nothing.
	Says     func(one T, some bool, w, h int) []present.Line
	Under    func(w, h int) []string // below the rows, and below what is said where that is not beside them; nil for nothing
	Commands func(marked T, some bool) ui.Commands
	Help     []string
	Follow   func() tea.Cmd // is called when what is said has followed the mark; nil for nothing
	Left     func()         // is called when it is left; nil for nothing
}

// A Chooser is the screen of a short list: rows in as few lines as they need, and words about the marked one below them, or
// beside them in a wide window.
type Chooser[T any] struct {
	*shortList
	of   Rows[T]
	rows []T
}

// A shortList has the parts of a Chooser that do not depend on its rows: the program has it once.
type shortList struct {
	*ui.Body     // of the screen that it is a part of, which sets the scope
	title, about string
	least        int
	head         func(w int) []string
	help         []string
	left         func()
	table        *ui.Table
	panes        *ui.Panes
	n            int                              // rows
	group        func(i int) (title, note string) // nil without groups

	fill     func()
	commands func() ui.Commands
	says     func(w, h int) []present.Line // nil for nothing
	under    func(w, h int) []string       // nil for nothing
}

// NewChooser makes the screen, with the body of the screen that it is a part of, or its own.
func NewChooser[T any](b *ui.Body, of Rows[T]) *Chooser[T] {
	l := &shortList{
		Body: b, title: of.Title, about: of.About, least: of.Least, head: of.Head, help: of.Help, left: of.Left, under: of.Under,
		table: ui.NewTable(b.Theme, of.Columns()...), group: of.Group,
	}
	l.grouped()
	l.panes = ui.NewPanes(b.Theme, l.table)
	l.panes.OnFollow(of.Follow)
	c := &Chooser[T]{shortList: l, of: of}
	l.fill, l.commands = c.read, func() ui.Commands { return of.Commands(c.Selected()) }
	if of.Says != nil {
		l.says = func(w, h int) []present.Line {
			one, some := c.shown() // of the rows that are being drawn
			lines := of.Says(one, some, w, h)
			if l.under != nil && !l.panes.Beside() {
				lines = append(lines, present.Rows(1, l.under(w, max(h-len(lines), 0))...)...)
			}
			return lines
		}
	}
	c.read()
	return c
}

// read lists the rows as they are now. What is said of one waits for the mark to rest, which rows that are new would end.
func (c *Chooser[T]) read() {
	rows := c.of.All()
	if reflect.DeepEqual(rows, c.rows) {
		return
	}
	was, some := ui.Selected(c.table, c.rows)
	c.rows, c.n = slices.Clone(rows), len(rows)
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
	c.read()
	return ui.Selected(c.table, c.rows)
}

// Shown is the row that something is said of: that at the mark, once it rests.
func (c *Chooser[T]) Shown() (one T, some bool) {
	c.read()
	return c.shown()
}

func (c *Chooser[T]) shown() (one T, some bool) {
	if i := c.panes.Row(); i >= 0 && i < len(c.rows) {
		return c.rows[i], true
	}
	return one, false
}

// Mark marks a row of those that there are now.
func (c *shortList) Mark(i int) {
	c.fill()
	c.table.Select(i)
}

// Open marks a row, and is the command that opens the list over the screen that it is a part of.
func (c *shortList) Open(marked int) tea.Cmd {
	c.Resize(c.W, c.H) // the mark scrolls what has no size
	c.table.Select(marked)
	return nav.Open(nav.Over{Screen: c})
}

// Init implements [ui.Screen].
func (c *shortList) Init(ui.Scope) tea.Cmd { return nil }

// Resize implements [ui.Screen].
func (c *shortList) Resize(w, h int) {
	c.Body.Resize(w, h)
	c.panes.Resize(w, h)
	c.fill()
	c.lay()
}

// Update implements [ui.Screen].
func (c *shortList) Update(msg tea.Msg) tea.Cmd {
	if k, pressed := msg.(tea.KeyPressMsg); pressed {
		if follow, used := c.panes.Update(c.Scope, k); used {
			c.EndNews()
			return follow
		}
	}
	return c.Press(msg, c.commands())
}

const (
	leastRows = 4  // lines in a low window: the titles and three rows
	roomyRows = 18 // lines from which the rows have those that they ask for
)

func (c *shortList) grouped() {
	if c.group != nil {
		c.table.Grouped(c.group, func(int) bool { return false })
	}
}

// lines counts those that the rows take, with what is above them.
func (c *shortList) lines() int {
	n := c.n + 1
	for i := 1; i < c.n && c.group != nil; i++ {
		was, _ := c.group(i - 1)
		if title, _ := c.group(i); title != was {
			n++
		}
	}
	return n
}

// lay gives the rows the lines that they need, and what is said the rest: in a low window both have less.
func (c *shortList) lay() (head, says []string) {
	if c.head != nil {
		head = c.head(c.W)
	}
	room, wanted := max(c.H-len(head), 0), 0
	if c.n > 0 {
		wanted = c.lines()
	}
	if c.Beside() {
		left, _ := c.panes.ListSize()
		w, _ := c.panes.PaneSize()
		c.table.Resize(left, min(wanted, room))
		h := max(room-1, 0)
		return head, append([]string{c.Theme.Rule(c.about, "", w)}, present.FitHeight(h, c.says(w, h))...)
	}
	least := leastRows
	if room >= roomyRows {
		least = max(c.least, leastRows)
	}
	least = min(wanted, least, room)
	if c.says != nil {
		says = present.FitHeight(max(room-least-1, 0), c.says(c.W, max(room-wanted-1, 0)))
	}
	c.table.Resize(c.W, min(wanted, max(room-len(says)-1, least)))
	return head, says
}

// Beside reports whether what is said is beside the rows.
func (c *shortList) Beside() bool { return c.panes.Beside() && c.n > 0 && c.says != nil }

// View implements [ui.Screen].
func (c *shortList) View() (string, *tea.Cursor) {
	if c.W < 1 || c.H < 1 {
		return "", nil
	}
	c.fill()
	head, says := c.lay()
	var rows []string
	if c.n > 0 {
		rows = strings.Split(c.table.View(), "\n")
	}
	if c.Beside() {
		left, _ := c.panes.ListSize()
		if c.under != nil {
			rows = append(append(rows, ""), c.under(left, max(c.H-len(head)-len(rows)-1, 0))...)
		}
		return ui.Lines(c.W, c.H, append(head, c.Theme.Beside(left, c.H-len(head), rows, says))...), nil
	}
	if len(rows) > 0 && len(says) > 0 {
		if c.about == "" || len(head)+len(rows)+1+len(says) < c.H {
			rows = append(rows, "")
		}
		if c.about != "" {
			rows = append(rows, c.Theme.Rule(c.about, "", c.W))
		}
	}
	return ui.Lines(c.W, c.H, slices.Concat(head, rows, says)...), nil
}

// Title implements [ui.Screen].
func (c *shortList) Title() string { return c.title }

// Keys implements [ui.Screen].
func (c *shortList) Keys() []key.Binding {
	move := c.table.Keys()
	return append(c.commands().Keys(), move[:min(len(move), 2)]...)
}

// Explain is the text of the help page.
func (c *shortList) Explain() []string { return c.help }

// Back notes that the screen is left.
func (c *shortList) Back() bool {
	if c.left != nil {
		c.left()
	}
	c.EndNews()
	return false
}
