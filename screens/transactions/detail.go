package transactions

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	labelWidth = 12
	maxLines   = 20_000 // of an object; the client accepts no response of that many
)

// A detail is one row, as it was when it was opened. Its raw object scrolls.
type detail struct {
	api.Row
	object ui.Scroll
}

// layoutDetail breaks the object into lines of the width. A gutter stands before each, so that no
// line of the service is read as one of the console.
func (m *Model) layoutDetail() {
	var lines []string
	if m.W > 2 {
		gutter := m.Theme.Muted.Render("│ ")
		lines = m.detail.Object.Block(m.W-2, maxLines)
		for i, l := range lines {
			lines[i] = gutter + l
		}
	}
	m.detail.object.Show(m.W, m.H-len(m.detailFacts())-1, lines)
}

// detailFacts are above the object.
func (m *Model) detailFacts() []string {
	r, room := m.detail.Row, max(m.W-labelWidth, 1)
	amount := "unknown in major units: the currency or the number cannot be read exactly"
	if r.Known {
		amount = r.Amount.String()
	}
	about := "This ID cannot be a payment reference."
	if _, ok := reference(r); ok { // the specification does not say that it is one
		about = "This ID may not be a payment reference: l looks it up, a opens its bank check."
	}
	status := ui.Cell{Text: present.OwnWord(r.Status), Tone: present.Tone(r.Status)}
	if ref, ok := reference(r); ok && !m.mismatches[ref].IsZero() {
		status = m.status(r)
		about = "What a status check answered about it differs: l shows how."
	}
	var lines []string
	for _, f := range [][2]string{
		{"Status", m.Theme.Mark(status.Tone, status.Text)},
		{"Raw status", r.Status.Text.Line(room)},
		{"Amount", amount},
		{"Raw amount", r.Raw.Line(max(room-12, 1)) + " minor units"},
		{"Currency", r.Currency.Line(room)},
		{"ID", r.ID.Line(room)},
	} {
		lines = append(lines, m.Theme.Muted.Render(ui.Fit(f[0], labelWidth))+f[1])
	}
	return append(lines, ui.Wrap(about, m.W)...)
}

// viewDetail draws the facts and, below them, the part of the object that fits.
func (m *Model) viewDetail() string {
	lines := append(m.detailFacts(), m.Theme.Muted.Render("Raw object, "+m.detail.object.Position()), m.detail.object.View())
	return ui.Lines(m.W, m.H, lines...)
}

// open shows the selected row. A row without an ID has nothing to tell it from others.
func (m *Model) open() tea.Cmd {
	switch row, ok := ui.Selected(m.table, m.rows); {
	case !ok:
		return m.Notify("No row is selected.")
	case row.ID.Empty():
		return m.Notify("This row has no ID and cannot be opened.")
	default:
		m.detail = &detail{Row: row}
		m.layoutDetail()
		return nil
	}
}

// detailCommands are the keys while a row is open, besides those that scroll.
func (m *Model) detailCommands() ui.Commands {
	_, isReference := reference(m.detail.Row)
	return ui.Commands{
		{Key: ui.Bind("c", "copy ID"), On: present.Copyable(m.detail.ID.Line(0)), Do: m.copyID},
		{Key: ui.Bind("l", "look up"), On: isReference, Do: m.openAs(func(r api.Reference) nav.Route { return nav.Payment{Reference: r} })},
		{Key: ui.Bind("a", "bank check"), On: isReference, Do: m.openAs(func(r api.Reference) nav.Route { return nav.Challenge{Reference: r} })},
		{Key: ui.Bind("v", "raw page"), On: true, Do: m.openRaw},
	}
}

func (m *Model) detailKeys() []key.Binding {
	return append([]key.Binding{m.detail.object.Keys()}, m.detailCommands().Keys()...)
}

// openRaw shows the page as it came. The next one may have been asked for after it.
func (m *Model) openRaw() tea.Cmd {
	to := nav.Raw{Operation: api.OpTransactions}
	if m.shown != nil {
		to.Page = m.shown.number
	}
	return nav.Open(to)
}

// copyID copies only what cannot hold a control sequence: a paste may run in a shell.
func (m *Model) copyID() tea.Cmd {
	id := m.detail.ID.Line(0)
	if !present.Copyable(id) {
		return m.Notify("Cannot copy this ID: it is too long or has unusual characters.")
	}
	return m.Copy("ID", id)
}

// openAs opens the ID as the reference of a payment, which finds out whether it is one.
func (m *Model) openAs(route func(api.Reference) nav.Route) func() tea.Cmd {
	return func() tea.Cmd {
		r, ok := reference(m.detail.Row)
		if !ok {
			return m.Notify("This ID cannot be a payment reference.")
		}
		return nav.Open(route(r))
	}
}
