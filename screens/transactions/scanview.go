package transactions

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

const (
	mostScanBar  = 16 // cells
	leastScanBar = 6
	verdictMost  = 3 // lines of what a scan found out about the list
)

// longHead is what is above the rows of a scan: which they are, how far the scan is, and what is typed. The scan has
// the second line, whatever it is doing.
func (m *Model) longHead() ([]string, *tea.Cursor) {
	w, h := m.panes.ListSize()
	position := indent + m.longPosition()
	if m.W > 0 {
		position = m.long.find.facets.View(position+" ·", w)
	}
	lines := append([]string{position}, ui.Indented(m.scanLines())...)
	lines = append(append(lines, ui.Indented(m.keptLines())...), ui.Indented(m.blindLines())...)
	lines = append(lines, ui.Indented(m.comparedLines())...)
	switch {
	case m.goTo != nil:
		return m.goTo.form.Under(lines, w, h)
	case m.filter.Active():
		return m.filterLines(lines, w, h)
	}
	return lines, nil
}

// mostCompared are the lines of what the rows were compared with.
const mostCompared = 3

// comparedLines say what the rows were compared with, where that is asked for.
func (m *Model) comparedLines() []string {
	var lines []string
	for _, note := range m.long.find.notes {
		lines = append(lines, m.Theme.MutedLines(note, m.words())...)
	}
	if len(lines) > mostCompared {
		lines = append(lines[:mostCompared-1], m.Theme.Muted.Render("… ? has all of it"))
	}
	return lines
}

// longPosition is which rows are visible of how many.
func (m *Model) longPosition() string {
	of := present.Thousands(m.long.state.Read) + " read"
	if m.filter.Active() && m.long.find.matched {
		more := ""
		if m.long.find.more {
			more = "+"
		}
		of = present.Thousands(m.rows.Len()) + more + " found in " + present.Thousands(m.long.find.read) + " read"
	}
	from, to := m.table.Visible()
	if to <= from {
		return of
	}
	return "Rows " + present.Thousands(from+1) + "–" + present.Thousands(to) + " of " + of
}

// scanLines are how far the scan is, on one line unless something went wrong or the list changed.
func (m *Model) scanLines() []string {
	s, w := m.long.state, m.words()
	switch {
	case s.Phase == listing.Done && s.Verdict.Trusted:
		read := present.Count(s.Read, "row", "rows") + " read at " + present.Clock(s.Ended) + ", no change seen"
		if all := "All " + read + " while it was read."; ui.Width(all) <= w {
			return []string{all}
		}
		return ui.Wrap(read+".", w)
	case s.Phase == listing.Done:
		facts := len(present.VerdictFacts(s))
		lines := m.Theme.MarkLines(ui.ToneAct, verdictWords(s), w)
		for ; len(lines) > verdictMost && facts > 1; facts-- {
			lines = m.Theme.MarkLines(ui.ToneAct, verdictOf(s, facts-1), w)
		}
		return lines
	case s.Phase == listing.Paused && s.Why == listing.ByProblem:
		return m.scanProblem(s, w)
	}
	words := m.scanWords(s)
	if s.Stale() {
		return m.Theme.MarkLines(ui.ToneAct, words, w)
	}
	if bar := min(w-ui.Width(words)-2, mostScanBar); s.Of > 0 && bar >= leastScanBar {
		words = m.Theme.Bar(bar, s.Of, ui.Part{Tone: ui.ToneWait, N: min(s.Pages, s.Of)}) + "  " + words
	}
	return []string{ui.Fit(words, w)}
}

// scanWords are how far a scan is that has not reached the end.
func (m *Model) scanWords(s listing.State) string {
	at := "row " + present.Thousands(s.Read)
	if s.Counted {
		at += " of " + present.Thousands(max(s.Total, s.Read))
	}
	switch {
	case s.Phase == listing.Waiting:
		why := "the service asks to wait"
		if s.Err != nil {
			why = strings.TrimSuffix(present.Error(s.Err, present.Reading).What, ".")
		}
		until := "Waiting until " + present.Clock(s.Until)
		if ui.Width(until+": "+why) > m.words() {
			return until + " · space pauses"
		}
		return until + ": " + why
	case s.Phase == listing.Reading && s.Pages == 0:
		return "Reading the first page…"
	case s.Phase == listing.Reading:
		return strings.Join(present.ScanProgress(s), " · ")
	case s.Stale():
		return "Read before the key was entered · space reads again"
	case s.Why == listing.AtLimit:
		return "Paused at " + at + " · space asks to read on"
	case s.Why == listing.ByFull:
		return "Stopped at " + at + ": memory is full"
	}
	return "Paused at " + at + " · space reads on"
}

// scanProblem says why a scan has stopped, and how it goes on.
func (m *Model) scanProblem(s listing.State, w int) []string {
	p := present.Error(s.Err, present.Reading)
	next := strings.TrimSpace(strings.TrimPrefix(p.Next, "Try again.")) // the key says so
	words := "Stopped at page " + present.Thousands(s.Page) + ". " + strings.TrimSpace(p.What+" "+next) + " " + keptRows(s) + "space tries page " + present.Thousands(s.Page) + " again."
	return append(m.Theme.ErrorLines(words, w), p.DetailLines(m.Theme, w, maxDetail)...)
}

// keptRows says that the rows that were read are still there, where any were.
func keptRows(s listing.State) string {
	if s.Read == 0 {
		return "No rows were read; "
	}
	return "The rows read are kept; "
}

// longEmpty is in place of rows while there are none.
func (m *Model) longEmpty(w, h int) []string {
	if s := m.long.state; s.Phase == listing.Done && s.Read == 0 {
		return m.Theme.Invite("There are no transactions.", ui.Bind("r", "read again"), w, h)
	} else if m.filter.Active() && m.long.find.matched {
		words := "No transaction matches."
		if s.Phase != listing.Done {
			words = "No transaction read so far matches."
		}
		return m.Theme.Invite(words, ui.ClearFilter, w, h)
	}
	return nil
}

// longFoot is what the mark of a raw amount means, where one is visible. It takes its line in any case, so that no row moves
// while the list is scrolled.
func (m *Model) longFoot() []string {
	from, to := m.table.Visible()
	for i := from; i < to; i++ {
		if row, is := m.rows.At(i); is && !row.Known {
			return ui.Indented([]string{m.Theme.Muted.Render(report.RawAmounts)})
		}
	}
	return ui.Indented([]string{m.Theme.Muted.Render("An ID may not be a payment reference: l looks it up.")})
}
