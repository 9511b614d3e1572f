package transactions

import (
	"slices"
	"strings"
	"time"

	"paydesk/api/listing"
	"paydesk/screens/list"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	mostScanBar  = 16 // cells
	leastScanBar = 6
	verdictMost  = 3               // lines of what a scan found out about the list
	maxDetail    = 4               // lines of the service's own words above the rows
	quiet        = 3 * time.Second // without a page, until that is said
)

// listWidth has room for a whole UUID beside the other columns; in a window without that room the ID is below the
// list.
const listWidth = 77

// wasWidth has room for the status in the earlier scan, and for the gap between two columns.
const wasWidth = 16

// hasIDs reports whether there is room for the IDs in the list.
func (m *Model) hasIDs(w int) bool {
	if m.compares() {
		return w >= listWidth+wasWidth
	}
	return w >= listWidth
}

// below are the lines of the ID of the marked row below a list that has no room for IDs.
func (m *Model) below() int {
	if m.hasIDs(m.W) {
		return 0
	}
	return 1
}

// head draws the lines above the rows: which rows they are, and how far the scan is, which has
// the second line, whatever it is doing.
func (m *Model) head(w int) []string {
	return slices.Concat([]string{m.position()}, m.scanLines(w), m.keptLines(w), m.blindLines(w), m.comparedLines(w))
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

// position says which rows are visible, of how many.
func (m *Model) position() string {
	of := present.Thousands(m.state.Read) + " read"
	if m.state.Read == 0 && m.state.More {
		of = "Nothing read yet"
	}
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
	if to <= from || m.found.rows != m.state.Rows {
		return of
	}
	return "Rows " + present.Thousands(from+1) + "–" + present.Thousands(to) + " of " + of
}

// scanLines say how far the scan is, on one line unless something went wrong or the list changed.
func (m *Model) scanLines(w int) []string {
	s := m.state
	switch {
	case s.Phase == listing.Done && s.Verdict.Trusted:
		read := present.Count(s.Read, "row", "rows") + " read at " + present.Clock(s.Ended) + ", no change seen"
		if all := "All " + read + " while it was read."; ui.Width(all) <= w {
			return []string{all}
		}
		return ui.Wrap(read+".", w)
	case s.Phase == listing.Done:
		facts := len(present.VerdictFacts(s))
		lines := m.Theme.MarkLines(ui.ToneAct, verdictWords(s, facts), w)
		for ; len(lines) > verdictMost && facts > 1; facts-- {
			lines = m.Theme.MarkLines(ui.ToneAct, verdictWords(s, facts-1), w)
		}
		return lines
	case s.Phase == listing.Paused && s.Why == listing.ByProblem:
		return m.scanProblem(s, w)
	}
	words := m.scanWords(s, w)
	if wait := m.scanCall.Wait(); s.Phase == listing.Reading && wait != nil && wait.Elapsed() >= quiet {
		words += " · no answer for " + present.Age(wait.Elapsed())
	}
	switch odd := present.OddPages(s); {
	case s.Stale():
		return m.Theme.MarkLines(ui.ToneAct, words, w)
	case s.Phase == listing.Paused && len(odd) > 0:
		words += ". " + present.Sentence(strings.Join(odd, "; "))
		if lines := m.Theme.MarkLines(ui.ToneAct, words, w); len(lines) <= verdictMost {
			return lines
		}
		return m.Theme.MarkLines(ui.ToneAct, m.scanWords(s, w)+". Some pages were unusual: ? has more.", w)
	case s.Why == listing.Enough && lacks(s):
		return m.Theme.MarkLines(ui.ToneAct, words, w)
	case s.Why == listing.Enough:
		return []string{ui.Fit(words, w)}
	case s.Phase == listing.Waiting && s.Read == 0:
		return []string{ui.Fit(m.Theme.Mark(ui.ToneAct, words), w)}
	}
	if bar := min(w-ui.Width(words)-2, mostScanBar); s.Of > 0 && bar >= leastScanBar {
		words = m.Theme.Bar(bar, s.Of, ui.Part{Tone: ui.ToneWait, N: min(s.Pages, s.Of)}) + "  " + words
	}
	return []string{ui.Fit(words, w)}
}

// scanWords say how far a scan is that has not reached the end.
func (m *Model) scanWords(s listing.State, w int) string {
	at := "row " + present.Thousands(s.Read)
	if s.Counted {
		at += " of " + present.Thousands(max(s.Total, s.Read))
	}
	words := present.ScanProgress(s)
	if m.wanted > 0 && s.Phase == listing.Reading {
		words = "To row " + present.Thousands(m.wanted) + ": " + words
	}
	switch {
	case s.Phase == listing.Waiting && ui.Width(words) > w:
		return present.ScanWaits(s) + " · space pauses"
	case s.Phase.Running():
		return words
	case s.Why == listing.Enough && m.found.rows == nil: // a key would be too early
		return "Reading the first page…"
	case s.Why == listing.Enough:
		return m.readSoFar(w)
	case s.Stale():
		return "Read before the key was entered · space reads again"
	case s.Why == listing.AtLimit:
		return "Paused at " + at + " · space asks to read on"
	case s.Why == listing.ByFull:
		return "Stopped at " + at + ": no room for more"
	}
	return "Paused at " + at + " · space reads on"
}

// lacks reports whether the service has no page left, and says that there are more rows than came.
func lacks(s listing.State) bool { return !s.More && s.Counted && s.Read < s.Total }

// readSoFar says how many rows were read for a person who looks at them, and when.
func (m *Model) readSoFar(w int) string {
	s := m.state
	rows := present.Count(s.Read, "row", "rows")
	switch {
	case lacks(s):
		rows = "No page is left: " + present.Thousands(s.Read) + " of " + present.Count(s.Total, "row", "rows")
	case !s.More:
		rows = "All " + rows
	case s.Counted:
		rows = present.Thousands(s.Read) + " of " + present.Count(max(s.Total, s.Read), "row", "rows")
	}
	words := rows + " read at " + present.Clock(s.Began)
	if to := present.Clock(s.Ended); to != present.Clock(s.Began) {
		words += "–" + to
	}
	next := " · space reads all"
	if m.Typing() {
		next = " · space after enter reads all"
	}
	if !s.More || ui.Width(words+next) > w {
		return words
	}
	return words + next
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

// verdictWords say what a scan that has reached the end found out about the list: how it changed meanwhile, or why the
// rows may not be all there are, with so many of the facts at most.
func verdictWords(s listing.State, most int) string {
	facts := present.VerdictFacts(s)
	if len(facts) > most {
		facts = append(facts[:most], "? has more")
	}
	read := present.Count(s.Read, "row", "rows") + " read at " + present.Clock(s.Ended) + present.Verdict(s.Verdict)
	return read + ": " + strings.Join(facts, "; ") + ". r reads it again."
}

// isKept reports whether the rows listed are kept.
func (m *Model) isKept() bool { return m.state.Kept.Step == listing.Kept }

// blind reports whether the journal could not be read for the rows listed.
func (m *Model) blind() bool {
	return slices.ContainsFunc(m.Loaded(), func(l listing.Listed) bool { return l.Unchecked })
}

// blindLines say that the journal could not be read, while that is so.
func (m *Model) blindLines(w int) []string {
	if !m.blind() {
		return nil
	}
	return m.Theme.MarkLines(ui.ToneAct, "The journal could not be read: a payment marked ? may have a mismatch.", w)
}

// mostKept are the lines of what became of a scan.
const mostKept = 2

// keptLines warn, once all rows are read, that the saved list may lack some; otherwise the result is news ([Model.tellKept]).
func (m *Model) keptLines(w int) []string {
	tone, words := present.Kept(m.state.Kept)
	if tone == ui.ToneNone {
		return nil
	}
	lines := m.Theme.MarkLines(tone, words, w)
	if len(lines) > mostKept {
		lines = append(lines[:mostKept-1], ui.Fit(lines[mostKept-1], w-1)+"…")
	}
	return lines
}

// tellKept says once that the rows are being saved, and what came of that, where it came while the screen was there.
func (m *Model) tellKept(now listing.State) {
	was := m.state
	if was.Rows == nil || was.Rows == now.Rows && was.Kept.Step == now.Kept.Step {
		return
	}
	if _, told := present.Kept(was.Kept); m.News.Text == told {
		m.EndNews()
	}
	if tone, words := present.Kept(now.Kept); tone == ui.ToneNone && words != "" {
		m.Notify(words)
	}
}
