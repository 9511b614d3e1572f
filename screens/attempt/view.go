package attempt

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	labelWidth = 14  // with the blanks after the label
	keyWidth   = 8   // of a key in the list of what can be done
	minHistory = 3   // lines of room below which the history is left out
	wide       = 108 // from this width, a window of 110 columns, the history stands beside the rest
	leastSide  = 46  // of the history then
	mostSide   = 72
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.W < 1 || m.H < 1 {
		return "", nil
	}
	switch m.stage {
	case matching:
		lines := m.matchHead()
		if len(m.search.found) > 0 {
			lines = append(lines, m.search.table.View())
		}
		return ui.Lines(m.W, m.H, lines...), nil
	case choosing:
		return ui.Lines(m.W, m.H, append(m.choiceHead(), m.choiceTable.View())...), nil
	case entering:
		return m.viewEntering()
	case confirming:
		return m.Under(m.head(), m.confirm.View)
	}
	return m.viewAttempt(), nil
}

// head is the headline in one line, and a blank.
func (m *Model) head() []string {
	return []string{m.headline(m.W)[0], ""}
}

// headline is what is known of the attempt.
func (m *Model) headline(w int) []string {
	tone, words := present.Headline(m.record.Attempt)
	a := m.record.Attempt
	switch {
	case a.IsUnresolved():
		return present.UnresolvedHeading(m.Theme, w, words)
	case !a.Mismatch.IsZero():
		return present.MismatchLines(m.Theme, a.Mismatch, a.Asked(), w)
	case a.CreatedLink.Differences() != "":
		return present.LinkMismatchHeading(m.Theme, w)
	}
	return m.Theme.MarkLines(tone, words, w)
}

// viewEntering draws the field for the reference below what is known of the attempt, which is left
// out in a low window: the field must be visible.
func (m *Model) viewEntering() (string, *tea.Cursor) {
	lines := append(m.head(), summary(m.record.Attempt))
	about := "Which payment is it? Enter the provider's reference, once you have compared amount, time and attempt ID."
	if m.record.Kind == journal.CreateLink {
		about = "Which link is it? Enter its alias or URL, once you have compared name, amount and time."
	}
	lines = append(append(lines, ui.Wrap(about, m.W)...), "")
	if m.referenceCall.Pending() {
		lines = append(lines[:len(lines)-1], m.Theme.WaitLines(m.referenceCall.Wait(), "Checking the reference", m.W)...)
	}
	if len(lines) > m.H-3 {
		lines = lines[:1]
	}
	return m.Under(lines, m.entryForm().View)
}

// viewAttempt is the attempt, with its history below it where there is room, or with that and what can be done
// beside it.
func (m *Model) viewAttempt() string {
	switch {
	case m.record.at.IsZero() && m.problem.IsZero():
		return ui.Lines(m.W, m.H, m.Theme.WaitLines(m.loadCall.Wait(), "Reading the journal", m.W)...)
	case m.record.at.IsZero():
		return ui.Lines(m.W, m.H, m.problem.Lines(m.Theme, m.W)...)
	case m.W >= wide:
		return m.viewWide()
	}
	lines := present.FitHeight(m.H, m.lines(m.W))
	if room := m.H - len(lines); room > minHistory {
		lines = append(append(lines, ""), m.history(m.W, room-1)...)
	}
	return ui.Lines(m.W, m.H, lines...)
}

// viewWide has the history beside the attempt, and what can be done at the foot, where it stays.
func (m *Model) viewWide() string {
	side := min(max(m.W*2/5, leastSide), mostSide)
	left := m.W - side - ui.Width(" │ ")
	body := present.FitHeight(m.H, m.lines(left))
	for len(body) < m.H {
		body = append(body, "")
	}
	next := m.commands().Lines(m.Theme, keyWidth, side)
	foot := max(m.H-len(next)-1, 0)
	beside := m.history(side, max(foot-1, 0))
	for len(beside) < foot {
		beside = append(beside, "")
	}
	beside = append(append(beside, m.Theme.Rule("Do next", "", side)), next...)
	return ui.Lines(m.W, m.H, m.Theme.Beside(left, body, beside))
}

// The ranks of the lines that set the others apart: the blanks make way first.
const (
	title = 8
	blank = 9
)

// lines are all but the history, the amount first; those of the highest rank are dropped first.
func (m *Model) lines(w int) []present.Line {
	a := m.record.Attempt
	lines := present.Rows(0, m.amount(w)...)
	lines = append(lines, present.Rows(0, m.headline(w)...)...)
	lines = append(lines, present.Rows(0, m.activityLines(w)...)...)
	lines = append(lines, present.Rows(0, m.leaseLines(w)...)...)
	lines = append(lines, m.group("What happened", m.outcome(), w)...)
	if a.IsUnresolved() {
		lines = append(append(lines, present.Rows(blank, "")...), m.guidance(w)...)
	}
	return append(lines, m.group("Attempt", m.facts(), w)...)
}

// amount is what was to be paid, alone on its line but for what it is paid by, and the status where the headline has
// none.
func (m *Model) amount(w int) []string {
	a := m.record.Attempt
	due := present.Amount(a)
	if due == "" {
		return nil
	}
	line := m.Theme.Strong.Render(due)
	if by := paidBy(a); by != "" {
		line += "  " + m.Theme.Muted.Render(by)
	}
	if a.IsUnresolved() || !a.Mismatch.IsZero() || a.CreatedLink.Differences() != "" {
		return []string{ui.Fit(line, w)}
	}
	status := present.AttemptCell(a, m.Scope.Now())
	chip := m.Theme.Chip(status.Tone, status.Text)
	if ui.Width(line)+3+ui.Width(chip) > w {
		return []string{ui.Fit(line, w), chip}
	}
	return []string{line + "   " + chip}
}

// activityLines are the call in progress, or the problem.
func (m *Model) activityLines(w int) []string {
	switch {
	case m.decideCall.Pending():
		return []string{m.Theme.Mark(ui.ToneWait, "Recording…")}
	case m.statusCall.Pending():
		return m.Theme.WaitLines(m.statusCall.Wait(), "Checking by our reference", w)
	}
	return m.problem.Lines(m.Theme, w)
}

// guidance is what a person can do about an unresolved attempt.
func (m *Model) guidance(w int) []present.Line {
	says := wordingOf(m.record.Kind)
	lines := present.Rows(5, ui.Wrap(says.guidance, w)...)
	if len(lines) > 0 {
		lines[0].Rank = 3
	}
	if !m.canMarkNotFound {
		from := "You can record \"" + says.notFoundKey + "\" from " + m.notFoundFrom()
		if late := from + "; it may still appear until then."; ui.Width(late) <= w { // half of it says nothing
			from = late
		} else {
			from += "."
		}
		lines = append(lines, present.Rows(6, ui.Wrap(from, w)...)...)
	}
	return lines
}

// history is what happened, in at most h lines.
func (m *Model) history(w, h int) []string {
	return present.History(m.Theme, m.record.events, !m.record.Mismatch.IsZero(), w, h)
}

// matchHead says what the matches are worth, and how far the search is.
func (m *Model) matchHead() []string {
	s := &m.search
	about := "Rows of " + m.record.Amount.String() + " in the transactions are NO PROOF: they have no time, and their ID may not be a reference."
	lines := ui.Wrap(about, max(m.W, 1))
	if s.call.Pending() {
		lines = append(lines, m.Theme.WaitLines(s.call.Wait(), s.progress(), m.W)...)
	} else {
		lines = append(lines, m.Theme.Muted.Render(s.progress()))
	}
	lines = append(lines, s.problem.Lines(m.Theme, m.W)...)
	if len(s.found) == 0 && !s.call.Pending() && !m.scanCall.Pending() && s.problem.IsZero() {
		lines = append(lines, ui.Wrap("None has this amount and currency. That does not prove that the payment was not made.", max(m.W, 1))...)
	}
	return append(lines, "")
}

// layoutMatches gives the table the height that the words above it leave.
func (m *Model) layoutMatches() {
	m.search.table.Resize(m.W, max(m.H-len(m.matchHead()), 0))
}
