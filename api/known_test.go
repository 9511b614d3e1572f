package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"paydesk/api"
)

// notReferences are card numbers in the forms that a reference may have.
var notReferences = []api.Reference{pan, "4242-4242-4242-4242", "4242_4242.4242:4242", "REF-" + pan, "378282246310005", "5060666666666666666"}

func TestACardNumberIsNeverPartOfARequestForAPayment(t *testing.T) {
	c, server := newClient(t, http.NotFoundHandler())
	for _, r := range notReferences {
		_, asked := c.Transaction(t.Context(), r)
		_, checked := c.Authenticate(t.Context(), r)
		_, finalized := c.Finalize(t.Context(), r)
		for _, err := range []error{asked, checked, finalized} {
			if err == nil || api.OutcomeOf(err) != api.OutcomeNotSent || strings.Contains(err.Error(), "4242") {
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

func TestASecretKeyIsNeverPartOfARequestForAPayment(t *testing.T) {
	c, server := newClient(t, http.NotFoundHandler())
	for _, r := range []api.Reference{api.Reference(secret), "x" + api.Reference(secret), "SK_LIVE_0123456789", "sk-test-0123456789", "live_sk_0123456789"} {
		_, err := c.Transaction(t.Context(), r)
		if err == nil || api.OutcomeOf(err) != api.OutcomeNotSent || strings.Contains(err.Error(), string(r)) {
			t.Errorf("%s: %v", r, err)
		}
	}
	if n := server.count(); n != 0 {
		t.Errorf("%d requests were sent", n)
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
			w.Write([]byte(`{"isSuccess":true,"value":{"paymentStatus":"PENDING","paymentItem":{"paymentReference":"` + r + `"}}}`))
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

func TestACardNumberIsNoKey(t *testing.T) {
	for text, want := range map[string]bool{pan: true, "4242-4242-4242-4242": true, "sk_test_" + pan: false} {
		_, err := api.New(api.Config{BaseURL: "https://a.example", ListURL: "https://a.example", Key: key(text)})
		if (err != nil) != want || err != nil && strings.Contains(err.Error(), "4242") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestNoTextOfARequestHoldsACardNumber(t *testing.T) {
	c, server := newClient(t, http.NotFoundHandler())
	for name, change := range map[string]func(*api.Initiation){
		"first name": func(in *api.Initiation) { in.Customer.FirstName = pan },
		"e-mail":     func(in *api.Initiation) { in.Customer.Email = pan + "@shop.example" },
		"phone":      func(in *api.Initiation) { in.Customer.Phone = pan },
		"narration":  func(in *api.Initiation) { in.Narration = "card " + pan },
		"return URL": func(in *api.Initiation) { in.ReturnURL = "https://shop.example/?c=" + pan },
		"alias":      func(in *api.Initiation) { in.Link = pan },
		"a key":      func(in *api.Initiation) { in.MetaData = []api.Pair{{Key: pan, Value: "1"}} },
	} {
		in := cardInitiation()
		change(&in)
		if _, err := c.Initiate(t.Context(), in); api.OutcomeOf(err) != api.OutcomeNotSent || strings.Contains(err.Error(), "4242") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, d := range []api.LinkDraft{{Name: pan, Amount: pounds("1")}, {Name: "Mug", Description: "for " + pan, Amount: pounds("1")}} {
		if _, err := c.CreateLink(t.Context(), d); api.OutcomeOf(err) != api.OutcomeNotSent {
			t.Error(err)
		}
	}
	if n := server.count(); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}
