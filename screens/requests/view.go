package requests

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/requestlog"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A detail is one request, whole.
type detail struct {
	entry  requestlog.Entry
	scroll ui.Scroll
}

// Update scrolls.
func (d *detail) Update(k tea.KeyPressMsg) bool { return d.scroll.Update(k) }

// columns are the table's. On a narrow window what was answered and how long it took are dropped.
func columns(place string) []ui.Column {
	all := []ui.Column{
		{Title: "Outcome", Width: 12},
		{Title: "Time", Width: 8},
		{Title: "Operation", Width: 16},
		{Title: "Answer", Width: 11, Drop: 1},
		{Title: "Took", Width: 8, Right: true, Drop: 2},
		{Title: "Reference", Width: 10, Grow: true, Drop: 3},
	}
	if place != "" {
		all = append(all, ui.Column{Title: place, Width: 12})
	}
	return all
}

// tones contains no success: only the status of a payment is one.
var tones = map[api.Outcome]ui.Tone{
	api.OutcomeUnresolved: ui.ToneUnknown, api.OutcomeRefused: ui.ToneBad, api.OutcomeFailed: ui.ToneBad,
	api.OutcomeNotSent: ui.ToneBad,
}

// outcome is the word for how a request ended.
func outcome(e requestlog.Entry) string {
	if e.Outcome == api.OutcomeUnresolved {
		return present.Unresolved
	}
	return string(e.Outcome)
}

func (m *Model) row(i int) []ui.Cell {
	e := m.entries[i]
	word := outcome(e)
	if tones[e.Outcome] == ui.ToneNone {
		word = "  " + word // in line with those that have a glyph
	}
	cells := []ui.Cell{
		{Text: word, Tone: tones[e.Outcome]}, {Text: present.Clock(e.At)}, {Text: string(e.Operation)},
		{Text: e.StatusText()}, {Text: e.Duration()}, {Text: present.Plain(e.Reference)},
	}
	if m.placeOf != nil {
		cells = append(cells, ui.Cell{Text: present.Plain(m.placeOf(e))})
	}
	return cells
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layout()
}

func (m *Model) layout() {
	m.table.Resize(m.W, max(m.H-len(m.head()), 0))
	if m.detail != nil {
		m.detail.scroll.Show(m.W, m.H, m.facts(m.detail.entry))
	}
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	lines := m.head()
	switch {
	case m.file != nil:
		return m.Under(lines, m.file.View)
	case m.detail != nil:
		return ui.Lines(m.W, m.H, m.detail.scroll.View()), nil
	case len(m.entries) == 0:
		lines = append(lines, "No request has ended since paydesk was started.")
	default:
		lines = append(lines, m.table.View())
	}
	return ui.Lines(m.W, m.H, lines...), nil
}

// head is above the table.
func (m *Model) head() []string {
	lines := []string{m.heading()}
	if m.written != "" {
		lines = append(lines, ui.Wrap("Written to "+m.written, m.W)...)
	}
	return append(lines, "")
}

// heading counts the requests, and says of what zone the times are.
func (m *Model) heading() string {
	n := len(m.entries)
	if n == 0 {
		return m.Theme.Strong.Render("No requests")
	}
	words := present.Count(n, "request", "requests")
	if all := m.entries[0].N; all > n {
		words = "The newest " + present.Thousands(n) + " of " + present.Thousands(all) + " requests"
	}
	more := " · times are UTC" + m.entries[0].At.Format("-07:00")
	if m.follow {
		more += " · following"
	}
	return m.Theme.Strong.Render(words) + m.Theme.Muted.Render(more)
}

// open shows the selected request whole.
func (m *Model) open() tea.Cmd {
	e, ok := m.current()
	if !ok || m.detail != nil {
		return nil
	}
	m.detail = &detail{entry: e}
	m.layout()
	return nil
}

// facts are all that is known of a request.
func (m *Model) facts(e requestlog.Entry) []string {
	const label = 12
	lines := m.Theme.MarkLines(tones[e.Outcome], outcome(e), m.W)
	if e.Why != "" {
		lines = append(lines, ui.Wrap(present.Plain(e.Why), m.W)...)
	}
	lines = append(lines, "")
	for _, f := range [][2]string{
		{"Time", e.Time()}, {"Operation", string(e.Operation)}, {"Request", e.Method + " " + e.Path},
		{"Host", e.Host}, {"Profile", e.Profile}, {"Reference", e.Reference}, {"Attempt", e.Attempt},
		{"Answer", e.StatusText()}, {"Took", e.Duration()},
		{"Size", fmt.Sprintf("%d B sent, %d B received", e.Sent, e.Received)}, {"Try", fmt.Sprint(e.Try)},
	} {
		if f[1] != "" {
			lines = append(lines, m.Theme.FactLines(f[0], present.Plain(f[1]), label, m.W)...)
		}
	}
	return lines
}
