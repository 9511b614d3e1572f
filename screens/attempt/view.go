package attempt

import (
	"slices"
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
	return []string{m.headline()[0], ""}
}

// headline is what is known of the attempt.
func (m *Model) headline() []string {
	tone, words := present.Headline(m.record.Attempt)
	a := m.record.Attempt
	switch {
	case a.IsUnresolved():
		return present.UnresolvedHeading(m.Theme, m.W, words)
	case !a.Mismatch.IsZero():
		return present.MismatchLines(m.Theme, a.Mismatch, a.Asked(), m.W)
	case a.CreatedLink.Differences() != "":
		return present.LinkMismatchHeading(m.Theme, m.W)
	}
	return m.Theme.MarkLines(tone, words, m.W)
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

// viewAttempt is the headline, the facts, what can be done, and the history where there is room.
func (m *Model) viewAttempt() string {
	if m.record.at.IsZero() {
		if m.problem.IsZero() {
			return ui.Lines(m.W, m.H, m.Theme.WaitLines(m.loadCall.Wait(), "Reading the journal", m.W)...)
		}
		return ui.Lines(m.W, m.H, m.problem.Lines(m.Theme, m.W)...)
	}
	lines := present.FitHeight(m.H, m.lines())
	if room := m.H - len(lines); room > minHistory {
		lines = append(lines, m.history(room)...)
	}
	return ui.Lines(m.W, m.H, lines...)
}

// lines are all but the history; those of the highest rank are dropped first.
func (m *Model) lines() []present.Line {
	a := m.record.Attempt
	lines := present.Rows(0, m.headline()...)
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
		return []string{m.Theme.Mark(ui.ToneWait, "Recording…")}
	case m.statusCall.Pending():
		return m.Theme.WaitLines(m.statusCall.Wait(), "Checking by our reference", m.W)
	}
	return m.problem.Lines(m.Theme, m.W)
}

// A fact is a value with its label; those of the highest rank are left out first.
type fact struct {
	rank         int
	label, value string
}

// facts are what was attempted and what is known of it.
func (m *Model) facts() []present.Line {
	a := m.record.Attempt
	var own, named, status string
	decided := latestDecision(a)
	if a.Named != "" {
		named = present.Plain(a.Named) + m.hint("no proof; d records what you find")
	}
	if a.OwnReference != "" {
		own = present.Plain(a.OwnReference) + m.hint("r checks its status")
	}
	if a.Status.State != 0 || !a.Status.Text.Empty() {
		status = present.StatusBeside(m.Theme, a.Status, a.Mismatch) + ", checked " + present.DateTime(a.StatusAt)
	}
	id := string(a.ID)
	if a.Kind == journal.Initiate {
		id += m.hint("y copies it")
	}
	var lines []present.Line
	facts := []fact{
		{0, "Attempt ID", id},
		{7, "What", present.KindName(a.Kind)},
		{0, "Amount", present.Amount(a)},
		{1, "Paid by", paidBy(a)},
		{2, "Link", string(a.Link)},
		{0, "Differs", a.CreatedLink.Differences()},
		{1, "Lacks", present.NotAnswered(a.CreatedLink)},
		{1, "Our reference", own},
		{0, "Reference", string(a.Reference)},
		{0, "Answer names", named},
		{0, "Status", status},
		{0, "Sent", present.DateTime(a.At)},
		{2, "To", destination(a.Destination)},
		{1, "Sent", present.Elsewhere(m.here, a.Destination)},
		{4, "By", present.Operator(a.By)},
		{1, "Why", present.Plain(a.Why)},
		{0, "Decided", decided[0]},
		{0, "Decided by", decided[1]},
		{2, "Before that", m.earlierDecisions()},
	}
	for i, f := range present.LinkFacts(a) {
		facts = slices.Insert(facts, 3+i, fact{min(i, 2), f[0], f[1]}) // below the amount
	}
	for _, f := range facts {
		if strings.TrimSpace(f.value) == "" {
			continue
		}
		rows := m.Theme.FactLines(f.label, f.value, labelWidth, m.W)
		lines = append(lines, present.Rows(f.rank, rows[0])...)
		lines = append(lines, present.Rows(max(f.rank, 3), rows[1:]...)...)
	}
	return lines
}

// latestDecision is the latest decision with its time, and who made it.
func latestDecision(a journal.Attempt) []string {
	words := present.Decision(a)
	if words == "" {
		return []string{"", ""}
	}
	return []string{words + ", " + present.DateTime(a.DecidedAt), present.Operator(a.DecidedBy)}
}

// earlierDecisions are those before the latest, the newest first.
func (m *Model) earlierDecisions() string {
	var all []string
	for _, e := range m.record.events {
		if e.What == journal.Decided {
			all = append(all, present.Plain(e.Detail)+", "+present.DateTime(e.At)+", by "+present.Operator(e.By))
		}
	}
	if len(all) > 0 {
		all = all[:len(all)-1]
	}
	slices.Reverse(all)
	return strings.Join(all, "; ")
}

// hint is the key for a value of an attempt that may still be found.
func (m *Model) hint(words string) string {
	if !m.record.findable() {
		return ""
	}
	return " · " + words
}

// guidance is what a person can do about an unresolved attempt.
func (m *Model) guidance() []present.Line {
	w := wordingOf(m.record.Kind)
	lines := present.Rows(5, ui.Wrap(w.guidance, m.W)...)
	if len(lines) > 0 {
		lines[0].Rank = 3
	}
	if !m.canMarkNotFound {
		lines = append(lines, present.Rows(6, ui.Wrap("You can record \""+w.notFoundKey+"\" from "+m.notFoundFrom()+"; it may still appear until then.", m.W)...)...)
	}
	return lines
}

// history is what happened, in at most h lines, with a blank line above.
func (m *Model) history(h int) []string {
	lines := present.History(m.Theme, m.record.events, !m.record.Mismatch.IsZero(), m.W, h-1)
	if len(lines) == 0 {
		return nil
	}
	return append([]string{""}, lines...)
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
	if len(s.found) == 0 && !s.call.Pending() && s.problem.IsZero() {
		lines = append(lines, ui.Wrap("None has this amount and currency. That does not prove that the payment was not made.", max(m.W, 1))...)
	}
	return append(lines, "")
}

// layoutMatches gives the table the height that the words above it leave.
func (m *Model) layoutMatches() {
	m.search.table.Resize(m.W, max(m.H-len(m.matchHead()), 0))
}
