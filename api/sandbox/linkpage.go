package sandbox

import (
	"html"
	"net/http"
	"strings"
)

const linkPath = "/pay/"

// linkPage shows a link to the customer. It does not take payments yet, and says so.
func (s *Sandbox) linkPage(r *http.Request) page {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return notAllowed("GET, HEAD")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.links[strings.TrimPrefix(r.URL.Path, linkPath)]
	if l == nil {
		return notHere("There is no payment link at this address.")
	}
	amount := major(l.amount).String() + " " + l.currency
	if l.dynamic {
		amount = "chosen by the customer, in " + l.currency
	}
	kind := "can be paid once"
	if l.reusable {
		kind = "can be paid any number of times"
	}
	body := "<p>" + html.EscapeString(l.description) + "</p>\n" +
		terms("Amount", amount, "This link", kind, "Alias", l.alias) + "\n" + howToPay(l.used(s.now()))
	return page{http: http.StatusOK, title: l.name, body: body}
}

func howToPay(used bool) string {
	if used {
		return "<p>This link was used. It can be paid once only.</p>"
	}
	return "<p>This page does not take payments. To pay this link, open Collect in the console and give the alias above.</p>"
}
