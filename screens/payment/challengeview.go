package payment

import (
	"net/netip"
	"strings"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// head is the steps of the payment and the whole URL at the left edge, so that a terminal can select it.
func (m *BankCheck) head(w int) (lines []string) {
	m.look()
	t := m.Theme
	lines = m.stepper(w, present.StageAuthorise)
	refused := m.entry.Payment().BankAuthRefused
	switch {
	case !m.url.IsZero():
		does := "The customer opens this URL and authenticates"
		if !m.entry.MayBeCard() {
			does = "The customer opens this URL and approves the payment"
		}
		lines = append(append(lines, t.Rule(does, "", w)), t.URLLines(m.url.String(), w)...)
	case !refused.Empty():
		p := present.Problem{What: "The service returned a URL that is not safe to use:", Detail: refused.Line(200)}
		lines = append(lines, p.Lines(t, w)...)
	case m.known:
		lines = append(lines, t.MutedLines(m.withoutURL(), w)...)
	}
	if m.check.Pending() {
		lines = append(lines, t.WaitLines(m.check.Wait(), "Checking whether authentication is needed", w)...)
	}
	if len(lines) == 0 {
		return nil
	}
	return append(lines, "")
}

// withoutURL says what a payment of this console has in place of a bank URL.
func (m *BankCheck) withoutURL() string {
	switch {
	case m.entry.Mismatch.Undecided():
		return "The customer should authorise nothing now. " + present.MismatchFirst
	case m.inDoubt():
		return "It was decided that this is not our payment: the customer should authorise nothing."
	case m.entry.Status.State.Final():
		return "The payment is final: the customer has nothing to authorise. enter shows its status."
	case m.entry.MayBeCard():
		return "This payment has no bank URL. Check whether authentication is needed (a), or watch the payment (s)."
	case m.entry.Channel == api.ChannelInterac:
		return "This payment has no URL to open. Interac sends the customer a request by e-mail, which they approve. Watch the payment (s)."
	}
	return "This payment has no URL to open. The customer approves it at their bank. Watch the payment (s)."
}

// report says what else is known of the payment, and the result of the check. The host has a line of its own,
// because it decides whether to trust a URL.
func (m *BankCheck) report() (r report.Report) {
	if m.known {
		r = report.OfStep(m.subject())
	} else {
		r.Says = m.elsewhere()
	}
	redirect := report.Fact{Label: "Redirect", Rank: 1}
	if value, has := m.url.Redirect(); has {
		redirect.Value = "false: window closes (iframe, modal) (tab)"
		if value {
			redirect.Value = "true: then on to the return URL (tab)"
		}
	}
	facts := append([]report.Fact{{Label: "Host", Value: m.url.Host(), Strong: true}, redirect}, m.facts()...)
	bank := report.Section{Title: "Payment", Words: m.tunnel(loopbackPort(m.url.Host())), Facts: facts}
	check := report.Section{Title: "Authentication check"}
	switch a := m.answer; {
	case m.check.Pending():
	case !m.problem.IsZero():
		check.Words = []report.Words{{Problem: m.problem}}
	case a != nil:
		bank.Facts = facts[:len(facts)-2] // its fees and its message make way: the message of the check is later
		check.Facts = []report.Fact{
			{Label: "Needed", Value: needed(a)}, {Label: "Advice", Value: a.Recommendation.Prose(0), Rank: 2},
			{Label: "Message", Value: present.Quote(a.Message), Rank: 3}, {Label: "Check says", Value: checkStatus(a), Rank: 4},
		}
		for _, f := range a.Further {
			check.Facts = append(check.Facts, report.Fact{Label: "Further", Value: f.Prose(0), Rank: 5})
		}
		check.Facts = append(check.Facts, report.Fact{Label: "Bank page", Value: m.markup, Rank: 1})
	case !m.url.IsZero() && m.whyNotCheck() == "":
		r.Says = append(r.Says, report.Words{Text: "Check whether authentication is needed (a), or watch the payment (s).", Rank: 8})
	}
	r.Sections = append(r.Sections, bank, check, report.Section{Title: "Bank page", Words: m.pageWords()})
	return r
}

// elsewhere says what is to be done about a payment of which only the result of the check is known here.
func (m *BankCheck) elsewhere() (says []report.Words) {
	if m.answer != nil && m.answer.Enabled {
		_, order := api.BankAuthRequired.Meaning(api.Circumstances{})
		says = append(says, report.Words{Text: order, Order: true})
	}
	return append(says, report.Words{Text: "This payment was made elsewhere: its bank URL is not known here."},
		report.Words{Text: "Check again whether authentication is needed (a), or watch the payment (s).", Rank: 8})
}

// pageWords say where the page that came with a check is.
func (m *BankCheck) pageWords() []report.Words {
	switch {
	case m.answer == nil || m.answer.Page.IsZero() || m.check.Pending() || !m.problem.IsZero():
		return nil
	case m.page != nil:
		words := append([]report.Words{{Text: "Served once, for ten minutes:"}, {Text: m.page.Address()}}, m.tunnel(m.page.Port())...)
		if others := m.browser.Unguarded(); others != "" {
			words = append(words, report.Words{Text: others, Rank: 1})
		}
		return words
	case m.pageEnd != "":
		return []report.Words{{Text: m.pageEnd, Rank: 1}}
	}
	return []report.Words{{Text: "The page opens in a browser: o serves it once on this machine.", Rank: 1}}
}

// checkStatus is the status of the check, which is not that of the payment, and its code.
func checkStatus(a *api.Authentication) string {
	words := a.Status.Line(0)
	if !a.Code.Empty() {
		words = strings.TrimPrefix(words+" · code "+a.Code.Line(20), " · ")
	}
	return words
}

// tunnel shows how a person connected over SSH reaches a port of this host, 0 for none.
func (m *BankCheck) tunnel(port int) []report.Words {
	if port == 0 || m.browser.Tunnel == nil || m.browser.Tunnel(port) == "" {
		return nil
	}
	return []report.Words{{Text: "First run on your own machine:"}, {Text: m.browser.Tunnel(port)}}
}

// loopbackPort is the port if host is an address of this machine, as in the demo, else 0.
func loopbackPort(host string) int {
	at, err := netip.ParseAddrPort(host)
	if err != nil || !at.Addr().IsLoopback() {
		return 0
	}
	return int(at.Port())
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

// code is the code in the whole window, with whom to trust and what for.
func (m *BankCheck) code() ui.Whole {
	m.look()
	does := "The customer scans it and authenticates at"
	if !m.entry.MayBeCard() {
		does = "The customer scans it and approves at"
	}
	words := []string{does + " " + m.url.Host()}
	if m.known {
		words = append(words, present.AmountDue(m.entry.Asked()))
	}
	return ui.Whole{Code: m.qr, Words: append(words, m.reference.String())}
}
