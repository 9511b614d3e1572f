package transactions

import (
	"context"
	"maps"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// references are the IDs of rows that can be references: the specification does not say that they are.
func references(rows []api.Row) (all []api.Reference) {
	for _, row := range rows {
		if r, is := reference(row); is {
			all = append(all, r)
		}
	}
	return all
}

// reference is the ID of a row as a reference, if it has the form of one.
func reference(row api.Row) (api.Reference, bool) {
	r, err := api.ParseReference(row.ID.Line(0))
	return r, err == nil && r != ""
}

// status is the status of a row in a column. A payment whose look-up found a difference is not shown as a success here either.
func (m *Model) status(row api.Row) ui.Cell {
	cell := ui.Cell{Text: present.ShortStatus(row.Status), Tone: present.Tone(row.Status)}
	if r, is := reference(row); is && !m.mismatches[r].IsZero() {
		differs := present.ListCell(row.Status, m.mismatches[r], api.Circumstances{})
		if cell.Tone = differs.Tone; differs.Text != present.OwnWord(row.Status) {
			cell.Text = differs.Text
		}
	}
	return cell
}

// Resume is called when the screen is on top again: a row may have been looked up meanwhile, or decided about, and the
// window may have another size.
func (m *Model) Resume() tea.Cmd {
	return tea.Batch(m.refit(resized(m.sizes)), m.readMismatches())
}

// readMismatches reads what is known of the payments on the loaded pages.
func (m *Model) readMismatches() tea.Cmd {
	lister, asked := m.lister, []api.Reference(nil)
	for _, n := range m.cache.numbers() {
		asked = append(asked, references(m.cache.pages[n].Rows)...)
	}
	return m.mismatchCall.Then(func(a ui.Result[map[api.Reference]journal.Mismatch]) tea.Cmd {
		maps.Copy(m.mismatches, a.Value)
		if m.shown != nil {
			m.fillAgain()
		}
		return nil
	}).Ask(m.Scope, func(ctx context.Context) (map[api.Reference]journal.Mismatch, error) {
		return lister.Mismatches(ctx, asked)
	})
}
