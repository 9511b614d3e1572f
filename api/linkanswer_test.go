package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
)

// answeredLink returns what a client makes of a response to the creation of a link.
func answeredLink(t *testing.T, d api.LinkDraft, value string) api.Link {
	t.Helper()
	c, _ := scripted(t, 0, reply{code: 200, body: strings.NewReader(`{"isSuccess":true,"value":{"alias":"0-a1b2c3d",` + value + `}}`)})
	l, err := c.CreateLink(t.Context(), d)
	noError(t, err)
	return l
}

func TestACreatedLinkIsComparedWithWhatWasAsked(t *testing.T) {
	const name, once, money = `"name":"Mug",`, `"linkType":"OneTime",`, `"amountInfo":{"currencyCode":"GBP","amount":12.5}`
	open := linkDraft()
	open.AmountType, open.Amount = api.Dynamic, pounds("0")
	for what, c := range map[string]struct {
		asked   api.LinkDraft
		value   string
		differs []string
		lacks   string
	}{
		"as asked": {linkDraft(), name + once + money, nil, ""},
		"a hundredfold": {linkDraft(), name + once + `"amountInfo":{"currencyCode":"GBP","amount":1250}`,
			[]string{"amount: asked 12.50 GBP, answered 1,250.00 GBP"}, ""},
		"the URL of another link": {linkDraft(), name + once + money + `,"link":"https://pay.example/other77"`,
			[]string{"alias in URL: asked 0-a1b2c3d, answered other77"}, ""},
		"another amount in another currency": {linkDraft(), name + once + `"amountInfo":{"currencyCode":"JPY","amount":1250}`,
			[]string{"amount: asked 12.50 GBP, answered 1,250 JPY", "currency: asked GBP, answered JPY"}, ""},
		"an unknown currency": {linkDraft(), name + once + `"amountInfo":{"currencyCode":"XQZ","amount":12.5}`,
			[]string{"currency: asked GBP, answered XQZ"}, ""},
		"paid many times": {linkDraft(), name + `"linkType":"Reuseable",` + money,
			[]string{"type: asked once, answered many times"}, ""},
		"an open amount": {linkDraft(), name + once + `"amountType":"Dynamic",` + money,
			[]string{"amount type: asked fixed, answered chosen by the customer"}, ""},
		"another name": {linkDraft(), `"name":"Mugs",` + once + money,
			[]string{"name: asked Mug, answered Mugs"}, ""},
		"everything": {linkDraft(), `"name":"Jug","linkType":1,"amountType":1,"amountInfo":{"currencyCode":"EUR","amount":1}`,
			[]string{"amount: asked 12.50 GBP, answered 1.00 EUR", "currency: asked GBP, answered EUR", "type: asked once, answered many times",
				"amount type: asked fixed, answered chosen by the customer", "name: asked Mug, answered Jug"}, ""},
		"nothing":                 {linkDraft(), `"id":"1"`, nil, "amount, currency, type, name"},
		"an amount alone":         {linkDraft(), name + once + `"amountInfo":{"amount":12.5}`, nil, "currency"},
		"another amount alone":    {linkDraft(), name + once + `"amountInfo":{"amount":125}`, []string{"amount: asked 12.50 GBP, answered 125"}, "currency"},
		"open, with a suggestion": {open, name + once + `"amountType":"Dynamic","amountInfo":{"currencyCode":"GBP","amount":99}`, nil, ""},
		"open, and no word of it": {open, name + once + money, nil, ""},
		"fixed instead of open": {open, name + once + `"amountType":"Static",` + money,
			[]string{"amount type: asked chosen by the customer, answered fixed"}, ""},
	} {
		t.Run(what, func(t *testing.T) {
			l := answeredLink(t, c.asked, c.value)
			if !strings.Contains(c.value, "amountType") && l.AmountType != c.asked.AmountType {
				t.Errorf("the amount is %v", l.AmountType)
			}
			var differs, lacks []string
			for _, d := range l.Differs {
				differs = append(differs, d.String())
			}
			for _, part := range l.Lacks {
				lacks = append(lacks, part.Line(0))
			}
			if diff := cmp.Diff(c.differs, differs); diff != "" || strings.Join(lacks, ", ") != c.lacks {
				t.Errorf("lacks %q, differs (-want +got):\n%s", lacks, diff)
			}
		})
	}
}

// inProcess is a network without sockets.
type inProcess struct{ http.Handler }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	w := httptest.NewRecorder()
	in := r.Clone(r.Context())
	in.RequestURI, in.RemoteAddr, in.Host = r.URL.RequestURI(), "127.0.0.1:50000", r.URL.Host
	p.ServeHTTP(w, in)
	return w.Result(), nil
}
