package transactions

import (
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	verdictMost = 3               // lines of what a scan found out about the list
	maxDetail   = 4               // lines of the service's own words above the rows
	quiet       = 3 * time.Second // without a page, until that is said
)

// listWidth has room for a whole UUID beside the other columns; in a window without that room the ID is below the
// list.
const listWidth = 76

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

// head draws the lines above the rows: on the first, in so many cells where that is possible, which rows they are and how far the scan
// is, whatever it is doing; below it what speaks against them.
func (m *Model) head(w, first int) []string {
	return slices.Concat(m.scanLines(w, first), m.keptLines(w), m.blindLines(w), m.comparedLines(w))
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

// position says which rows are visible, of how many that were found; "" before there are any.
func (m *Model) position() string {
	from, to := m.Window()
	words := "Rows " + present.Thousands(from+1) + "–" + present.Thousands(to)
	switch {
	case !m.finds() && (to <= from || m.state.Phase == listing.Waiting): // the reason has the room
		return ""
	case !m.finds():
		return words
	}
	found := present.Thousands(m.Count())
	if m.found.more {
		found += "+"
	}
	switch part := m.partRead(m.found.read); {
	case m.Typing(): // what it means has more need of the room
		return found + " in " + part
	case to <= from:
		return found + " found in " + part
	default:
		return words + " of " + found + " found in " + part
	}
}

// finds reports whether the rows listed were found by a search.
func (m *Model) finds() bool { return m.Searched() && m.found.rows != nil && !m.found.plain() }

// partRead says how many rows were read, of how many.
func (m *Model) partRead(n int) string {
	switch s := m.state; {
	case !s.More && n >= s.Read && !lacks(s) && (s.Phase != listing.Done || s.Verdict.Trusted):
		return "all " + present.Thousands(n)
	case s.Counted:
		return present.Thousands(n) + " of " + present.Thousands(max(s.Total, n))
	}
	return present.Thousands(n)
}

// scanLines say which rows are visible and how far the scan is, on one line unless something went wrong or the list changed.
func (m *Model) scanLines(w, first int) []string {
	s, at := m.state, m.position()
	if obstacle, _ := m.obstacle(w); obstacle != nil {
		return []string{at}
	}
	if s.Phase == listing.Paused && s.Why == listing.ByProblem {
		return append([]string{at}, m.scanProblem(s, w)...)
	}
	warn := func(words string) []string { return append([]string{at}, m.Theme.MarkLines(ui.ToneAct, words, w)...) }
	if s.Phase == listing.Done && !s.Verdict.Trusted {
		facts := len(present.VerdictFacts(s))
		lines := warn(verdictWords(s, facts))
		for ; len(lines) > 1+verdictMost && facts > 1; facts-- {
			lines = warn(verdictWords(s, facts-1))
		}
		return lines
	}
	forms := m.scanWords(s)
	switch odd := present.OddPages(s); {
	case s.Phase == listing.Paused && len(odd) > 0:
		if lines := warn(forms[0] + ". " + present.Sentence(strings.Join(odd, "; "))); len(lines) <= 1+verdictMost {
			return lines
		}
		return warn(forms[0] + ". Some pages were unusual: ? has more.")
	case s.Stale():
		return warn(forms[0])
	case s.Why == listing.Enough && lacks(s):
		return warn("No page is left: " + forms[0])
	}
	line := at
	for _, words := range forms {
		if line = strings.Trim(at+" · "+words, " ·"); ui.Width(line) <= first {
			break
		}
	}
	return []string{line}
}

// scanWords say how far a scan is, the longest words first.
func (m *Model) scanWords(s listing.State) []string {
	at := "row " + present.Thousands(s.Read)
	if s.Counted {
		at += " of " + present.Thousands(max(s.Total, s.Read))
	}
	words := present.ScanProgress(s)
	if wait := m.scanCall.Wait(); s.Phase == listing.Reading && wait != nil && wait.Elapsed() >= quiet {
		words += " · no answer for " + present.Age(wait.Elapsed())
	}
	switch {
	case s.Phase == listing.Waiting:
		return []string{words, present.ScanWaits(s) + " · space pauses"}
	case s.Phase.Running():
		return []string{words}
	case s.Why == listing.Enough && m.found.rows == nil: // a key would be too early
		return []string{"Reading the first page…"}
	case s.Phase == listing.Done, s.Why == listing.Enough:
		return m.readWords(s)
	case s.Stale():
		return []string{"Read before the key was entered · space reads again"}
	case s.Why == listing.AtLimit:
		return []string{"paused at " + at + " · space asks to read on", "paused at " + at}
	case s.Why == listing.ByFull:
		return []string{"stopped at " + at + ": no room for more"}
	}
	return []string{"paused at " + at + " · space reads on", "paused at " + at}
}

// lacks reports whether the service has no page left, and says that there are more rows than came.
func lacks(s listing.State) bool { return !s.More && s.Counted && s.Read < s.Total }

// readWords say how many rows were read, and when; what was found among them says how many itself.
func (m *Model) readWords(s listing.State) []string {
	at := "read at " + present.Clock(s.Began)
	switch to := present.Clock(s.Ended); {
	case s.Phase == listing.Done:
		at = "read at " + to
	case to != present.Clock(s.Began):
		at += "–" + to
	}
	part := m.partRead(s.Read) + " "
	least := part + "read"
	if m.finds() {
		part, least = "", ""
	}
	forms := []string{part + at, least}
	if s.Phase == listing.Done {
		return append([]string{part + at + ", no change seen"}, forms...)
	}
	return forms
}

// scanProblem says why a scan has stopped, and how it goes on. The rows read are kept.
func (m *Model) scanProblem(s listing.State, w int) []string {
	p := m.problem(s)
	words := "Stopped at page " + present.Thousands(s.Page) + ". " + strings.TrimSpace(p.What+" "+p.Next) + " The rows read are kept; space tries page " + present.Thousands(s.Page) + " again."
	return append(m.Theme.ErrorLines(words, w), p.DetailLines(m.Theme, w, maxDetail)...)
}

// problem is what a scan has met. That it may be tried again is said by the key.
func (m *Model) problem(s listing.State) present.Problem {
	p := present.Error(s.Err, present.Reading)
	p.Next = strings.TrimSpace(strings.TrimPrefix(p.Next, "Try again."))
	return p
}

// obstacle says why no row could be read yet, and the key that may change that.
func (m *Model) obstacle(w int) (lines []string, k key.Binding) {
	switch s := m.state; {
	case s.Read > 0:
	case s.Phase == listing.Waiting:
		words, _ := strings.CutPrefix(present.ScanProgress(s), present.ScanWaits(s)+": ")
		lines = append(m.Theme.MarkLines(ui.ToneAct, present.Sentence(words), w), m.problem(s).DetailLines(m.Theme, w, maxDetail)...)
		return append(lines, "The next try is at "+present.Clock(s.Until)+"."), m.Reload().Key
	case s.Phase == listing.Paused && s.Why == listing.ByProblem:
		if k = m.readOnKey().Key; api.KeyRejected(s.Err) {
			k = ui.Bind("ctrl+g", "another key")
		}
		return m.problem(s).Lines(m.Theme, w), k
	}
	return nil, k
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
