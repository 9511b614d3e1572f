package transactions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

// goToPage shows a page: a cached one at once, another when it has been received.
func (m *Model) goToPage(n int) tea.Cmd {
	if s := m.target().pages[n]; s != nil {
		m.call.Drop()
		m.pending, m.problem, m.note = 0, nil, ""
		m.show(s)
		return m.prefetch()
	}
	if m.target().asksFor(n) {
		m.pending, m.onward = 0, 0
		return m.askForMore(n)
	}
	m.pending, m.problem = n, nil
	m.layout()
	if m.prefetchCall.Pending() && m.prefetching == n {
		m.call.Drop()
		return nil // requested already
	}
	return m.request(&m.call, n)
}

// target is the cache that responses go into.
func (m *Model) target() *pageCache {
	if m.reloading != nil {
		return m.reloading
	}
	return m.cache
}

// request asks the service for one page, in as many rows as the target has per page.
func (m *Model) request(c *ui.Call[response], n int) tea.Cmd {
	lister, per := m.lister, m.target().per
	return c.Then(m.receive).Timed(api.ReadLimit, m.layout).Ask(m.Scope, func(ctx context.Context) (response, error) {
		p, err := lister.Transactions(ctx, n, per)
		if err != nil {
			return response{number: n}, err
		}
		known, unread := lister.Mismatches(ctx, references(p.Rows))
		return response{p, n, known, unread}, nil
	})
}

// prefetch requests the page after the one shown, so that turning to it is immediate.
func (m *Model) prefetch() tea.Cmd {
	if m.shown == nil || m.pending != 0 || m.prefetchCall.Pending() || m.filter.Active() {
		return nil // to a filter every page is a row more that was not there before
	}
	n := m.shown.number + 1
	if m.cache.pages[n] != nil || m.cache.whyNot(n) != "" || m.cache.asksFor(n) {
		return nil
	}
	m.prefetching = n
	return m.request(&m.prefetchCall, n)
}

// receive handles a page, whether it is awaited or was prefetched.
func (m *Model) receive(a ui.Result[response]) tea.Cmd {
	cmd := m.received(a)
	return tea.Batch(cmd, m.countAgain())
}

func (m *Model) received(a ui.Result[response]) tea.Cmd {
	r := a.Value
	if r.number == 0 { // the call failed inside paydesk
		r.number = m.pending
	}
	awaited := r.number == m.pending
	switch {
	case a.Err != nil && awaited:
		m.failed(a.Err)
		return nil
	case a.Err != nil:
		return nil // requested again when a person turns to it
	}
	m.learn(references(r.page.Rows), r.mismatches, r.unread)
	if len(m.reread) > 0 {
		return m.receiveAgain(r)
	}
	if m.reloading != nil { // the old pages stay until there is a new one
		m.sayDropped(r.number)
		m.cache, m.reloading = m.reloading, nil
	}
	check := m.cache.receivePage(r)
	check.page.at = m.Scope.Now()
	if !awaited {
		if m.filter.Active() { // search this page too
			m.fill()
		}
		return nil
	}
	return m.apply(check)
}

// Renewed requests again what failed with the former key.
func (m *Model) Renewed() tea.Cmd {
	if m.problem == nil {
		return nil
	}
	return m.refresh()
}

// failed keeps the rows shown and reports the error.
func (m *Model) failed(err error) {
	t := present.Error(err, present.Reading)
	if !api.KeyRejected(err) { // r would send the same key
		t.Next = strings.TrimSpace(strings.TrimPrefix(t.Next, "Try again.") + " Press r to retry.")
	}
	m.problem, m.reloading, m.reread, m.pending, m.shrunk = &t, nil, nil, 0, false
	m.selectRow, m.onward = -1, 0
	m.layout()
}

// apply shows the awaited page, or says why not. An odd response is shown only where there is
// nothing better.
func (m *Model) apply(check pageCheck) tea.Cmd {
	m.pending, m.problem = 0, nil
	if check.lastPage > 0 {
		return m.turnToLast(check)
	}
	if m.shrunk && check.note == "" {
		check.note = m.note // why it is this page and not the requested one
	}
	m.shrunk = false
	if stays := m.shown != nil && m.cache.pages[m.shown.number] == m.shown; check.odd && stays {
		m.note, m.onward = check.note, 0
		m.layout()
		return nil
	}
	if check.odd {
		m.cache.storeOdd(check.page)
	}
	m.note = check.note
	m.show(check.page)
	return tea.Batch(m.prefetch(), m.readMade())
}

// turnToLast shows the last page when there are fewer pages now than the one requested; the first
// page when that happens again on the way.
func (m *Model) turnToLast(check pageCheck) tea.Cmd {
	last := check.lastPage
	if m.shrunk {
		last = 1
	}
	m.shrunk = true
	cmd := m.goToPage(last)
	m.note = check.note
	m.layout()
	return cmd
}

// show puts a page on the screen.
func (m *Model) show(s *page) {
	m.shown = s
	if m.onward != 0 {
		m.arrive()
		return
	}
	m.fill()
	m.table.Select(max(m.selectRow, 0))
	m.selectRow = -1
}

// currentPage is the page that a person is on: the awaited one, else the one shown.
func (m *Model) currentPage() int {
	switch {
	case m.pending > 0:
		return m.pending
	case m.shown != nil:
		return m.shown.number
	}
	return 1
}

// step turns by a number of pages, or says why there is no such page.
func (m *Model) step(by int) tea.Cmd {
	n := m.currentPage() + by
	switch {
	case m.shown == nil:
		return m.Notify("The first page has not loaded yet; press r to retry.")
	case m.reloading != nil:
		return m.Notify("Reloading the transactions.")
	case m.filter.Active():
		return m.Notify("The filter covers all loaded pages; esc clears it.")
	}
	if why := m.cache.whyNot(n); why != "" {
		return m.Notify(why)
	}
	m.onward = 0
	return m.goToPage(n)
}

// refresh reloads the page shown, or all pages that a filter searches. What is shown stays until the
// responses are there.
func (m *Model) refresh() tea.Cmd {
	again := m.cache.numbers()
	if !m.filter.Active() || len(again) == 0 {
		return m.repage()
	}
	cmd := m.restart(m.cache.per, again[0], -1)
	m.reread = again
	m.layout()
	return cmd
}

// repage reloads the page of the marked row, in as many rows as fit now.
func (m *Model) repage() tea.Cmd {
	per := m.fitting()
	if m.shown == nil || per == m.cache.per {
		return m.restart(per, m.currentPage(), max(m.table.Selected(), 0))
	}
	row := m.shown.firstRow() + max(m.table.Selected(), 0)
	return m.restart(per, row/per+1, row%per)
}

// restart drops all pages and requests one, to select a row on it.
func (m *Model) restart(per, page, row int) tea.Cmd {
	m.call.Drop()
	m.prefetchCall.Drop()
	m.reloading, m.reread, m.selectRow, m.onward, m.shrunk = newPageCache(per), nil, row, 0, false
	return m.goToPage(page)
}

// receiveAgain handles a page that is reloaded with others for a filter. The others are not requested
// when the list turns out to end before them.
func (m *Model) receiveAgain(r response) tea.Cmd {
	check := m.reloading.receivePage(r)
	check.page.at = m.Scope.Now()
	m.reread = m.reread[1:]
	if ended := check.odd || check.lastPage > 0; !ended && len(m.reread) > 0 {
		m.pending = m.reread[0]
		m.layout()
		return m.request(&m.call, m.pending)
	}
	m.reread = nil
	switch empty := len(m.reloading.pages) == 0; {
	case empty && check.lastPage > 0:
		return m.turnToLast(check)
	case empty:
		m.reloading.storeOdd(check.page)
	}
	m.cache, m.reloading = m.reloading, nil
	m.pending, m.note = 0, check.note
	m.shown = m.cache.nearest(m.shown.number)
	m.fillAgain()
	return nil
}

// fillAgain fills the table and selects the row that was selected, wherever it is now.
func (m *Model) fillAgain() {
	was, _ := m.selected()
	m.fill()
	m.mark(was)
}

// mark selects a row, if it is listed.
func (m *Model) mark(row api.Transaction) {
	if i := index(m.rows, func(r api.Transaction) bool { return r.ID == row.ID && !r.ID.Empty() }); i >= 0 {
		m.table.Select(i)
	}
}

// sayDropped says that pages are not loaded any more after one was reloaded, where the filter would
// miss them. The page after it is prefetched again.
func (m *Model) sayDropped(n int) {
	per, others := m.reloading.per, func(p int) bool { return p != n && p != n+1 }
	switch {
	case per != m.cache.per && len(m.cache.pages) > 2:
		m.Notify(fmt.Sprintf("%d rows per page. The other loaded pages were dropped.", per))
	case per == m.cache.per && slices.ContainsFunc(m.cache.numbers(), others):
		m.Notify("Reloaded. The other loaded pages were dropped.")
	}
}

// firstRow is how many rows come before a page.
func (s *page) firstRow() int {
	per := s.per
	if s.HasMeta && s.Meta.PerPage > 0 {
		per = s.Meta.PerPage
	}
	return (s.number - 1) * per
}
