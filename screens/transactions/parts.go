package transactions

import (
	"slices"

	"paydesk/ui"
)

// What is done with the list besides reading it has files of its own; this one says where it is on the screen.

// tools are the keys of what is done with all rows listed.
func (m *Model) tools() ui.Commands {
	return slices.Concat(m.totalsCommands(), m.exportTools())
}

// side is what is beside the list, or below it: what there is to say of the marked row, or the totals.
func (m *Model) side(row, w, h int) []string {
	if m.totals.beside && m.panes.Beside() {
		return m.totals.besideLines(w, h)
	}
	return m.pane(row, w, h)
}
