package activity

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

const formLines = 3 // a field, and two lines for its error

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch {
	case m.w < 1 || m.h < 1:
		return "", nil
	case m.disabled():
		return ui.Lines(m.w, m.h, m.disabledLines()...), nil
	case m.purge != nil:
		return m.viewPurge()
	case m.export != nil:
		return m.viewExport()
	case m.detail != nil:
		return m.detailView(), nil
	}
	lines, cursor := m.head()
	switch {
	case m.list.window.total > 0:
		lines = append(lines, m.list.table.View())
	case m.list.loaded:
		lines = append(lines, m.emptyLines()...)
	}
	return ui.Lines(m.w, m.h, lines...), cursor
}

func (m *Model) disabledLines() []string {
	words := ui.Wrap("This profile has journal = \"off\" in the configuration, so nothing is recorded. A payment whose response is lost leaves nothing to look up here.", m.w)
	return append([]string{m.theme.Strong.Render("The journal is off for this profile"), ""}, words...)
}

// head is the position, the filter, and the latest result.
func (m *Model) head() ([]string, *tea.Cursor) {
	lines := []string{m.position()}
	var cursor *tea.Cursor
	if m.filter.typing {
		body, at := m.filter.form.View(m.w, min(formLines, max(m.h-len(lines), 0)))
		if cursor = at; cursor != nil {
			cursor.Y += len(lines)
		}
		lines = append(lines, strings.Split(body, "\n")...)
	} else {
		lines = append(lines, m.filterLine())
	}
	return append(lines, m.newsLines()...), cursor
}

// position is the number of attempts: "1,204 attempts of shop, newest first · as of 15:04:05".
func (m *Model) position() string {
	l := &m.list
	if !l.loaded {
		if l.problem != "" {
			return "Nothing loaded yet."
		}
		return "Reading…"
	}
	of := " of all profiles"
	if p := l.window.criteria.profile; p != "" {
		of = " of " + present.Plain(p)
	} else if !m.filter.all {
		of = ""
	}
	n := l.window.total
	return fmt.Sprintf("%s%s%s, newest first%s", present.Thousands(n), plural(n, " attempt", " attempts"), of,
		m.theme.Muted.Render(" · as of "+present.Clock(l.window.at)))
}

// filterLine is the filter, in one line.
func (m *Model) filterLine() string {
	line := m.filter.criteria().describe()
	if line == "" {
		return m.theme.Muted.Render("No filter")
	}
	return ui.Fit(m.theme.Muted.Render("Filter  ")+line, m.w)
}

// newsLines are the latest problem or result; one blank line when there is none.
func (m *Model) newsLines() []string {
	var lines []string
	switch {
	case m.list.problem != "":
		for _, l := range ui.Wrap(m.list.problem+" Press r to retry.", max(m.w-2, 1)) {
			lines = append(lines, m.theme.Error.Render("! "+l))
		}
	case m.result != "":
		return ui.Wrap(m.result, m.w)
	default:
		return []string{""}
	}
	return lines
}

// emptyLines explain why there are no rows.
func (m *Model) emptyLines() []string {
	if m.list.window.criteria.describe() != "" {
		return []string{"No attempts match. esc clears the filter."}
	}
	more := "Payments, links and finalizations are listed here once sent."
	if m.list.window.criteria.profile != "" {
		more += " p shows all profiles."
	}
	return append([]string{m.theme.Strong.Render("Nothing has been sent yet")}, ui.Wrap(more, m.w)...)
}

func (m *Model) detailView() string {
	d := m.detail
	lines := m.detailResult()
	last := min(d.top+d.visible(), len(d.lines))
	lines = append(lines, d.lines[d.top:last]...)
	if len(d.lines) > d.h && d.h > 1 {
		lines = append(lines, m.theme.Muted.Render(fmt.Sprintf("lines %d–%d of %d", d.top+1, last, len(d.lines))))
	}
	return ui.Lines(m.w, m.h, lines...)
}

// detailResult is above the attempt, where it is visible however far the attempt is scrolled.
func (m *Model) detailResult() []string {
	if m.result == "" {
		return nil
	}
	return append(ui.Wrap(m.result, m.w), "")
}

// layout gives the table, or the detail, the height that the rest leaves.
func (m *Model) layout() {
	head, _ := m.head()
	m.list.table.Resize(m.w, max(m.h-len(head), 0))
	if m.detail != nil {
		m.detail.resize(m.theme, m.w, m.h-len(m.detailResult()))
	}
}
