package sandbox

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A page is a response for people: HTML without external resources.
type page struct {
	status     int // 200 when 0
	title      string
	body       markup
	script     string
	formAction string // further targets of forms and their redirects
	redirect   string // URL to redirect to instead
	allow      string
	unframed   bool // must not be shown in a frame
	invalid    bool // the form was filled in incorrectly
}

// markup is HTML in which all text is escaped.
type markup string

// htmlf formats markup: it escapes its strings, but not its markup.
func htmlf(format string, args ...any) markup {
	for i, a := range args {
		if text, is := a.(string); is {
			args[i] = html.EscapeString(text)
		}
	}
	return markup(fmt.Sprintf(format, args...))
}

// cspHash is a content security policy source for an inline script or style.
func cspHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// contentSecurityPolicy allows only the style, the script and the targets that the page
// has itself, so that text which gets past the escaping still does nothing.
func (p page) contentSecurityPolicy() string {
	forms := "'self'"
	if p.formAction != "" {
		forms += " " + p.formAction
	}
	style := cspHash(asset("page.css"))
	policy := "default-src 'none'; base-uri 'none'; style-src " + style + "; form-action " + forms
	if p.script != "" {
		policy += "; script-src " + cspHash(p.script)
	}
	if p.unframed {
		policy += "; frame-ancestors 'none'"
	}
	return policy
}

// cspSources are the sources of URLs for form-action: browsers also check the redirects of
// a form's response. A host that a policy cannot express is allowed by its scheme.
func cspSources(targets ...string) string {
	var out []string
	for _, target := range targets {
		u, err := url.Parse(target)
		switch {
		case target == "" || err != nil:
		case strings.Trim(u.Host, base36+upperCase+".-:") != "":
			out = append(out, u.Scheme+":")
		default:
			out = append(out, u.Scheme+"://"+u.Host)
		}
	}
	return strings.Join(out, " ")
}

func (p page) markup() string {
	var script, mistaken markup
	if p.script != "" {
		script = markup("<script>" + p.script + "</script>\n")
	}
	if p.invalid {
		mistaken = "Error: "
	}
	return string(htmlf(asset("page.html"), mistaken, p.title, markup(asset("page.css")), p.body, script))
}

func (p page) write(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", p.contentSecurityPolicy())
	if p.allow != "" {
		h.Set("Allow", p.allow)
	}
	if p.redirect != "" {
		h.Set("Location", p.redirect)
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	text := p.markup()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(cmp.Or(p.status, http.StatusOK))
	w.Write([]byte(text))
}

// definitionList lists names and values, given in turn.
func definitionList(pairs ...string) markup {
	return "<dl>" + eachPair("<dt>%s</dt><dd>%s</dd>", pairs) + "</dl>"
}

// hidden are hidden fields, given as names and values in turn.
func hidden(pairs ...string) markup {
	return eachPair(`<input type="hidden" name="%s" value="%s">`, pairs)
}

// eachPair formats names and values, given in turn.
func eachPair(format string, pairs []string) markup {
	var all markup
	for pair := range slices.Chunk(pairs, 2) {
		all += htmlf(format, pair[0], pair[1])
	}
	return all
}

// paragraph is a paragraph of text; "" for an empty one.
func paragraph(text string) markup {
	if text == "" {
		return ""
	}
	return htmlf(`<p dir="auto">%s</p>`+"\n", text)
}

// linkParagraph is a link that does not tell its target where the customer comes from.
func linkParagraph(target, label string) markup {
	return htmlf(`<p><a rel="noreferrer" href="%s">%s</a></p>`, target, label)
}

func notFound(text string) page {
	return page{status: http.StatusNotFound, title: "Not found", body: paragraph(text)}
}

// notAllowed is the page for a method that the URL does not accept.
func notAllowed(allow string) page {
	return page{
		status: http.StatusMethodNotAllowed, title: "Not allowed", allow: allow,
		body: "<p>This page does not accept such a request.</p>",
	}
}

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
	return s.origin + bankPath + url.PathEscape(p.reference) +
		"?redirect=true&token=" + p.card.token + "&context=" + bankContext(p)
}

// challengeForm is the HTML that presents the challenge: a form that submits itself by
// script, as observed on deployed instances.
func (s *Sandbox) challengeForm(p *payment) string {
	action := s.origin + bankPath + url.PathEscape(p.reference) + presentPath
	fields := hidden("token", p.card.token, "context", bankContext(p), "redirect", "true")
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
	if p == nil || p.card == nil || p.card.token == "" || !v.matches(p) {
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
	s.wakeSender()
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

// matches reports whether the token and context are those of p's bank URL.
func (v bankVisit) matches(p *payment) bool {
	return subtle.ConstantTimeCompare([]byte(v.token), []byte(p.card.token)) == 1 && v.context == bankContext(p)
}

// questionPage asks the customer for a decision.
func questionPage(p *payment, v bankVisit) page {
	action := bankPath + url.PathEscape(p.reference)
	fields := hidden("token", v.token, "context", v.context, "redirect", strconv.FormatBool(v.redirect))
	return page{
		title:      "Do you approve this payment?",
		body:       htmlf(asset("question.html")+"\n", paymentFacts(p), action, fields),
		formAction: cspSources(p.returnURL, p.checkout.returnURL),
	}
}

// answeredPage is shown once the challenge is answered, or was left unanswered.
func (s *Sandbox) answeredPage(p *payment, v bankVisit) page {
	out := page{title: "This payment no longer needs an answer", body: paymentFacts(p)}
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
	if p.card != nil {
		rows = append(rows, "Card", "ending in "+p.lastFour)
	}
	return definitionList(append(rows, "Reference", p.reference)...)
}
