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

// turnTo shows a page: at once when it was read before, else when it comes.
func (m *Model) turnTo(n int) tea.Cmd {
	b := m.target()
	if s := b.pages[n]; s != nil {
		m.call.Drop()
		m.want, m.trouble, m.note = 0, nil, ""
		m.show(s)
		return m.lookAhead()
	}
	m.want, m.trouble = n, nil
	m.layTable()
	if m.ahead.Pending() && m.early == n {
		m.call.Drop()
		return nil // it is on its way
	}
	return m.ask(&m.call, n)
}

// target is the book that answers go into.
func (m *Model) target() *pageCache {
	if m.reloading != nil {
		return m.reloading
	}
	return m.cache
}

func (m *Model) ask(c *ui.Call[reply], n int) tea.Cmd {
	lister, per := m.lister, m.target().per
	return c.Ask(m.scope, func(ctx context.Context) (reply, error) {
		p, err := lister.Transactions(ctx, n, per)
		return reply{p, n, time.Now()}, err
	})
}

// lookAhead asks for the page after the one shown, so that turning to it is immediate.
func (m *Model) lookAhead() tea.Cmd {
	if m.shown == nil || m.want != 0 || m.ahead.Pending() {
		return nil
	}
	n := m.shown.number + 1
	if m.cache.pages[n] != nil || m.cache.whyNot(n) != "" {
		return nil
	}
	m.early = n
	return m.ask(&m.ahead, n)
}

// received takes a page, whether somebody waits for it or it was asked for ahead.
func (m *Model) received(a ui.Result[reply]) tea.Cmd {
	r := a.Value
	if r.asked == 0 { // the work broke off
		r.asked = m.want
	}
	waited := r.asked == m.want
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
	if m.trouble == nil {
		return nil
	}
	return m.refresh()
}

// failed keeps the rows shown and says what happened.
func (m *Model) failed(err error) {
	t := present.Error(err, present.Reading)
	m.trouble, m.reloading, m.want, m.keep, m.shrunk = &t, nil, 0, -1, false
	m.layTable()
}

// apply shows the page that was waited for, or says why it does not. An odd answer
// is shown only where there is nothing better to show.
func (m *Model) apply(v pageCheck) tea.Cmd {
	m.want, m.trouble = 0, nil
	if v.last > 0 {
		return m.shorter(v)
	}
	if m.shrunk && v.note == "" {
		v.note = m.note // why it is this page and not the one that was asked for
	}
	m.shrunk = false
	if stays := m.shown != nil && m.cache.pages[m.shown.number] == m.shown; v.odd && stays {
		m.note = v.note
		m.layTable()
		return nil
	}
	if v.odd {
		m.cache.adopt(v.sheet)
	}
	m.note = v.note
	m.show(v.sheet)
	return m.lookAhead()
}

// shorter turns to the last page of a list that has become shorter than the page that was
// asked for; to the first when that happens again on the way.
func (m *Model) shorter(v pageCheck) tea.Cmd {
	last := v.last
	if m.shrunk {
		last = 1
	}
	m.shrunk = true
	cmd := m.turnTo(last)
	m.note = v.note
	m.layTable()
	return cmd
}

// show puts a page on the screen.
func (m *Model) show(s *page) {
	m.shown = s
	m.fill()
	m.table.Select(max(m.keep, 0))
	m.keep = -1
}

// at is the page from which one turns: the one waited for, else the one shown.
func (m *Model) at() int {
	switch {
	case m.want > 0:
		return m.want
	case m.shown != nil:
		return m.shown.number
	}
	return 1
}

// step turns by pages, or says why there is none.
func (m *Model) step(by int) tea.Cmd {
	n := m.at() + by
	switch {
	case m.shown == nil:
		return m.say(ui.ToneNone, "The first page is not there yet; r asks for it again.")
	case m.reloading != nil:
		return m.say(ui.ToneNone, "The list is being read anew.")
	case m.filter.on():
		return m.say(ui.ToneNone, "The filter shows all that is loaded; esc ends it.")
	}
	if why := m.cache.whyNot(n); why != "" {
		return m.say(ui.ToneNone, why)
	}
	return m.turnTo(n)
}

// refresh reads the list anew from the page that is shown, which stays until the
// answer is there.
func (m *Model) refresh() tea.Cmd { return m.restart(m.cache.per, m.at(), max(m.table.Selected(), 0)) }

// restart reads the list anew: it asks for a page, to select a row on it.
func (m *Model) restart(per, page, row int) tea.Cmd {
	m.call.Drop()
	m.ahead.Drop()
	m.reloading, m.keep, m.shrunk = newBook(per), row, false
	return m.turnTo(page)
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
