package list

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

// Rows are a window of the rows, and what is known of all.
type Rows[R any] struct {
	journal.Page[R]
	Whole journal.Page[R] // counts the rows without the query; zero where that is not known
	Keep  func()          // is called when they are listed; nil for nothing
	All   int             // how many there are in all, for the scroll bar, where more may be read
}

// All are rows that were read all at once.
func All[R any](rows []R) Rows[R] {
	return Rows[R]{Page: journal.Page[R]{Rows: rows, Count: len(rows), Complete: true}}
}

// A Want says which rows are wanted: so many of those that a query finds, from one on. Search is the step to go on from, and Whole its
// [Rows.Whole]. Near is a row to be near to, wherever that is; nil for none. So is the row with the ID Seek; "" for none.
type Want[R any] struct {
	Query   query.Query
	Search  journal.Search
	Whole   journal.Page[R]
	From, N int
	Near    *R
	Seek    string
}

// A Reading reads rows in the background.
type Reading[R any] func(context.Context) (Rows[R], error)

// An asked records what rows were read for, and when. Every step of a search has the days of its first.
type asked struct {
	text  string
	query query.Query
	at    time.Time // zero before anything was read
}

type reading[R any] struct {
	rows Rows[R]
	of   asked
}

// minRows is the least number of rows read at a time.
const minRows = 200

// windowSize returns how many rows are read at a time: several screens of them.
func (m *Model[R]) windowSize() int { return max(minRows, 4*m.H) }

// At returns when the rows were read; zero before.
func (m *Model[R]) At() time.Time { return m.read.at }

// Count returns how many rows were found so far.
func (m *Model[R]) Count() int { return m.rows.Count }

// Found returns how many rows were found, whether these are all, and whether the search goes on.
func (m *Model[R]) Found() (n int, whole, searching bool) {
	return m.rows.Count, m.rows.Complete, m.rows.Searching
}

// Visible returns the rows in the window, as far as they were read.
func (m *Model[R]) Visible() []R {
	from, to := m.table.Visible()
	rows := m.rows.Rows
	from = min(max(from-m.rows.From, 0), len(rows))
	return rows[from:min(max(to-m.rows.From, from), len(rows))]
}

// Loaded returns the rows in memory.
func (m *Model[R]) Loaded() []R { return m.rows.Rows }

// Reading reports whether rows are on their way.
func (m *Model[R]) Reading() bool { return m.call.Pending() }

// Window returns the first row that is visible, and the one after the last.
func (m *Model[R]) Window() (from, to int) { return m.table.Visible() }

// Query returns the query that found the rows listed.
func (m *Model[R]) Query() query.Query { return m.read.query }

// Meaning words the query; "" without one.
func (m *Model[R]) Meaning() string { return present.Plain(m.read.query.String()) }

// Refresh reads the rows again, around the marked one, which stays marked.
func (m *Model[R]) Refresh() tea.Cmd {
	return tea.Batch(m.readAround(max(m.table.Selected(), 0), false), m.readChoices())
}

// Stay reads the rows again where the marked one may have another number now.
func (m *Model[R]) Stay() tea.Cmd {
	if r, some := m.Selected(); some {
		m.near = &r
	}
	return m.Refresh()
}

// Begin reads other rows, and marks the first of them, unless one is sought.
func (m *Model[R]) Begin() tea.Cmd {
	m.begin, m.first = true, true
	return m.readAround(0, false)
}

// Grow lists rows that came behind those that there are, of so many in all.
func (m *Model[R]) Grow(n, all int) tea.Cmd {
	m.rows.Count = max(n, m.rows.Count)
	m.table.Extend(m.rows.Count)
	m.table.Within(all)
	m.Layout()
	return m.readAhead()
}

// restart reads the rows of another search, from the first.
func (m *Model[R]) restart() tea.Cmd {
	m.begin, m.first, m.seek, m.follows = true, false, "", m.of.Wait != nil
	m.table.Select(0)
	m.Layout()
	return m.readAround(0, false)
}

// readAround reads the rows around one, in a new search or further on in that of the rows listed.
func (m *Model[R]) readAround(around int, further bool) tea.Cmd {
	n := m.windowSize()
	of, want := m.read, Want[R]{From: max(around-n/2, 0), N: n, Near: m.near, Seek: m.seek}
	if text := m.typedQuery(); further && text == of.text {
		want.Search, want.Whole = m.rows.Search, m.rows.Whole
	} else {
		of = asked{text: text, query: m.parse(text), at: m.Scope.Now()}
	}
	want.Query = of.query
	m.requested, m.stale, m.near = [2]int{want.From, want.From + n}, false, nil
	read := m.of.Read(want)
	return m.call.Then(m.received).Timed(ui.NoLimit).Ask(m.Scope, func(ctx context.Context) (reading[R], error) {
		rows, err := read(ctx)
		return reading[R]{rows, of}, err
	})
}

// readAhead reads more rows before the mark reaches the end of the window.
func (m *Model[R]) readAhead() tea.Cmd {
	at, near := m.table.Selected(), m.windowSize()/4
	first, last := at-near, at+near
	switch {
	case m.read.at.IsZero() || m.rows.Covers(first, last):
		return nil
	case m.call.Pending() && max(first, 0) >= m.requested[0] && last <= m.requested[1]:
		return nil // requested already
	}
	return m.readAround(at, true)
}

// received lists the rows. Those read before stay where they cannot be read. When there are fewer now than were requested, their end is
// read instead.
func (m *Model[R]) received(a ui.Result[reading[R]]) tea.Cmd {
	if a.Err != nil {
		return m.failed(a.Err)
	}
	marked, some := m.Selected() // it may have moved since the rows were requested
	some = some && !m.begin
	m.rows, m.read, m.begin, m.problem = a.Value.rows, a.Value.of, false, present.Problem{}
	m.requested = [2]int{m.rows.From, m.rows.From + m.windowSize()}
	last := m.rows.Count - 1
	if len(m.rows.Rows) == 0 && last >= 0 && !m.rows.Searching {
		m.table.Select(last)
		return m.readAround(last, true)
	}
	m.fill()
	switch {
	case m.follows:
		m.table.Select(0)
	case m.seek != "" && m.mark(m.seek):
		m.seek = ""
	case m.first:
		m.table.Select(0)
	default:
		m.mark(m.back)
		if some {
			m.mark(m.of.ID(marked))
		}
	}
	m.back, m.first = "", false
	m.Layout()
	switch {
	case m.rows.Searching:
		return m.readAround(m.requested[0]+m.windowSize()/2, true)
	case m.stale:
		return m.Refresh()
	}
	var listed tea.Cmd
	if m.of.Listed != nil {
		listed = m.of.Listed()
	}
	return tea.Batch(m.readAhead(), m.readMore(), m.await(), listed)
}

// mark marks the row with an ID, if it is in the window. Those that came above it do not move it, unless the list stands at its
// beginning and does not follow: there they are seen.
func (m *Model[R]) mark(id string) (found bool) {
	for i, r := range m.rows.Rows {
		switch at := m.rows.From + i; {
		case m.of.ID(r) != id:
			continue
		case m.table.Top() > 0 || m.of.Wait != nil:
			m.table.Carry(at)
		default:
			m.table.Select(at)
		}
		found = true
	}
	return found
}

// fill fills the table.
func (m *Model[R]) fill() {
	if m.rows.Keep != nil {
		m.rows.Keep()
	}
	columns := report.Drawn(m.of.Columns(), report.Screen)
	m.table.SetColumns(report.Heads(columns, report.Screen)...)
	m.table.SetRows(m.rows.Count, func(i int) []ui.Cell {
		if r, read := m.rows.Row(i); read {
			return report.Cells(columns, r, report.Screen)
		}
		return []ui.Cell{{Text: report.Awaited}} // for a moment
	})
	m.table.Within(m.rows.All)
}

// readMore reads what the pane is to say of its row, or of the one that is open, which may have changed since it was read.
func (m *Model[R]) readMore() tea.Cmd {
	r, read := m.rows.Row(m.panes.Row())
	if _, h := m.panes.PaneSize(); h == 0 {
		read = false
	}
	if m.opened != nil {
		r, read = *m.opened, true
	}
	if !read || m.of.More == nil {
		return nil
	}
	return m.more.Then(func(a ui.Result[func()]) tea.Cmd {
		m.pane = &r // the list says what is wrong otherwise
		if a.Value != nil {
			a.Value()
		}
		if m.detail != nil {
			m.detail.Layout()
		}
		m.Layout()
		return nil
	}).Ask(m.Scope, m.of.More(r))
}

// Midnight is the start of the day that is back days before now.
func Midnight(now time.Time, back int) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()-back, 0, 0, 0, 0, now.Location())
}

// day is the day of a row, in the local time zone; false before the row was read.
func (m *Model[R]) day(i int) (time.Time, bool) {
	r, read := m.rows.Row(i)
	if !read {
		return time.Time{}, false
	}
	return Midnight(m.of.Day(r).Local(), 0), true
}

// group is the day of a row, for the rule above its rows.
func (m *Model[R]) group(i int) (title, note string) {
	day, read := m.day(i)
	if !read {
		return "", ""
	}
	if m.of.DayNote != nil {
		note = m.of.DayNote(day)
	}
	title = day.Format("2 Jan 2006")
	switch today := Midnight(m.read.at.Local(), 0); {
	case day.Equal(today):
		title += ", today"
	case day.Equal(Midnight(today, 1)):
		title += ", yesterday"
	}
	return title, note
}

// sameGroup reports whether a row has the day of the row before it.
func (m *Model[R]) sameGroup(i int) bool {
	a, read := m.day(i)
	b, before := m.day(i - 1)
	return read == before && a.Equal(b)
}

const (
	betweenReads = 250 * time.Millisecond // however fast rows arrive
	afterProblem = 5 * time.Second        // until they are read again
)

// An again says that the rows may be read again.
type again struct{}

// await waits until there are other rows, and reads them.
func (m *Model[R]) await() tea.Cmd {
	if m.of.Wait == nil || m.covered || m.waiting.Pending() {
		return nil
	}
	return m.waiting.Then(func(a ui.Result[func()]) tea.Cmd {
		if a.Value != nil {
			a.Value()
		}
		switch early := betweenReads - m.Scope.Now().Sub(m.read.at); {
		case a.Err != nil:
			return m.failed(a.Err)
		case early > 0:
			return m.Scope.After(early, again{})
		}
		return m.Refresh()
	}).Ask(m.Scope, m.of.Wait())
}

// failed says why the rows, or new ones, cannot be read. A list that follows tries it again.
func (m *Model[R]) failed(err error) tea.Cmd {
	if m.problem = (present.Problem{What: present.Sentence(err.Error())}); m.of.Problem != nil {
		m.problem = m.of.Problem(err)
	}
	m.Layout()
	if m.of.Wait == nil {
		return nil
	}
	return m.Scope.After(afterProblem, again{})
}

// Stop ends the following: the marked row stays where it is.
func (m *Model[R]) Stop() {
	if m.follows && m.rows.Count > 0 {
		m.follows, m.stopped = false, m.all()
	}
}

// TakeBack lets the list follow again where the last key for a row ended that, and nothing was done with the row.
func (m *Model[R]) TakeBack() {
	if m.halted {
		m.follows, m.stale = true, true
	}
}

// Follow is the key that lets the list stand still, or marks the newest row again and follows what arrives.
func (m *Model[R]) Follow() ui.Command {
	does := "follow"
	if m.follows {
		does = "pause"
	}
	return ui.Command{Key: ui.Bind("space", does), On: m.rows.Count > 0, Do: func() tea.Cmd {
		if m.follows {
			m.Stop()
			return nil
		}
		m.follows = true
		m.table.Select(0)
		return m.Refresh()
	}}
}

// all returns how many rows there are, whatever the query finds.
func (m *Model[R]) all() int { return max(m.rows.Count, m.rows.Whole.Count) }

// Covered reports whether another screen is on top.
func (m *Model[R]) Covered() bool { return m.covered }
