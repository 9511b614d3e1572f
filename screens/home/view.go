package home

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	aroundTable = 3  // the heading above it; its age and the menu's heading below it
	roomy       = 18 // the height from which a problem is shown with its advice
)

// layout gives the table the height that the menu leaves: at least two rows, and no more than
// it needs.
func (m *Model) layout() {
	const least = 3
	room := m.H - aroundTable - len(menu(m.options)) - len(m.problemLines())
	if m.H >= roomy {
		room-- // a blank
	}
	below := 0 // the most that is said of a payment, so that the table stays as high
	for _, e := range m.entries {
		below = max(below, len(m.about(e)))
	}
	room = max(room-below, least)
	m.table.Resize(m.W, min(room, len(m.entries)+1))
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.confirm != nil {
		return m.Under(nil, m.confirm.View)
	}
	t := m.Theme
	lines := append(m.problemLines(), t.Strong.Render(m.heading()))
	if len(m.entries) > 0 {
		lines = append(lines, m.table.View())
		if e, ok := ui.Selected(m.table, m.entries); ok {
			lines = append(lines, m.about(e)...)
		}
	}
	lines = append(lines, ui.Fit(m.fresh(), m.W))
	if m.H >= roomy {
		lines = append(lines, "")
	}
	lines = append(lines, t.Strong.Render("Menu"))
	for _, w := range menu(m.options) {
		k := w.binding.Help().Key
		lines = append(lines, "  "+t.Accent.Render(k)+"  "+ui.Fit(w.name, max(24-len(k), 0))+t.Muted.Render(w.about))
	}
	return ui.Lines(m.W, m.H, lines...), nil
}

// about is what a person must know about a payment besides its status.
func (m *Model) about(e session.Entry) (lines []string) {
	if at := e.Flow.FinalizeLostAt(); !at.IsZero() && e.Open() {
		words := "Finalized at " + present.When(at, m.Scope.Now()) + " without an answer: check the status before you repeat it."
		lines = append(lines, m.Theme.MarkLines(ui.ToneUnknown, words, m.W)...)
	}
	if e.Open() && !m.options.Journal {
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, notKept, m.W)...)
	}
	return append(lines, m.elsewhere(e)...)
}

// elsewhere says how a payment was sent, unless it was as the console sends now.
func (m *Model) elsewhere(e session.Entry) []string {
	if m.options.Here == nil || e.Place == (journal.Destination{}) {
		return nil
	}
	words := present.Elsewhere(m.options.Here(), e.Place)
	if words == "" {
		return nil
	}
	return m.Theme.MarkLines(ui.ToneAct, "Sent "+words+".", m.W)
}

// problemLines is the problem of the journal in full, and a blank.
func (m *Model) problemLines() []string {
	if m.problem.IsZero() {
		return nil
	}
	t := m.problem
	if m.H < roomy {
		t.Next = ""
	}
	return append(t.Lines(m.Theme, m.W), "")
}

// heading counts what needs attention. That nothing does is said only where it is known.
func (m *Model) heading() string {
	open, unresolved, differ := 0, 0, 0
	for _, e := range m.entries {
		switch rank(e) {
		case 0:
			unresolved++
		case 1:
			differ++
		case 2:
			open++
		}
	}
	var parts []string
	if unresolved > 0 {
		parts = append(parts, present.Thousands(unresolved)+" unresolved")
	}
	if differ > 0 {
		parts = append(parts, present.Count(differ, "mismatch", "mismatches"))
	}
	if open > 0 {
		parts = append(parts, present.Thousands(open)+" in progress")
	}
	switch {
	case len(parts) > 0:
		return "Needs attention: " + strings.Join(parts, ", ")
	case len(m.entries) > 0 && m.knows():
		return "Nothing needs attention. Recent payments:"
	case len(m.entries) > 0:
		return "Recent payments:"
	case m.readAt.IsZero() && (m.reload.Pending() || m.waiting != ""):
		return "Loading payments…"
	case m.readAt.IsZero() || !m.problem.IsZero():
		return "The payments sent from here are not known"
	case m.knows():
		return "Nothing needs attention"
	}
	return "Nothing recorded here is in progress"
}

// below counts the payments that need attention and are below the window.
func (m *Model) below() (n int) {
	_, to := m.table.Visible()
	for _, e := range m.entries[min(to, len(m.entries)):] {
		if rank(e) < 3 {
			n++
		}
	}
	return n
}

// row is one payment. Its tone comes from the parsed status alone.
func (m *Model) row(i int) []ui.Cell {
	e := m.entries[i]
	status := present.PaymentCell(e.Status, e.Mismatch, e.Circumstances(m.Scope.Now()), e.Flow)
	reference := string(e.Reference)
	if e.Unread {
		status, reference = ui.Cell{Text: present.Mismatch, Tone: ui.ToneMismatch}, string(e.Link)
	}
	if e.Unresolved {
		status = ui.Cell{Text: present.Unresolved, Tone: ui.ToneUnknown}
		switch {
		case e.Reference != "": // that of the payment to finalize
		case e.ID != "":
			reference = "attempt " + e.ID.Short()
		default:
			reference = "no reference"
		}
	}
	by := present.Subject(e.Kind, e.Masked, e.Channel)
	if e.LookedUp {
		by = "looked up"
	}
	amount := ""
	switch {
	case e.CustomerChooses:
		amount = present.CustomerChooses
	case !e.Requested.Currency.IsZero():
		amount = e.Requested.String()
	}
	return []ui.Cell{
		status, {Text: amount}, {Text: by}, {Text: reference}, {Text: present.When(e.Started, m.Scope.Now())},
	}
}
