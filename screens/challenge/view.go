package challenge

import (
	"net/netip"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	label = 14 // cells of the column of labels
	gap   = 2  // cells before the code
	least = 60 // cells of the facts beside the code

	farthest = 90 // cells before the code, in any window
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	var head []present.Line
	if m.known {
		head = append(present.Rows(5, present.Progress(m.Theme, m.W, m.flow, present.StageAuthorise)), present.Rows(9, "")...)
		head = append(head, present.Rows(3, m.headline()...)...)
		head = append(head, present.Rows(9, "")...)
		head = append(head, present.Rows(0, present.MismatchLines(m.Theme, m.entry.Mismatch, m.entry.Asked(), m.W)...)...)
	}
	head = append(head, m.viewURL()...)
	code, codeW := m.code.Beside()
	if len(code) > 0 && m.W >= least+gap+codeW && m.H >= len(head)+len(code) {
		left := min(m.W-codeW-gap, farthest)
		facts := present.FitHeight(m.H-len(head), m.facts(left))
		top := present.FitHeight(m.H, head)
		return ui.Lines(m.W, m.H, append(top, present.SideBySide(left, facts, code)...)...), nil
	}
	return ui.Lines(m.W, m.H, present.FitHeight(m.H, append(head, m.facts(m.W)...))...), nil
}

// viewURL is the whole URL at the left edge, so that a terminal can select it.
func (m *Model) viewURL() []present.Line {
	t := m.Theme
	if !m.url.IsZero() {
		does := "The customer opens this URL and authenticates"
		if !m.flow.MayBeCard() {
			does = "The customer opens this URL and approves the payment"
		}
		lines := present.Rows(8, t.Rule(does, "", m.W))
		lines = append(lines, present.Rows(0, t.URLLines(m.url.String(), m.W)...)...)
		return append(lines, present.Rows(9, "")...)
	}
	lines := m.Theme.MutedLines(m.withoutURL(), m.W)
	if refused := m.entry.Payment().BankAuthRefused; !refused.Empty() {
		p := present.Problem{What: "The service returned a URL that is not safe to use:", Detail: refused.Line(200)}
		lines = p.Lines(t, m.W)
	}
	return append(present.Rows(0, lines...), present.Rows(9, "")...)
}

// withoutURL says what a payment has in place of a bank URL.
func (m *Model) withoutURL() string {
	switch {
	case m.entry.Mismatch.Undecided():
		return "The customer should authorise nothing now. " + present.MismatchFirst
	case m.inDoubt():
		return "It was decided that this is not our payment: the customer should authorise nothing."
	case !m.known:
		return "This payment was made elsewhere: its bank URL is not known here. a checks again whether authentication is needed; s watches the payment."
	case m.flow.MayBeCard():
		return "This payment has no bank URL. Check whether authentication is needed (a), or watch the payment (s)."
	case m.flow.Channel() == api.ChannelInterac:
		return "This payment has no URL to open. Interac sends the customer a request by e-mail, which they approve. Watch the payment (s)."
	}
	return "This payment has no URL to open. The customer approves it at their bank. Watch the payment (s)."
}

// facts are the rest of the payment and the result of the check. The host has a line of its own,
// because it decides whether to trust a URL.
func (m *Model) facts(w int) []present.Line {
	var lines []present.Line
	if !m.url.IsZero() {
		lines = present.Rows(0, m.fact("Host", m.Theme.Strong.Render(m.url.Host())))
		if port := loopbackPort(m.url.Host()); port > 0 {
			lines = append(lines, m.viewTunnel(port)...)
		}
	}
	if value, has := m.url.Redirect(); has {
		words := "false: window closes (iframe, modal) (tab)"
		if value {
			words = "true: then on to the return URL (tab)"
		}
		lines = append(lines, present.Rows(1, m.fact("Redirect", words))...)
	}
	if m.known {
		if words := present.Quote(m.entry.Payment().Message); words != "" && m.answer == nil {
			lines = append(lines, present.Rows(8, m.Theme.FactLines("Message", words, label, w)...)...)
		}
	}
	lines = append(lines, present.Rows(6, m.fact("Reference", m.reference.String()))...)
	return append(lines, m.viewCheck(w)...)
}

// viewCheck is the result of the authentication check, and the page that came with it.
func (m *Model) viewCheck(w int) []present.Line {
	a, t, room := m.answer, m.Theme, max(w-label, 1)
	lines := append(present.Rows(9, ""), present.Rows(8, t.Rule("Authentication check", "", w))...)
	switch {
	case m.check.Pending():
		return append(lines, present.Rows(0, t.WaitLines(m.check.Wait(), "Checking whether authentication is needed", w)...)...)
	case !m.problem.IsZero():
		return append(lines, present.Rows(0, m.problem.Lines(t, w)...)...)
	case a == nil:
		return m.viewHint(w)
	}
	lines = append(lines, present.Rows(0, m.fact("Needed", needed(a)))...)
	lines = append(lines, present.Rows(2, m.fact("Advice", a.Recommendation.Prose(room)))...)
	lines = append(lines, present.Rows(3, m.viewMessage(w)...)...)
	if words := checkStatus(a); words != "" {
		lines = append(lines, present.Rows(4, m.fact("Check says", words))...)
	}
	for _, f := range a.Further {
		lines = append(lines, present.Rows(5, m.fact("Further", f.Prose(room)))...)
	}
	lines = append(lines, present.Rows(1, m.fact("Bank page", m.markup))...)
	switch {
	case a.Page.IsZero():
	case m.page != nil:
		lines = append(lines, present.Rows(0, "Served once, for ten minutes:", m.page.Address())...)
		lines = append(lines, m.viewTunnel(m.page.Port())...)
		if others := m.browser.Unguarded; others != "" {
			lines = append(lines, present.Rows(1, t.MutedLines(others, m.W)...)...)
		}
	case m.pageEnd != "":
		lines = append(lines, present.Rows(1, m.Theme.MutedLines(m.pageEnd, m.W)...)...)
	default:
		lines = append(lines, present.Rows(1, m.Theme.MutedLines("It needs a browser: o serves it once on this machine.", m.W)...)...)
	}
	return lines
}

// headline is the amount and the status, which depends on the time for transfers alone.
func (m *Model) headline() []string {
	e := m.entry
	status := present.PaymentCell(e.Status, e.Mismatch, e.Circumstances(m.since), e.Flow())
	return present.AmountAndStatus(m.Theme, e.Asked(), present.PaidBy(e.Masked(), e.Channel), status, m.W)
}

// messageRows are the rows that the message of the check may take.
const messageRows = 4

// viewMessage returns what the service says about the check, in its own words.
func (m *Model) viewMessage(w int) []string {
	words := present.Quote(m.answer.Message)
	if words == "" {
		return []string{m.fact("Message", "")}
	}
	lines := m.Theme.FactLines("Message", words, label, w)
	if len(lines) > messageRows {
		lines = append(lines[:messageRows-1], ui.Fit(lines[messageRows-1]+" …", w))
	}
	return lines
}

// checkStatus is the status of the check, which is not that of the payment, and its code.
func checkStatus(a *api.Authentication) string {
	words := a.Status.Line(0)
	if !a.Code.Empty() {
		words = strings.TrimPrefix(words+" · code "+a.Code.Line(20), " · ")
	}
	return words
}

// viewTunnel shows how a person connected over SSH reaches a port of this host.
func (m *Model) viewTunnel(port int) []present.Line {
	if m.browser.Tunnel == nil || m.browser.Tunnel(port) == "" {
		return nil
	}
	return present.Rows(0, m.Theme.Muted.Render("First run on your own machine:"), m.browser.Tunnel(port))
}

// loopbackPort is the port if host is an address of this machine, as in the demo, else 0.
func loopbackPort(host string) int {
	at, err := netip.ParseAddrPort(host)
	if err != nil || !at.Addr().IsLoopback() {
		return 0
	}
	return int(at.Port())
}

// viewHint names the keys that the help bar may have no room for. Without a URL the text above does.
func (m *Model) viewHint(w int) []present.Line {
	if m.url.IsZero() || m.whyNotCheck() != "" {
		return nil
	}
	hint := m.Theme.MutedLines("Check whether authentication is needed (a), or watch the payment (s).", w)
	return append(present.Rows(9, ""), present.Rows(8, hint...)...)
}

// needed returns whether the bank must authenticate the payment. A response that leaves it out says
// neither yes nor no.
func needed(a *api.Authentication) string {
	switch {
	case !a.HasEnabled:
		return "the response does not say"
	case a.Enabled:
		return "yes"
	}
	return "no"
}

// Whole implements [ui.Filler].
func (m *Model) Whole() (ui.Whole, bool) { return m.whole(), m.codeOnly }

// whole is the code in the whole window, with whom to trust and what for.
func (m *Model) whole() ui.Whole {
	does := "The customer scans it and authenticates at"
	if !m.flow.MayBeCard() {
		does = "The customer scans it and approves at"
	}
	words := []string{does + " " + m.url.Host()}
	if m.known {
		words = append(words, present.AmountDue(m.entry.Asked()))
	}
	return ui.Whole{Code: m.code, Words: append(words, m.reference.String())}
}

func (m *Model) fact(name, value string) string { return m.Theme.Fact(name, value, label) }
