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
		return askOrTell(p, v)
	}
	switch decision {
	case "approve":
		p.approve(s.now())
		s.nudge()
	case "reject":
		p.reject(s.now())
		s.nudge()
	default:
		return askOrTell(p, v)
	}
	if v.redirect && p.card.returnURL != "" {
		return page{goTo: p.card.returnURL, formAction: returnSource(p.card.returnURL)}
	}
	return told(p, v)
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

func askOrTell(p *payment, v visit) page {
	if p.challenged() {
		return asked(p, v)
	}
	return told(p, v)
}

// asked is the question.
func asked(p *payment, v visit) page {
	redirect := "true"
	if !v.redirect {
		redirect = "false"
	}
	form := `<form method="post" action="` + html.EscapeString(bankPath+url.PathEscape(p.reference)) + `">` +
		hidden("token", v.token) + hidden("context", v.context) + hidden("redirect", redirect) +
		`<button type="submit" name="decision" value="approve">Approve</button>` +
		`<button type="submit" name="decision" value="reject">Reject</button></form>`
	return page{
		http:       http.StatusOK,
		title:      "Do you approve this payment?",
		body:       describe(p) + "\n" + form,
		formAction: returnSource(p.card.returnURL),
	}
}

// told is what the customer sees when the question is answered.
func told(p *payment, v visit) page {
	out := page{http: http.StatusOK, title: "The payment was " + p.card.answered, body: describe(p)}
	if !v.redirect {
		out.script = closeScript
		out.body += "\n<p>You can close this window.</p>"
		return out
	}
	if p.card.returnURL == "" {
		out.body += "\n<p>The merchant gave no address to return to. You can close this window and go back to the shop.</p>"
		return out
	}
	out.body += `<p><a rel="noreferrer" href="` + html.EscapeString(p.card.returnURL) + `">Return to the shop</a></p>`
	return out
}

func describe(p *payment) string {
	return terms(
		"Amount", major(p.amount).String()+" "+p.currency,
		"Card", "ending in "+p.card.lastFour,
		"Reference", p.reference,
	)
}

// returnSource names the return address for form-action: browsers check where a
// form's answer redirects to. Hosts a policy cannot write are named by scheme.
func returnSource(address string) string {
	u, err := url.Parse(address)
	if address == "" || err != nil {
		return ""
	}
	if strings.Trim(u.Host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:") != "" {
		return u.Scheme + ":"
	}
	return u.Scheme + "://" + u.Host
}
