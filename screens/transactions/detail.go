package transactions

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// An openRow holds what is known of the row on its own screen besides it.
type openRow struct {
	page int              // where it is now; 0 until that is known
	note string           // how it differs now, or why it could not be read again
	call ui.Call[located] // reads the page of such a row again
}

// open shows a row on its own screen, where its raw object scrolls. One that is not kept is read again.
func (m *Model) open(l listing.Listed) tea.Cmd {
	o, read := &openRow{}, tea.Cmd(nil)
	switch {
	case !listing.InList(l.Place):
		o.note = "It is not in the list that was read: this is what was known of it before, or is known here."
	case l.Object.Empty():
		read = m.readAround(o, l)
	default:
		o.page = pageOf(l)
	}
	return tea.Batch(read, m.Open(l, detail.Of{
		Title: "Transaction", Head: func(w int) []string { return m.openHead(o, w) },
		Commands: func() ui.Commands {
			return append(m.rowCommands(), ui.Command{Key: ui.Bind("v", "raw page"), On: o.page > 0, Do: func() tea.Cmd { return m.openRaw(o.page) }})
		},
		Help: []string{"One transaction, as it was when its page was read, with the whole raw object."},
		Left: o.call.Drop,
	}))
}

// openHead says that the page of a row that is open is being read again, or how it differs now.
func (m *Model) openHead(o *openRow, w int) []string {
	switch {
	case o.call.Pending():
		return append(m.Theme.WaitLines(o.call.Wait(), "Reading its page again", w), "")
	case o.note != "":
		return append(m.Theme.MarkLines(ui.ToneAct, o.note, w), "")
	}
	return nil
}

// openRaw shows a page as it came; 0 is one that is not kept.
func (m *Model) openRaw(page int) tea.Cmd {
	if page == 0 {
		return m.Notify("Its page is not kept: enter reads it, then v shows it.")
	}
	return nav.Open(nav.Raw{Operation: api.OpTransactions, Page: page})
}
