package transactions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Scanner reads the whole list in the background, also while other screens are open.
type Scanner interface {
	Start()
	Pause()
	Resume()
	// Stop stops reading; where nothing is being read it forgets the rows.
	Stop()
	Again()
	State() listing.State
	// Changed returns the state once it is another than the one with the number since.
	Changed(ctx context.Context, since int) (listing.State, error)
}

// A longList is all rows that a scan has read so far, in place of the pages.
type longList struct {
	state  listing.State
	told   bool   // the question at the limit was asked
	sought sought // the row that was marked before the list was read again
}

// openLong lists what a scan reads.
func (m *Model) openLong() tea.Cmd {
	m.call.Drop()
	m.prefetchCall.Drop()
	m.pending, m.problem, m.reloading, m.reread, m.onward, m.shrunk = 0, nil, nil, nil, 0, false
	m.long, m.sort.Chosen = &longList{sought: sought{place: -1}}, ""
	return m.followScan()
}

// closeLong lists pages again.
func (m *Model) closeLong() tea.Cmd {
	m.scanCall.Drop()
	m.long, m.found = nil, hits{}
	m.Seek("")
	if m.shown == nil {
		return m.goToPage(1)
	}
	return tea.Batch(m.relist(), m.prefetch())
}

// followScan shows the state of the scan, now and whenever it changes.
func (m *Model) followScan() tea.Cmd {
	cmd := m.showScan(m.options.Scans.State())
	if m.long == nil {
		return cmd
	}
	scans, since := m.options.Scans, m.long.state.N
	return tea.Batch(cmd, m.scanCall.Then(func(a ui.Result[listing.State]) tea.Cmd {
		if a.Err != nil { // the connection has ended
			return nil
		}
		return tea.Batch(m.followScan(), m.countAgain())
	}).Ask(m.Scope, func(ctx context.Context) (listing.State, error) { return scans.Changed(ctx, since) }))
}

// showScan shows a state of the scan.
func (m *Model) showScan(s listing.State) tea.Cmd {
	l := m.long
	if s.Phase == listing.Idle {
		return m.closeLong()
	}
	if was := l.state; was.Rows != nil && was.Rows != s.Rows && s.Read == 0 && s.Phase.Running() && !was.Stale() {
		s.Rows, s.Read, s.Kept = was.Rows, was.Read, was.Kept // until there is a row to take their place
	}
	if l.state.Rows != s.Rows {
		if l.state.Rows != nil { // it is read again
			m.SeekMarked()
		}
		l.told, l.sought = false, sought{place: -1}
	}
	l.state = s
	m.Layout()
	return tea.Batch(m.relist(), m.askAtLimit())
}

// readOn begins to read the whole list, pauses that, or goes on with it.
func (m *Model) readOn() tea.Cmd {
	scans := m.options.Scans
	switch {
	case scans == nil:
		return m.Notify("The whole list cannot be read here.")
	case m.long == nil:
		scans.Start()
		return m.openLong()
	}
	switch s := m.long.state; {
	case s.Phase.Running():
		scans.Pause()
	case s.Phase == listing.Done:
		return m.Notify("All rows are read. r reads them again.")
	case s.Stale():
		return m.readAgain()
	case s.Why == listing.AtLimit:
		m.long.told = false
		return m.askAtLimit()
	default:
		scans.Resume()
	}
	return nil
}

// readOnLabel is what the key does now.
func (m *Model) readOnLabel() string {
	switch {
	case m.long == nil:
		return "read all"
	case m.long.state.Phase.Running():
		return "pause"
	case m.long.state.Stale():
		return "read again"
	}
	return "continue"
}

// askedFrom is how many pages take so long to read again that a person is asked before their rows are dropped.
const askedFrom = 100

// readAgain reads the list from its beginning, and forgets what was read before.
func (m *Model) readAgain() tea.Cmd {
	again := func() tea.Cmd {
		m.options.Scans.Again()
		return nil
	}
	s := m.long.state
	if s.Pages < askedFrom {
		return again()
	}
	return m.ask("Read again", ui.Question{
		Title: "Read all " + present.Count(max(s.Total, s.Read), "row", "rows") + " again?",
		Lines: []string{"The " + present.Count(s.Read, "row", "rows") + " that were read are dropped, and the list is read from its beginning."},
		Yes:   "Read again", No: "Keep them",
	}, again)
}

// dropRows drops what was read and lists pages again.
func (m *Model) dropRows() tea.Cmd {
	l, scans := m.long, m.options.Scans
	if l == nil {
		return nil
	}
	if l.state.Phase.Running() {
		return m.Notify("The list is being read: space pauses that first.")
	}
	drop := func() tea.Cmd {
		scans.Stop()
		return nil
	}
	if l.state.Pages < askedFrom {
		return drop()
	}
	rows := present.Count(l.state.Read, "row", "rows")
	return m.ask("Drop rows", ui.Question{
		Title: "Drop the " + rows + " read?",
		Lines: []string{"The list is shown page by page again. To search all of it, it has to be read again."},
		Yes:   "Drop", No: "Keep them",
	}, drop)
}

// askAtLimit asks whether to read more pages than anybody reads by accident, once, and when nobody is at
// something else.
func (m *Model) askAtLimit() tea.Cmd {
	l := m.long
	switch {
	case l == nil || l.state.Phase != listing.Paused || l.state.Why != listing.AtLimit || l.told:
		return nil
	case m.opened != nil || m.Typing():
		return nil // space asks
	}
	l.told = true
	pages := present.Thousands(l.state.Pages)
	lines := []string{pages + " pages were read: " + present.Count(l.state.Read, "row", "rows") + "."}
	if l.state.Of > l.state.Pages {
		lines = append(lines, "The service reports "+present.Count(l.state.Of-l.state.Pages, "more page", "more pages")+". Reading can be paused at any time.")
	}
	return m.ask("More pages", ui.Question{
		Title: "Read more than " + pages + " pages?", Lines: lines, Yes: "Read on", No: "Stop here",
	}, func() tea.Cmd {
		m.options.Scans.Resume()
		return nil
	})
}
