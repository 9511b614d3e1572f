package api_test

import (
	"fmt"
	"net/http"
	"slices"
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

// notReferences are card numbers in the forms that a reference may have.
var notReferences = []api.Reference{pan, "4242-4242-4242-4242", "4242_4242.4242:4242", "REF-" + pan, "378282246310005", "5060666666666666666"}

func TestNeitherACardNumberNorAKeyIsPartOfARequestForAPayment(t *testing.T) {
	c, server := newClient(t, http.NotFoundHandler())
	keys := []api.Reference{api.Reference(secret), "x" + api.Reference(secret), "SK_LIVE_0123456789", "sk-test-0123456789", "live_sk_0123456789"}
	for _, r := range slices.Concat(notReferences, keys) {
		_, asked := c.Transaction(t.Context(), r)
		_, checked := c.Authenticate(t.Context(), r)
		_, finalized := c.Finalize(t.Context(), r)
		for _, err := range []error{asked, checked, finalized} {
			if err == nil || api.OutcomeOf(err) != api.OutcomeNotSent || strings.Contains(err.Error(), "4242") || strings.Contains(err.Error(), string(r)) {
				t.Errorf("%s: %v", r, err)
			}
		}
	}
	if n := server.count(); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestACardNumberIsMaskedInAReferenceThatIsShown(t *testing.T) {
	for _, r := range notReferences {
		if shown := fmt.Sprint(r); api.Reference(shown).LooksLikeCard() || !strings.Contains(shown, "<pan …") {
			t.Errorf("%q is shown as %q", string(r), shown)
		}
	}
	for _, r := range []api.Reference{"", "XHCQVX9BB5", "96bc4553-c8e4-47f6-a459-459bab4fb336", "4242424242424241", "0000000000000000"} {
		if shown := r.String(); shown != string(r) {
			t.Errorf("%q is shown as %q", string(r), shown)
		}
	}
}

func TestAReferenceThatLooksLikeACardCanBeAskedForOnceItIsKnown(t *testing.T) {
	const r = "4111111111111111"
	uris := make(chan string, 9)
	answer := func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch uris <- q.RequestURI; {
		case strings.Contains(q.URL.Path, "/v1/"):
			w.Write([]byte(`{"status":true,"message":"","data":[{"id":"` + r + `","amount":1,"currency":"GBP","status":"x"}]}`))
		default:
			w.Write([]byte(`{"isSuccess":true,"value":{"paymentStatus":"PENDING","paymentReference":"` + r + `","paymentItem":{"paymentReference":"` + r + `"}}}`))
		}
	}
	for name, learn := range map[string]func(*api.Client){
		"assigned": func(c *api.Client) { c.Initiate(t.Context(), transferInitiation()) },
		"listed":   func(c *api.Client) { c.Transactions(t.Context(), 1, 20) },
	} {
		c, _ := newClient(t, http.HandlerFunc(answer))
		if _, err := c.Transaction(t.Context(), r); err == nil {
			t.Errorf("%s: asked for before", name)
		}
		if learn(c); len(uris) != 1 {
			t.Fatalf("%s: %d requests", name, len(uris))
		}
		<-uris
		if _, err := c.Transaction(t.Context(), r); err != nil || !strings.HasSuffix(<-uris, r) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, _ := newClient(t, http.HandlerFunc(answer))
	if _, err := c.Transaction(api.WithKnownReference(t.Context(), r), r); err != nil {
		t.Error(err)
	}
	if _, err := c.Transaction(api.WithKnownReference(t.Context(), r), pan); err == nil {
		t.Error("knowing one reference allows another")
	}
}
