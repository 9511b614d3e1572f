package payment

import (
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/screens/present"
	"paydesk/ui"
)

// wholeLines are all there is to say about the payment, however high.
func (m *Model) wholeLines() []string {
	lines := append(m.stepper(m.W), m.body(m.W, math.MaxInt)...)
	return append(append(lines, ""), m.history(m.W, math.MaxInt)...)
}

// leftOut is how many lines have no room on the screen. What sets groups apart says nothing, nor does how long
// something took in a line of its own: it stands at the end of one then.
func (m *Model) leftOut() int {
	written := func(lines []string) (n int) {
		for _, l := range lines {
			text := strings.TrimSpace(ansi.Strip(l))
			if text != "" && !strings.HasPrefix(text, "──") && !strings.HasPrefix(text, "│  +") {
				n++
			}
		}
		return n
	}
	if m.W >= wide {
		rows, side, h := m.rows(m.bodyWidth()), m.sideWidth(), m.H-len(m.stepper(m.W))
		return written(present.FitHeight(math.MaxInt, rows)) - written(present.FitHeight(h, rows)) +
			written(m.history(side, math.MaxInt)) - written(m.history(side, h))
	}
	steps, rows := m.stepper(m.W), m.rows(m.W)
	return written(steps) + written(present.FitHeight(math.MaxInt, rows)) + written(m.history(m.W, math.MaxInt)) -
		written(m.narrow(steps, rows))
}

// showMore is the key that shows the lines that have no room, and says how many they are, or that hides them again.
func (m *Model) showMore() ui.Command {
	if m.wholeOpen {
		return ui.Command{Key: ui.Bind("z", "less"), On: true, Do: m.toggleWhole}
	}
	n := m.leftOut()
	return ui.Command{Key: ui.Bind("z", present.Thousands(n)+" more"), On: n > 0, Do: m.toggleWhole}
}

// toggleWhole shows all lines, which then scroll, or as many as fit.
func (m *Model) toggleWhole() tea.Cmd {
	if !m.wholeOpen && m.leftOut() == 0 {
		return m.Notify("All there is to say about it is on the screen.")
	}
	m.wholeOpen, m.whole = !m.wholeOpen, ui.Scroll{}
	m.layoutWhole()
	return nil
}

// layoutWhole gives all lines the screen but for the last, which has the position.
func (m *Model) layoutWhole() {
	if m.wholeOpen {
		m.whole.Show(m.W, m.H-1, m.wholeLines())
	}
}

func (m *Model) viewWhole() string {
	return ui.Lines(m.W, m.H, append(strings.Split(m.whole.View(), "\n"), m.Theme.Muted.Render(m.whole.Position()))...)
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layoutWhole()
}
