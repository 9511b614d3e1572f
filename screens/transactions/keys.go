package transactions

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

func bind(keys []string, shown, words string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, words))
}

// A keyMap is the bindings of the list.
type keyMap struct {
	open, next, previous, filter, goTo, per, more, fewer, refresh, first, last key.Binding
}

// keys are the bindings as they are open now.
func (m *Model) keys() keyMap {
	k := keyMap{
		open:     bind([]string{"enter"}, "enter", "details"),
		next:     bind([]string{"n", "right"}, "n", "next page"),
		previous: bind([]string{"p", "left"}, "p", "page before"),
		filter:   bind([]string{"/"}, "/", "filter"),
		goTo:     bind([]string{":"}, ":", "go to page"),
		per:      bind([]string{"s"}, "s", "rows a page"),
		more:     bind([]string{"+", "="}, "+", "more rows a page"),
		fewer:    bind([]string{"-"}, "-", "fewer rows a page"),
		refresh:  bind([]string{"r"}, "r", "read anew"),
		first:    bind([]string{"["}, "[", "first page"),
		last:     bind([]string{"]"}, "]", "last page"),
	}
	turns := m.shown != nil && !m.filter.active()
	k.open.SetEnabled(len(m.rows) > 0)
	k.next.SetEnabled(turns && m.cache.whyNot(m.currentPage()+1) == "")
	k.previous.SetEnabled(turns && m.currentPage() > 1)
	k.filter.SetEnabled(m.shown != nil)
	for _, b := range []*key.Binding{&k.goTo, &k.first, &k.last} {
		b.SetEnabled(turns)
	}
	return k
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.detail != nil:
		return m.detailKeys()
	case m.goTo != nil:
		return []key.Binding{bind([]string{"enter"}, "enter", "go there")}
	case m.filter.typing:
		return []key.Binding{bind([]string{"enter"}, "enter", "keep the filter"), bind([]string{"up", "down"}, "↑/↓", "move")}
	}
	k := m.keys()
	keys := []key.Binding{k.open, k.next, k.previous, k.filter, k.goTo, k.per, k.refresh, k.first, k.last, k.more, k.fewer}
	return append(keys, m.table.Keys()...)
}

func (m *Model) detailKeys() []key.Binding {
	try := bind([]string{"l"}, "l", "try it as a reference")
	copyID := bind([]string{"c"}, "c", "copy id")
	_, isReference := m.detail.reference()
	_, isCopyable := m.detail.copyable()
	try.SetEnabled(isReference)
	copyID.SetEnabled(isCopyable)
	scroll := bind([]string{"up", "down", "k", "j", "pgup", "pgdown", "home", "end"}, "↑/↓", "scroll")
	scroll.SetEnabled(m.detail.visible() < len(m.detail.object))
	return []key.Binding{scroll, copyID, try}
}

// key takes a key of the list. A key that is not open says why.
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
		return m.say(ui.ToneNone, "Nothing is loaded yet.")
	}
	m.filter.typing = true
	m.fill()
	return nil
}

// Explain says in full what the screen is about.
func (m *Model) Explain() []string {
	if m.detail != nil {
		return []string{"One row of the list, as it was when it was read, with the whole object the service gave for it."}
	}
	return []string{
		"Amounts are counted in minor units by the list and shown in major ones, exactly, by the decimals of their currency. Where that cannot be done the number is shown as it came, with an asterisk.",
		"The filter looks only in the pages that were read here since the list was last read anew, at most 50 of them, and says so. The id of a row is not said to be the reference of a payment.",
	}
}
