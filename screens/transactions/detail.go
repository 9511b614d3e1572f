package transactions

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/ui"
)

const (
	maxLines  = 20_000 // of an object; the client accepts no response of that many
	rawObject = "Raw object"
)

// An openRow is what is known of the row on its own screen besides it.
type openRow struct {
	page int              // where it is now; 0 until that is known
	note string           // how it differs now, or why it could not be read again
	call ui.Call[located] // reads the page of such a row again
}

// open shows a row on its own screen, where its raw object scrolls. One that is not kept is read again.
func (m *Model) open(l listing.Listed) tea.Cmd {
	o, read := &openRow{}, tea.Cmd(nil)
	m.opened = o
	switch {
	case !listing.InList(l.Place):
		o.note = "It is not in the list that was read: this is what was known of it before, or is known here."
	case l.Object.Empty():
		read = m.readAround(l, pageOf(l))
	default:
		o.page = pageOf(l)
	}
	now := func() listing.Listed {
		if now, is := m.Opened(); is {
			return now
		}
		return l
	}
	return tea.Batch(read, m.Open(l, detail.Of{
		Title: "Transaction", Head: func(w int) []string { return m.detailFacts(o, now(), w) },
		Lines: func(w int) []string {
			return append([]string{m.Theme.Rule(rawObject, "", w)}, m.objectLines(now().Transaction, w, maxLines)...)
		},
		Commands: func() ui.Commands {
			return append(m.rowCommands(), ui.Command{Key: ui.Bind("v", "raw page"), On: o.page > 0, Do: m.openRaw})
		},
		Help: []string{"One transaction, as it was when its page was read, with the whole raw object."},
		Left: func() {
			o.call.Drop()
			m.opened = nil
		},
	}))
}

// detailFacts are above the object.
func (m *Model) detailFacts(o *openRow, l listing.Listed, w int) []string {
	lines := append(m.facts(l, w), "")
	switch {
	case o.call.Pending():
		lines = append(lines, m.Theme.WaitLines(o.call.Wait(), "Reading its page again", w)...)
	case o.note != "":
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, o.note, w)...)
	}
	lines = append(lines, m.Theme.MutedLines(about(l.Transaction), w)...)
	return append(append(lines, m.alsoKnown(l.Transaction, w)...), "")
}

// openRaw shows the page of a row as it came.
func (m *Model) openRaw() tea.Cmd {
	page := m.keptPage()
	if m.opened != nil {
		page = m.opened.page
	}
	if page == 0 {
		return m.Notify("Its page is not kept: enter reads it, then v shows it.")
	}
	return nav.Open(nav.Raw{Operation: api.OpTransactions, Page: page})
}
