package sandbox

import (
	"cmp"
	"crypto/subtle"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// The bank's page is at /bank/{reference}. It is opened with GET and the parameters of
// the bank URL, or with a POST of the same parameters to …/present, as
// authenticationhtml does. The customer's decision is a POST to the page itself.
const (
	bankPath    = "/bank/"
	presentPath = "/present"
)

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

// bankURL returns where the customer approves a payment (bankAuthURL, 2.5).
func (s *Sandbox) bankURL(p *payment) string {
	return s.origin + bankPath + url.PathEscape(p.reference) +
		"?redirect=true&token=" + p.bank.token + "&context=" + bankContext(p)
}

// challengeForm is the HTML that presents the challenge: a form that submits itself by
// script, as observed on deployed instances.
func (s *Sandbox) challengeForm(p *payment) string {
	action := s.origin + bankPath + url.PathEscape(p.reference) + presentPath
	fields := hidden("token", p.bank.token, "context", bankContext(p), "redirect", "true")
	return string(htmlf(asset("challenge.html"), action, fields))
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
	if p == nil || p.bank == nil || p.bank.token == "" || !v.matches(p) {
		return notFound("There is no payment to approve at this URL. " +
			"Use the bank URL exactly as it was returned; only redirect may be changed.")
	}
	if r.Method != http.MethodPost || presents {
		decision = ""
	}
	switch decision {
	case "approve":
		p.approve(s.now())
	case "reject":
		p.reject(s.now())
	case "leave":
	default: // reloading the page does not open an answered challenge again
		if p.challenged() {
			return questionPage(p, v)
		}
		return s.answeredPage(p, v)
	}
	s.step()
	if v.redirect && p.returnURL != "" {
		return page{redirect: p.returnURL}
	}
	return s.answeredPage(p, v)
}

// readBankVisit reads the undecoded query, or the submitted form and its decision. A form
// that cannot be read has no token.
func readBankVisit(r *http.Request) (v bankVisit, decision string) {
	fields := map[string]string{}
	if r.Method != http.MethodPost {
		for part := range strings.SplitSeq(r.URL.RawQuery, "&") {
			name, value, _ := strings.Cut(part, "=")
			fields[name] = value
		}
	} else if r.ParseForm() == nil {
		fields = firstValues(r.PostForm)
	}
	return bankVisit{fields["token"], fields["context"], fields["redirect"] != "false"}, fields["decision"]
}

// firstValues has the first value of each field of a form.
func firstValues(form url.Values) map[string]string {
	first := map[string]string{}
	for name, values := range form {
		first[name] = values[0]
	}
	return first
}

// matches reports whether the token and context belong to p's bank URL.
func (v bankVisit) matches(p *payment) bool {
	return subtle.ConstantTimeCompare([]byte(v.token), []byte(p.bank.token)) == 1 && v.context == bankContext(p)
}

// newBankPart returns the start of a payment that a bank decides: declined, waiting for the customer, or
// authorized at once.
func newBankPart(r *rand.Rand, goes plan, now time.Time) *bankPart {
	b := new(bankPart)
	switch {
	case goes.declines:
		b.declined = true
	case goes.challenges:
		b.token = pick(r, base36, 32)
	default:
		b.authorized = now
	}
	return b
}

// paidBy returns how the customer pays, as the bank says it.
func (p *payment) paidBy() string {
	switch p.channel {
	case channelAccount:
		return "from your account"
	case channelInterac:
		return "by Interac"
	}
	return "with your card"
}

// questionPage asks the customer for a decision.
func questionPage(p *payment, v bankVisit) page {
	action := bankPath + url.PathEscape(p.reference)
	fields := hidden("token", v.token, "context", v.context, "redirect", strconv.FormatBool(v.redirect))
	return page{
		title: "Do you approve this payment?",
		body:  htmlf(asset("question.html")+"\n", p.paidBy(), paymentFacts(p), action, fields),
	}
}

// answeredPage is shown once the challenge is answered, or was left unanswered.
func (s *Sandbox) answeredPage(p *payment, v bankVisit) page {
	out := page{title: "This payment no longer needs an answer", body: paymentFacts(p)}
	answer := cmp.Or(p.bank.answered, "none")
	switch {
	case p.challenged():
		answer = "left"
		out.title = "You left without answering"
		out.body += paragraph("Nothing was decided, and no money moves. The payment is waiting for your answer.") +
			linkParagraph(s.bankURL(p), "Answer it now")
	case p.bank.answered != "":
		out.title = "You " + p.bank.answered + " the payment"
	}
	switch {
	case !v.redirect: // the shop shows this page in a frame or a window of its own (2.5)
		out.script = asset("answered.js")
		out.body += htmlf(`<p id="answered" data-reference="%s" data-answer="%s">You can close this window.</p>`,
			p.reference, answer)
	case p.returnURL == "":
		out.body += paragraph("The merchant set no return URL. You can close this window and go back to the shop.")
	default:
		out.body += linkParagraph(p.returnURL, "Return to the shop")
	}
	return out
}

// paymentFacts shows the customer which payment this is.
func paymentFacts(p *payment) markup {
	rows := []string{"Amount", p.money(p.amount)}
	if p.lastFour != "" {
		rows = append(rows, "Card", "ending in "+p.lastFour)
	}
	if p.channel == channelInterac && p.email != "" {
		rows = append(rows, "Request sent to", p.email)
	}
	return definitionList(append(rows, "Reference", p.reference)...)
}
