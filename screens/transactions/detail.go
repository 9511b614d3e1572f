package transactions

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/listing"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	maxLines  = 20_000 // of an object; the client accepts no response of that many
	rawObject = "Raw object"
)

// A detail is one row, as it was when it was opened. Its raw object scrolls.
type detail struct {
	api.Transaction
	object ui.Scroll
	page   int              // of a row that a scan has read: where it is now; 0 until that is known
	note   string           // how it differs now, or why it could not be read again
	call   ui.Call[located] // reads the page of such a row again
}

// layoutDetail breaks the object into lines of the width. In a low window the facts scroll away with it.
func (m *Model) layoutDetail() {
	facts, object := m.detailFacts(), m.objectLines(m.detail.Transaction, m.W, maxLines)
	if m.lowDetail() {
		all := append(facts, m.Theme.Rule(rawObject, "", m.W))
		m.detail.object.Show(m.W, m.H, append(all, object...))
		return
	}
	m.detail.object.Show(m.W, m.H-len(facts)-1, object)
}

// updateDetail handles a key while a row is open.
func (m *Model) updateDetail(k tea.KeyPressMsg) tea.Cmd {
	if m.detail.object.Update(k) {
		return nil
	}
	return m.detailCommands().Press(k)
}

// closeDetail goes back to the list.
func (m *Model) closeDetail() {
	m.detail.call.Drop()
	m.detail = nil
}

// lowDetail reports whether the facts leave too little room for the object.
func (m *Model) lowDetail() bool { return m.H-len(m.detailFacts())-1 < minObject }

// detailFacts are above the object.
func (m *Model) detailFacts() []string {
	lines := append(m.facts(m.detail.Transaction, m.W), "")
	switch w := m.W - len(indent); {
	case m.detail.call.Pending():
		lines = append(lines, ui.Indented(m.Theme.WaitLines(m.detail.call.Wait(), "Reading its page again", w))...)
	case m.detail.note != "":
		lines = append(lines, ui.Indented(m.Theme.MarkLines(ui.ToneAct, m.detail.note, w))...)
	}
	for _, l := range ui.Wrap(about(m.detail.Transaction), m.W-len(indent)) {
		lines = append(lines, indent+m.Theme.Muted.Render(l))
	}
	return append(append(lines, m.alsoKnown(m.detail.Transaction, m.W)...), "")
}

// viewDetail draws the facts and, below them, the part of the object that fits.
func (m *Model) viewDetail() string {
	if m.lowDetail() {
		return ui.Lines(m.W, m.H, m.detail.object.View())
	}
	lines := append(m.detailFacts(), m.Theme.Rule(rawObject, m.detail.object.Position(), m.W), m.detail.object.View())
	return ui.Lines(m.W, m.H, lines...)
}

// open shows the selected row. A row without an ID has nothing to tell it from others.
func (m *Model) open() tea.Cmd {
	switch row, ok := m.selected(); {
	case !ok:
		return m.Notify("No row is selected.")
	case row.ID.Empty():
		return m.Notify("This row has no ID and cannot be opened.")
	default:
		m.detail = &detail{Transaction: row}
		var cmd tea.Cmd
		switch {
		case m.long != nil && !listing.InList(m.markedPlace()):
			m.detail.note = "It is not in the list that was read: this is what was known of it before, or is known here."
		case m.long != nil:
			cmd = m.readAround(m.scannedPage())
		}
		m.layoutDetail()
		return cmd
	}
}

// detailCommands are the keys while a row is open, besides those that scroll.
func (m *Model) detailCommands() ui.Commands {
	return append(m.rowCommands(), ui.Command{Key: ui.Bind("v", "raw page"), On: m.long == nil || m.detail.page > 0, Do: m.openRaw})
}

func (m *Model) detailKeys() []key.Binding {
	return append([]key.Binding{m.detail.object.Keys()}, m.detailCommands().Keys()...)
}

// openRaw shows the page as it came. The next one may have been asked for after it.
func (m *Model) openRaw() tea.Cmd {
	to := nav.Raw{Operation: api.OpTransactions}
	switch {
	case m.long != nil && (m.detail == nil || m.detail.page == 0):
		return m.Notify("Full rows are not stored after a scan: enter reads the row again.")
	case m.long != nil:
		to.Page = m.detail.page
	case m.shown != nil:
		to.Page = m.shown.number
	}
	return nav.Open(to)
}

// copyID copies only what cannot hold a control sequence: a paste may run in a shell.
func (m *Model) copyID() tea.Cmd {
	row, ok := m.row()
	switch id := row.ID.Line(0); {
	case !ok:
		return m.Notify("No row is selected.")
	case export.Masked(row.ID) != id:
		return m.Notify("Cannot copy this ID: it looks like a card number.")
	case !present.Copyable(id):
		return m.Notify("Cannot copy this ID: it is too long or has unusual characters.")
	default:
		return m.Copy("ID", id)
	}
}

// openAs opens the ID as the reference of a payment, which finds out whether it is one.
func (m *Model) openAs(route func(api.Reference) nav.Route) func() tea.Cmd {
	return m.withReference(func(r api.Reference) tea.Cmd { return nav.Open(route(r)) })
}

// withReference does something with the ID of the marked row as a reference, or says why it cannot.
func (m *Model) withReference(do func(api.Reference) tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		row, ok := m.row()
		if !ok {
			return m.Notify("No row is selected.")
		}
		r, ok := reference(row)
		if !ok {
			return m.Notify("This ID cannot be a payment reference.")
		}
		return do(r)
	}
}
