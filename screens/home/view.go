package home

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/ui"
)

// roomy is the height from which a problem is shown with its advice, and groups are apart.
const roomy = 18

// A plan holds the number of lines of each part of the body, from top to bottom.
type plan struct {
	table, about, made, steps, ways int
	apart                           bool // a blank line before each section, what was made, the tour and the menu
}

// plan shares the height. The payments get what they need, as long as the first ways stay; what was made and the other
// ways follow where there is room left.
func (m *Model) plan(h int) plan {
	const fresh = 1
	leastWays := 1 + m.first()
	p := plan{about: m.aboutHeight(), ways: leastWays}
	left := h - len(m.problemLines()) - fresh - p.about
	need, numbers := m.tableLines(len(m.entries)), m.leastMade(left-leastWays)
	p.steps = m.stepsHeight(left - leastWays - numbers)
	p.table = max(min(need, left-leastWays-p.steps-numbers), min(leastTable, need))
	left -= p.table + p.ways + p.steps
	if n := len(m.made); n > 0 && left >= 2 {
		p.made = min(1+n, left)
		left -= p.made
	}
	if all := 1 + m.menuWays(); left >= all-p.ways {
		left -= all - p.ways
		p.ways = all
	}
	blanks := 1
	if p.made > 0 {
		blanks++
	}
	if p.steps > 0 {
		blanks++
	}
	inner := max(need-1-len(m.entries), 0) // rules between the payments
	if p.apart = left >= blanks+inner && p.table == need; p.apart {
		p.table += inner
		left -= blanks + inner
	}
	p.ways += max(min(left, 1+m.menuWays()-p.ways), 0)
	return p
}

const (
	leastTable = 3 // lines of the payments, where there are as many
	leastSteps = 2 // the rule of the tour and one of its lines
)

// stepsHeight returns how many lines the tour has, of those that the payments and it share. What needs a person or is
// under way comes first, the settled payments after the tour.
func (m *Model) stepsHeight(h int) int {
	n := len(m.steps())
	if n == 0 {
		return 0
	}
	return min(max(h-m.openLines(), leastSteps), 1+n)
}

// leastMade returns how many of those lines what was made today has where there is a tour: its rule and a currency, unless
// what needs a person or is under way takes the room.
func (m *Model) leastMade(h int) int {
	const least = 2
	if len(m.steps()) == 0 || len(m.made) == 0 || h-m.openLines() < least+leastSteps {
		return 0
	}
	return least
}

// openLines counts the lines of the payments that need a person or are under way, but at least those that the list always has.
func (m *Model) openLines() int {
	open := 0
	for open < len(m.entries) && m.entries[open].in <= underWay {
		open++
	}
	return max(m.tableLines(open), min(m.tableLines(len(m.entries)), leastTable))
}

// tableLines returns how many lines the first n payments take with the rules of their sections.
func (m *Model) tableLines(entries int) int {
	n := 1 + entries
	for i := 1; i < entries; i++ {
		if m.entries[i].in != m.entries[i-1].in {
			n++
		}
	}
	return n
}

// aboutHeight returns the most lines that any payment has below the list, where no pane has them: the list keeps its
// height.
func (m *Model) aboutHeight() (n int) {
	if _, h := m.panes.PaneSize(); h > 0 {
		return 0
	}
	w, _ := m.panes.ListSize()
	for _, e := range m.entries {
		n = max(n, len(m.report(e.Entry).Notes(m.Theme, w)))
	}
	return n
}

// layout gives the table the height that the plan leaves it.
func (m *Model) layout() {
	w, h := m.panes.ListSize()
	p := m.plan(h)
	m.table.Apart(p.apart)
	m.table.Resize(w, p.table)
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.W < 1 || m.H < 1 {
		return "", nil
	}
	w, h := m.panes.ListSize()
	list := strings.Join(m.listLines(w, h), "\n")
	if m.waiting == "" && m.shownItem < 0 {
		return m.panes.View(list, m.pane), nil
	}
	return m.panes.Join(list, m.wayPane()), nil
}

// listLines draws the list, and what is below it.
func (m *Model) listLines(w, h int) []string {
	p := m.plan(h)
	lines := m.problemLines()
	if len(m.entries) > 0 {
		lines = append(lines, strings.Split(m.table.View(), "\n")...)
	} else {
		lines = append(lines, m.Theme.Rule(m.nothingListed(), "", w))
	}
	if e, ok := m.selected(); ok && p.about > 0 {
		lines = append(lines, m.report(e).Notes(m.Theme, w)...)
	}
	lines = append(lines, ui.Fit("  "+m.fresh(), w))
	for _, part := range [][]string{m.madeLines(w, p.made), m.stepsLines(w, p.steps), m.waysLines(w, p.ways)} {
		if p.apart && len(part) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, part...)
	}
	return lines
}

// problemLines draws the problem of the journal in full, and a blank.
func (m *Model) problemLines() []string {
	if m.problem.IsZero() {
		return nil
	}
	t := m.problem
	if m.H < roomy {
		t.Next = ""
	}
	w, _ := m.panes.ListSize()
	return append(t.Lines(m.Theme, w), "")
}

// nothingListed says why no payment is listed. That none needs attention is said only where it is known.
func (m *Model) nothingListed() string {
	switch {
	case m.Loading():
		return "Loading payments…"
	case m.readAt.IsZero() || !m.problem.IsZero():
		return "The payments sent from here are not known"
	case m.events.N > 0:
		return present.Count(m.events.N, "event disagrees", "events disagree") + " with the service"
	case m.knows():
		return "No payment needs attention"
	}
	return "Nothing recorded here is in progress"
}

// attention counts what needs attention, in at most w cells: each payment as it stands in its section.
func (m *Model) attention(w int) string {
	var n [rankRest]int
	failed, act := 0, 0
	for _, e := range m.entries {
		switch r := rank(e.Entry); {
		case r == rankOpen && e.in == needsYou:
			act++
		case r < rankRest:
			n[r]++
		case m.fails(e.Entry):
			failed++
		}
	}
	var parts []string
	var counts []int
	for _, c := range []struct {
		n         int
		one, many string
	}{
		{n[rankUnresolved], "unresolved", "unresolved"}, {n[rankDiffers], "mismatch", "mismatches"}, {failed, "failed", "failed"},
		{m.events.N, "event disagrees", "events disagree"}, {act, "to act on", "to act on"}, {n[rankOpen], "in progress", "in progress"},
	} {
		if c.n > 0 {
			parts, counts = append(parts, present.Count(c.n, c.one, c.many)), append(counts, c.n)
		}
	}
	if len(parts) == 0 && m.knows() {
		return "No payment needs attention"
	}
	words, others := strings.Join(parts, " · "), 0
	for i := len(parts) - 1; i > 0 && ansi.StringWidth(words) > w; i-- {
		others += counts[i]
		words = strings.Join(parts[:i], " · ") + " · " + present.Count(others, "other", "others")
	}
	return words
}

// below counts the payments that need attention and are below the window.
func (m *Model) below() (n int) {
	_, to := m.table.Visible()
	for _, e := range m.entries[min(to, len(m.entries)):] {
		if m.needsAttention(e.Entry) {
			n++
		}
	}
	return n
}

// Explain returns the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"Home lists what needs a person, such as unresolved attempts and mismatches, then payments in progress and pins. The menu below opens everything else.",
		"Payments in progress are checked while this screen is shown. Below the list, “as of” is the time of the oldest status.",
		present.Unresolved + ": " + present.NotKnown(ledger.Initiate) + " Find out first.",
		"An event that disagrees is a webhook that claims something other than the service answers; only its answer counts.",
		present.Mismatch + ": the service's answer differs from what was asked for or said before. It stays until you decide.",
	}
}

// Preview returns the screen before there is a connection: the menu, and what is waited for. It is only
// drawn, from a tracker that knows of no payment.
func Preview(t *ui.Theme, o Options, waiting string) *Model {
	m := New(t, &session.Tracker{}, o)
	m.waiting = waiting
	return m
}
