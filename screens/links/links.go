// Package links lists the payment links that were created here: the amount of each, its URL,
// and the payments made through it from here. Links whose creation is unresolved come first,
// and lead to their attempts; then those that are not as they were asked for.
package links

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/api/query"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Journal holds the links of the destination that the console is connected to.
type Journal interface {
	// OpenLinks are those whose creation is unresolved, then those that must be read.
	OpenLinks(context.Context, journal.LinkFilter) ([]journal.LinkRecord, error)
	// FindLinks is a page of the others, newest first.
	FindLinks(ctx context.Context, f journal.LinkFilter, s journal.Search, from, n int) (journal.Page[journal.LinkRecord], error)
}

// A snapshot is what the journal had at a time.
type snapshot struct {
	open []journal.LinkRecord             // all that are open
	top  []journal.LinkRecord             // those that the query finds
	page journal.Page[journal.LinkRecord] // of the others that the query finds
	text string                           // the query
	all  journal.Page[journal.LinkRecord] // without a query; without rows
	at   time.Time                        // zero before it was read
}

// A Model is the screen. The list is read when the screen comes to the top, and on demand; of its links a
// page at a time.
type Model struct {
	ui.Body
	journal   Journal
	loadCall  ui.Call[snapshot]
	requested [2]int // the first row requested, and the one after the last
	snapshot  snapshot
	stale     bool // the filter was cleared, and the links have not been read since
	table     *ui.Table
	panes     *ui.Panes
	filter    *ui.Filter
	language  *query.Language
	problem   present.Problem
}

// columns are the table's.
var columns = report.Drawn(report.Links(), report.Screen)

// New is the screen.
func New(t *ui.Theme, b Journal) *Model {
	table := ui.NewTable(t, report.Heads(columns, report.Screen)...)
	m := &Model{Body: ui.Body{Theme: t}, journal: b, table: table, panes: ui.NewPanes(t, table)}
	m.language = journal.LinkLanguage(func() query.DayNumber { return query.DayOf(m.Scope.Now().Local()) })
	m.filter = ui.NewQuery(t, "Filter", "such as name:dues* >100 gbp day:7d, or text in alias, name, amount, URL, attempt ID or time",
		present.ReadQuery(m.language))
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.load()
}

// Resume implements [ui.Resumer].
func (m *Model) Resume() tea.Cmd { return m.load() }

// minRows is the least number of links read at a time.
const minRows = 100

// pageSize returns how many links are read at a time: several screens of them.
func (m *Model) pageSize() int { return max(minRows, 4*m.H) }

// load reads what is open, and the links around the selected one.
func (m *Model) load() tea.Cmd {
	j := m.journal
	return m.read(m.table.Selected(), journal.Search{}, func(ctx context.Context, s *snapshot) (err error) {
		if s.open, err = j.OpenLinks(ctx, journal.LinkFilter{}); err != nil || s.text == "" {
			return err
		}
		s.all, err = j.FindLinks(ctx, journal.LinkFilter{}, journal.Search{}, 0, 0)
		return err
	})
}

// read reads the links around one; before is done first, where there is more to read.
func (m *Model) read(around int, s journal.Search, before func(context.Context, *snapshot) error) tea.Cmd {
	n := m.pageSize()
	from := max(around-len(m.snapshot.top)-n/2, 0)
	m.requested = [2]int{from, from + n}
	j, next := m.journal, m.snapshot
	next.text = m.filter.Value()
	asked, _ := m.language.Parse(next.text)
	filter := journal.LinkFilter{Query: asked}
	return m.loadCall.Then(m.loaded).Timed(ui.NoLimit).Ask(m.Scope, func(ctx context.Context) (_ snapshot, err error) {
		if err = before(ctx, &next); err != nil {
			return next, err
		}
		next.at = time.Now()
		if next.top = next.open; !asked.Empty() {
			if next.top, err = j.OpenLinks(ctx, filter); err != nil {
				return next, err
			}
		}
		next.page, err = j.FindLinks(ctx, filter, s, from, n)
		if next.text == "" {
			next.all = next.page
		}
		next.all.Rows = nil
		return next, err
	})
}

// readOn reads the links around one, and searches on where there are not enough yet.
func (m *Model) readOn(around int) tea.Cmd {
	return m.read(around, m.snapshot.page.Search, func(context.Context, *snapshot) error { return nil })
}

// loaded shows the links; those read before stay when the journal cannot be read.
func (m *Model) loaded(a ui.Result[snapshot]) tea.Cmd {
	if a.Err != nil {
		m.problem = present.JournalUnread("The links", a.Err)
		m.layout()
		return nil
	}
	m.snapshot, m.problem = a.Value, present.Problem{}
	m.fill()
	if p := &m.snapshot.page; p.Searching {
		return m.readOn(len(m.snapshot.top) + m.requested[0] + m.pageSize()/2)
	}
	return m.follow()
}

// fill fills the table with the links that match the filter.
func (m *Model) fill() {
	m.table.SetRows(len(m.snapshot.top)+m.snapshot.page.Count, func(i int) []ui.Cell {
		l, read := m.row(i)
		if !read {
			return []ui.Cell{{Text: report.Awaited}}
		}
		return report.Cells(columns, l, report.Screen)
	})
	m.layout()
}

// row is the link in a row of the table, if it has been read.
func (m *Model) row(i int) (journal.LinkRecord, bool) {
	if 0 <= i && i < len(m.snapshot.top) {
		return m.snapshot.top[i], true
	}
	return m.snapshot.page.Row(i - len(m.snapshot.top))
}

// selected is the link under the cursor, if it has been read.
func (m *Model) selected() (journal.LinkRecord, bool) { return m.row(m.table.Selected()) }

// follow reads more links before the selection reaches the end of the page.
func (m *Model) follow() tea.Cmd {
	at, near := m.table.Selected()-len(m.snapshot.top), m.pageSize()/4
	switch {
	case m.snapshot.at.IsZero() || m.snapshot.text != m.filter.Value() || m.snapshot.page.Covers(at-near, at+near):
		return nil
	case m.loadCall.Pending() && max(at-near, 0) >= m.requested[0] && at+near <= m.requested[1]:
		return nil // requested already
	}
	return m.readOn(at + len(m.snapshot.top))
}

// refilter reads the links of a changed filter, from the first.
func (m *Model) refilter() tea.Cmd {
	m.stale = false
	if m.snapshot.at.IsZero() {
		return m.load()
	}
	m.table.Select(0)
	m.layout()
	return m.read(0, journal.Search{}, func(context.Context, *snapshot) error { return nil })
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	k, pressed := msg.(tea.KeyPressMsg)
	if pressed {
		m.News = ui.Notice{}
	}
	_, back := msg.(ui.Interrupted)
	switch {
	case back && m.stale:
		return m.refilter()
	case m.filter.Typing:
		if m.filter.Update(msg, m.table) {
			return m.refilter()
		}
		m.layout()
		return m.follow()
	case !pressed:
		return nil
	}
	if pane, moved := m.panes.Update(m.Scope, k); moved {
		return tea.Batch(pane, m.follow())
	}
	return m.commands().Press(k)
}

// Back clears the filter.
func (m *Model) Back() bool {
	if !m.filter.Active() {
		return false
	}
	m.filter.Clear()
	m.News, m.stale = ui.Notice{}, true
	m.layout()
	return true
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.panes.Below(below)
	m.panes.Resize(m.W, m.H)
	m.layout()
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Links" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.filter.Typing }
