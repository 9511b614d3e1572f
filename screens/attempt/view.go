package attempt

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	labels  = 14 // cells of a label, with the blanks behind it
	leastOf = 3  // lines of the history that are worth a heading
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.w < 1 || m.h < 1 {
		return "", nil
	}
	switch m.stage {
	case matching:
		lines := m.matchHead()
		if len(m.search.found) > 0 {
			lines = append(lines, m.search.table.View())
		}
		return ui.Lines(m.w, m.h, lines...), nil
	case naming:
		return m.viewNaming()
	case confirming:
		return m.under(m.head(), m.confirm.View)
	}
	return m.viewAttempt(), nil
}

// head is what is known, in a line; an empty one below it where there is room.
func (m *Model) head() []string {
	tone, word := verdict(m.record.Attempt)
	return []string{m.theme.Mark(tone, ui.Wrap(word, max(m.w-2, 1))[0]), ""}
}

// under puts a part with a cursor below lines.
func (m *Model) under(lines []string, part func(w, h int) (string, *tea.Cursor)) (string, *tea.Cursor) {
	body, cursor := part(m.w, m.h-len(lines))
	if cursor != nil {
		if cursor.Y += len(lines); cursor.Y >= m.h {
			cursor = nil
		}
	}
	return ui.Lines(m.w, m.h, append(lines, body)...), cursor
}

func (m *Model) viewNaming() (string, *tea.Cursor) {
	lines := append(m.head(), strings.Join(essence(m.record.Attempt), " · "))
	about := "Which payment is it? Take the reference from the provider, once you have compared amount, time and attempt id."
	lines = append(append(lines, ui.Wrap(about, m.w)...), "")
	if m.checked.Pending() {
		lines[len(lines)-1] = m.theme.Mark(ui.ToneWait, "Asking the service for it…")
	}
	if len(lines) > m.h-3 {
		lines = lines[:1]
	}
	return m.under(lines, m.form.View)
}

// viewAttempt is the verdict, what is known, what can be done, and the history where there
// is room for it.
func (m *Model) viewAttempt() string {
	if m.record.at.IsZero() {
		if m.trouble.IsZero() {
			return ui.Lines(m.w, m.h, "Reading the journal…")
		}
		return ui.Lines(m.w, m.h, m.trouble.Lines(m.theme, m.w)...)
	}
	lines := present.FitHeight(m.h, m.lines())
	if room := m.h - len(lines); room > leastOf {
		lines = append(lines, m.history(room)...)
	}
	return ui.Lines(m.w, m.h, lines...)
}

// lines are all but the history; what gives way first has the highest rank.
func (m *Model) lines() []present.Line {
	a := m.record.Attempt
	tone, word := verdict(a)
	lines := []present.Line{}
	for i, l := range ui.Wrap(word, max(m.w-2, 1)) {
		if i == 0 || tone == ui.ToneNone {
			l = m.theme.Mark(tone, l)
		} else {
			l = "  " + l
		}
		lines = append(lines, present.Line{Text: l})
	}
	lines = append(lines, present.Rows(0, m.doing()...)...)
	lines = append(lines, present.Rows(9, "")...)
	lines = append(lines, m.facts()...)
	if a.IsUnresolved() {
		lines = append(append(lines, present.Rows(9, "")...), m.guidance()...)
	}
	return lines
}

// doing is what is under way, or what went wrong.
func (m *Model) doing() []string {
	switch {
	case m.decided.Pending():
		return []string{m.theme.Mark(ui.ToneWait, "Writing it down…")}
	case m.byReference.Pending():
		return []string{m.theme.Mark(ui.ToneWait, "Asking by our reference…")}
	}
	return m.trouble.Lines(m.theme, m.w)
}

// facts are what was attempted and what is known of it.
func (m *Model) facts() []present.Line {
	a := m.record.Attempt
	var lines []present.Line
	add := func(rank int, label, value string) {
		if strings.TrimSpace(value) == "" {
			return
		}
		for i, part := range ui.Wrap(value, max(m.w-labels, 1)) {
			if i > 0 {
				label, rank = "", max(rank, 3)
			}
			lines = append(lines, present.Line{Text: m.theme.Muted.Render(ui.Fit(label, labels)) + part, Rank: rank})
		}
	}
	add(0, "Attempt id", string(a.ID)+m.hint(a.Kind == journal.Initiate, "y copies it"))
	add(7, "What", what(a.Kind))
	if !a.Amount.Currency.IsZero() {
		add(0, "Amount", a.Amount.String())
	}
	add(1, "Paid by", paidBy(a))
	add(2, "Link", string(a.Link))
	if a.OwnReference != "" {
		add(1, "Our reference", clean(a.OwnReference)+m.hint(true, "a asks for its status"))
	}
	add(0, "Reference", string(a.Reference))
	if a.Status.State != 0 || !a.Status.Text.Empty() {
		add(0, "Status", present.Status(m.theme, a.Status)+", told "+moment(a.StatusAt))
	}
	add(0, "Sent", moment(a.At))
	add(2, "To", place(a.Destination))
	add(4, "By", operator(a.By))
	add(1, "Why", clean(a.Why))
	if a.Decision != journal.Undecided {
		add(0, "Decided", string(a.Decision)+", "+moment(a.DecidedAt))
		add(0, "Decided by", operator(a.DecidedBy))
	}
	return lines
}

// hint is what a key does about a value of an attempt that is still to be found.
func (m *Model) hint(where bool, words string) string {
	if !where || !m.record.findable() {
		return ""
	}
	return " · " + words
}

// guidance is what a person can do who is told that nobody knows.
func (m *Model) guidance() []present.Line {
	w := wordsOf(m.record.Kind)
	lines := present.Rows(5, ui.Wrap(w.compare, m.w)...)
	if len(lines) > 0 {
		lines[0].Rank = 3
	}
	if !m.finding {
		lines = append(lines, present.Rows(6, ui.Wrap("\""+w.notFoundKey+"\" opens at "+m.opens()+": it may still appear until then.", m.w)...)...)
	}
	return lines
}

// history is the timeline in at most h lines, with a blank line above; of a long one the
// latest is shown.
func (m *Model) history(h int) []string {
	events := m.record.events
	if len(events) == 0 {
		return nil
	}
	lines := []string{"", m.theme.Strong.Render("History")}
	room := h - len(lines)
	if left := len(events) - room; left > 0 {
		lines[1] += m.theme.Muted.Render(", the latest " + strconv.Itoa(room) + " of " + strconv.Itoa(len(events)))
		events = events[left:]
	}
	for e := range slices.Values(events) {
		parts := []string{clean(e.What)}
		if e.Detail != "" {
			parts = append(parts, clean(e.Detail))
		}
		if e.Times > 1 {
			parts = append(parts, strconv.Itoa(e.Times)+" times until "+moment(e.Until))
		}
		if from := e.Source; from != "" {
			parts = append(parts, clean(from))
		}
		lines = append(lines, m.theme.Muted.Render(moment(e.At))+"  "+strings.Join(parts, " · "))
	}
	return lines
}

// matchHead is what the matches are, and are not.
func (m *Model) matchHead() []string {
	s := &m.search
	about := "Rows of " + m.record.Amount.String() + " in the list are NO PROOF: the list has no time, and its id is not said to be a reference."
	lines := ui.Wrap(about, max(m.w, 1))
	lines = append(lines, m.theme.Muted.Render(s.progress()))
	lines = append(lines, s.trouble.Lines(m.theme, m.w)...)
	if len(s.found) == 0 && !s.call.Pending() && s.trouble.IsZero() {
		lines = append(lines, ui.Wrap("None has this amount and currency. That does not prove that the payment was not made.", max(m.w, 1))...)
	}
	return append(lines, "")
}

func (m *Model) layMatches() {
	m.search.table.Resize(m.w, max(m.h-len(m.matchHead()), 0))
}
