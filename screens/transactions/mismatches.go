package transactions

import (
	"context"
	"maps"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/report"
	"paydesk/ui"
)

// references are the IDs of rows that can be references: the specification does not say that they are.
func references(rows []api.Transaction) (all []api.Reference) {
	for _, row := range rows {
		if r, is := reference(row); is {
			all = append(all, r)
		}
	}
	return all
}

// reference is the ID of a row as a reference, if it has the form of one.
func reference(row api.Transaction) (api.Reference, bool) {
	r, err := api.ParseReference(row.ID.Line(0))
	return r, err == nil && r != ""
}

// listed is a row with what is known of its payment.
func (m *Model) listed(row api.Transaction) listing.Listed {
	l := listing.Listed{Transaction: row}
	if len(m.mismatches)+len(m.unread) == 0 && m.long == nil { // as on most pages
		return l
	}
	if r, is := reference(row); is {
		l.Mismatch, l.Unchecked, l.Awaited = m.mismatches[r], m.unread[r], m.long != nil && !m.long.asked[r]
		l.Differs = !l.Mismatch.IsZero()
	}
	return l
}

// status is the status of a row in a column. A payment whose look-up found a difference is not shown as a success here either.
func (m *Model) status(row api.Transaction) ui.Cell {
	return report.TransactionStatus(m.listed(row), report.Screen)
}

// learn keeps what is known of some payments, or that the journal could not be read: their successes are not shown
// as such then. What this run knows comes with the error.
func (m *Model) learn(asked []api.Reference, known map[api.Reference]ledger.Mismatch, err error) {
	maps.Copy(m.mismatches, known)
	m.blind = err != nil
	for _, r := range asked {
		if delete(m.unread, r); m.blind && known[r].IsZero() {
			m.unread[r] = true
		}
	}
}

// blindLines say that the journal could not be read, while that is so.
func (m *Model) blindLines() []string {
	if !m.blind {
		return nil
	}
	return m.Theme.MarkLines(ui.ToneAct, "The journal could not be read: a payment marked ? may have a mismatch.", m.words())
}

// Resume is called when the screen is on top again: a row may have been looked up meanwhile, or decided about, and the
// window may have another size.
func (m *Model) Resume() tea.Cmd {
	m.made = made{}
	if s := m.options.Scans; m.long == nil && s != nil && s.State().Phase != listing.Idle { // it was begun on another screen
		return m.openLong()
	}
	if m.long != nil {
		m.mismatchCall.Drop() // what it looked up may have changed since
		clear(m.long.asked)
		m.long.find.beside = beside{}
		m.fill()
		again := tea.Cmd(nil)
		if listing.AsksLedger(m.query()) { // a payment may have been made or decided about meanwhile
			again = m.search(false, 0)
		}
		return tea.Batch(m.followScan(), m.readMade(), again)
	}
	return tea.Batch(m.refit(), m.readMismatches(), m.readMade())
}

// readMismatches reads what is known of the payments on the loaded pages.
func (m *Model) readMismatches() tea.Cmd {
	lister, asked := m.lister, []api.Reference(nil)
	for _, n := range m.cache.numbers() {
		asked = append(asked, references(m.cache.pages[n].Rows)...)
	}
	return m.mismatchCall.Then(func(a ui.Result[map[api.Reference]ledger.Mismatch]) tea.Cmd {
		m.learn(asked, a.Value, a.Err)
		if m.shown != nil {
			m.fillAgain()
		}
		return m.countAgain()
	}).Ask(m.Scope, func(ctx context.Context) (map[api.Reference]ledger.Mismatch, error) {
		return lister.Mismatches(ctx, asked)
	})
}
