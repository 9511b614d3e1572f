package sandbox

import (
	"crypto/subtle"
	"html"
	"net/http"
	"net/url"
	"strings"
)

// The bank's page is at /bank/{reference}. It is opened with GET and the parameters of
// the bank URL, or with a POST of the same parameters to …/present, as
// authenticationhtml does. The customer's decision is a POST to the page itself.
const (
	bankPath    = "/bank/"
	presentPath = "/present"
)

const closeWindowScript = `window.close();`

// A bankVisit holds the parameters of a request to the bank's page.
type bankVisit struct {
	token, context string // as in the URL, undecoded
	redirect       bool   // send the customer on afterwards (2.5)
}

// bankContext is a query value that must come back unchanged, including its encoding: it
// has an escaped space, ampersand, plus and equals sign.
func bankContext(p *payment) string {
	return strings.ReplaceAll(url.QueryEscape("3-D Secure & co+"+p.reference+"="), "+", "%20")
}

// bankURL is where the customer approves a payment (bankAuthURL, 2.5).
func (s *Sandbox) bankURL(p *payment) string {
	return s.origin + bankPath + url.PathEscape(p.reference) + "?redirect=true&token=" + p.card.token + "&context=" + bankContext(p)
}

// challengeForm is the HTML that presents the challenge: a form that submits itself by
// script (facts page, 3-D Secure markup).
func (s *Sandbox) challengeForm(p *payment) string {
	action := s.origin + bankPath + url.PathEscape(p.reference) + presentPath
	return strings.Join([]string{
		`<!doctype html>`,
		`<html lang="en"><head><meta charset="utf-8"><title>To your bank</title></head><body>`,
		`<form id="challenge" method="post" action="` + html.EscapeString(action) + `">`,
		hidden("token", p.card.token) + hidden("context", bankContext(p)) + hidden("redirect", "true"),
		`<button type="submit">Continue to your bank</button></form>`,
		`<script>document.getElementById("challenge").submit();</script></body></html>`,
	}, "\n")
}

func hidden(name, value string) string {
	return `<input type="hidden" name="` + name + `" value="` + html.EscapeString(value) + `">`
}

// bank serves the bank's page.
func (s *Sandbox) bank(r *http.Request) page {
	if r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
		return notAllowed("GET, HEAD, POST")
	}
	reference, presents := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, bankPath), presentPath)
	v, decision := readBankVisit(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.payments[reference]
	if p == nil || p.card == nil || p.card.token == "" || !v.matches(p) {
		return notFound("There is no payment to approve at this URL. Use the bank URL exactly as it was returned; only redirect may be changed.")
	}
	if r.Method != http.MethodPost || presents {
		return s.challengePage(p, v)
	}
	switch decision {
	case "approve":
		p.approve(s.now())
	case "reject":
		p.reject(s.now())
	case "leave":
	default:
		return s.challengePage(p, v)
	}
	s.wakeSender()
	if v.redirect && p.card.returnURL != "" {
		return page{redirect: p.card.returnURL}
	}
	return s.answeredPage(p, v)
}

// readBankVisit reads the undecoded query, or the submitted form and its decision.
func readBankVisit(r *http.Request) (bankVisit, string) {
	if r.Method != http.MethodPost {
		v := bankVisit{redirect: true}
		for part := range strings.SplitSeq(r.URL.RawQuery, "&") {
			switch name, value, _ := strings.Cut(part, "="); name {
			case "token":
				v.token = value
			case "context":
				v.context = value
			case "redirect":
				v.redirect = value != "false"
			}
		}
		return v, ""
	}
	if err := r.ParseForm(); err != nil {
		return bankVisit{}, ""
	}
	f := r.PostForm
	return bankVisit{f.Get("token"), f.Get("context"), f.Get("redirect") != "false"}, f.Get("decision")
}

// matches reports whether the token and context are those of p's bank URL.
func (v bankVisit) matches(p *payment) bool {
	return subtle.ConstantTimeCompare([]byte(v.token), []byte(p.card.token)) == 1 && v.context == bankContext(p)
}

func (s *Sandbox) challengePage(p *payment, v bankVisit) page {
	if p.challenged() {
		return questionPage(p, v)
	}
	return s.answeredPage(p, v)
}

const leavingNote = "If you leave without answering, or close this window, nothing is decided: no money moves, " +
	"the payment waits, and you can answer it later at the same URL."

// questionPage asks the customer for a decision.
func questionPage(p *payment, v bankVisit) page {
	redirect := "true"
	if !v.redirect {
		redirect = "false"
	}
	button := func(value, label string) string {
		return `<button type="submit" name="decision" value="` + value + `">` + label + `</button>`
	}
	form := `<form method="post" action="` + html.EscapeString(bankPath+url.PathEscape(p.reference)) + `">` +
		hidden("token", v.token) + hidden("context", v.context) + hidden("redirect", redirect) +
		button("approve", "Approve") + button("reject", "Reject") + button("leave", "Leave without answering") + `</form>`
	return page{
		status:     http.StatusOK,
		title:      "Do you approve this payment?",
		body:       paragraph("Sandbox Bank asks you to approve this payment with your card.") + paymentFacts(p) + form + "\n" + paragraph(leavingNote),
		formAction: cspSources(p.returnURLs()...),
	}
}

// returnURLs lists where the customer may be sent from the bank.
func (p *payment) returnURLs() []string {
	if p.checkout != nil {
		return []string{p.card.returnURL, p.checkout.returnURL}
	}
	return []string{p.card.returnURL}
}

// answeredPage is shown once the challenge is answered, or was left unanswered.
func (s *Sandbox) answeredPage(p *payment, v bankVisit) page {
	out := page{status: http.StatusOK, title: "This payment no longer needs an answer", body: paymentFacts(p)}
	switch {
	case p.challenged():
		out.title = "You left without answering"
		out.body += paragraph("Nothing was decided, and no money moves. The payment is waiting for your answer.") +
			linkParagraph(s.bankURL(p), "Answer it now")
	case p.card.answered != "":
		out.title = "You " + p.card.answered + " the payment"
	}
	switch {
	case !v.redirect:
		out.script = closeWindowScript
		out.body += paragraph("You can close this window.")
	case p.card.returnURL == "":
		out.body += paragraph("The merchant set no return URL. You can close this window and go back to the shop.")
	default:
		out.body += linkParagraph(p.card.returnURL, "Return to the shop")
	}
	return out
}

// paymentFacts shows the customer which payment this is.
func paymentFacts(p *payment) string {
	rows := []string{"Amount", p.money(p.amount)}
	if p.card != nil {
		rows = append(rows, "Card", "ending in "+p.card.lastFour)
	}
	return definitionList(append(rows, "Reference", p.reference)...)
}
