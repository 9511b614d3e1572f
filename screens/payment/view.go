package payment

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/flow"
	"paydesk/api/watch"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	labelWidth   = 12
	wide         = 100 // from this width the history stands beside the rest
	sideWidth    = 50  // of the history then
	leastHistory = 2   // lines the history keeps in a low window: its title and the newest change
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch {
	case m.w < 1 || m.h < 1:
		return "", nil
	case m.prompting:
		return m.viewPrompt()
	case m.w >= wide:
		return m.viewWide(), nil
	}
	lines := m.status(m.w, m.h-leastHistory-1)
	if room := m.h - len(lines) - 1; room >= leastHistory {
		lines = append(append(lines, ""), m.history(m.w, room)...)
	}
	return ui.Lines(m.w, m.h, lines...), nil
}

func (m *Model) viewPrompt() (string, *tea.Cursor) {
	lines := ui.Wrap("Which payment? Its status is checked and shown; nothing is changed.", m.w)
	lines = append(lines, "")
	body, cursor := m.prompt.form.View(m.w, max(m.h-len(lines), 0))
	if cursor != nil {
		cursor.Y += len(lines)
	}
	return ui.Lines(m.w, m.h, append(lines, body)...), cursor
}

// viewWide puts the history beside the rest, below the stepper.
func (m *Model) viewWide() string {
	lines := m.stepper(m.w)
	h, left := m.h-len(lines), m.w-sideWidth-2
	lines = append(lines, present.SideBySide(left, m.body(left, h), m.history(sideWidth, h))...)
	return ui.Lines(m.w, m.h, lines...)
}

func (m *Model) status(w, h int) []string {
	lines := m.stepper(w)
	return append(lines, m.body(w, h-len(lines))...)
}

// stepper is drawn only for payments of this console.
func (m *Model) stepper(w int) []string {
	if !m.ours {
		return nil
	}
	f := m.flow
	return []string{present.Progress(m.theme, w, f, present.StageOf(f)), ""}
}

// body is everything but the stepper and the history. Blank lines go first if it is higher than h.
func (m *Model) body(w, h int) []string {
	const blank, lesser = 2, 1
	lines := present.Rows(0, m.facts(w)...)
	if paid := m.paidBy(); paid != "" {
		lines = append(lines, present.Line{Text: m.row("Paid by", paid, w), Rank: lesser})
	}
	lines = append(lines, present.Line{Rank: blank})
	lines = append(lines, present.Rows(0, m.statusLines(w)...)...)
	lines = append(lines, present.Line{Rank: blank})
	lines = append(lines, present.Rows(0, m.polling(w)...)...)
	return present.FitHeight(h, lines)
}

// facts are the reference and the amount.
func (m *Model) facts(w int) []string {
	lines := []string{m.row("Reference", string(m.reference), w)}
	if !m.state.OtherReference.Empty() {
		lines = append(lines, m.row("Reported as", m.state.OtherReference.Line(max(w-labelWidth, 1)), w))
	}
	lines = append(lines, m.row("Amount", m.amount(w-labelWidth), w))
	if m.state.Amount.Mismatch != "" {
		lines = append(lines, m.mismatch(w)...)
	}
	return lines
}

func (m *Model) row(label, value string, w int) string {
	return ui.Fit(m.theme.Muted.Render(ui.Fit(label, labelWidth))+value, w)
}

// amount is the reported amount, or else the requested one.
func (m *Model) amount(w int) string {
	a := m.state.Amount
	switch {
	case a.Has:
		return a.Reported.String()
	case !a.Text.Empty():
		return a.Text.Line(max(w-12, 1)) + m.theme.Muted.Render(" (raw)")
	case m.ours:
		return m.entry.Requested.String() + m.theme.Muted.Render(" (requested; not reported yet)")
	}
	return m.theme.Muted.Render("not reported yet")
}

// mismatch stays on the screen after it was acknowledged.
func (m *Model) mismatch(w int) []string {
	var lines []string
	for _, l := range ui.Wrap("Amount mismatch: "+m.state.Amount.Mismatch+".", max(w-2, 1)) {
		lines = append(lines, m.theme.Error.Render("! "+l))
	}
	if m.state.Amount.Unacknowledged() {
		lines = append(lines, m.theme.Strong.Render("  Stop here. Press y to acknowledge it."))
	}
	return lines
}

func (m *Model) paidBy() string {
	if !m.ours {
		return ""
	}
	words := []string{m.entry.Channel}
	if m.flow.IsTransfer() {
		words[0] = "Transfer"
	}
	if m.entry.Masked != "" {
		words = append(words, m.entry.Masked)
	}
	if m.entry.Link != "" {
		words = append(words, "through the link "+string(m.entry.Link))
	}
	return strings.Join(words, " ")
}

// statusLines are the status, what it means and what to do about it.
func (m *Model) statusLines(w int) []string {
	h := &m.state.History
	if !h.Any {
		return []string{m.theme.Strong.Render("No status yet")}
	}
	lines := []string{m.theme.Strong.Render(present.Status(m.theme, h.Shown))}
	if h.Doubted() {
		return append(lines, m.contradiction(w)...)
	}
	means, action := present.Meaning(h.Shown)
	for _, words := range []string{means, action} {
		lines = append(lines, ui.Wrap(words, w)...)
	}
	if next := m.next(); next != "" {
		lines = append(lines, m.theme.Accent.Render("→ ")+next)
	}
	return lines
}

// contradiction flags a status that was reported after a final one.
func (m *Model) contradiction(w int) []string {
	now := "The service has since reported a different status."
	if m.state.History.Contradicted() {
		now = "The service now reports: " + present.Word(m.state.History.Last) + "."
	}
	words := now + " A final status must not change: act on neither until the provider has clarified it."
	var lines []string
	for _, l := range ui.Wrap(words, max(w-2, 1)) {
		lines = append(lines, m.theme.Error.Render("! "+l))
	}
	return lines
}

// next is the next step, with its key.
func (m *Model) next() string {
	f := m.flow
	if !m.ours || f.State().Final() {
		return ""
	}
	switch {
	case f.Next() == flow.Finalize:
		return "This link payment must be finalized: press f."
	case f.Next() != flow.Authorise:
		return ""
	case f.IsTransfer():
		return "The customer must make the transfer: press t for the account."
	}
	return "The customer must complete the bank check: press a."
}

// history is the changes of the status, newest first, in at most h lines.
func (m *Model) history(w, h int) []string {
	all := m.state.History.Changes
	if len(all) == 0 {
		return nil
	}
	lines := []string{m.theme.Muted.Render("History")}
	for i := len(all) - 1; i >= 0 && len(lines) < h; i-- {
		lines = append(lines, ui.Fit(m.change(all[i], w), w))
	}
	return lines
}

// sources name where a change comes from.
var sources = map[watch.Source]string{watch.FromInitiation: "initiation", watch.FromStatus: "check", watch.FromFinalize: "finalize"}

func (m *Model) change(c watch.Change, w int) string {
	at := "earlier "
	if !c.At.IsZero() {
		at = present.Clock(c.At)
	}
	word := "  finalized"
	if c.Source != watch.FromFinalize {
		word = present.Status(m.theme, c.Status)
	}
	from := m.theme.Muted.Render(sources[c.Source])
	if c.Wrong {
		from = m.theme.Error.Render(sources[c.Source] + ", after final")
	}
	const around = 30 // the time, the longest source and the gaps
	return m.theme.Muted.Render(at) + "  " + ui.Fit(word, min(max(w-around, 17), 36)) + "  " + from
}
