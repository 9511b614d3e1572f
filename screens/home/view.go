package home

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	leastTable = 4 // lines of the table, whatever else there is
	leastMade  = 2 // the rule of what was made today, and a currency
)

// list gives the table its rows, and keeps the mark on what it was on.
func (m *Model) list(on place) {
	m.items, m.starts, m.lead = m.ways(), nil, 0
	if len(m.items) > 0 && m.items[0].in == needsYou {
		m.lead = 1
	}
	n := len(m.entries) + len(m.items)
	for row := range n {
		if !m.continues(row) {
			m.starts = append(m.starts, row)
		}
	}
	m.table.SetRows(n, m.row)
	m.keepMark(on)
	m.layout()
}

// layout shares the height. The payments come first, then a blank line between their sections and around what else there is, then what
// was made today, and last the tour and the menu, which may be below the window.
func (m *Model) layout() {
	w, h := m.panes.ListSize()
	left, around := h-len(m.problemLines())-len(m.nothingLines(w)), 0
	all, first, sections := m.table.Len()+len(m.starts), m.listed(), len(m.starts)
	if first == 0 {
		first, around = m.table.Len(), 1 // below what says so
	} else if sections = slices.IndexFunc(m.starts, func(row int) bool { return row >= first }); sections < 0 {
		sections = len(m.starts)
	}
	if !m.panes.Beside() { // above the pane
		around++
	}
	first += sections
	gap := 0
	if m.apart = left >= first+sections-1+around; m.apart {
		left, gap, all, first = left-around, 1, all+len(m.starts)-1, first+sections-1
	}
	m.madeHeight = 0
	if room := left - first - gap; len(m.made) > 0 && room >= leastMade {
		m.madeHeight = min(1+len(m.made), room)
		left -= m.madeHeight + gap
	}
	m.table.Apart(m.apart)
	m.table.Resize(w, min(max(left, leastTable), all))
}

// tooEarly reports whether the mark may still go elsewhere by itself: the journal has not been read, and the mark has not been moved.
func (m *Model) tooEarly() bool { return !m.chosen && len(m.entries) == 0 && m.Loading() }

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.W < 1 || m.H < 1 {
		return "", nil
	}
	w, _ := m.panes.ListSize()
	m.table.Blur(m.tooEarly())
	return m.panes.View(strings.Join(m.listLines(w), "\n"), m.pane), nil
}

// listLines draws the list, and what is above and below it: where no payment is, what the rooms are for.
func (m *Model) listLines(w int) []string {
	var gap []string
	if m.apart {
		gap = []string{""}
	}
	lines, table := m.problemLines(), strings.Split(m.table.View(), "\n")
	if m.listed() > 0 {
		title, _ := m.group(m.table.Top())
		table[0] = m.ruled(m.Theme.Strong.Render(title), m.attention, ui.Width(table[0]))
	}
	if nothing := m.nothingLines(w); nothing != nil {
		lines = slices.Concat(lines, nothing, gap)
	}
	lines = append(lines, table...)
	if made := m.madeLines(w, m.madeHeight); len(made) > 0 {
		lines = slices.Concat(lines, gap, made)
	}
	if _, h := m.panes.ListSize(); m.listed() == 0 && m.options.Rooms != nil && !m.Loading() {
		rooms := []string{""}
		for _, r := range m.options.Rooms() {
			rooms = append(rooms, "  "+m.itemLine(item{Way: r}))
		}
		if len(lines)+len(rooms) < h {
			lines = append(lines, rooms...)
		}
	}
	return lines
}

// ruled draws the rule above the list: what is listed first, how much needs attention in all, and how fresh that is. Where there is
// little room the last of these go, then the words of what needs attention become fewer, and only then the title goes.
func (m *Model) ruled(title string, attention func(w int) string, w int) string {
	fresh, kept := m.fresh()
	noted := func(words string, n int) string {
		parts := slices.DeleteFunc(append([]string{words}, fresh[:n]...), func(part string) bool { return part == "" })
		return strings.Join(parts, m.Theme.Muted.Render(" · "))
	}
	var notes []string
	all := attention(w)
	for n := len(fresh); n >= kept; n-- {
		notes = append(notes, noted(all, n))
	}
	room, least := w-ui.RuleStrokes, ui.Width(noted(" ", kept))
	for _, note := range append(notes, noted(attention(room-ui.Width(title)-least), kept)) {
		if ui.Width(title)+ui.Width(note) <= room {
			return m.Theme.DrawnRule(title, note, w)
		}
	}
	if words := attention(room - least); words != "" {
		title = m.Theme.Strong.Render(words)
	}
	return m.Theme.DrawnRule(title, noted("", kept), w)
}

// problemLines draws the problem of the journal in full, and a blank.
func (m *Model) problemLines() []string {
	if m.problem.IsZero() {
		return nil
	}
	w, _ := m.panes.ListSize()
	return append(m.problem.Lines(m.Theme, w), "")
}

// nothingLines say above an empty list why no payment is in it. That none needs attention is said only where it is known.
func (m *Model) nothingLines(w int) []string {
	if m.listed() > 0 {
		return nil
	}
	tone, words, cause := ui.ToneNone, "Nothing recorded here is in progress.", m.cause(true)
	switch {
	case m.payments.KeyRejected():
		tone, words = ui.ToneBad, present.KeyRejected+": ctrl+g to enter another."
	case cause != "":
		tone, words = ui.ToneAct, cause+"."
	case m.Loading():
		words = "Loading payments…"
	case m.readAt.IsZero() || !m.problem.IsZero():
		words = "The payments sent from here are not known."
	case m.knows():
		words = "No payment needs attention."
	}
	lines := []string{m.ruled(m.Theme.Strong.Render("Payments"), func(int) string { return "" }, w)}
	return append(lines, ui.Indented(m.Theme.MarkLines(tone, words, w-2))...)
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
		{m.events.N, "event disagrees", "events disagree"}, {act, "to act on", "to act on"},
	} {
		if c.n > 0 {
			parts, counts = append(parts, present.Count(c.n, c.one, c.many)), append(counts, c.n)
		}
	}
	switch {
	case len(parts) > 0:
	case n[rankOpen] > 0: // else the heading of its section says how many are
		return present.Thousands(n[rankOpen]) + " in progress"
	case m.knows():
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
	for _, e := range m.entries[min(max(to-m.lead, 0), len(m.entries)):] {
		if m.needsAttention(e.Entry) {
			n++
		}
	}
	return n
}

// Explain returns the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"Home lists what needs a person, such as unresolved attempts and mismatches, then payments in progress and pins. The menu below starts another.",
		"Payments in progress are checked while this screen is shown. Above the list, “as of” is the time of the oldest status.",
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
	m.list(place{})
	return m
}
