package transactions

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"paydesk/api/listing"
	"paydesk/screens/list"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	mostScanBar  = 16 // cells
	leastScanBar = 6
	verdictMost  = 3 // lines of what a scan found out about the list
)

// longHead is what is above the rows of a scan: which they are, and how far the scan is, which has
// the second line, whatever it is doing.
func (m *Model) longHead(w int) []string {
	return slices.Concat([]string{m.longPosition()}, m.scanLines(w), m.keptLines(w), m.blindLines(w), m.comparedLines(w))
}

// mostCompared are the lines of what the rows were compared with.
const mostCompared = 3

// comparedLines say what the rows were compared with, where that is asked for.
func (m *Model) comparedLines(w int) []string {
	var lines []string
	for _, note := range m.found.notes {
		lines = append(lines, m.Theme.MutedLines(note, w)...)
	}
	if len(lines) > mostCompared {
		lines = append(lines[:mostCompared-1], m.Theme.Muted.Render("… ? has all of it"))
	}
	return lines
}

// longPosition is which rows are visible of how many.
func (m *Model) longPosition() string {
	of := present.Thousands(m.long.state.Read) + " read"
	if m.Wrong() {
		return list.Unread
	}
	if m.Searched() && m.found.rows != nil && !m.found.plain() {
		more := ""
		if m.found.more {
			more = "+"
		}
		of = present.Thousands(m.Count()) + more + " found in " + present.Thousands(m.found.read) + " read"
	}
	from, to := m.Window()
	if to <= from || m.found.rows != m.long.state.Rows {
		return of
	}
	return "Rows " + present.Thousands(from+1) + "–" + present.Thousands(to) + " of " + of
}

// scanLines are how far the scan is, on one line unless something went wrong or the list changed.
func (m *Model) scanLines(w int) []string {
	s := m.long.state
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
	words := m.scanWords(s, w)
	if s.Stale() {
		return m.Theme.MarkLines(ui.ToneAct, words, w)
	}
	if bar := min(w-ui.Width(words)-2, mostScanBar); s.Of > 0 && bar >= leastScanBar {
		words = m.Theme.Bar(bar, s.Of, ui.Part{Tone: ui.ToneWait, N: min(s.Pages, s.Of)}) + "  " + words
	}
	return []string{ui.Fit(words, w)}
}

// scanWords are how far a scan is that has not reached the end.
func (m *Model) scanWords(s listing.State, w int) string {
	at := "row " + present.Thousands(s.Read)
	if s.Counted {
		at += " of " + present.Thousands(max(s.Total, s.Read))
	}
	switch words := present.ScanProgress(s); {
	case s.Phase == listing.Waiting && ui.Width(words) > w:
		return present.ScanWaits(s) + " · space pauses"
	case s.Phase.Running():
		return words
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

// noneScanned says why there are no rows of a scan.
func (m *Model) noneScanned() (string, key.Binding) {
	switch s := m.long.state; {
	case s.Phase == listing.Done && s.Read == 0:
		return "There are no transactions.", ui.Bind("r", "read again")
	case m.Query().Empty():
		return "", key.Binding{}
	case s.Phase != listing.Done:
		return "No transaction read so far matches.", ui.ClearSearch
	}
	return "No transaction matches.", ui.ClearSearch
}

// verdictWords say what a scan that has reached the end found out about the list: how it changed meanwhile, or why the
// rows may not be all there are.
func verdictWords(s listing.State) string { return verdictOf(s, len(present.VerdictFacts(s))) }

// verdictOf is that with as many of the facts as are asked for.
func verdictOf(s listing.State, facts int) string {
	all := present.VerdictFacts(s)
	words := present.Count(s.Read, "row", "rows") + " read at " + present.Clock(s.Ended) + present.Verdict(s.Verdict) + ": "
	words += strings.Join(all[:facts], "; ")
	if facts < len(all) {
		words += "; ? has more"
	}
	return words + ". r reads it again."
}

// isKept reports whether the rows listed are kept.
func (m *Model) isKept() bool { return m.long != nil && m.long.state.Kept.Step == listing.Kept }

// mostKept are the lines of what became of a scan.
const mostKept = 2

// keptLines say what became of the rows listed, once all are read.
func (m *Model) keptLines(w int) []string {
	tone, words := present.Kept(m.long.state.Kept)
	if words == "" {
		return nil
	}
	lines := m.Theme.MutedLines(words, w)
	if tone != ui.ToneNone {
		lines = m.Theme.MarkLines(tone, words, w)
	}
	if len(lines) > mostKept {
		lines = append(lines[:mostKept-1], ui.Fit(lines[mostKept-1], w-1)+"…")
	}
	return lines
}
