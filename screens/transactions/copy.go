package transactions

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/listing"
	"paydesk/screens/report"
)

const maxCopied = 16 << 10 // bytes: some terminals take no longer text

// copyRow copies a row as an export has it in JSON, where all is escaped that a terminal or a shell could take for more than text.
func (m *Model) copyRow(l listing.Listed) tea.Cmd {
	text := export.Object(report.FileOf(report.Transactions(false)), listing.Listed{Transaction: l.Transaction})
	if len(text) > maxCopied {
		return m.Notify("This row is too long to copy: v shows the page that it is on.")
	}
	return m.Copy("row", text)
}

// Command implements [ui.Commander]: the page of the marked row, or the whole list once it is read or searched.
func (m *Model) Command() []string {
	words, where := []string{"transactions"}, m.Where()
	if m.state.To == 0 || where != nil {
		words = append(words, "--all")
	} else {
		words = append(words, "--page", strconv.Itoa(max(m.page(), 1)), "--per-page", strconv.Itoa(scanPage))
	}
	if m.totals.chosen() {
		words = append(words, "--totals")
	}
	return append(words, where...)
}

// Request is the page of the marked row, for curl.
func (m *Model) Request() (api.Call, bool) {
	return api.Call{Operation: api.OpTransactions, Page: max(m.page(), 1), PerPage: scanPage}, true
}

// page is the page of the marked row as it was read; 0 for none.
func (m *Model) page() int {
	l, some := m.Selected()
	if !some || l.Position == 0 {
		return 0
	}
	return pageOf(l)
}

// keptPage is the page of the marked row where that is kept as it came, as its object is; 0 for none.
func (m *Model) keptPage() int {
	if l, _ := m.Selected(); l.Object.Empty() {
		return 0
	}
	return m.page()
}

// pageOf is the page on which a row of the list was read.
func pageOf(l listing.Listed) int { return (l.Position-1)/scanPage + 1 }
