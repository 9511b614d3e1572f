package inbox

import (
	"net/url"
	"path"
	"strings"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/webhook"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// receiverLines say where webhooks are received, and that the file was damaged.
func (m *Model) receiverLines(w int) []string {
	if m.off() {
		return nil
	}
	lines := []string{m.receiverLine(w)}
	if to := m.found.Replaced; to != "" {
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, "The inbox was damaged. It was saved as "+present.Plain(to)+", and a new one was started.", w)...)
	}
	return lines
}

// receiverLine says where webhooks are received, and how many were dropped.
func (m *Model) receiverLine(w int) string {
	words := "not listening"
	switch {
	case m.receiver.URL != "":
		words = "listening on " + shortURL(m.receiver.URL)
	case m.receiver.Elsewhere != "":
		words = present.Plain(m.receiver.Elsewhere)
	case m.receiver.Why != "" && m.Count() > 0: // else it is said below
		words += ": " + present.Plain(m.receiver.Why)
	}
	full := ""
	if n := m.found.Dropped; n > 0 {
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

// says counts the events that the service contradicts.
func (m *Model) says() string {
	if n := m.found.Disagree; n > 0 && m.Query().Empty() {
		return " · " + m.Theme.Mark(ui.ToneBad, disagree(n))
	}
	return ""
}

func disagree(n int) string {
	if n == 1 {
		return "1 disagrees"
	}
	return present.Thousands(n) + " disagree"
}

// none says why there are no events, and the key that may change that.
func (m *Model) none() (string, key.Binding) {
	switch {
	case m.off():
		return "There is no inbox for this profile. " + m.options.Off, key.Binding{}
	case !m.Query().Empty():
		return "", key.Binding{}
	case m.receiver.URL != "" && m.options.Wired:
		return "No webhook has arrived yet. The sandbox sends one for each payment that becomes final, and samples (f3, W).", ui.Help
	case m.receiver.URL != "":
		return "No webhook has arrived yet. Give the service the URL at which paydesk listens: " + shortURL(m.receiver.URL), ui.Bind("Y", "copy the whole URL")
	}
	words := "No webhook has arrived yet."
	switch {
	case m.receiver.Elsewhere != "":
		words += " " + present.Plain(m.receiver.Elsewhere)
	case m.receiver.Why != "":
		words = "No webhook has arrived yet, and this console does not listen. " + present.Plain(m.receiver.Why)
	}
	return words, ui.Help
}

// paneLines are an event beside the list, or the beginning of it below.
func (m *Model) paneLines(_ webhook.Record, w, h int) []string {
	r := m.pane.Record
	if !m.Beside() {
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
