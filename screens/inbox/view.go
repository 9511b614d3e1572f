package inbox

import (
	"net/url"
	"path"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/webhook"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch {
	case m.W < 1 || m.H < 1:
		return "", nil
	case m.off():
		return ui.Lines(m.W, m.H, append([]string{m.Theme.Strong.Render("There is no inbox for this profile"), ""}, ui.Wrap(m.options.Off, m.W)...)...), nil
	}
	lines, cursor := m.head()
	if len(m.list.rows) == 0 {
		return ui.Lines(m.W, m.H, append(lines, m.empty(m.H-len(lines))...)...), cursor
	}
	return m.panes.View(strings.Join(append(lines, m.list.table.View()), "\n"), m.paneLines), cursor
}

// head is above the table: where webhooks are received, how many there are, and the search while it is typed.
func (m *Model) head() ([]string, *tea.Cursor) {
	w, h := m.listSize()
	lines := []string{m.receiverLine(w), m.position(w)}
	if to := m.list.found.Replaced; to != "" {
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, "The inbox was damaged. It was saved as "+present.Plain(to)+", and a new one was started.", w)...)
	}
	if m.list.problem != "" {
		lines = append(lines, m.Theme.ErrorLines(m.list.problem, w)...)
	}
	if !m.filter.Typing {
		return lines, nil
	}
	return m.filter.View(lines, w, h)
}

// listSize is the room of the list, with what is above it: all of it where there is nothing to list.
func (m *Model) listSize() (w, h int) {
	if len(m.list.rows) == 0 {
		return m.W, m.H
	}
	return m.panes.ListSize()
}

// receiverLine says where webhooks are received, and how many were dropped.
func (m *Model) receiverLine(w int) string {
	words := "not listening"
	switch {
	case m.receiver.URL != "":
		words = "listening on " + shortURL(m.receiver.URL)
	case m.receiver.Elsewhere != "":
		words = present.Plain(m.receiver.Elsewhere)
	case m.receiver.Why != "" && len(m.list.rows) > 0: // else it is said below
		words += ": " + present.Plain(m.receiver.Why)
	}
	full := ""
	if n := m.list.found.Dropped; n > 0 {
		full = " · full: " + present.Thousands(int(n)) + " dropped"
	}
	words = strings.TrimRight(ui.Fit(words, w-ansi.StringWidth(full)), " ")
	return m.Theme.Muted.Render(words) + full
}

// shortURL is the URL of a receiver without its secret.
func shortURL(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "a URL that cannot be read"
	}
	return present.Plain(u.Host + path.Dir(u.Path) + "/…")
}

// position returns how many events there are, what was searched for, and whether the list follows what arrives.
func (m *Model) position(w int) string {
	l := &m.list
	if !l.loaded {
		if l.problem != "" {
			return "Nothing loaded yet."
		}
		return m.Theme.WaitLines(nil, "Reading the inbox", w)[0]
	}
	words := m.Theme.Strong.Render(m.count(w))
	if n := l.found.Disagree; n > 0 && m.filter.Value() == "" {
		words += " · " + m.Theme.Mark(ui.ToneBad, disagree(n))
	}
	if state := m.following(); state != "" {
		words += m.Theme.Muted.Render(" · " + state)
	}
	return ui.Fit(words, w)
}

func disagree(n int) string {
	if n == 1 {
		return "1 disagrees"
	}
	return present.Thousands(n) + " disagree"
}

// count returns how many events there are, or how many of them a search found.
func (m *Model) count(w int) string {
	l := &m.list
	total := present.Count(l.found.Total, "event", "events")
	if m.filter.Value() == "" {
		return total
	}
	found := present.Thousands(len(l.rows))
	if l.more {
		found += " or more"
	}
	words := found + " of " + total
	if m.filter.Typing {
		return words
	}
	const room = 24 // for whether the list follows
	return words + ": " + strings.TrimRight(ui.Fit(present.Plain(m.filter.Value()), max(w-len(words)-room, 8)), " ")
}

// following says whether the list follows what arrives, and what arrived since it does not.
func (m *Model) following() string {
	l := &m.list
	switch n := present.Thousands(l.newer); {
	case len(l.rows) == 0:
		return ""
	case l.follow:
		return "following"
	case l.most:
		return "paused, " + n + " or more new"
	case l.newer > 0:
		return "paused, " + n + " new"
	}
	return "paused"
}

// empty returns what there is instead of rows.
func (m *Model) empty(h int) []string {
	switch {
	case !m.list.loaded:
		return nil
	case m.filter.Value() != "":
		clears := ui.ClearFilter
		clears.SetEnabled(m.filter.Value() != m.options.Query)
		return m.Theme.Invite("No event matches the search.", clears, m.W, h)
	case m.receiver.URL != "" && m.options.Wired:
		return m.Theme.Invite("No webhook has arrived yet. The sandbox sends one for each payment that becomes final, and samples (f3, W).", ui.Help, m.W, h)
	case m.receiver.URL != "":
		return m.Theme.Invite("No webhook has arrived yet. Give the service the URL at which paydesk listens: "+shortURL(m.receiver.URL), ui.Bind("Y", "copy the whole URL"), m.W, h)
	}
	words := "No webhook has arrived yet."
	switch {
	case m.receiver.Elsewhere != "":
		words += " " + present.Plain(m.receiver.Elsewhere)
	case m.receiver.Why != "":
		words = "No webhook has arrived yet, and this console does not listen. " + present.Plain(m.receiver.Why)
	}
	return m.Theme.Invite(words, ui.Help, m.W, h)
}

// paneLines are an event beside the list, or the beginning of it below.
func (m *Model) paneLines(_, w, h int) []string {
	r, some := m.shown()
	switch {
	case !some && m.panes.Beside():
		return nil
	case !some:
		return []string{m.Theme.Rule("", "", w)}
	case !m.panes.Beside():
		return m.preview(r, w)
	}
	lines := append([]string{m.Theme.Rule(report.EventName(r.WebhookEvent), "", w)}, m.about(r, w)...)
	if len(lines) > h {
		return lines[:h]
	}
	return append(lines, m.bodyStart(w, h-len(lines))...)
}

// bodyStart is the beginning of the body in the lines that the rest of the pane leaves.
func (m *Model) bodyStart(w, h int) []string {
	const least = 5
	if h < least {
		return nil
	}
	body := m.bodyLines(&m.pane.body, w, h-1)
	if len(body) == 0 {
		return nil
	}
	if len(body) > h-2 {
		body = append(body[:h-3], m.Theme.Muted.Render("…"))
	}
	return append([]string{"", m.Theme.Rule(bodyTitle(m.pane.Record), "", w)}, body...)
}

// preview is an event in the few lines below the list.
func (m *Model) preview(r webhook.Record, w int) []string {
	says := strings.TrimSpace(report.Claim(r.WebhookEvent) + " " + report.ClaimedAmount(r.WebhookEvent))
	if says == "" {
		says = "nothing to ask about"
	}
	answer := m.answered(r)
	switch a := r.Answer; {
	case a.NotFound:
		answer = report.NoSuchPayment
	case a.Problem != "" && !a.Status.State.Final():
		answer = "no answer"
	case !a.At.IsZero():
		answer = present.Status(m.Theme, a.Status)
		if a.Mismatch {
			answer = m.Theme.MarkLines(ui.ToneMismatch, mismatched(a), w)[0]
		}
		if a.HasAmount {
			answer += " " + a.Amount.String()
		}
	}
	lines := []string{
		m.Theme.Rule(report.EventName(r.WebhookEvent)+" · "+report.EventReference(r), "enter: all of it", w),
		ui.Fit(m.Theme.Muted.Render("service: ")+answer+m.Theme.Muted.Render("   event (unverified): ")+says, w),
	}
	if r.Masked {
		return append(lines, m.Theme.MarkLines(ui.ToneAct, report.EventMasked, w)...)
	}
	return append(lines, ui.Wrap(m.advice(r), w)...)
}

// layout gives the table the height that the rest leaves, and lays out the open event.
func (m *Model) layout() {
	m.panes.Resize(m.W, m.H)
	head, _ := m.head()
	w, h := m.listSize()
	m.list.table.Resize(w, max(h-len(head), 0))
	if m.opened != nil {
		m.opened.screen.Layout()
	}
}
