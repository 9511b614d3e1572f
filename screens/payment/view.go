package payment

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/screens/show"
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
	left := m.body(m.w-sideWidth-2, m.h-len(lines))
	right := m.seen(sideWidth, m.h-len(lines))
	for i := range max(len(left), len(right)) {
		line := ""
		if i < len(left) {
			line = left[i]
		}
		if i < len(right) {
			line = ui.Fit(line, m.w-sideWidth-2) + "  " + right[i]
		}
		lines = append(lines, line)
	}
	return ui.Lines(m.w, m.h, lines...)
}

func (m *Model) status(w, h int) []string {
	lines := m.stepper(w)
	return append(lines, m.body(w, h-len(lines))...)
}

// stepper is there for payments of this console.
func (m *Model) stepper(w int) []string {
	if !m.mine {
		return nil
	}
	f := m.flow()
	return []string{show.Stepper(m.theme, w, f.IsTransfer(), show.At(f)), ""}
}

// body is everything but the stepper and the history, in w cells. Blank lines go first
// when there are more than h lines.
func (m *Model) body(w, h int) []string {
	lines := m.facts(w)
	lines = append(lines, "")
	lines = append(lines, m.verdict(w)...)
	lines = append(lines, "")
	lines = append(lines, m.asking(w)...)
	if len(lines) > h {
		full := lines[:0]
		for _, l := range lines {
			if l != "" {
				full = append(full, l)
			}
		}
		lines = full
	}
	return lines
}

// facts are the reference, the amount and how it is paid.
func (m *Model) facts(w int) []string {
	lines := []string{m.row("Reference", string(m.reference), w), m.row("Amount", m.sum(w-labelWidth), w)}
	if m.amount.wrong != "" {
		lines = append(lines, m.mismatch(w)...)
	}
	if paid := m.paidBy(); paid != "" {
		lines = append(lines, m.row("Paid by", paid, w))
	}
	return lines
}

func (m *Model) row(label, value string, w int) string {
	return ui.Fit(m.theme.Muted.Render(ui.Fit(label, labelWidth))+value, w)
}

// sum is the amount as the service says it, else as it was asked.
func (m *Model) sum(w int) string {
	a := m.amount
	switch {
	case a.has:
		return a.said.String()
	case !a.asItCame.Empty():
		return a.asItCame.Line(max(w-12, 1)) + m.theme.Muted.Render(" (as it came)")
	case m.mine:
		return m.entry.Asked.String() + m.theme.Muted.Render(" (asked; not told yet)")
	}
	return m.theme.Muted.Render("not told yet")
}

// mismatch is loud until somebody has said to have seen it, and stays after that.
func (m *Model) mismatch(w int) []string {
	var lines []string
	for _, l := range ui.Wrap("Amount mismatch: "+m.amount.wrong+".", max(w-2, 1)) {
		lines = append(lines, m.theme.Error.Render("! "+l))
	}
	if m.amount.open() {
		lines = append(lines, m.theme.Strong.Render("  Do not go on. Press y to say that you have seen it."))
	}
	return lines
}

func (m *Model) paidBy() string {
	if !m.mine {
		return ""
	}
	words := []string{m.entry.Channel}
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
	s, told := m.history.shown()
	if !told {
		return []string{m.theme.Strong.Render("No status yet")}
	}
	lines := []string{m.theme.Strong.Render(show.Status(m.theme, s))}
	if m.history.doubted() {
		return append(lines, m.contradiction(w)...)
	}
	means, action := show.Meaning(s)
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
	if m.history.contradicted() {
		now = "Now the service says: " + show.Word(m.history.last) + "."
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
	f := m.flow()
	if !m.mine || f.State().Final() {
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

// asking is how the asking stands: the last answer and the next question, and what
// went wrong with the last one.
func (m *Model) asking(w int) []string {
	lines := []string{ui.Fit(m.coming()+m.theme.Muted.Render(" · ")+m.answer(), w)}
	if m.watch.err != nil {
		lines = append(lines, m.trouble(w)...)
	}
	if why := m.resting(); why != "" {
		lines = append(lines, ui.Wrap(why, w)...)
	}
	return lines
}

// answer is how old the last answer is. It stands at the end of its line: when the
// age changes, nothing else on the screen does. What changes has no colour, which would be
// sent with it each time.
func (m *Model) answer() string {
	v := &m.watch
	switch {
	case v.at.IsZero():
		return "no answer yet"
	case m.watch.rest == settled && v.err == nil:
		return "last answer " + show.Clock(v.at)
	case v.now.IsZero():
		return "last answer " + show.Clock(v.at)
	}
	ago := agoWords(age(v.at, v.now))
	if v.stale() {
		return m.theme.Mark(ui.ToneAct, "stale:") + " last answer " + show.Clock(v.at) + " (" + ago + ")"
	}
	return "last answer " + ago
}

func agoWords(d time.Duration) string {
	if d < time.Second {
		return "now"
	}
	return show.Age(d) + " ago"
}

// coming is when the next question comes.
func (m *Model) coming() string {
	switch {
	case m.asked.Pending():
		return "Asking…"
	case m.watch.rest == settled:
		return "Final, not asked any more"
	case m.watch.rest == paused:
		return "Paused, p goes on"
	case m.watch.rest != watching:
		return "Not asked any more"
	}
	return "Next question at " + show.Clock(m.watch.due)
}

// resting says why nothing is asked any more, and the key that asks again.
func (m *Model) resting() string {
	switch m.watch.rest {
	case tooLong:
		return "Watched long enough: still " + m.stillWord() + ", press r to ask and watch on."
	case refused:
		return "Asking has stopped: check the secret key, then press r."
	case unknown:
		return "Asking has stopped: r asks once more, l looks up another."
	}
	if code, _ := answerOf(m.watch.err); code == 404 {
		return "A payment just made may not be known yet; asking goes on."
	}
	return ""
}

// stillWord is "pending", unless another status was told.
func (m *Model) stillWord() string {
	if s, told := m.history.shown(); told && s.State != api.Pending {
		return "not final"
	}
	return "pending"
}

// trouble is what went wrong with the last question.
func (m *Model) trouble(w int) []string {
	t := show.Error(m.watch.err, show.Reading)
	words := strings.TrimSpace(t.What + " " + t.Done)
	if m.watch.rest != watching {
		words = strings.TrimSpace(words + " " + t.Next)
	}
	var lines []string
	for _, l := range ui.Wrap(words, max(w-2, 1)) {
		lines = append(lines, m.theme.Error.Render("! "+l))
	}
	if t.Detail != "" {
		lines = append(lines, m.theme.Muted.Render("│ ")+ansi.Truncate(t.Detail, max(w-2, 0), "…"))
	}
	return lines
}

// seen is the history, newest first, in at most h lines.
func (m *Model) seen(w, h int) []string {
	if len(m.history.changes) == 0 {
		return nil
	}
	lines := []string{m.theme.Muted.Render("Seen")}
	for i := len(m.history.changes) - 1; i >= 0 && len(lines) < h; i-- {
		lines = append(lines, ui.Fit(m.change(m.history.changes[i], w), w))
	}
	return lines
}

func (m *Model) change(c change, w int) string {
	at := "earlier "
	if !c.at.IsZero() {
		at = show.Clock(c.at)
	}
	word := "  " + c.word
	if c.word == "" {
		word = show.Status(m.theme, c.status)
	}
	from := m.theme.Muted.Render(string(c.from))
	if c.wrong {
		from = m.theme.Error.Render(string(c.from) + ", after final")
	}
	const around = 30 // the time, the source at its longest, and what parts them
	return m.theme.Muted.Render(at) + "  " + ui.Fit(word, min(max(w-around, 17), 36)) + "  " + from
}

// parse reads a status word of the specification.
func parse(word string) api.Status { return api.ParseStatus(word) }

// timeNow is a command's look at the clock.
func timeNow(context.Context) (time.Time, error) { return time.Now(), nil }
