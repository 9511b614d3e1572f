package transactions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/ui"
)

// paging is which page is shown, and which are on their way.
type paging struct {
	cache     *pageCache
	reloading *pageCache // replaces cache with its first response, or after reread; nil unless reloading
	reread    []int      // pages that reloading waits for, in order, the pending one first
	shown     *page      // the page on the screen; nil before the first response
	note      string     // what is odd about it, or about the last response
	shrunk    bool       // a response on the way to the pending page reported fewer pages
	problem   *present.Problem
	pending   int     // the page requested by a person, 0 for none
	selectRow int     // the row to select on it, -1 for none
	onward    int     // 1 or -1 when the selection goes on to it past the last or the first row, else 0
	sized     ui.Lull // of the window

	call         ui.Call[response] // for the pending page
	prefetchCall ui.Call[response] // for the page after the one shown
	prefetching  int               // the page that prefetchCall requested
}

// response is a page and the number that was requested.
type response struct {
	page   api.Page
	number int
}

const (
	minPerPage = 20
	maxPerPage = 100
	// settled is how long a window keeps its size before pages of that size are requested: one that is dragged
	// changes it with every row.
	settled = 300 * time.Millisecond
	// aroundRows are the lines of the list besides its rows: the position, what there is to say, the titles and
	// the counts.
	aroundRows = 4
)

// fitting is how many rows a page has in this window.
func (m *Model) fitting() int {
	if m.H == 0 {
		return api.DefaultPerPage
	}
	_, h := m.Room()
	return min(max(h-aroundRows, minPerPage), maxPerPage)
}

// resized is sent when a window has kept its size for a moment.
type resized struct{}

// refit reads the page of the marked row with as many rows as fit now. Rows that a search covers stay as they are,
// and so do those of a list that is on one page either way.
func (m *Model) refit() tea.Cmd {
	s, per := m.shown, m.fitting()
	switch {
	case m.long != nil, s == nil || m.Searched() || m.Typing() || m.problem != nil:
		return nil
	case m.pending > 0:
		return m.sized.After(m.Scope, settled, resized{})
	case per == m.cache.per || len(s.Rows) <= per && s.HasMeta && s.Meta.Total == len(s.Rows):
		return nil
	}
	return m.repage()
}

// goToPage shows a page: a cached one at once, another when it has been received.
func (m *Model) goToPage(n int) tea.Cmd {
	if s := m.target().pages[n]; s != nil {
		m.call.Drop()
		m.pending, m.problem, m.note = 0, nil, ""
		m.shown = s
		return tea.Batch(m.relist(), m.prefetch())
	}
	if m.target().asksFor(n) {
		m.pending, m.onward = 0, 0
		return m.askForMore(n)
	}
	m.pending, m.problem = n, nil
	m.Layout()
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
	return c.Then(m.receive).Timed(api.ReadLimit, m.Layout).Ask(m.Scope, func(ctx context.Context) (response, error) {
		p, err := lister.Transactions(ctx, n, per)
		return response{p, n}, err
	})
}

// prefetch requests the page after the one shown, so that turning to it is immediate.
func (m *Model) prefetch() tea.Cmd {
	if m.shown == nil || m.pending != 0 || m.prefetchCall.Pending() || m.Searched() {
		return nil // to a search every page is a row more that was not there before
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
	return tea.Batch(cmd, m.relist())
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
	m.Layout()
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
		m.Layout()
		return nil
	}
	if check.odd {
		m.cache.storeOdd(check.page)
	}
	m.note, m.shown = check.note, check.page
	m.Layout()
	return m.prefetch()
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
	m.Layout()
	return cmd
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
	case m.Searched():
		return m.Notify("The search covers all loaded pages; esc clears it.")
	}
	if why := m.cache.whyNot(n); why != "" {
		return m.Notify(why)
	}
	m.onward = 0
	return m.goToPage(n)
}

// refresh reloads the page shown, or all pages that a search covers. What is shown stays until the
// responses are there.
func (m *Model) refresh() tea.Cmd {
	again := m.cache.numbers()
	if !m.Searched() || len(again) == 0 {
		return m.repage()
	}
	cmd := m.restart(m.cache.per, again[0], -1)
	m.reread = again
	m.Layout()
	return cmd
}

// repage reloads the page of the marked row, in as many rows as fit now.
func (m *Model) repage() tea.Cmd {
	per := m.fitting()
	if m.shown == nil || per == m.cache.per {
		return m.restart(per, m.currentPage(), max(m.Marked(), 0))
	}
	row := m.shown.firstRow() + max(m.Marked(), 0)
	return m.restart(per, row/per+1, row%per)
}

// restart drops all pages and requests one, to select a row on it.
func (m *Model) restart(per, page, row int) tea.Cmd {
	m.call.Drop()
	m.prefetchCall.Drop()
	m.reloading, m.reread, m.selectRow, m.onward, m.shrunk = newPageCache(per), nil, row, 0, false
	return m.goToPage(page)
}

// receiveAgain handles a page that is reloaded with others for a search. The others are not requested
// when the list turns out to end before them.
func (m *Model) receiveAgain(r response) tea.Cmd {
	check := m.reloading.receivePage(r)
	check.page.at = m.Scope.Now()
	m.reread = m.reread[1:]
	if ended := check.odd || check.lastPage > 0; !ended && len(m.reread) > 0 {
		m.pending = m.reread[0]
		m.Layout()
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
	m.Layout()
	return nil
}

// sayDropped says that pages are not loaded any more after one was reloaded, where the search would
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

// listed are the rows of a page.
func (s *page) listed() (all []listing.Listed) {
	for i, row := range s.Rows {
		all = append(all, listing.Listed{Transaction: row, Position: s.firstRow() + i + 1})
	}
	return all
}

// goOn moves the selection past the last row (1) or the first (-1), onto the page after or before.
// A key that is held asks for one page at a time, and not again for one that failed: r does that.
func (m *Model) goOn(by int) tea.Cmd {
	empty := m.Searched() && m.Count() == 0 // no row to move on from
	if m.long != nil || m.shown == nil || m.pending > 0 || m.reloading != nil || m.problem != nil || m.onward != 0 || empty {
		return nil
	}
	n := m.shown.number + by
	if loaded := m.cache.numbers(); m.Searched() && len(loaded) > 0 {
		if n = loaded[0] - 1; by > 0 {
			n = loaded[len(loaded)-1] + 1
		}
		if len(loaded) == maxCached { // another page would push out rows that the search has found
			return m.Notify(fmt.Sprintf("A search covers at most %d pages.", maxCached))
		}
	}
	if why := m.cache.whyNot(n); why != "" {
		return m.Notify(why)
	}
	m.onward = by
	return m.goToPage(n)
}

// askForMore asks a person before reading on past more pages than anyone turns by hand: a key may be stuck, or the service may
// make up pages.
func (m *Model) askForMore(n int) tea.Cmd {
	read := present.Thousands(len(m.cache.hashes))
	return m.ask("More pages", ui.Question{
		Title: "Read more than " + read + " pages?",
		Lines: []string{
			read + " pages were read one by one since the list was last read from its beginning.",
			"Page " + present.Thousands(n) + " is next. After another " + present.Thousands(maxPages) + " pages this question comes again.",
		},
		Yes: "Read on", No: "Stay here",
	}, func() tea.Cmd {
		m.cache.limit += maxPages
		return m.goToPage(n)
	})
}

// ask asks a question over the list; title names it behind that of the list. What its no does is to show the list as it was.
func (m *Model) ask(title string, q ui.Question, yes func() tea.Cmd) tea.Cmd {
	return detail.Ask(&m.Body, detail.Question{Question: q, Title: title, Do: yes})
}
