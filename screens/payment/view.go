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
	labelWidth = 12
	wide       = 100 // from here on the history stands beside the rest
	sideWidth  = 50  // of the history then
	leastSeen  = 2   // lines the history keeps in a low window: its title and the newest
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
	lines := m.status(m.w, m.h-leastSeen-1)
	if room := m.h - len(lines) - 1; room >= leastSeen {
		lines = append(append(lines, ""), m.seen(m.w, room)...)
	}
	return ui.Lines(m.w, m.h, lines...), nil
}

func (m *Model) viewPrompt() (string, *tea.Cursor) {
	lines := ui.Wrap("Which payment? Its status is asked for and shown; nothing is changed.", m.w)
	lines = append(lines, "")
	body, cursor := m.prompt.form.View(m.w, max(m.h-len(lines), 0))
	if cursor != nil {
		cursor.Y += len(lines)
	}
	return ui.Lines(m.w, m.h, append(lines, body)...), cursor
}

// viewWide has the history beside the rest, under the stepper.
func (m *Model) viewWide() string {
	lines := m.stepper(m.w)
	h, left := m.h-len(lines), m.w-sideWidth-2
	lines = append(lines, present.SideBySide(left, m.body(left, h), m.seen(sideWidth, h))...)
	return ui.Lines(m.w, m.h, lines...)
}

func (m *Model) status(w, h int) []string {
	lines := m.stepper(w)
	return append(lines, m.body(w, h-len(lines))...)
}

// stepper is there for payments of this console.
func (m *Model) stepper(w int) []string {
	if !m.ours {
		return nil
	}
	f := m.happened
	return []string{present.Progress(m.theme, w, f, present.At(f)), ""}
}

// body is everything but the stepper and the history, in w cells. Blank lines go first
// when there are more than h lines.
func (m *Model) body(w, h int) []string {
	const blank, lesser = 2, 1
	lines := present.Rows(0, m.facts(w)...)
	if paid := m.paidBy(); paid != "" {
		lines = append(lines, present.Line{Text: m.row("Paid by", paid, w), Rank: lesser})
	}
	lines = append(lines, present.Line{Rank: blank})
	lines = append(lines, present.Rows(0, m.verdict(w)...)...)
	lines = append(lines, present.Line{Rank: blank})
	lines = append(lines, present.Rows(0, m.polling(w)...)...)
	return present.FitHeight(h, lines)
}

// facts are the reference and the amount.
func (m *Model) facts(w int) []string {
	lines := []string{m.row("Reference", string(m.reference), w)}
	if !m.state.OtherReference.Empty() {
		lines = append(lines, m.row("Answered as", m.state.OtherReference.Line(max(w-labelWidth, 1)), w))
	}
	lines = append(lines, m.row("Amount", m.sum(w-labelWidth), w))
	if m.state.Amount.Mismatch != "" {
		lines = append(lines, m.mismatch(w)...)
	}
	return lines
}

func (m *Model) row(label, value string, w int) string {
	return ui.Fit(m.theme.Muted.Render(ui.Fit(label, labelWidth))+value, w)
}

// sum is the amount as the service says it, else as it was asked.
func (m *Model) sum(w int) string {
	a := m.state.Amount
	switch {
	case a.Has:
		return a.Reported.String()
	case !a.Text.Empty():
		return a.Text.Line(max(w-12, 1)) + m.theme.Muted.Render(" (as it came)")
	case m.ours:
		return m.entry.Requested.String() + m.theme.Muted.Render(" (asked; not told yet)")
	}
	return m.theme.Muted.Render("not told yet")
}

// mismatch is loud until somebody has said to have seen it, and stays after that.
func (m *Model) mismatch(w int) []string {
	var lines []string
	for _, l := range ui.Wrap("Amount mismatch: "+m.state.Amount.Mismatch+".", max(w-2, 1)) {
		lines = append(lines, m.theme.Error.Render("! "+l))
	}
	if m.state.Amount.Unacknowledged() {
		lines = append(lines, m.theme.Strong.Render("  Do not go on. Press y to say that you have seen it."))
	}
	return lines
}

func (m *Model) paidBy() string {
	if !m.ours {
		return ""
	}
	words := []string{m.entry.Channel}
	if m.happened.IsTransfer() {
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

// verdict is the status, what it means and what to do about it.
func (m *Model) verdict(w int) []string {
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

// contradiction flags what was told after a final status.
func (m *Model) contradiction(w int) []string {
	now := "The service has said something else since then."
	if m.state.History.Contradicted() {
		now = "Now the service says: " + present.Word(m.state.History.Last) + "."
	}
	words := now + " A final status does not go back: act on neither before the service has cleared it up."
	var lines []string
	for _, l := range ui.Wrap(words, max(w-2, 1)) {
		lines = append(lines, m.theme.Error.Render("! "+l))
	}
	return lines
}

// next is the step that is left, with its key.
func (m *Model) next() string {
	f := m.happened
	if !m.ours || f.State().Final() {
		return ""
	}
	switch {
	case f.Next() == flow.Finalize:
		return "This payment of a link must be finalized: press f."
	case f.Next() != flow.Authorise:
		return ""
	case f.IsTransfer():
		return "The customer has to make the transfer: press t for the account."
	}
	return "The customer has to complete the bank's check: press a."
}

// seen is the history, newest first, in at most h lines.
func (m *Model) seen(w, h int) []string {
	all := m.state.History.Changes
	if len(all) == 0 {
		return nil
	}
	lines := []string{m.theme.Muted.Render("Seen")}
	for i := len(all) - 1; i >= 0 && len(lines) < h; i-- {
		lines = append(lines, ui.Fit(m.change(all[i], w), w))
	}
	return lines
}

// sources are the words for where a change comes from.
var sources = map[watch.Source]string{watch.FromInitiation: "initiation", watch.FromStatus: "asked", watch.FromFinalize: "finalize"}

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
	const around = 30 // the time, the source at its longest, and what parts them
	return m.theme.Muted.Render(at) + "  " + ui.Fit(word, min(max(w-around, 17), 36)) + "  " + from
}
