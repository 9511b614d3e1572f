package transactions

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/listing"
)

// A basis says what rows are listed of. They are read again once it is another.
type basis struct {
	rows *listing.Rows
	read int
	kept bool
}

func (m *Model) basis() basis {
	return basis{rows: m.state.Rows, read: m.state.Read, kept: m.isKept() && m.compares()}
}

// relist reads the rows again once the list behind them has changed: at once where rows are listed as they come. A search runs
// again soon while they still come, and in any case when no more do.
func (m *Model) relist() tea.Cmd {
	now, was, s := m.basis(), m.based, m.state
	if now == was {
		return nil
	}
	total := 0
	if s.Counted {
		total = s.Total
	}
	switch {
	case now.rows != was.rows:
		return m.Begin()
	case m.found.rows != s.Rows: // they are on their way
		return nil
	case m.found.plain() && m.Query().Empty() && m.sort.Chosen == "" && m.Sought() == "":
		m.based = now
		return m.Grow(s.Read, total)
	case m.Reading(): // restarted with each page, the search would never finish
		return nil
	case m.found.plain():
		return m.Refresh()
	case s.Phase.Running() && !m.found.again(m.Scope.Now()) && now.kept == was.kept:
		return nil
	}
	m.afresh = true
	return m.Stay()
}

// listed goes on once rows were read. What is known of the open row now is shown there too.
func (m *Model) listed() tea.Cmd {
	if open, is := m.Opened(); is {
		for _, l := range m.Loaded() {
			if rowID(l) == rowID(open) {
				open.Mismatch, open.Differs, open.Unchecked = l.Mismatch, l.Differs, l.Unchecked
			}
		}
		m.Renew(open)
	}
	m.readAhead()
	return tea.Batch(m.relist(), m.countAgain())
}

// rowID tells a row from the others. One without an ID has its place.
func rowID(l listing.Listed) string {
	if l.ID.Empty() {
		return "#" + strconv.Itoa(l.Position)
	}
	return l.ID.Line(0)
}

// reference is the ID of a row as a reference, if it has the form of one: the specification does not say that it is one.
func reference(row api.Transaction) (api.Reference, bool) {
	r, err := api.ParseReference(row.ID.Line(0))
	return r, err == nil && r != ""
}
