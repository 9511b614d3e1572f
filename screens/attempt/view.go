package attempt

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	labelWidth = 14 // with the blanks after the label
	minHistory = 3  // lines of room below which the history is left out
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
	case entering:
		return m.viewEntering()
	case confirming:
		return m.under(m.head(), m.confirm.View)
	}
	return m.viewAttempt(), nil
}

// head is the headline in one line, and a blank.
func (m *Model) head() []string {
	tone, word := headline(m.record.Attempt)
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

func (m *Model) viewEntering() (string, *tea.Cursor) {
	lines := append(m.head(), strings.Join(summary(m.record.Attempt), " · "))
	about := "Which payment is it? Enter the provider's reference, once you have compared amount, time and attempt ID."
	lines = append(append(lines, ui.Wrap(about, m.w)...), "")
	if m.referenceCall.Pending() {
		lines[len(lines)-1] = m.theme.Mark(ui.ToneWait, "Checking the reference…")
	}
	if len(lines) > m.h-3 {
		lines = lines[:1]
	}
	return m.under(lines, m.form.View)
}

// viewAttempt is the headline, the facts, what can be done, and the history where there is room.
func (m *Model) viewAttempt() string {
	if m.record.at.IsZero() {
		if m.problem.IsZero() {
			return ui.Lines(m.w, m.h, "Reading the journal…")
		}
		return ui.Lines(m.w, m.h, m.problem.Lines(m.theme, m.w)...)
	}
	lines := present.FitHeight(m.h, m.lines())
	if room := m.h - len(lines); room > minHistory {
		lines = append(lines, m.history(room)...)
	}
	return ui.Lines(m.w, m.h, lines...)
}

// lines are all but the history; those of the highest rank are dropped first.
func (m *Model) lines() []present.Line {
	a := m.record.Attempt
	tone, word := headline(a)
	lines := []present.Line{}
	for i, l := range ui.Wrap(word, max(m.w-2, 1)) {
		if i == 0 || tone == ui.ToneNone {
			l = m.theme.Mark(tone, l)
		} else {
			l = "  " + l
		}
		lines = append(lines, present.Line{Text: l})
	}
	lines = append(lines, present.Rows(0, m.activityLines()...)...)
	lines = append(lines, present.Rows(9, "")...)
	lines = append(lines, m.facts()...)
	if a.IsUnresolved() {
		lines = append(append(lines, present.Rows(9, "")...), m.guidance()...)
	}
	return lines
}

// activityLines are the call in progress, or the problem.
func (m *Model) activityLines() []string {
	switch {
	case m.decideCall.Pending():
		return []string{m.theme.Mark(ui.ToneWait, "Recording…")}
	case m.statusCall.Pending():
		return []string{m.theme.Mark(ui.ToneWait, "Checking by our reference…")}
	}
	return m.problem.Lines(m.theme, m.w)
}

// facts are what was attempted and what is known of it.
func (m *Model) facts() []present.Line {
	a := m.record.Attempt
	var lines []present.Line
	add := func(rank int, label, value string) {
		if strings.TrimSpace(value) == "" {
			return
		}
		for i, part := range ui.Wrap(value, max(m.w-labelWidth, 1)) {
			if i > 0 {
				label, rank = "", max(rank, 3)
			}
			lines = append(lines, present.Line{Text: m.theme.Muted.Render(ui.Fit(label, labelWidth)) + part, Rank: rank})
		}
	}
	add(0, "Attempt ID", string(a.ID)+m.hint(a.Kind == journal.Initiate, "y copies it"))
	add(7, "What", kindName(a.Kind))
	if !a.Amount.Currency.IsZero() {
		add(0, "Amount", a.Amount.String())
	}
	add(1, "Paid by", paidBy(a))
	add(2, "Link", string(a.Link))
	if a.OwnReference != "" {
		add(1, "Our reference", present.Plain(a.OwnReference)+m.hint(true, "a checks its status"))
	}
	add(0, "Reference", string(a.Reference))
	if a.Status.State != 0 || !a.Status.Text.Empty() {
		add(0, "Status", present.Status(m.theme, a.Status)+", checked "+present.DateTime(a.StatusAt))
	}
	add(0, "Sent", present.DateTime(a.At))
	add(2, "To", destination(a.Destination))
	add(4, "By", present.Operator(a.By))
	add(1, "Why", present.Plain(a.Why))
	if a.Decision != journal.Undecided {
		add(0, "Decided", string(a.Decision)+", "+present.DateTime(a.DecidedAt))
		add(0, "Decided by", present.Operator(a.DecidedBy))
	}
	return lines
}

// hint is the key for a value of an attempt that may still be found.
func (m *Model) hint(where bool, words string) string {
	if !where || !m.record.findable() {
		return ""
	}
	return " · " + words
}

// guidance is what a person can do about an unresolved attempt.
func (m *Model) guidance() []present.Line {
	w := wordingOf(m.record.Kind)
	lines := present.Rows(5, ui.Wrap(w.guidance, m.w)...)
	if len(lines) > 0 {
		lines[0].Rank = 3
	}
	if !m.canMarkNotFound {
		lines = append(lines, present.Rows(6, ui.Wrap("You can record \""+w.notFoundKey+"\" from "+m.notFoundFrom()+"; it may still appear until then.", m.w)...)...)
	}
	return lines
}

// history is the timeline in at most h lines, with a blank line above; of a long one the
// latest events.
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
	for _, e := range events {
		heading, _ := present.Event(e)
		parts := []string{heading}
		if detail := present.Plain(e.Detail); detail != "" && detail != heading {
			parts = append(parts, detail)
		}
		if e.Times > 1 {
			parts = append(parts, strconv.Itoa(e.Times)+" times until "+present.DateTime(e.Until))
		}
		if e.Source != "" {
			parts = append(parts, present.Plain(e.Source))
		}
		lines = append(lines, m.theme.Muted.Render(present.DateTime(e.At))+"  "+strings.Join(parts, " · "))
	}
	return lines
}

// matchHead says what the matches are worth, and how far the search is.
func (m *Model) matchHead() []string {
	s := &m.search
	about := "Rows of " + m.record.Amount.String() + " in the transactions are NO PROOF: they have no time, and their ID may not be a reference."
	lines := ui.Wrap(about, max(m.w, 1))
	lines = append(lines, m.theme.Muted.Render(s.progress()))
	lines = append(lines, s.problem.Lines(m.theme, m.w)...)
	if len(s.found) == 0 && !s.call.Pending() && s.problem.IsZero() {
		lines = append(lines, ui.Wrap("None has this amount and currency. That does not prove that the payment was not made.", max(m.w, 1))...)
	}
	return append(lines, "")
}

func (m *Model) layoutMatches() {
	m.search.table.Resize(m.w, max(m.h-len(m.matchHead()), 0))
}
