package sandbox

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// The page of a link is at /pay/{alias}: a form that posts to the same URL and makes a
// payment as endpoint 1 does. The customer is then sent to the page of that payment,
// /pay/{alias}/{token}, which finalizes it, shows its status, and at the end redirects
// to the URL given with ?return=.
const linkPath = "/pay/"

// A checkout is the part of a payment that was made on the page of a link.
type checkout struct {
	token     string // of the submitted form; cannot be guessed
	returnURL string // where the customer is sent at the end; "" for nowhere
}

// hosted serves the page of a link and of a payment made there.
func (s *Sandbox) hosted(r *http.Request) page {
	alias, token, paid := strings.Cut(strings.TrimPrefix(r.URL.Path, linkPath), "/")
	methods := []string{http.MethodGet, http.MethodHead, http.MethodPost}
	if paid {
		methods = methods[:2]
	}
	if !slices.Contains(methods, r.Method) {
		return notAllowed(strings.Join(methods, ", "))
	}
	o := formInput{"return": r.URL.Query().Get("return")}
	if r.Method == http.MethodPost { // before the lock: the body may come slowly
		var problem *page
		if o, problem = readFormInput(r); problem != nil {
			return *problem
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now, l := s.now(), s.links[alias]
	switch {
	case paid:
		return s.checkoutPage(alias, token, r.Method == http.MethodGet, now)
	case l == nil:
		return notFound("There is no payment link at this URL.")
	case o["return"] != "" && !returnable(o["return"]):
		return page{
			status: http.StatusBadRequest, title: "Invalid return URL",
			body: "<p>It must be a complete http or https URL.</p>",
		}
	case r.Method == http.MethodPost:
		return s.payLink(l, o, now)
	}
	return s.linkPage(l, o, nil, now)
}

// payLink makes the payment of a submitted form and sends the customer on. Submitting the
// same form again, by a second click or after going back, leads to the same payment.
func (s *Sandbox) payLink(l *link, o formInput, now time.Time) page {
	token := o["token"]
	if p := s.checkouts[token]; p != nil {
		return s.nextPage(p)
	}
	if l.used(now) {
		used := s.linkPage(l, o, nil, now)
		used.status = http.StatusConflict
		return used
	}
	if !isToken(token) {
		unknown := s.linkPage(l, o, []formError{{"pay", "This form is invalid. Please check it and submit it again."}}, now)
		unknown.status = http.StatusForbidden
		return unknown
	}
	b := newReading(o.initiation(l, s.checkoutURL(l, token)))
	q := s.readInitiation(b, now)
	if wrong := o.formErrors(b.reading.violations); len(wrong) > 0 {
		return s.linkPage(l, o, wrong, now)
	}
	p := s.accept(q, now)
	p.checkout = checkout{token: token, returnURL: o["return"]}
	s.checkouts[token] = p
	return s.nextPage(p)
}

// nextPage sends the customer on after the form.
func (s *Sandbox) nextPage(p *payment) page {
	to := s.checkoutURL(p.link, p.checkout.token)
	if p.challenged() && !p.bank.byEmail {
		to = s.bankURL(p)
	}
	return page{redirect: to}
}

// checkoutURL is the page of a payment made with a token.
func (s *Sandbox) checkoutURL(l *link, token string) string {
	return s.origin + linkURL(l, "") + "/" + token
}

// linkURL is the page of a link, relative to the origin, with its return URL.
func linkURL(l *link, back string) string {
	path := linkPath + url.PathEscape(l.alias)
	if back != "" {
		path += "?return=" + url.QueryEscape(back)
	}
	return path
}

// checkoutPage is the page of a payment made on a link's page. No merchant finalizes such a
// payment, so the page does when the customer visits it: a card payment once authorized, a
// transfer because the page shows its account.
func (s *Sandbox) checkoutPage(alias, token string, visited bool, now time.Time) page {
	p := s.checkouts[token]
	if p == nil || p.link.alias != alias {
		return notFound("There is no payment at this URL, or it is no longer stored.")
	}
	if visited && !p.challenged() && p.at(now) == pending {
		p.finalize(now)
		s.step()
	}
	is := p.at(now)
	if back := p.checkout.returnURL; back != "" && (is == successful || is == pending && p.transfer == nil) {
		return page{redirect: back}
	}
	out := page{body: paymentFacts(p), unframed: true}
	switch {
	case is == initiated && p.bank.byEmail:
		out.title = "Approve the request in your e-mail"
		out.body += paragraph("A request for the money was sent to you. "+
			"The sandbox sends no e-mail: open the request here.") +
			linkParagraph(s.bankURL(p), "Open the request")
	case is == initiated:
		out.title = "Your bank is waiting for your answer"
		out.body += paragraph("You left your bank's page without answering, so nothing was paid. "+
			"The payment is waiting for your answer.") + "\n" + linkParagraph(s.bankURL(p), "Continue to your bank")
	case is == pending && p.transfer != nil:
		out.title, out.body = "Pay by bank transfer", p.transferFacts(now)+"\n"
	case is == pending:
		out.title = "The payment is being processed"
		out.body += paragraph("It was authorized. The payment is not complete yet.") + "\n"
	case is == successful:
		out.title = "The payment is complete"
	default:
		out.title = "The payment failed"
		out.body += paragraph(p.failureReason(now))
		if !p.link.used(now) {
			out.body += "\n" + linkParagraph(linkURL(p.link, p.checkout.returnURL), "Pay in another way")
		}
	}
	if is == initiated || is == pending {
		out.lookAgain(linkURL(p.link, "") + "/" + token)
	}
	if p.checkout.returnURL != "" {
		out.body += "\n" + linkParagraph(p.checkout.returnURL, "Return to the shop")
	}
	return out
}

// returnable reports whether customers can be sent to a URL. It is written into headers, so
// it must be plain ASCII.
func returnable(target string) bool {
	u, err := url.Parse(target)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil &&
		plainASCII(target) && len(target) <= maxURL
}

// outcome tells whoever opens a used link what became of its payment. It does not say whose payment
// it is: a link is passed around.
func (p *payment) outcome(now time.Time) string {
	what := "is being processed."
	switch is := p.at(now); {
	case is == successful:
		what = "is complete."
	case is == initiated:
		what = "waits for the customer's bank."
	case p.transfer != nil && !p.transfer.arrived(now):
		what = "waits for the money to arrive."
	}
	return "The payment of " + p.money(p.amount) + " " + what
}

// failureReason tells the customer what to do differently: it says if money was sent, and
// who declined.
func (p *payment) failureReason(now time.Time) string {
	switch {
	case p.transfer != nil && p.received(now) > 0:
		return "The account expired before the full amount arrived. " +
			"Only " + p.money(p.received(now)) + " was received."
	case p.transfer != nil:
		return "The account expired before the money arrived."
	case p.bank.answered == answerRejected:
		return "You rejected it at your bank."
	}
	if p.channel != channelCard {
		return "Your bank declined it."
	}
	return declinedMessage
}

// transferFacts shows the account to pay into.
func (p *payment) transferFacts(now time.Time) markup {
	t, account := p.transfer, p.transfer.wire()
	rows := []string{
		"Amount", p.money(t.due),
		"Bank", account.Bank,
		"Account number", account.AccountNumber,
		"Account name", account.AccountName,
		"Valid until", t.expires.UTC().Format("2 January 2006, 15:04:05 UTC"),
		"Reference", p.reference,
	}
	if paid := p.received(now); paid > 0 {
		rows = append(rows, "Paid so far", p.money(paid), "Still to pay", p.money(t.due-paid))
	}
	return paragraph(account.Note) + definitionList(rows...)
}

// money formats an amount in the payment's currency.
func (p *payment) money(n int64) string { return formatMajor(n).String() + " " + p.currency }

// isToken reports whether a form's token can be one that a page gave it, by [rand.Text]. It comes back in URLs.
func isToken(text string) bool {
	return len(text) == 26 && strings.Trim(text, upperCase+"234567") == ""
}
