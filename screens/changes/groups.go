package changes

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/mirror"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	indent    = "  "
	listWidth = 77
	barWidth  = 16
)

func groupColumns() []ui.Column {
	return []ui.Column{
		{Title: "Rows", Width: 9, Right: true},
		{Title: "What", Width: 10},
		{Title: "From", Width: 14},
		{Title: "To", Width: 14},
		{Title: "Share", Width: barWidth, Drop: 1},
	}
}

// fill shows the groups.
func (m *Model) fill() {
	groups, all := m.history.Groups, 0
	for _, g := range groups {
		all += g.Count
	}
	m.table.SetRows(len(groups), func(i int) []ui.Cell {
		g := groups[i]
		return []ui.Cell{
			{Text: present.Thousands(g.Count)}, {Text: present.ChangeWord(g.Kind)}, statusCell(g.From, g.Kind != mirror.Added && g.Kind != mirror.Passed),
			statusCell(g.To, g.Kind != mirror.Gone && g.Kind != mirror.Passed),
			{Text: m.Theme.Bar(barWidth, all, ui.Part{Tone: ui.ToneWait, N: g.Count})}, // how many, in one tone for all
		}
	})
	m.layout()
}

// listTone is the tone of a status as the list has it of a whole group, or had it once: never that of success, since an
// answer about one of its payments may have differed.
func listTone(s api.Status) ui.Tone {
	if tone := present.Tone(s); tone != ui.ToneGood {
		return tone
	}
	return ui.ToneNone
}

// statusCell is the status of a group in a column, in the console's own words; a dash where there was none.
func statusCell(s api.Status, there bool) ui.Cell {
	if !there {
		return ui.Cell{Text: "—"}
	}
	return ui.Cell{Text: present.ShortStatus(s), Tone: listTone(s)}
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch {
	case m.W < 1 || m.H < 1:
		return "", nil
	case m.options.Memory == nil:
		return ui.Lines(m.W, m.H, m.Theme.Invite(m.options.Off, ui.Back, m.W, m.H)...), nil
	case m.confirm != nil:
		return m.confirm.View(m.W, m.H)
	case m.opened != nil:
		return m.viewOpened()
	}
	w, h := m.panes.ListSize()
	lines, cursor := m.head(w, h)
	if m.since.form != nil { // what is listed is of another time than the one that is being typed
		return ui.Lines(m.W, m.H, lines...), cursor
	}
	if m.table.Len() > 0 {
		lines = append(lines, m.table.View())
	} else if words := m.empty(); words != "" {
		lines = append(lines, m.Theme.Invite(words, m.emptyKey(), w, max(h-len(lines), 0))...)
	}
	return m.panes.View(ui.Lines(w, h, lines...), m.pane), cursor
}

// head is what is above the groups: since when, which scans, and what is to be said of them.
func (m *Model) head(w, h int) ([]string, *tea.Cursor) {
	lines := []string{m.since.facets.View(indent+"Changed since", w)}
	if m.since.form != nil {
		return m.since.form.Under(lines, w, h)
	}
	if m.problem != "" {
		return append(lines, ui.Indented(m.Theme.ErrorLines(m.problem+" Press r to retry.", w-len(indent)))...), nil
	}
	if !m.read {
		return append(lines, ui.Indented(m.Theme.WaitLines(m.call.Wait(), "Reading the mirror", w-len(indent)))...), nil
	}
	for _, words := range present.ChangesCompared(m.history, m.Scope.Now().Local()) {
		lines = append(lines, ui.Indented(ui.Wrap(words, w-len(indent)))...)
	}
	for _, words := range m.doubts() {
		lines = append(lines, ui.Indented(m.Theme.MarkLines(ui.ToneAct, words, w-len(indent)))...)
	}
	return append(lines, ""), nil
}

// pane is what a group is.
func (m *Model) pane(i, w, h int) []string {
	if i >= len(m.history.Groups) {
		return nil
	}
	g := m.history.Groups[i]
	lines := []string{m.Theme.Rule(m.groupTitle(g), "", w)}
	words := []string{present.ChangeMeans(g.Kind)}
	if g.Kind == mirror.Gone {
		words = append(words, "What became of it the service does not say.")
	}
	words = append(words, "enter lists "+present.Count(g.Count, "row", "rows")+".")
	return append(lines, ui.Indented(ui.Wrap(strings.Join(words, " "), w-len(indent)))...)
}

// groupTitle names a group: "moved: PENDING to FAILED".
func (m *Model) groupTitle(g mirror.Group) string {
	from, to := present.Word(g.From), present.Word(g.To)
	switch g.Kind {
	case mirror.Moved:
		return "Moved: " + from + " to " + to
	case mirror.Added:
		return "New: " + to
	case mirror.Gone:
		return "Gone: " + from
	case mirror.Amount:
		return "Another amount: " + to
	case mirror.Back:
		return "Changed and back: " + to
	}
	return "Came and went"
}

// layout gives the tables the height that the rest leaves.
func (m *Model) layout() {
	if m.opened != nil {
		m.layoutOpened()
		return
	}
	w, h := m.panes.ListSize()
	lines, _ := m.head(w, h)
	m.table.Resize(w, max(h-len(lines), 0))
}
