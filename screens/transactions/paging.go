package transactions

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

// perPages are the rows per page to choose from.
var perPages = []int{10, 20, 50, 100}

// goToPage shows a page: at once when it was read before, else when it comes.
func (m *Model) goToPage(n int) tea.Cmd {
	b := m.target()
	if s := b.pages[n]; s != nil {
		m.call.Drop()
		m.pending, m.problem, m.note = 0, nil, ""
		m.show(s)
		return m.prefetch()
	}
	m.pending, m.problem = n, nil
	m.layout()
	if m.prefetchCall.Pending() && m.prefetching == n {
		m.call.Drop()
		return nil // it is on its way
	}
	return m.request(&m.call, n)
}

// target is the book that answers go into.
func (m *Model) target() *pageCache {
	if m.reloading != nil {
		return m.reloading
	}
	return m.cache
}

func (m *Model) request(c *ui.Call[response], n int) tea.Cmd {
	lister, per := m.lister, m.target().per
	return c.Ask(m.scope, func(ctx context.Context) (response, error) {
		p, err := lister.Transactions(ctx, n, per)
		return response{p, n, time.Now()}, err
	})
}

// prefetch asks for the page after the one shown, so that turning to it is immediate.
func (m *Model) prefetch() tea.Cmd {
	if m.shown == nil || m.pending != 0 || m.prefetchCall.Pending() {
		return nil
	}
	n := m.shown.number + 1
	if m.cache.pages[n] != nil || m.cache.whyNot(n) != "" {
		return nil
	}
	m.prefetching = n
	return m.request(&m.prefetchCall, n)
}

// receive takes a page, whether somebody waits for it or it was asked for ahead.
func (m *Model) receive(a ui.Result[response]) tea.Cmd {
	r := a.Value
	if r.number == 0 { // the work broke off
		r.number = m.pending
	}
	waited := r.number == m.pending
	switch {
	case a.Err != nil && waited:
		m.failed(a.Err)
		return nil
	case a.Err != nil:
		return nil // it will be asked for again when somebody turns to it
	}
	if m.reloading != nil { // what was read before stays until there is something newer
		m.cache, m.reloading = m.reloading, nil
	}
	v := m.cache.receivePage(r)
	if !waited {
		m.refilter()
		return nil
	}
	return m.apply(v)
}

// Renewed asks again for what the service did not tell the former key.
func (m *Model) Renewed() tea.Cmd {
	if m.problem == nil {
		return nil
	}
	return m.refresh()
}

// failed keeps the rows shown and says what happened.
func (m *Model) failed(err error) {
	t := present.Error(err, present.Reading)
	m.problem, m.reloading, m.pending, m.selectRow, m.shrunk = &t, nil, 0, -1, false
	m.layout()
}

// apply shows the page that was waited for, or says why it does not. An odd answer
// is shown only where there is nothing better to show.
func (m *Model) apply(v pageCheck) tea.Cmd {
	m.pending, m.problem = 0, nil
	if v.lastPage > 0 {
		return m.turnToLast(v)
	}
	if m.shrunk && v.note == "" {
		v.note = m.note // why it is this page and not the one that was asked for
	}
	m.shrunk = false
	if stays := m.shown != nil && m.cache.pages[m.shown.number] == m.shown; v.odd && stays {
		m.note = v.note
		m.layout()
		return nil
	}
	if v.odd {
		m.cache.storeOdd(v.page)
	}
	m.note = v.note
	m.show(v.page)
	return m.prefetch()
}

// turnToLast turns to the last page of a list that has become shorter than the page that was
// asked for; to the first when that happens again on the way.
func (m *Model) turnToLast(v pageCheck) tea.Cmd {
	last := v.lastPage
	if m.shrunk {
		last = 1
	}
	m.shrunk = true
	cmd := m.goToPage(last)
	m.note = v.note
	m.layout()
	return cmd
}

// show puts a page on the screen.
func (m *Model) show(s *page) {
	m.shown = s
	m.fill()
	m.table.Select(max(m.selectRow, 0))
	m.selectRow = -1
}

// currentPage is the page from which one turns: the one waited for, else the one shown.
func (m *Model) currentPage() int {
	switch {
	case m.pending > 0:
		return m.pending
	case m.shown != nil:
		return m.shown.number
	}
	return 1
}

// step turns by pages, or says why there is none.
func (m *Model) step(by int) tea.Cmd {
	n := m.currentPage() + by
	switch {
	case m.shown == nil:
		return m.say(ui.ToneNone, "The first page is not there yet; r asks for it again.")
	case m.reloading != nil:
		return m.say(ui.ToneNone, "The list is being read anew.")
	case m.filter.active():
		return m.say(ui.ToneNone, "The filter shows all that is loaded; esc ends it.")
	}
	if why := m.cache.whyNot(n); why != "" {
		return m.say(ui.ToneNone, why)
	}
	return m.goToPage(n)
}

// refresh reads the list anew from the page that is shown, which stays until the
// answer is there.
func (m *Model) refresh() tea.Cmd {
	return m.restart(m.cache.per, m.currentPage(), max(m.table.Selected(), 0))
}

// restart reads the list anew: it asks for a page, to select a row on it.
func (m *Model) restart(per, page, row int) tea.Cmd {
	m.call.Drop()
	m.prefetchCall.Drop()
	m.reloading, m.selectRow, m.shrunk = newPageCache(per), row, false
	return m.goToPage(page)
}

// rowsPerPage changes the rows per page by steps, keeping the selected row in sight
// as far as the list has not moved since.
func (m *Model) rowsPerPage(by int, around bool) tea.Cmd {
	i := 0
	for j, per := range perPages {
		if per == m.target().per {
			i = j + by
		}
	}
	if around {
		i %= len(perPages)
	}
	if i < 0 || i >= len(perPages) {
		return m.say(ui.ToneNone, fmt.Sprintf("A page has %d to %d rows here.", perPages[0], perPages[len(perPages)-1]))
	}
	row := 0
	if m.shown != nil {
		row = m.firstRow(m.shown) + max(m.table.Selected(), 0)
	}
	m.say(ui.ToneNone, fmt.Sprintf("%d rows a page", perPages[i]))
	return m.restart(perPages[i], row/perPages[i]+1, row%perPages[i])
}

// firstRow is how many rows stand in the list before a page.
func (m *Model) firstRow(s *page) int {
	per := s.per
	if s.usable && s.meta.PerPage > 0 {
		per = s.meta.PerPage
	}
	return (s.number - 1) * per
}
