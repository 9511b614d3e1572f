package transactions

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/ui"
)

// scanPage sets how many rows are read per page.
const scanPage = api.MaxPerPage

// A Scanner reads the whole list in the background, also while other screens are open.
type Scanner interface {
	Start()
	Pause()
	Resume()
	// Read reads on until there are so many rows.
	Read(rows int)
	// Again reads from the beginning until there are so many rows, 0 for all.
	Again(rows int)
	State() listing.State
	// Changed returns the state once it is another than the one with the number since.
	Changed(ctx context.Context, since int) (listing.State, error)
}

// followScan shows the state of the scan, now and whenever it changes.
func (m *Model) followScan() tea.Cmd {
	cmd := m.showScan(m.options.Scans.State())
	scans, since, limit := m.options.Scans, m.state.N, time.Duration(0)
	if m.state.Phase == listing.Reading {
		limit = ui.NoLimit // shows how long no page has come
	}
	return tea.Batch(cmd, m.scanCall.Then(func(a ui.Result[listing.State]) tea.Cmd {
		if a.Err != nil { // the connection has ended
			return nil
		}
		return tea.Batch(m.followScan(), m.countAgain())
	}).Timed(limit).Ask(m.Scope, func(ctx context.Context) (listing.State, error) { return scans.Changed(ctx, since) }))
}

// showScan shows a state of the scan.
func (m *Model) showScan(s listing.State) tea.Cmd {
	comes := s.Phase.Running() || s.Phase == listing.Paused && s.Why != listing.Enough
	if was := m.state; was.Rows != nil && was.Rows != s.Rows && s.Read == 0 && comes && !was.Stale() {
		s.Rows, s.Read, s.Kept = was.Rows, was.Read, was.Kept // until there is a row to take their place
	}
	if m.state.Rows != s.Rows {
		if m.state.Rows != nil { // it is read again
			m.SeekMarked()
		}
		m.told, m.sought = false, sought{place: -1}
	}
	m.tellKept(s)
	m.state = s
	m.Layout()
	m.readAhead()
	return tea.Batch(m.relist(), m.askAtLimit())
}

// readOn begins to read the whole list, pauses that, or goes on with it.
func (m *Model) readOn() tea.Cmd {
	scans := m.options.Scans
	switch s := m.state; {
	case s.Phase.Running() && s.To == 0:
		scans.Pause()
	case s.Phase.Running(), s.Why == listing.Enough:
		scans.Start()
	case s.Phase == listing.Done:
		return m.Notify("Nothing is left to read. r reads the list again.")
	case s.Stale():
		return m.readAgain()
	case s.Why == listing.AtLimit:
		m.told = false
		return m.askAtLimit()
	default:
		scans.Resume()
	}
	return nil
}

// readOnLabel names what the key does now.
func (m *Model) readOnLabel() string {
	switch s := m.state; {
	case s.Phase.Running() && s.To == 0:
		return "pause"
	case s.Why == listing.Enough && !s.More:
		return "check list"
	case s.To > 0 && s.Why == listing.ByProblem:
		return "try again"
	case s.To > 0:
		return "read all"
	case s.Stale():
		return "read again"
	}
	return "continue"
}

// askedFrom sets how many pages take so long to read again that a person is asked before their rows are dropped.
const askedFrom = 100

// readAgain reads the list from its beginning as far as it was read, and forgets what was read before.
func (m *Model) readAgain() tea.Cmd {
	s := m.state
	again := func() tea.Cmd {
		to := 0
		if s.To > 0 {
			to = max(s.Read, scanPage)
		}
		m.options.Scans.Again(to)
		return nil
	}
	if s.Pages < askedFrom {
		return again()
	}
	return m.ask("Read again", ui.Question{
		Title: "Read " + present.Count(max(s.Total, s.Read), "row", "rows") + " again?",
		Lines: []string{"The " + present.Count(s.Read, "row", "rows") + " that were read are dropped, and the list is read from its beginning."},
		Yes:   "Read again", No: "Keep them",
	}, again)
}

// Renewed reads again what was read, or could not be, with the former key, unless that is the whole list.
func (m *Model) Renewed() tea.Cmd {
	if s := m.state; s.To > 0 && (s.Stale() || s.Why == listing.ByProblem) {
		m.options.Scans.Again(scanPage)
	}
	return nil
}

// readAhead reads one page more before the mark reaches the last row that was read, so that the list goes on. To a search every
// page would be a row more that was not there before.
func (m *Model) readAhead() {
	s := m.state
	from, to := m.Window()
	if s.Why == listing.Enough && s.More && m.found.plain() && !m.Searched() && to+(to-from) >= s.Read {
		m.options.Scans.Read(s.Read + scanPage)
	}
}

// readBeyond reads one page more when a key goes on from the last row that was read, also from the last that a search found.
func (m *Model) readBeyond(by int) tea.Cmd {
	if s := m.state; by > 0 && m.Count() > 0 && s.Why == listing.Enough && s.More {
		m.options.Scans.Read(s.Read + scanPage)
	}
	return nil
}

// ask asks a question over the list; title names it behind that of the list. A no shows the list as it was.
func (m *Model) ask(title string, q ui.Question, yes func() tea.Cmd) tea.Cmd {
	return detail.Ask(&m.Body, detail.Question{Question: q, Title: title, Do: yes})
}

// askAtLimit asks, once, whether to read more pages than a person reads by accident. It does not ask while
// a row is open, or a text is typed.
func (m *Model) askAtLimit() tea.Cmd {
	s := m.state
	_, open := m.Opened()
	if s.Phase != listing.Paused || s.Why != listing.AtLimit || m.told || open || m.Typing() { // space asks later
		return nil
	}
	m.told = true
	pages := present.Thousands(s.Pages)
	lines := []string{pages + " pages were read: " + present.Count(s.Read, "row", "rows") + "."}
	if s.Of > s.Pages {
		lines = append(lines, "The service reports "+present.Count(s.Of-s.Pages, "more page", "more pages")+". Reading can be paused at any time.")
	}
	return m.ask("More pages", ui.Question{
		Title: "Read more than " + pages + " pages?", Lines: lines, Yes: "Read on", No: "Stop here",
	}, func() tea.Cmd {
		m.options.Scans.Resume()
		return nil
	})
}
