package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A Search is the text by which a list is searched, typed on a line above its table.
type Search struct {
	Typing bool
	theme  *Theme
	field  *TextField

	read    func(text string) Reading // of a query; nil for plain text
	reading Reading
}

// NewSearch makes an empty search; help says what its text is looked for in.
func NewSearch(t *Theme, label, help string) *Search { return NewQuery(t, label, help, nil) }

// A mover takes the movement keys: a [Table] or a [Scroll].
type mover interface{ Update(tea.Msg) bool }

// Value is the text.
func (f *Search) Value() string { return f.field.Value() }

// Problem returns what is wrong with the text; "" when nothing is.
func (f *Search) Problem() string {
	if wrong := f.field.Check(); wrong != "" || len(f.reading.Problems) == 0 {
		return wrong
	}
	return f.reading.Problems[0].Text
}

// Active reports whether the search is typed or hides anything.
func (f *Search) Active() bool { return f.Typing || !f.field.Empty() }

// Clear removes the text.
func (f *Search) Clear() {
	f.Typing = false
	f.Set("")
}

// Set replaces the text.
func (f *Search) Set(text string) {
	f.field.SetValue(text)
	f.reread()
}

var (
	// KeepSearch ends the typing of a search, unless something is wrong with its text.
	KeepSearch = Bind("enter", "keep search")
	searchMove = Bind("↑/↓", "move", "up", "down", "pgup", "pgdown")
)

// ClearSearch goes back in a list while a search hides anything, before the list is left.
var ClearSearch = Bind("esc", "clear search")

// Keys are the bindings while the search is typed.
func (f *Search) Keys() []key.Binding { return []key.Binding{KeepSearch, ClearSearch, searchMove} }

// Arrange adds the key that clears a search to those of its list while there is something to clear.
func (f *Search) Arrange(keys []key.Binding) []key.Binding {
	if f.Active() {
		keys = append(keys, ClearSearch)
	}
	return keys
}

// Update handles input while the search is typed, and reports whether its text changed. Enter
// ends the typing, unless something is wrong with the text; the arrows move in what is searched.
func (f *Search) Update(msg tea.Msg, searched mover) (changed bool) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case key.Matches(k, KeepSearch):
			if f.Typing = f.Problem() != ""; f.Typing { // a card number was removed, or a query is wrong
				f.cursorToProblem()
			}
			f.field.Focus() // a paste then begins another search
			return false
		case key.Matches(k, searchMove):
			searched.Update(k)
			return false
		}
	}
	before := f.Value()
	f.field.Update(msg)
	f.reread()
	return f.Value() != before
}

// View adds the search to the lines above a table: as a box while it is typed, in one line while
// it hides anything, in none otherwise.
func (f *Search) View(lines []string, w, h int) ([]string, *tea.Cursor) {
	switch {
	case f.Typing:
		return f.box(lines, w, h)
	case f.Active():
		lines = append(lines, f.theme.Muted.Render("Search ")+f.Value())
	}
	return lines, nil
}
