package activity

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

const formLines = 3 // a field, and two lines of what is wrong with it

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
	words := ui.Wrap("What this console does is not kept for this profile: it has journal = \"off\" in the configuration. A payment whose answer is lost leaves nothing to look up here.", m.w)
	return append([]string{m.theme.Strong.Render("The journal is off for this profile"), ""}, words...)
}

// head is how much there is and the filter, and what is new.
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

// position is how many there are: "1,204 attempts of shop, newest first · as of 15:04:05".
func (m *Model) position() string {
	l := &m.list
	if !l.loaded {
		if l.problem != "" {
			return "Nothing was read yet."
		}
		return "Reading…"
	}
	of := " of every profile"
	if p := l.window.criteria.profile; p != "" {
		of = " of " + plain(p)
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

// newsLines is what is new or went wrong, and one blank line when nothing is.
func (m *Model) newsLines() []string {
	var lines []string
	switch {
	case m.list.problem != "":
		for _, l := range ui.Wrap(m.list.problem+" r reads again.", max(m.w-2, 1)) {
			lines = append(lines, m.theme.Error.Render("! "+l))
		}
	case m.result != "":
		return ui.Wrap(m.result, m.w)
	default:
		return []string{""}
	}
	return lines
}

// emptyLines says why there are no rows.
func (m *Model) emptyLines() []string {
	if m.list.window.criteria.describe() != "" {
		return []string{"No attempt is like this. esc clears the filter."}
	}
	more := "Payments, links and finalizes are listed here once one was sent."
	if m.list.window.criteria.profile != "" {
		more += " p shows those of every profile."
	}
	return append([]string{m.theme.Strong.Render("Nothing was done from here yet")}, ui.Wrap(more, m.w)...)
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

// detailResult stands above the attempt, so that it is seen wherever one has scrolled to.
func (m *Model) detailResult() []string {
	if m.result == "" {
		return nil
	}
	return append(ui.Wrap(m.result, m.w), "")
}

// layout gives the table, or the detail, what the rest leaves.
func (m *Model) layout() {
	head, _ := m.head()
	m.list.table.Resize(m.w, max(m.h-len(head), 0))
	if m.detail != nil {
		m.detail.resize(m.theme, m.w, m.h-len(m.detailResult()))
	}
}
