package transactions

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/api/query"
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
	state listing.State
	find  find                   // which rows are listed, and in which order
	asked map[api.Reference]bool // whether something is known about them has been looked up
	told  bool                   // the question at the limit was asked
	again again                  // what was marked before the list was read again

	window ui.Call[window] // the rows around the visible ones
}

// openLong lists what a scan reads.
func (m *Model) openLong() tea.Cmd {
	m.call.Drop()
	m.prefetchCall.Drop()
	m.pending, m.problem, m.reloading, m.reread, m.onward, m.shrunk = 0, nil, nil, nil, 0, false
	m.long = &longList{asked: map[api.Reference]bool{}, find: newFind(m.Theme)}
	m.rows = loadedRows(nil)
	m.table.SetRows(0, nil)
	m.table.Select(0)
	return m.followScan()
}

// closeLong lists pages again.
func (m *Model) closeLong() tea.Cmd {
	m.scanCall.Drop()
	m.long.find.call.Drop()
	m.long = nil
	m.table.Select(0)
	m.fill()
	if m.shown == nil {
		return m.goToPage(1)
	}
	return m.prefetch()
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
	anew := l.state.Rows != s.Rows
	l.state = s
	if anew {
		l.again.begin(m)
		l.told = false
		l.find.forget()
		l.find.beside = beside{}
		m.listScanned(scannedRows{rows: s.Rows})
		m.table.Select(0)
	}
	cmd := m.grow()
	return tea.Batch(cmd, m.seekAgain(), m.askAtLimit(), m.askAboutVisible(), m.readMade())
}

// An again is the row that was marked before the list was read again. It is marked once it is listed, unless a person moves first.
type again struct {
	id    string // "" for none
	read  int    // rows in which it was looked for
	place int    // where it is in the list; -1 while that is not known
	call  ui.Call[[]int32]
}

// begin begins to look for the marked row, or for the one that has not been found since the last time.
func (a *again) begin(m *Model) {
	if row, is := m.selected(); is && a.id == "" {
		a.id = row.ID.Line(0)
	}
	a.call.Drop()
	a.read, a.place = 0, -1
}

// seekAgain looks for that row in what was read since.
func (m *Model) seekAgain() tea.Cmd {
	l, s := m.long, m.long.state
	a := &l.again
	if a.id == "" || a.place >= 0 || a.call.Pending() || a.read >= s.Read {
		return nil
	}
	is := query.Term{Field: listing.FieldID, Kind: query.Text, Values: []query.Value{{Text: a.id, How: query.Whole}}}
	in := listing.Search{Query: query.Query{Terms: []query.Term{is}}, From: a.read, To: s.Read, Limit: 1}
	return a.call.Then(func(found ui.Result[[]int32]) tea.Cmd {
		if m.long != l || found.Err != nil {
			return nil
		}
		if a.read = in.To; len(found.Value) > 0 {
			a.place = int(found.Value[0])
		}
		return tea.Batch(m.markAgain(), m.seekAgain())
	}).Ask(m.Scope, func(ctx context.Context) ([]int32, error) { return s.Rows.Find(ctx, in) })
}

// markAgain marks that row, if it is listed.
func (m *Model) markAgain() tea.Cmd {
	a := &m.long.again
	at := a.place
	if !m.plain() {
		at = slices.Index(m.scanned().found, int32(a.place))
	}
	if a.id == "" || at < 0 {
		return nil
	}
	a.id = ""
	m.table.Select(at)
	return tea.Batch(m.askAboutVisible(), m.readMade())
}

// grow lists the rows that were read meanwhile: at once where rows are listed as they come.
func (m *Model) grow() tea.Cmd {
	l := m.long
	if !m.plain() {
		m.layout()
		return m.findAgain()
	}
	listed := m.scanned()
	listed.rows, listed.n = l.state.Rows, l.state.Read
	m.rows = listed
	m.table.Extend(l.state.Read)
	m.table.Within(0, 0)
	if l.state.Counted {
		m.table.Within(0, l.state.Total)
	}
	m.layout()
	return nil
}

// listScanned lists rows of a scan.
func (m *Model) listScanned(rows scannedRows) {
	m.rows = rows
	m.fill()
	m.table.Within(0, 0)
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

// Pause implements [ui.Pauser]: the scan goes on, and is looked at when the screen is on top again.
func (m *Model) Pause() { m.scanCall.Drop() }
