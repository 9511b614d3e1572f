package sandbox

import (
	"crypto/subtle"
	"html"
	"net/http"
	"net/url"
	"strings"
)

// The bank's page is at /bank/{reference}. It is shown by GET with what the bank
// address carries, or by a POST to …/present with the same in a form, which is
// what authenticationhtml does. The answer is a POST to the page itself.
const (
	bankPath    = "/bank/"
	presentPath = "/present"
)

const closeScript = `window.close();`

// A visit is what a request to the bank carries.
type visit struct {
	token, context string // as they are in the address, undecoded
	redirect       bool   // send the customer on afterwards (2.5)
}

// bankContext is a part of the bank address that has to come back unchanged, with
// its encoding: a blank, an ampersand, a plus and an equals sign that are escaped.
func bankContext(p *payment) string {
	return strings.ReplaceAll(url.QueryEscape("3-D Secure & co+"+p.reference+"="), "+", "%20")
}

// bankAddress is where the customer approves a payment (bankAuthURL, 2.5).
func (s *Sandbox) bankAddress(p *payment) string {
	return s.origin + bankPath + url.PathEscape(p.reference) + "?redirect=true&token=" + p.card.token + "&context=" + bankContext(p)
}

// challengeForm is the markup that presents the challenge: a form that posts
// itself by script (facts page, 3-D Secure markup).
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

// bank answers the bank's page.
func (s *Sandbox) bank(r *http.Request) page {
	if r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
		return notAllowed("GET, HEAD, POST")
	}
	reference, presents := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, bankPath), presentPath)
	v, decision := readVisit(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.payments[reference]
	if p == nil || p.card == nil || p.card.token == "" || !v.isOf(p) {
		return notHere("The bank has no question at this address. It must be used exactly as it was given, except for redirect.")
	}
	if r.Method != http.MethodPost || presents {
		return s.askOrTell(p, v)
	}
	switch decision {
	case "approve":
		p.approve(s.now())
	case "reject":
		p.reject(s.now())
	case "leave":
	default:
		return s.askOrTell(p, v)
	}
	s.nudge()
	if v.redirect && p.card.returnURL != "" {
		return page{goTo: p.card.returnURL}
	}
	return s.told(p, v)
}

// readVisit reads the query as it stands, or the form that was posted.
func readVisit(r *http.Request) (visit, string) {
	if r.Method != http.MethodPost {
		v := visit{redirect: true}
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
		return visit{}, ""
	}
	f := r.PostForm
	return visit{f.Get("token"), f.Get("context"), f.Get("redirect") != "false"}, f.Get("decision")
}

// isOf reports whether a visit carries what the bank address of p does.
func (v visit) isOf(p *payment) bool {
	return subtle.ConstantTimeCompare([]byte(v.token), []byte(p.card.token)) == 1 && v.context == bankContext(p)
}

func (s *Sandbox) askOrTell(p *payment, v visit) page {
	if p.challenged() {
		return asked(p, v)
	}
	return s.told(p, v)
}

const leaving = "Nothing is decided when you leave without answering, or close this window: no money moves, " +
	"the payment waits, and you can answer it later at the address that led here."

// asked is the question.
func asked(p *payment, v visit) page {
	redirect := "true"
	if !v.redirect {
		redirect = "false"
	}
	button := func(value, says string) string {
		return `<button type="submit" name="decision" value="` + value + `">` + says + `</button>`
	}
	form := `<form method="post" action="` + html.EscapeString(bankPath+url.PathEscape(p.reference)) + `">` +
		hidden("token", v.token) + hidden("context", v.context) + hidden("redirect", redirect) +
		button("approve", "Approve") + button("reject", "Reject") + button("leave", "Leave without answering") + `</form>`
	return page{
		http:       http.StatusOK,
		title:      "Do you approve this payment?",
		body:       paragraph("Sandbox Bank asks you, as the holder of the card.") + describe(p) + form + "\n" + paragraph(leaving),
		formAction: sources(p.ways()...),
	}
}

// ways are where a customer may be sent from the bank.
func (p *payment) ways() []string {
	if p.checkout != nil {
		return []string{p.card.returnURL, p.checkout.back}
	}
	return []string{p.card.returnURL}
}

// told is what the customer sees when the question is answered, or was left.
func (s *Sandbox) told(p *payment, v visit) page {
	out := page{http: http.StatusOK, title: "There is nothing to answer any more", body: describe(p)}
	switch {
	case p.challenged():
		out.title = "You left without answering"
		out.body += paragraph("Nothing was decided, and no money moves. The payment waits for your answer.") +
			anchor(s.bankAddress(p), "Answer it now")
	case p.card.answered != "":
		out.title = "You " + p.card.answered + " the payment"
	}
	switch {
	case !v.redirect:
		out.script = closeScript
		out.body += paragraph("You can close this window.")
	case p.card.returnURL == "":
		out.body += paragraph("The merchant gave no address to return to. You can close this window and go back to the shop.")
	default:
		out.body += anchor(p.card.returnURL, "Return to the shop")
	}
	return out
}

// describe tells a payment from another.
func describe(p *payment) string {
	rows := []string{"Amount", p.money(p.amount)}
	if p.card != nil {
		rows = append(rows, "Card", "ending in "+p.card.lastFour)
	}
	return terms(append(rows, "Reference", p.reference)...)
}
