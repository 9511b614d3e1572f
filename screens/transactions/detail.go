package transactions

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/listing"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	maxLines  = 20_000 // of an object; the client accepts no response of that many
	rawObject = "Raw object"
)

// An openRow is one on its own screen, as it was when it was opened.
type openRow struct {
	api.Transaction
	screen *detail.Model
	page   int              // of a row that a scan has read: where it is now; 0 until that is known
	note   string           // how it differs now, or why it could not be read again
	call   ui.Call[located] // reads the page of such a row again
}

// newDetail makes the screen of a row. Its raw object scrolls.
func (m *Model) newDetail(row api.Transaction) *openRow {
	o := &openRow{Transaction: row}
	m.opened = o
	o.screen = detail.New(&m.Body, detail.Of{
		Title: "Transaction", Head: func(int) []string { return m.detailFacts(o) },
		Lines: func(w int) []string {
			return append([]string{m.Theme.Rule(rawObject, "", w)}, m.objectLines(o.Transaction, w, maxLines)...)
		},
		Commands: func() ui.Commands { return m.detailCommands(o) },
		Help:     []string{"One transaction, as it was when its page was read, with the whole raw object."},
		Left: func() {
			o.call.Drop()
			m.opened = nil
		},
	})
	return o
}

// detailFacts are above the object.
func (m *Model) detailFacts(o *openRow) []string {
	lines := append(m.facts(o.Transaction, m.W), "")
	switch w := m.W - len(indent); {
	case o.call.Pending():
		lines = append(lines, ui.Indented(m.Theme.WaitLines(o.call.Wait(), "Reading its page again", w))...)
	case o.note != "":
		lines = append(lines, ui.Indented(m.Theme.MarkLines(ui.ToneAct, o.note, w))...)
	}
	for _, l := range ui.Wrap(about(o.Transaction), m.W-len(indent)) {
		lines = append(lines, indent+m.Theme.Muted.Render(l))
	}
	return append(append(lines, m.alsoKnown(o.Transaction, m.W)...), "")
}

// open shows the selected row. A row without an ID has nothing to tell it from others.
func (m *Model) open() tea.Cmd {
	switch row, ok := m.selected(); {
	case !ok:
		return m.Notify("No row is selected.")
	case row.ID.Empty():
		return m.Notify("This row has no ID and cannot be opened.")
	default:
		m.newDetail(row)
		var cmd tea.Cmd
		switch {
		case m.long != nil && !listing.InList(m.markedPlace()):
			m.opened.note = "It is not in the list that was read: this is what was known of it before, or is known here."
		case m.long != nil:
			cmd = m.readAround(m.scannedPage())
		}
		m.opened.screen.Layout()
		return tea.Batch(cmd, m.opened.screen.Open())
	}
}

// detailCommands are the keys while a row is open, besides those that scroll.
func (m *Model) detailCommands(o *openRow) ui.Commands {
	return append(m.rowCommands(), ui.Command{Key: ui.Bind("v", "raw page"), On: m.long == nil || o.page > 0, Do: m.openRaw})
}

// openRaw shows the page as it came. The next one may have been asked for after it.
func (m *Model) openRaw() tea.Cmd {
	to := nav.Raw{Operation: api.OpTransactions}
	switch {
	case m.long != nil && (m.opened == nil || m.opened.page == 0):
		return m.Notify("Full rows are not stored: enter reads the row again.")
	case m.long != nil:
		to.Page = m.opened.page
	case m.shown != nil:
		to.Page = m.shown.number
	}
	return nav.Open(to)
}

// copyID copies only what cannot hold a control sequence: a paste may run in a shell.
func (m *Model) copyID() tea.Cmd {
	row, ok := m.row()
	id := row.ID.Line(0)
	switch why := present.WhyNotCopied("ID", id); {
	case !ok:
		return m.Notify("No row is selected.")
	case export.Masked(row.ID) != id:
		return m.Notify("Cannot copy this ID: it looks like a card number.")
	case why != "":
		return m.Notify(why)
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
