package inbox

import (
	"net/url"
	"path"
	"strings"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"paydesk/screens/present"
	"paydesk/ui"
)

// receiverLines say where webhooks are received, unless nothing has arrived, of which more is said below; and that the file was damaged.
func (m *Model) receiverLines(w int) []string {
	if m.off() {
		return nil
	}
	var lines []string
	if m.Count() > 0 || !m.Query().Empty() {
		lines = append(lines, m.receiverLine(w))
	}
	if to := m.found.Replaced; to != "" {
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, "The inbox was damaged. It was saved as "+present.Plain(to)+", and a new one was started.", w)...)
	}
	return lines
}

// receiverLine says where webhooks are received, and how many were dropped.
func (m *Model) receiverLine(w int) string {
	words := "not listening"
	switch at := m.options.Receiver(); {
	case at.URL != "":
		words = "listening on " + shortURL(at.URL)
	case at.Elsewhere != "":
		words = present.Plain(at.Elsewhere)
	case at.Why != "":
		words += ": " + present.Plain(at.Why)
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

// none says why there are no events, and the key that may change that, if there is one.
func (m *Model) none() (string, key.Binding) {
	at := m.options.Receiver()
	switch {
	case m.off():
		return "There is no inbox for this profile. " + m.options.Off, key.Binding{}
	case !m.Query().Empty():
		return "", key.Binding{}
	case at.URL != "" && m.options.Wired:
		return "No webhook has arrived yet. The sandbox sends one for each payment that becomes final, and samples (W).", ui.Bind("f3", "sandbox")
	case at.URL != "":
		return "No webhook has arrived yet. Give the service the URL at which paydesk listens: " + shortURL(at.URL), ui.Bind("Y", "copy the whole URL")
	}
	words := "No webhook has arrived yet."
	switch {
	case at.Elsewhere != "":
		words += " " + present.Plain(at.Elsewhere)
	case at.Why != "":
		words = "No webhook has arrived yet, and this console does not listen. " + present.Plain(at.Why)
	}
	return words, key.Binding{}
}
