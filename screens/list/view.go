package list

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model[R]) View() (string, *tea.Cursor) {
	if m.W < 1 || m.H < 1 {
		return "", nil
	}
	lines, cursor := m.head()
	news := m.newsLines()
	obstacle, k := m.obstacle()
	switch {
	case m.rows.Count > 0:
		lines = []string{m.panes.View(m.tableBelow(lines), m.paneLines)}
		if m.newsInside {
			news = nil
		}
	case len(obstacle) > 0:
		lines = append(lines, m.Theme.Third(obstacle, k, m.W, m.H-len(lines)-len(news))...)
	case !m.read.at.IsZero() && !m.rows.Searching:
		lines = append(lines, m.invitation(m.H-len(lines)-len(news))...)
	}
	return ui.Lines(m.W, m.H, append(lines, news...)...), cursor
}

// obstacle says why nothing can be listed, with the key that may change that; nothing where rows are listed or may be.
func (m *Model[R]) obstacle() (lines []string, k key.Binding) {
	if m.rows.Count > 0 {
		return nil, k
	}
	w := min(m.W, ui.InviteWidth)
	if m.of.Obstacle != nil {
		return m.of.Obstacle(w)
	}
	return m.problem.Lines(m.Theme, w), k
}

// indent is the column in which the rows of a table begin.
const indent = 2

// tableBelow draws the table below some lines, and above its foot.
func (m *Model[R]) tableBelow(lines []string) string {
	return strings.Join(slices.Concat(lines, []string{m.table.View()}, m.foot()), "\n")
}

func (m *Model[R]) foot() []string {
	if m.of.Foot == nil || m.rows.Count == 0 {
		return nil
	}
	w, _ := m.panes.ListSize()
	return ui.Indented(m.of.Foot(w - indent))
}

// PaneSize is the size of the pane beside the list or below it; 0×0 for none.
func (m *Model[R]) PaneSize() (w, h int) { return m.panes.PaneSize() }

// TopOfPane shows the pane from its first line, for something else that it shows.
func (m *Model[R]) TopOfPane() { m.panes.Top() }

// invitation says why there are no rows, and names the key that changes that. Where the search cannot be read the error says so.
func (m *Model[R]) invitation(h int) []string {
	words, k := m.of.None()
	if m.Typing() && m.search.Problem() != "" || words == "" && m.read.query.Empty() {
		return nil
	}
	if words == "" {
		words, k = "No "+m.of.Many+" match the search.", ui.ClearSearch
		k.SetEnabled(m.typedQuery() != m.base)
	}
	return m.Theme.Invite(words, k, m.W, h)
}

// head draws the lines above the table. While the search is typed its box is in the last of its lines.
func (m *Model[R]) head() (lines []string, _ *tea.Cursor) {
	w, h := m.listSize()
	if m.of.Head != nil {
		first := w - indent - ui.Width(m.kept(w)+m.facets.View("", w))
		if m.Typing() {
			first = 0 // the search is explained there
		}
		lines = ui.Indented(m.of.Head(w-indent, first))
		kept := m.kept(w - ui.Width(lines[0]))
		if strings.TrimSpace(lines[0]) == "" {
			kept = strings.TrimPrefix(kept, " · ")
		}
		lines[0] += kept
	} else {
		lines = append(lines, ui.Fit(m.position(w), w))
	}
	if m.hasOneFacet() && !m.Typing() {
		lines[0] = m.facets.View(lines[0], w)
	}
	if m.of.Under != nil {
		lines = append(lines, m.of.Under(w)...)
	}
	switch {
	case m.Typing():
		lines[0] = m.search.Hint(lines[0], w)
		return m.search.View(lines, w, h)
	case m.faceted() && len(m.of.Facets) > 1:
		return append(lines, m.facetLine(m.Theme, w)), nil
	}
	return lines, nil
}

// hasOneFacet reports whether there is one facet alone, which has room behind what is above the table.
func (m *Model[R]) hasOneFacet() bool { return m.faceted() && len(m.of.Facets) == 1 && m.W > 0 }

// facetLine is the search on one line, to be changed there.
func (m *finder) facetLine(t *ui.Theme, w int) string {
	text := t.Muted.Render("Filter:")
	if rest := m.rest(); rest != "" {
		text += t.Strong.Render(" “"+present.Plain(rest)+"”") + " "
	}
	return m.facets.View(text, w)
}

// kept is the search that is not typed now, behind what stands above the table in so many cells: a line of its own would move the rows.
func (m *Model[R]) kept(room int) string {
	const least, around = 8, 5 // cells
	rest := present.Plain(m.rest())
	if rest == "" || m.Typing() {
		return ""
	}
	return " · " + m.Theme.Strong.Render("“"+strings.TrimRight(ui.Fit(rest, min(ui.Width(rest), max(room-around, least))), " ")+"”")
}

// position returns how many rows there are and by which query, and when they were read or that they follow what arrives.
func (m *Model[R]) position(w int) string {
	if m.read.at.IsZero() {
		if m.problem.What != "" { // it says so
			return ""
		}
		return m.Theme.WaitLines(m.call.Wait(), "Reading the "+m.of.Many, w)[0]
	}
	words, says, state := "", "", m.state()
	if m.rows.Count == 0 && m.rows.Complete && m.read.text == "" { // the invitation says so
		return m.Theme.Muted.Render(strings.TrimPrefix(state, " · "))
	}
	if m.of.Words != nil {
		words = m.of.Words()
	} else {
		words = m.CountWords()
	}
	if m.of.Says != nil {
		says = m.of.Says()
	}
	if m.rows.Searching {
		words, says = "Searching… "+words, says+" so far"
	}
	if rest := m.rest(); rest != "" && len(m.of.Facets) == 0 && !m.Typing() {
		room := w - ui.Width(words+": "+says) - len(state)
		words += ": " + strings.TrimRight(ui.Fit(present.Plain(rest), max(room, 8)), " ")
	}
	switch {
	case m.Typing():
		says, state = "", ""
	case ui.Width(words+says+state) > w:
		says = ""
	}
	return m.Theme.Strong.Render(words) + says + m.Theme.Muted.Render(state)
}

// state says how current the rows listed are.
func (m *Model[R]) state() string {
	switch n := m.all() - m.stopped; {
	case m.of.Wait == nil:
		return " · as of " + present.Clock(m.read.at.Local())
	case m.rows.Count == 0:
		return ""
	case m.follows:
		return " · following"
	case n > 0:
		return " · paused, " + present.Thousands(n) + " new"
	}
	return " · paused"
}

// CountWords says how many rows were found, of how many where that is known: "3 of 12 links".
func (m *Model[R]) CountWords() string {
	if whole := m.rows.Whole; m.read.text != "" && (whole.Count > 0 || whole.Complete) {
		n, _ := thousands(m.rows.Page)
		whole.Searching = false // no step goes on from it
		return n + " of " + m.count(whole)
	}
	return m.count(m.rows.Page)
}

// count says how many rows there are: "1,204 attempts".
func (m *Model[R]) count(p journal.Page[R]) string {
	n, more := thousands(p)
	if p.Count == 1 && !more {
		return n + " " + m.of.One
	}
	return n + " " + m.of.Many
}

// thousands is a number of rows; more says that there may be more.
func thousands[R any](p journal.Page[R]) (n string, more bool) {
	n = present.Thousands(p.Count)
	if more = !p.Complete && !p.Searching; more {
		n += " or more"
	}
	return n, more
}

// newsLines are the latest problem or result. They are below everything, or in place of the preview where that has room for them: there
// they move no row.
func (m *Model[R]) newsLines() []string {
	switch {
	case m.problem.What != "" && m.rows.Count > 0:
		return m.problem.Lines(m.Theme, m.W)
	case m.result != "":
		lines := ui.Wrap(m.result, m.W)
		if m.doubt != "" {
			lines = append(lines, m.Theme.MarkLines(ui.ToneAct, m.doubt, m.W)...)
		}
		return lines
	}
	return nil
}

// Beside reports whether the pane is beside the list, and not below it.
func (m *Model[R]) Beside() bool { return m.panes.Beside() }

// inPreview reports whether the pane is below the list, as a preview.
func (m *Model[R]) inPreview() bool {
	_, h := m.panes.PaneSize()
	return h > 0 && !m.panes.Beside()
}

// paneLines returns the lines of the pane: the latest news, or its row.
func (m *Model[R]) paneLines(_, w, h int) []string {
	r, some := m.inPane()
	news := m.newsLines()
	switch {
	case m.newsInside:
		return append([]string{m.Theme.Rule("", "", w)}, news...)
	case some && m.of.Pane != nil:
		return m.of.Pane(r, w, h)
	case some && m.Beside():
		return m.of.Report(r, h).Pane(m.Theme, w, h)
	case some:
		return m.of.Report(r, h).Preview(m.Theme, "enter: all of it", w, h)
	case m.inPreview():
		return []string{m.Theme.Rule("", "", w)}
	}
	return nil
}

// listSize is the room of the list, with what is above it: all of it where there is nothing to list.
func (m *Model[R]) listSize() (w, h int) {
	if m.rows.Count == 0 {
		return m.W, m.H
	}
	return m.panes.ListSize()
}

// Resize implements [ui.Screen].
func (m *Model[R]) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.Layout()
}

// Layout gives the table the height that the rest leaves.
func (m *Model[R]) Layout() {
	m.panes.Resize(m.W, m.H)
	if m.of.Below != nil {
		m.panes.Below(m.of.Below())
	}
	news := len(m.newsLines())
	_, room := m.PaneSize()
	if m.newsInside = news > 0 && m.inPreview() && news < room; !m.newsInside {
		m.panes.Resize(m.W, m.H-news)
	}
	head, _ := m.head()
	w, h := m.listSize()
	m.table.Resize(w, max(h-len(head)-len(m.foot()), 0))
}
