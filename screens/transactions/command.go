package transactions

import (
	"strconv"

	"paydesk/api"
)

// Command implements [ui.Commander]: the page that is shown, or the whole list once it is scanned or filtered. A
// filter of the loaded pages is none that a command could repeat.
func (m *Model) Command() []string {
	words, where := []string{"transactions"}, m.Where()
	if m.long != nil || where != nil {
		words = append(words, "--all")
	} else {
		page, per := m.requested()
		words = append(words, "--page", strconv.Itoa(page), "--per-page", strconv.Itoa(per))
	}
	if m.totals.seen() {
		words = append(words, "--totals")
	}
	return append(words, where...)
}

// Request is the page, for curl. A scan is many pages: of those it is the first.
func (m *Model) Request() (api.Call, bool) {
	page, per := m.requested()
	if m.long != nil {
		page, per = 1, api.MaxPerPage
	}
	return api.Call{Operation: api.OpTransactions, Page: page, PerPage: per}, true
}

// requested is the page that was asked for, and how many rows it has.
func (m *Model) requested() (page, per int) { return m.currentPage(), m.cache.per }
