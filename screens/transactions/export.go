package transactions

import (
	"context"
	"io"
	"iter"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/export"
	"paydesk/api/listing"
	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/screens/report"
)

// rowsOf are rows that can be exported. It may be called from any goroutine.
type rowsOf func(context.Context) iter.Seq2[listing.Listed, error]

// openExport asks which rows go where. What they are is decided now: rows that are read later are not in the file.
func (m *Model) openExport() tea.Cmd {
	if m.Reading() {
		return m.Notify("The list is still loading; try again in a moment.")
	}
	parts := m.parts()
	if len(parts) == 0 {
		return m.Notify("There is nothing to export.")
	}
	return m.Save(detail.File{Title: "Export", Heading: "Export transactions", Help: exportHelp, Parts: parts})
}

// parts are what can be exported: what was found, all that was read, and what is on the screen.
func (m *Model) parts() (all []detail.FilePart) {
	state := m.state
	if state.Read == 0 || m.found.rows != state.Rows {
		return nil
	}
	why := present.NotWhole(state)
	if n := m.Count(); !m.found.plain() && n > 0 {
		label, name := present.Thousands(n)+" found", "transactions-matches"
		if m.Query().Empty() {
			label, name = present.Thousands(n)+" as sorted", "transactions-sorted"
		}
		all = append(all, m.part(label, name, why, n, m.foundRows(m.searchOf(m.Query(), m.found.read))))
	}
	label := "all " + present.Thousands(state.Read) + " read"
	switch {
	case state.Phase != listing.Done:
		label = present.Thousands(state.Read) + " read so far"
	case why != "":
		label = present.Thousands(state.Read) + " read"
	}
	all = append(all, m.part(label, "transactions", why, state.Read, m.foundRows(listing.Search{To: state.Read, First: 1})))
	if from, to := m.Window(); to > from && len(m.Visible()) == to-from {
		all = append(all, m.part(present.Thousands(to-from)+" visible", "transactions-visible", "", to-from, m.visibleRows()))
	}
	return all
}

// part is some rows, with what is known of them: the file of a payment about which an answer differed does not call it a success either.
// partial says why it does not have all there is; "" where it does, or is not meant to.
func (m *Model) part(label, name, partial string, n int, rows rowsOf) detail.FilePart {
	if partial != "" {
		name += "-partial"
	}
	compares := m.compares()
	return detail.FilePart{
		Label: label, Name: name, Rows: n, Note: partial,
		Write: func(ctx context.Context, w io.Writer, as export.Format, told func(int)) (int, error) {
			return export.Write(w, as, report.FileOf(report.Transactions(compares)), rows(ctx), told)
		},
	}
}

// foundRows are the rows of the scan that a search finds.
func (m *Model) foundRows(s listing.Search) rowsOf {
	rows, lister := m.state.Rows, m.lister
	return func(ctx context.Context) iter.Seq2[listing.Listed, error] {
		marked := s
		marked.Mismatches = listing.MismatchesOf(ctx, lister)
		return rows.Each(ctx, marked)
	}
}

// visibleRows are the rows on the screen.
func (m *Model) visibleRows() rowsOf {
	rows, lister := m.Visible(), m.lister
	return func(ctx context.Context) iter.Seq2[listing.Listed, error] {
		known := listing.MismatchesOf(ctx, lister)
		return func(yield func(listing.Listed, error) bool) {
			for _, row := range rows {
				if known.Mark(&row); !yield(row, nil) {
					return
				}
			}
		}
	}
}

var exportHelp = []string{
	"Writes the rows that were read, and says how many. A file that may lack rows has “partial” in its name.",
	"CSV has the position in the list, the ID, the service's status and what it means, the currency, and the exact amount in major and in minor units; an amount that is no whole number is in amount_raw. A payment about which an answer differed means MISMATCH, whatever its status. JSON has only what the service said, cleaned. Card numbers are masked.",
	"Text that a spreadsheet would read as a formula starts with a quote character.",
}
