package transactions

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// A keyMap is the bindings of the list.
type keyMap struct {
	open, next, previous, filter, goTo, per, more, fewer, refresh, first, last key.Binding
}

// keys are the bindings, of which those are enabled that can be used now.
func (m *Model) keys() keyMap {
	k := keyMap{
		open:     ui.Bind("enter", "details"),
		next:     ui.Bind("n", "next page", "n", "right"),
		previous: ui.Bind("p", "previous page", "p", "left"),
		filter:   ui.Bind("/", "filter"),
		goTo:     ui.Bind(":", "go to page"),
		per:      ui.Bind("s", "rows per page"),
		more:     ui.Bind("+", "more rows per page", "+", "="),
		fewer:    ui.Bind("-", "fewer rows per page"),
		refresh:  ui.Bind("r", "reload"),
		first:    ui.Bind("[", "first page"),
		last:     ui.Bind("]", "last page"),
	}
	paging := m.shown != nil && !m.filter.active()
	k.open.SetEnabled(len(m.rows) > 0)
	k.next.SetEnabled(paging && m.cache.whyNot(m.currentPage()+1) == "")
	k.previous.SetEnabled(paging && m.currentPage() > 1)
	k.filter.SetEnabled(m.shown != nil)
	for _, b := range []*key.Binding{&k.goTo, &k.first, &k.last} {
		b.SetEnabled(paging)
	}
	return k
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.detail != nil:
		return m.detailKeys()
	case m.goTo != nil:
		return []key.Binding{ui.Bind("enter", "go")}
	case m.filter.typing:
		return []key.Binding{ui.Bind("enter", "keep filter"), ui.Bind("↑/↓", "move", "up", "down")}
	}
	k := m.keys()
	keys := []key.Binding{k.open, k.next, k.previous, k.filter, k.goTo, k.per, k.refresh, k.first, k.last, k.more, k.fewer}
	return append(keys, m.table.Keys()...)
}

func (m *Model) detailKeys() []key.Binding {
	check := ui.Bind("l", "check as a reference")
	copyID := ui.Bind("c", "copy ID")
	_, isReference := m.detail.reference()
	_, isCopyable := m.detail.copyable()
	check.SetEnabled(isReference)
	copyID.SetEnabled(isCopyable)
	scroll := ui.Bind("↑/↓", "scroll", "up", "down", "k", "j", "pgup", "pgdown", "home", "end")
	scroll.SetEnabled(m.detail.visible() < len(m.detail.object))
	return []key.Binding{scroll, copyID, check}
}

// key handles a key of the list. A key that cannot be used says why.
func (m *Model) key(p tea.KeyPressMsg) tea.Cmd {
	if m.table.Update(p) {
		return nil
	}
	k := m.keys()
	pressed := func(b key.Binding) bool { return slices.Contains(b.Keys(), p.String()) }
	switch {
	case pressed(k.open):
		return m.open()
	case pressed(k.next):
		return m.step(1)
	case pressed(k.previous):
		return m.step(-1)
	case pressed(k.first):
		return m.step(1 - m.currentPage())
	case pressed(k.last):
		return m.step(m.cache.last() - m.currentPage())
	case pressed(k.goTo):
		return m.askPage()
	case pressed(k.filter):
		return m.askFilter()
	case pressed(k.per):
		return m.rowsPerPage(1, true)
	case pressed(k.more):
		return m.rowsPerPage(1, false)
	case pressed(k.fewer):
		return m.rowsPerPage(-1, false)
	case pressed(k.refresh):
		return m.refresh()
	}
	return nil
}

func (m *Model) askPage() tea.Cmd {
	if m.shown == nil || m.filter.active() {
		return m.step(0)
	}
	m.goTo = newPrompt(m.theme, m.cache)
	m.layout()
	return nil
}

func (m *Model) askFilter() tea.Cmd {
	if m.shown == nil {
		return m.notify("Nothing loaded yet.")
	}
	m.filter.typing = true
	m.fill()
	return nil
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	if m.detail != nil {
		return []string{"One transaction, as it was when its page was read, with the whole raw object."}
	}
	return []string{
		"The service reports amounts in minor units. They are shown in major units, exactly, by the decimals of their currency; where that is impossible, the raw number is shown with an asterisk.",
		"The filter searches only the pages loaded since the last reload, at most 50. A row's ID is not necessarily a payment reference.",
	}
}
