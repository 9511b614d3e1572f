package sandbox

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// The page of a link is at /pay/{alias}: a form, which is sent to the page itself. It
// makes a payment as endpoint 1 does. From then on the customer is at the page of that
// payment, /pay/{alias}/{token}, which finalizes it, says how it stands, and in the end
// sends the customer back to the address that ?return= named.
const linkPath = "/pay/"

// A checkout is what only a payment has that was made on the page of a link.
type checkout struct {
	token     string // of the form it was made with; nobody else can guess it
	returnURL string // where the customer goes in the end; "" for nowhere
}

// hosted answers the page of a link, or of a payment made there.
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
		return notFound("There is no payment link at this address.")
	case o.returnURL != "" && !returnable(o.returnURL):
		return page{status: http.StatusBadRequest, title: "The return address cannot be used", body: "<p>It must be a complete http or https address.</p>"}
	case r.Method == http.MethodPost:
		return s.payLink(l, o, now)
	}
	return s.linkPage(l, o, nil, now)
}

// payLink makes the payment of a form, and sends the customer on. The same form once
// more, sent by a second press or by going back, leads to the same payment.
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
		stale := s.linkPage(l, o, []formError{{"pay", "This form is too old, or was not made here. Please check it and send it again."}}, now)
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

// nextPage is where the customer goes after the form.
func (s *Sandbox) nextPage(p *payment) page {
	to := s.checkoutURL(p.link, p.checkout.token)
	if p.challenged() {
		to = s.bankURL(p)
	}
	return page{redirect: to, formAction: cspSources(s.origin, p.checkout.returnURL)}
}

// checkoutURL is the page of a payment that was made with a token.
func (s *Sandbox) checkoutURL(l *link, token string) string {
	return s.origin + linkPath + url.PathEscape(l.alias) + "/" + token
}

// linkURL is the page of a link, with the way back from it.
func linkURL(l *link, back string) string {
	address := linkPath + url.PathEscape(l.alias)
	if back != "" {
		address += "?return=" + url.QueryEscape(back)
	}
	return address
}

// checkoutPage is the page of a payment. Nobody but the page tells the service that the
// customer's part is complete, so it finalizes when the customer comes to it: a card
// payment that was authorized, and a transfer, whose account is shown by it.
func (s *Sandbox) checkoutPage(alias, token string, visited bool, now time.Time) page {
	p := s.checkouts[token]
	if p == nil || p.link.alias != alias {
		return notFound("There is no payment at this address, or none that is still known.")
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

// returnable reports whether customers can be sent to an address: it goes into a
// header as it is, so it must be plain.
func returnable(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil &&
		plainASCII(address) && len(address) <= maxURL
}
