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
	var o formInput
	if r.Method == http.MethodPost { // before the lock: the body may come slowly
		var problem *page
		if o, problem = readFormInput(r); problem != nil {
			return *problem
		}
	} else {
		o.returnURL = r.URL.Query().Get("return")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now, l := s.now(), s.links[alias]
	switch {
	case paid:
		return s.checkoutPage(alias, token, r.Method == http.MethodGet, now)
	case l == nil:
		return notFound("There is no payment link at this URL.")
	case o.returnURL != "" && !returnable(o.returnURL):
		return page{status: http.StatusBadRequest, title: "Invalid return URL", body: "<p>It must be a complete http or https URL.</p>"}
	case r.Method == http.MethodPost:
		return s.payLink(l, o, now)
	}
	return s.linkPage(l, o, nil, now)
}

// payLink makes the payment of a submitted form and sends the customer on. Submitting the
// same form again, by a second click or after going back, leads to the same payment.
func (s *Sandbox) payLink(l *link, o formInput, now time.Time) page {
	token, fresh := s.checkToken(o.token, l, o.returnURL, now)
	if p := s.checkouts[token]; p != nil {
		return s.nextPage(p)
	}
	if l.used(now) {
		used := s.linkPage(l, o, nil, now)
		used.status = http.StatusConflict
		return used
	}
	if !fresh {
		stale := s.linkPage(l, o, []formError{{"pay", "This form has expired or is invalid. Please check it and submit it again."}}, now)
		stale.status = http.StatusForbidden
		return stale
	}
	b := newReading(o.initiation(l, s.checkoutURL(l, token)))
	q := s.readInitiation(b, now)
	if wrong := o.formErrors(b.reading.violations); len(wrong) > 0 {
		return s.linkPage(l, o, wrong, now)
	}
	p := s.accept(q, now)
	p.checkout = &checkout{token: token, returnURL: o.returnURL}
	s.checkouts[token] = p
	return s.nextPage(p)
}

// nextPage sends the customer on after the form.
func (s *Sandbox) nextPage(p *payment) page {
	to := s.checkoutURL(p.link, p.checkout.token)
	if p.challenged() {
		to = s.bankURL(p)
	}
	return page{redirect: to, formAction: cspSources(s.origin, p.checkout.returnURL)}
}

// checkoutURL is the page of a payment made with a token.
func (s *Sandbox) checkoutURL(l *link, token string) string {
	return s.origin + linkPath + url.PathEscape(l.alias) + "/" + token
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
		s.wakeSender()
	}
	is := p.at(now)
	if back := p.checkout.returnURL; back != "" && (is == successful || is == pending && p.card != nil) {
		return page{redirect: back}
	}
	out := p.statusPage(is, now)
	switch is {
	case initiated:
		out.body += "\n" + linkParagraph(s.bankURL(p), "Continue to your bank")
	case pending:
		out.body += "\n" + linkParagraph(linkPath+url.PathEscape(alias)+"/"+token, "Check again")
	case failed:
		if !p.link.used(now) {
			out.body += "\n" + linkParagraph(linkURL(p.link, p.checkout.returnURL), "Pay in another way")
		}
	}
	if p.checkout.returnURL != "" {
		out.body += "\n" + linkParagraph(p.checkout.returnURL, "Return to the shop")
	}
	out.status, out.unframed = http.StatusOK, true
	return out
}

// returnable reports whether customers can be sent to a URL. It is written into headers, so
// it must be plain ASCII.
func returnable(target string) bool {
	u, err := url.Parse(target)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil &&
		plainASCII(target) && len(target) <= maxURL
}
