package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A MenuItem is a thing to choose: its name, what it does, and the action. A key of its own chooses it, too.
type MenuItem struct {
	Name, About string
	Key         key.Binding // the zero Binding for none
	Do          func() tea.Cmd
}

// A Menu is a short list of things to choose from, with arrows and enter. It is for choices that have no
// letter in the console; a list that may be long is a [Table].
type Menu struct {
	theme  *Theme
	items  []MenuItem
	marked int
}

const menuNames = 28 // cells of the names, and the gap after them

var (
	menuMove   = Bind("↑/↓", "move", "up", "down", "j", "k", "home", "end", "g", "G")
	menuChoose = Bind("enter", "choose")
)

// NewMenu makes an empty menu.
func NewMenu(t *Theme) *Menu { return &Menu{theme: t} }

// Set replaces the items. The mark stays on its item; where that is gone it stays where it is, or moves to the last.
func (m *Menu) Set(items ...MenuItem) {
	at := m.marked
	if at < len(m.items) {
		was := m.items[at].Name
		if i := slices.IndexFunc(items, func(one MenuItem) bool { return one.Name == was }); i >= 0 {
			at = i
		}
	}
	m.items = items
	m.mark(at)
}

// First moves the mark to the first item.
func (m *Menu) First() { m.marked = 0 }

// Keys are the bindings for the help.
func (m *Menu) Keys() []key.Binding {
	keys := []key.Binding{menuChoose}
	for _, i := range m.items {
		if len(i.Key.Keys()) > 0 {
			keys = append(keys, i.Key)
		}
	}
	return append(keys, menuMove)
}

// Press moves the mark, or does what was chosen.
func (m *Menu) Press(k tea.KeyPressMsg) tea.Cmd {
	for _, i := range m.items {
		if key.Matches(k, i.Key) {
			return i.Do()
		}
	}
	switch {
	case key.Matches(k, menuMove):
		m.mark(m.marked + movements[k.String()].lines)
	case key.Matches(k, menuChoose) && m.marked < len(m.items):
		return m.items[m.marked].Do()
	}
	return nil
}

// mark moves the mark to an item, or to the nearest that there is.
func (m *Menu) mark(i int) { m.marked = max(min(i, len(m.items)-1), 0) }

// Lines draws the items in w cells: the name, and what it does beside it, on as many lines as that needs.
func (m *Menu) Lines(w int) (lines []string) {
	for i, item := range m.items {
		first, style := blanks(markWidth), m.theme.Plain
		if i == m.marked {
			first, style = m.theme.Accent.Render(focusMark)+" ", m.theme.Strong
		}
		names := min(menuNames, max(w-markWidth, 0))
		first += style.Render(Fit(item.Name, names))
		about := Wrap(item.About, max(w-markWidth-names, 0))
		if len(about) == 0 {
			lines = append(lines, first)
		}
		for _, words := range about {
			lines = append(lines, first+m.theme.Muted.Render(words))
			first = blanks(markWidth + names)
		}
	}
	return lines
}
