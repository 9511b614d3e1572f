package home

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// The lines around the table: the heading above; a blank, the heading and the
// ways below.
const (
	above = 1
	below = 2
)

// roomy is the height from which there is room for more than what is needed.
const roomy = 18

// layout gives the table what the ways leave, at least two rows, and no more than it needs.
func (m *Model) layout() {
	const least = 3
	room := max(m.h-above-below-len(m.keys.ways)-len(m.troubled()), least)
	m.table.Resize(m.w, min(room, len(m.entries)+1))
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	t := m.theme
	lines := m.troubled()
	switch {
	case len(m.entries) == 0 && m.recall.Pending():
		lines = append(lines, t.Strong.Render("Reading what was under way…"), "")
	case len(m.entries) == 0:
		lines = append(lines, t.Strong.Render("Nothing needs attention"), t.Muted.Render("  No payment was made from here yet."))
	default:
		lines = append(lines, t.Strong.Render(m.heading()), m.table.View())
	}
	lines = append(lines, "", t.Strong.Render("Ways in"))
	for _, w := range m.keys.ways {
		k := w.binding.Help().Key
		lines = append(lines, "  "+t.Accent.Render(k)+"  "+ui.Fit(w.name, max(24-len(k), 0))+t.Muted.Render(w.about))
	}
	return ui.Lines(m.w, m.h, lines...), nil
}

// troubled is what is wrong with the journal, in full, and a blank.
func (m *Model) troubled() []string {
	if m.trouble.IsZero() {
		return nil
	}
	t := m.trouble
	if m.h < roomy {
		t.Next = ""
	}
	return append(t.Lines(m.theme, m.w), "")
}

func (m *Model) heading() string {
	open, unresolved := 0, 0
	for _, e := range m.entries {
		if e.Unresolved {
			unresolved++
		} else if e.Open() {
			open++
		}
	}
	var parts []string
	if unresolved > 0 {
		parts = append(parts, present.Thousands(unresolved)+" without an answer")
	}
	if open > 0 {
		parts = append(parts, present.Thousands(open)+" under way")
	}
	if len(parts) == 0 {
		return "Nothing needs attention; payments made from here:"
	}
	return "Needs attention: " + strings.Join(parts, ", ")
}

// row is one payment; its verdict is painted from the state, in the first
// column.
func (m *Model) row(i int) []ui.Cell {
	e := m.entries[i]
	status := ui.Cell{Text: present.Word(e.Status), Tone: present.Tone(e.Status)}
	reference := string(e.Reference)
	if e.Unresolved {
		status = ui.Cell{Text: "NOBODY KNOWS", Tone: ui.ToneUnknown}
		if reference = "no answer came"; e.ID != "" {
			reference = e.ID.Short() + ", no answer"
		}
	}
	amount := ui.Cell{Text: e.Requested.String()}
	if !e.Payment.Mismatch.Empty() {
		amount.Tone = ui.ToneBad // the service has another one (R32)
	}
	by := e.Masked
	switch {
	case by != "":
	case e.Kind == journal.CreateLink:
		by = "a new link"
	case e.Kind == journal.Finalize:
		by = "finalize"
	case e.Channel == api.ChannelTransfer:
		by = "transfer"
	default:
		by = api.Clean(e.Channel).Line(0)
	}
	return []ui.Cell{status, amount, {Text: by}, {Text: reference}, {Text: present.Clock(e.Started)}}
}
