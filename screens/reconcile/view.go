package reconcile

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	indent     = "  "
	listWidth  = 68 // of the list beside a payment
	labelWidth = 11 // with the blanks after the label
	low        = 16 // lines of a body that has no room for more than the list
)

// columns are the table's. In a narrow window the reference, the attempt and the time are left out.
func columns() []ui.Column {
	return []ui.Column{
		{Title: "Amount", Width: 16, Right: true},
		{Title: "Here", Width: 14},
		{Title: "In the list", Width: 18, Grow: true},
		{Title: "Sent", Width: 12, Drop: 1},
		{Title: "Attempt", Width: 10, Drop: 2},
		{Title: "Reference", Width: 36, Drop: 3},
	}
}

// cells are one row of the table.
func (m *Model) cells(i int) []ui.Cell {
	c := m.result.Cases[i]
	amount := c.Amount.String()
	if c.Amount.Currency.IsZero() {
		amount = "not known"
	}
	return []ui.Cell{
		{Text: amount}, hereCell(c), m.listCell(c), {Text: present.When(c.At, m.result.at)}, {Text: string(c.ID)}, {Text: present.Plain(string(c.Reference))},
	}
}

// heading is the rule above the payments of a standing; "" within these.
func (m *Model) heading(i, w int) string {
	all := m.cases()
	c := all[i]
	if i > 0 && all[i-1].Standing == c.Standing {
		return ""
	}
	return m.Theme.Rule(groupTitle(c.Standing, m.result.Reconciliation), present.Count(m.result.Count(c.Standing), "payment", "payments"), w)
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch {
	case m.W < 1 || m.H < 1:
		return "", nil
	case m.options.Journal == nil:
		return ui.Lines(m.W, m.H, append([]string{m.Theme.Strong.Render("The journal is off for this profile"), ""},
			ui.Wrap("Nothing is recorded of the payments made from here, so there is nothing to compare with the list.", m.W)...)...), nil
	case m.file != nil:
		return m.Under([]string{m.Theme.Strong.Render("Export " + present.Count(len(m.cases()), "payment", "payments")), ""}, m.file.View)
	case m.about != nil:
		return m.about.View(), nil
	}
	lines := m.head()
	if len(m.cases()) == 0 {
		return ui.Lines(m.W, m.H, append(lines, m.invitation(m.H-len(lines))...)...), nil
	}
	w, h := m.panes.ListSize()
	return m.panes.View(ui.Lines(w, h, append(lines, m.table.View())...), m.paneLines), nil
}

// invitation is in place of the list where it is empty.
func (m *Model) invitation(h int) []string {
	none := ui.Bind("", "")
	switch r := m.result.Reconciliation; {
	case m.state.Phase == listing.Idle:
		return m.Theme.Invite("Nothing of the service's list has been read yet. Payments made from here are compared with what was read.", ui.Bind("space", "read all"), m.W, h)
	case !m.problem.IsZero() || r == nil:
		return nil
	case r.Payments == 0:
		return m.Theme.Invite("No payment was made from here that could be in the list.", none, m.W, h)
	default:
		return m.Theme.Invite("Each payment that was compared agrees with its row in the list.", ui.Bind("z", "more"), m.W, h)
	}
}

// head is what was compared, and how far the scan is while it reads.
func (m *Model) head() []string {
	w := m.W
	if len(m.cases()) > 0 {
		w, _ = m.panes.ListSize()
	}
	in := max(w-len(indent), 1)
	var lines []string
	switch {
	case m.state.Phase.Running():
		lines = m.Theme.MarkLines(ui.ToneWait, m.progress(), in)
	case m.compareCall.Pending():
		lines = m.Theme.WaitLines(m.compareCall.Wait(), "Comparing the payments made from here", in)
	}
	lines = append(lines, m.problem.Lines(m.Theme, in)...)
	if m.written != "" {
		lines = append(lines, ui.Wrap(m.written, in)...)
	}
	if m.result.Reconciliation != nil && m.result.Payments > 0 {
		lines = append(lines, m.compareLines(in)...)
	}
	if len(lines) == 0 {
		return nil
	}
	if lines = ui.Indented(lines); m.H < low {
		return lines[:min(len(lines), max(m.H/2, 1))]
	}
	return append(lines, "")
}

// compareLines are what was compared, how it ended, and what was left out: the last only where there is room.
func (m *Model) compareLines(w int) []string {
	first := present.Count(m.result.Payments, "payment", "payments") + " from here · "
	if m.H < low {
		return slices.Concat(ui.Wrap(first+m.rowsRead(true), w), ui.Wrap(m.summary(), w), ui.Wrap(m.referenceWords(), w))
	}
	lines := ui.Wrap(first+m.rowsRead(false), w)
	asOf := m.Theme.Muted.Render(" · as of " + present.Clock(m.result.at.Local()))
	if last := lines[len(lines)-1]; ui.Width(last)+ui.Width(asOf) <= w {
		lines[len(lines)-1] = last + asOf
	}
	return slices.Concat(lines, ui.Wrap(m.summary(), w), ui.Wrap(m.referenceWords(), w), m.Theme.MutedLines(m.note(w), w))
}

// note is what was left out, and the key to what a comparison cannot know.
func (m *Model) note(w int) string {
	const note = "z: what this cannot know"
	left := m.leftOut()
	switch r := m.result; {
	case len(left) == 0:
		return note
	case len(left) == 1 && ui.Width(left[0]+" · "+note) <= w:
		return left[0] + " · " + note
	default:
		return present.Thousands(r.Later+r.OtherKey+r.Sending+r.Never+r.NotOurs+r.Left) + " left out, and what this cannot know: z"
	}
}

// progress is how far the scan is.
func (m *Model) progress() string {
	s := m.state
	words := "Reading the list"
	if s.Pages > 0 {
		words += ": page " + present.Thousands(s.Pages)
		if s.Of > 0 {
			words += " of " + present.Thousands(max(s.Of, s.Pages))
		}
	}
	return words + "… compared when it is read"
}

// paneLines are a payment beside the list or below it.
func (m *Model) paneLines(i, w, h int) []string {
	c := m.result.Cases[i]
	lines := []string{m.Theme.Rule("Attempt "+present.Plain(string(c.ID)), present.KindName(c.Kind), w)}
	if !m.panes.Beside() {
		return append(lines, ui.Indented(ui.Wrap(m.sentences(c), max(w-len(indent), 1)))...)
	}
	in := max(w-len(indent), 1)
	facts := present.AmountWithChip(m.Theme, amountWords(c), present.Plain(present.Action(attempt(c))), hereCell(c), in)
	facts = append(facts, "")
	for _, f := range []struct{ label, value string }{
		{"Reference", string(c.Reference)}, {"Our own", c.OwnReference},
		{"Sent", present.DateTime(c.At) + by(c.User)}, {"Checked", checked(c)},
	} {
		if f.value != "" {
			facts = append(facts, m.Theme.FactLines(f.label, present.Plain(f.value), labelWidth, in)...)
		}
	}
	facts = append(append(facts, ""), ui.Wrap(m.sentences(c), in)...)
	lines = append(append(lines, ui.Indented(facts)...), "")
	if room := h - len(lines) - 1; m.pane.of == c.ID && len(m.pane.rows) > 0 && room > 0 {
		lines = append(lines, m.Theme.Rule(rowsTitle(c), "", w))
		lines = append(lines, ui.Indented(m.rowLines(c, in, room))...)
	}
	return lines
}

func rowsTitle(c listing.Case) string {
	if c.Row >= 0 {
		return "In the list"
	}
	return "Could be it"
}

// rowLines are rows of the list in the pane. A single one has room for the whole of its ID.
func (m *Model) rowLines(c listing.Case, w, room int) (lines []string) {
	all := m.pane.rows
	if len(all) == 1 && c.Candidates <= 1 {
		return append([]string{m.rowLine(c, all[0], "", w)}, ui.Wrap(all[0].ID.Line(80), w)...)[:min(2, room)]
	}
	more := max(c.Candidates, len(all))
	for i, row := range all {
		if i == room-1 && more > room {
			return append(lines, m.Theme.Muted.Render("… "+present.Count(more-i, "row more", "rows more")))
		}
		lines = append(lines, m.rowLine(c, row, row.ID.Line(80), w))
	}
	if more > len(all) {
		lines = append(lines, m.Theme.Muted.Render("… "+present.Count(more-len(all), "row more", "rows more")))
	}
	return lines[:min(len(lines), room)]
}

// rowLine is one row: its status, its amount and its ID.
func (m *Model) rowLine(c listing.Case, row api.Row, id string, w int) string {
	tone := rowTone(c, row)
	amount := row.Raw.Line(14) + "*"
	if row.Known {
		amount = row.Amount.String()
	}
	const statusCells, amountCells = 15, 15
	return ui.Fit(ui.Fit(m.Theme.Mark(tone, present.ShortStatus(row.Status)), statusCells)+strings.Repeat(" ", max(amountCells-ui.Width(amount), 0))+amount+"  "+id, w)
}

func amountWords(c listing.Case) string {
	if c.Amount.Currency.IsZero() {
		return "Amount not known"
	}
	return c.Amount.String()
}

func by(user string) string {
	if user == "" {
		return ""
	}
	return " by " + user
}

// checked is when the status was last reported here.
func checked(c listing.Case) string {
	if c.StatusAt.IsZero() || c.Outcome == journal.Unresolved && c.Reference == "" {
		return ""
	}
	return present.DateTime(c.StatusAt)
}

// layout gives the table the height that the rest leaves.
func (m *Model) layout() {
	if m.about != nil {
		m.about.Show(m.W, m.H, m.aboutLines(m.W))
		return
	}
	w, h := m.panes.ListSize()
	m.table.Resize(w, max(h-len(m.head()), 0))
}
