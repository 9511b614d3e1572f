package raw

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layout()
}

// layout gives the answers the height that the rest leaves.
func (m *Model) layout() {
	head, _ := m.head()
	m.scroll.Show(m.W, max(m.H-len(head), 0), m.lines())
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	lines, cursor := m.head()
	return ui.Lines(m.W, m.H, append(lines, m.scroll.View())...), cursor
}

// head returns what the answers are about, how many there are, any problem, and the filter.
func (m *Model) head() ([]string, *tea.Cursor) {
	count := "No answer is kept."
	if n := len(m.kept); n > 0 {
		count = present.Count(n, "answer", "answers, newest first")
	}
	switch {
	case m.asked.Pending():
		count += " · asking…"
	case m.scroll.Overflows():
		count += " · " + m.scroll.Position()
	}
	lines := []string{m.Theme.Strong.Render(m.subject()), m.Theme.Muted.Render(count)}
	return m.filter.View(append(lines, m.problem.Lines(m.Theme, m.W)...), m.W, m.H)
}

// subject names what the answers are about.
func (m *Model) subject() string {
	switch a := m.about; {
	case a.Reference != "":
		return "Payment " + a.Reference.String()
	case a.Link != "":
		return "Link " + string(a.Link)
	case a.Attempt != "":
		return "Attempt " + present.Plain(string(a.Attempt))
	case a.Page > 0:
		return present.OperationName(a.Operation) + ", page " + present.Thousands(a.Page)
	default:
		return present.OperationName(a.Operation)
	}
}

// about returns what an answer was to, when it was received, and what is left out of it; "" for nothing.
func about(a session.KeptAnswer) (heading, cut string) {
	heading = fmt.Sprintf("%s · received %s · HTTP %d", present.OperationName(a.Operation), present.Clock(a.At.Local()), a.HTTP)
	if a.Cut {
		cut = "cut, " + present.Thousands(int(a.Received)) + " bytes in all"
	}
	return heading, cut
}

// heading begins an answer. What is left out has a line of its own where the rule has no room for it.
func (m *Model) heading(a session.KeptAnswer) []string {
	words, cut := about(a)
	rule := m.Theme.Rule(words, cut, m.W)
	if cut == "" || strings.Contains(rule, cut) {
		return []string{rule}
	}
	return append([]string{rule}, m.Theme.MutedLines(cut, m.W)...)
}

// body are the lines of an answer.
func body(a session.KeptAnswer) []string {
	if a.Body.Empty() {
		return []string{"(no body)"}
	}
	return a.Body.Block(0, api.AnswerLines)
}

// lines are the answers, or why there are none. A gutter stands before each line of the service, so that
// none is read as one of the console.
func (m *Model) lines() []string {
	if len(m.kept) == 0 {
		return ui.Wrap("Answers are kept in memory only, until paydesk ends or another profile is opened. "+m.again(), m.W)
	}
	gutter := m.Theme.Muted.Render("│ ")
	var lines []string
	for _, a := range m.kept {
		shown := m.filtered(body(a))
		if len(shown) == 0 {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, m.heading(a)...)
		for _, l := range shown {
			for _, part := range m.Theme.JSONLine(l, m.W-2) {
				lines = append(lines, gutter+part)
			}
		}
	}
	if len(lines) == 0 {
		return []string{"No line matches."}
	}
	return lines
}

// filtered are the lines that the filter leaves.
func (m *Model) filtered(lines []string) (shown []string) {
	text := strings.ToLower(m.filter.Value())
	for _, l := range lines {
		if strings.Contains(strings.ToLower(l), text) {
			shown = append(shown, l)
		}
	}
	return shown
}

// again says how an answer is got.
func (m *Model) again() string {
	switch {
	case m.about.Reference != "":
		return "Press r to ask for the status of the payment."
	case m.about.Link != "":
		return "The service has no request that reads a link again."
	case m.about.Attempt != "":
		return "What was sent is not sent again to read its answer."
	}
	return "Go back (esc) and press r to ask again."
}
