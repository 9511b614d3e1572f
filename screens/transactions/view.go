package transactions

import (
	"fmt"

	"paydesk/screens/list"
	"paydesk/screens/present"
	"paydesk/ui"
)

// listWidth has room for a whole UUID beside the other columns; in a window without that room the ID is below the
// list.
const listWidth = 77

// wasWidth is that of the status in the earlier scan, with what is between two columns.
const wasWidth = 16

// hasIDs reports whether there is room for the IDs in the list.
func (m *Model) hasIDs(w int) bool {
	if m.asked() != "" {
		return w >= listWidth+wasWidth
	}
	return w >= listWidth
}

// least are the lines of the ID of the marked row below a list that has no room for IDs.
func (m *Model) least() int {
	if m.hasIDs(m.W) {
		return 0
	}
	return 1
}

// pageHead is what is above a page, or above the rows that a search finds in the loaded ones. A blank line keeps the place of what may
// be odd.
func (m *Model) pageHead(w int) []string {
	if m.shown == nil && m.pending > 0 || m.listing() {
		return m.waitLines(w)
	}
	lines := []string{m.position()}
	if m.Searched() {
		lines = append(lines, m.foundWords(w))
	}
	news := m.newsLines(w)
	if len(news) == 0 && !m.Searched() && !m.Typing() {
		news = []string{""}
	}
	return append(lines, news...)
}

// listing reports whether the first page is here, and its rows are still to be listed with what the journal knows of them.
func (m *Model) listing() bool {
	return m.shown != nil && len(m.shown.Rows) > 0 && !m.Searched() && m.Count() == 0 && m.Reading()
}

// position is the part shown: "Page x of y · rows a–b of n", or the pages that a search covers.
func (m *Model) position() string {
	words := ""
	switch {
	case m.shown == nil:
		return "Nothing loaded yet."
	case m.Searched():
		words = m.searchedPages() + " · "
	default:
		words = m.pageOf() + " · " + m.rowsOf() + " · "
	}
	return words + m.Theme.Muted.Render("as of "+m.asOf())
}

// asOf is when the rows shown were received.
func (m *Model) asOf() string {
	if !m.Searched() || len(m.cache.pages) == 0 {
		return present.Clock(m.shown.at)
	}
	oldest, newest := m.cache.age()
	from, to := present.Clock(oldest), present.Clock(newest)
	if from == to {
		return from
	}
	return from + "–" + to
}

// pageOf is the page and the number of pages. A service that reports fewer pages than it serves is
// not believed.
func (m *Model) pageOf() string {
	page := "Page " + present.Thousands(m.shown.number)
	if n, ok := m.cache.count(); ok {
		return page + " of " + present.Thousands(max(n, m.shown.number))
	}
	return page + ", page count unknown"
}

// rowsOf is the rows on the page and the total, which is marked as reported where the page
// contradicts it.
func (m *Model) rowsOf() string {
	s := m.shown
	first, n := s.firstRow(), len(s.Rows)
	rows := "no rows"
	if n > 0 {
		rows = "rows " + present.Thousands(first+1) + "–" + present.Thousands(first+n)
	}
	switch {
	case !m.cache.latest.HasMeta:
		return rows + " of an unknown total"
	case m.cache.latest.Meta.Total < first+n:
		return rows + ", " + present.Thousands(m.cache.latest.Meta.Total) + " reported"
	}
	return rows + " of " + present.Thousands(m.cache.latest.Meta.Total)
}

// foundWords is how many rows were found, and in how many.
func (m *Model) foundWords(w int) string {
	if m.Wrong() {
		return list.Unread
	}
	words := fmt.Sprintf("%s found in %s loaded rows", present.Thousands(m.Count()), present.Thousands(m.searched))
	switch meta := m.cache.latest.Meta; {
	case !m.cache.latest.HasMeta:
		words += ", total unknown"
	default:
		words += ", " + present.Thousands(meta.Total) + " in all"
		if meta.Total <= m.searched {
			return words
		}
	}
	if m.options.Scans == nil {
		return words
	}
	key := "space reads the rest"
	if m.Typing() {
		key = "space after enter reads the rest"
	}
	if line := words + " · " + key; ui.Width(line) <= w {
		return line
	}
	return words
}

// searchedPages are the pages that the search covers: "Pages 1–3 of 61", or how many where some
// between them are missing.
func (m *Model) searchedPages() string {
	n := m.cache.numbers()
	if len(n) == 0 { // the list has shrunk, and its last page is on the way
		return "No page loaded"
	}
	first, last := n[0], n[len(n)-1]
	words := "Page " + present.Thousands(first)
	switch {
	case last-first+1 > len(n):
		words = present.Thousands(len(n)) + " pages loaded"
	case len(n) > 1:
		words = "Pages " + present.Thousands(first) + "–" + present.Thousands(last)
	}
	if count, ok := m.cache.count(); ok {
		words += " of " + present.Thousands(max(count, last))
	}
	return words
}

// newsLines are the wait for a page, the problem, or what is odd; none when nothing is.
func (m *Model) newsLines(w int) []string {
	switch {
	case m.pending > 0:
		return m.waitLines(w)
	case m.problem != nil:
		return m.problemLines(w)
	case m.note != "":
		return m.Theme.MarkLines(ui.ToneAct, m.note, w)
	}
	return m.blindLines(w)
}

// waitLines are the wait for the pending page. Where nothing is shown yet, they name the key that ends it.
func (m *Model) waitLines(w int) []string {
	what, wait := "Reading page "+present.Thousands(m.pending), m.call.Wait()
	if wait == nil {
		wait = m.prefetchCall.Wait()
	}
	if n := len(m.reread) - 1; n > 0 {
		what += ", then " + present.Thousands(n) + " more"
	}
	if m.shown == nil || m.listing() {
		what = "Reading the transactions"
	}
	lines := m.Theme.WaitLines(wait, what, w)
	if m.shown == nil {
		lines = append(lines, m.Theme.Muted.Render(ui.StopsWaiting))
	}
	return lines
}

// maxDetail are the lines of the service's own words above the rows.
const maxDetail = 4

// problemLines are the error of the last request, and how old the rows shown are.
func (m *Model) problemLines(w int) []string {
	t := m.problem
	words := t.What + " " + t.Next
	if m.shown != nil {
		words += " Showing data from " + m.asOf() + "."
	}
	lines := m.Theme.ErrorLines(words, w)
	return append(lines, t.DetailLines(m.Theme, w, maxDetail)...)
}
