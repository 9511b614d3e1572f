package sandbox

import (
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// href is the target of a link on a page.
func (a reply) href(says string) string {
	a.t.Helper()
	m := regexp.MustCompile(`href="([^"]*)">` + regexp.QuoteMeta(says) + `</a>`).FindStringSubmatch(a.text)
	if m == nil {
		a.t.Fatalf("there is no link %q in %s", says, a.text)
	}
	return html.UnescapeString(m[1])
}

// follow follows redirects that stay in the sandbox.
func (s *harness) follow(a reply) reply {
	s.t.Helper()
	for range 5 {
		to := a.header.Get("Location")
		if a.http != 303 || to == "" || !strings.HasPrefix(to, s.origin) {
			return a
		}
		a = s.visit(strings.TrimPrefix(to, s.origin))
	}
	s.t.Fatal("the redirects form a loop")
	return a
}

// customer is a filled-in form.
func customer(more ...string) url.Values {
	v := url.Values{
		"first-name": {"Ada"}, "last-name": {"Obi"}, "email": {"ada@shop.example"}, "phone": {""},
		"channel": {"Card"}, "card": {"approve"}, "number": {""}, "month": {""}, "year": {""}, "cvv": {""},
	}
	for i := 0; i < len(more); i += 2 {
		v.Set(more[i], more[i+1])
	}
	return v
}

var hiddenFields = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)

// fillIn submits the form of a page.
func (s *harness) fillIn(page reply, filled url.Values) reply {
	s.t.Helper()
	form := maps.Clone(filled)
	for _, m := range hiddenFields.FindAllStringSubmatch(page.text, -1) {
		form.Set(m[1], html.UnescapeString(m[2]))
	}
	m := regexp.MustCompile(`<form[^>]* action="([^"]*)"`).FindStringSubmatch(page.text)
	if m == nil {
		s.t.Fatalf("there is no form in %s", page.text)
	}
	return s.send("POST", strings.TrimPrefix(html.UnescapeString(m[1]), s.origin), form.Encode(), asForm)
}

func asForm(r *http.Request) {
	r.Header.Del(KeyHeader)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
}

// shows checks that a page contains texts.
func (a reply) shows(texts ...string) {
	a.t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.text, text) {
			_, body, _ := strings.Cut(a.text, "</style>")
			a.t.Errorf("the page does not contain %q:\n%s", text, body)
		}
	}
}

// newest is the reference of the newest payment.
func (s *harness) newest() string {
	s.t.Helper()
	if len(s.ordered) == 0 {
		s.t.Fatal("no payment was made")
	}
	return s.ordered[len(s.ordered)-1].reference
}

func naira(name string) obj {
	return with(with(draft(name), "currencyCode", "NGN"), "amountInfo.currencyCode", "NGN")
}

const shop = "https://shop.example/back?order=1&x=%2F"

func withReturn(alias string) string { return "/pay/" + alias + "?return=" + url.QueryEscape(shop) }

func TestALinkIsPaidInABrowserWithoutAChallenge(t *testing.T) {
	s := serve(t, Options{})
	alias := s.link(draft("A mug"))
	page := s.visit("/pay/" + alias)
	page.shows("<h1>A mug</h1>", "a mug", "12.50 GBP", alias, "can be paid once", ">Pay 12.50 GBP<", "4242 4242 4242 4242", "declined at once")
	sent := s.fillIn(page, customer())
	if sent.http != 303 || !strings.HasPrefix(sent.header.Get("Location"), s.origin+"/pay/"+alias+"/") {
		t.Fatalf("%d to %q", sent.http, sent.header.Get("Location"))
	}
	ref := s.newest()
	waits := s.follow(sent)
	waits.shows("is being processed", "12.50 GBP", "ending in 4242", ref, "looks again every 5 seconds", "Check again")
	s.is(ref, "PENDING")
	s.Forward(5 * time.Second)
	s.is(ref, "Successfull")
	done := s.follow(sent)
	if done.shows("The payment is complete"); waits.header.Get("Refresh") == "" || done.header.Get("Refresh") != "" {
		t.Errorf("Refresh is %q, and %q at the end", waits.header.Get("Refresh"), done.header.Get("Refresh"))
	}
	if p := s.payments[ref]; p.link.alias != alias || len(s.Payments()) != 1 {
		t.Error("there is not exactly one payment of the link")
	}
	used := s.visit("/pay/" + alias)
	used.shows("This link has been used. It can be paid only once.", "12.50 GBP is complete")
	if strings.Contains(used.text, "<form") || strings.Contains(used.text, ref) {
		t.Errorf("there is a form, or whoever has the link is shown the reference: %s", used.text)
	}
}

func TestWhatFailsCanBePaidInAnotherWay(t *testing.T) {
	for name, c := range map[string]struct{ card, decision, why string }{
		"declined":               {"decline", "", "The card was declined."},
		"declined after the yes": {"challenge-decline", "approve", "The card was declined."},
	} {
		s := serve(t, Options{})
		alias := s.link(draft("mug"))
		page := s.follow(s.fillIn(s.visit(withReturn(alias)), customer("card", c.card)))
		if c.decision != "" {
			page = s.follow(s.press(page, "decision", c.decision))
		}
		page.shows("The payment failed", c.why)
		if got := page.href("Return to the shop"); got != shop {
			t.Errorf("%s: the shop is at %q", name, got)
		}
		s.is(s.newest(), "FAILED")
		again := s.visit(page.href("Pay in another way"))
		if a := s.follow(s.fillIn(again, customer())); a.header.Get("Location") != shop {
			t.Errorf("%s: paid again: %d to %q", name, a.http, a.header.Get("Location"))
		}
		if len(s.Payments()) != 2 {
			t.Errorf("%s: %d payments", name, len(s.Payments()))
		}
	}
}

func TestTheAmountOfADynamicLinkIsTyped(t *testing.T) {
	s := serve(t, Options{})
	dynamic := with(with(draft("gift"), "amountType", 1), "linkType", 1)
	suggested, free := s.link(dynamic), s.link(with(with(dynamic, "name", "free"), "amountInfo.amount", 0))
	s.visit("/pay/"+suggested).shows("your choice, in GBP", `id="amount" name="amount" value="12.50"`, "any number of times")
	page := s.visit("/pay/" + free)
	page.shows(`id="amount" name="amount" value=""`)
	for typed, says := range map[string]string{
		"": "Amount is required.", "1,50": "Amount must be a number.", "0.99": "Amount must be at least 1.00.", "1000000000.01": "Amount is too large.",
	} {
		a := s.fillIn(page, customer("amount", typed))
		if a.http != 422 {
			t.Errorf("%q: %d", typed, a.http)
		}
		a.shows(`<a href="#amount">`+says+`</a>`, `id="amount" name="amount" value="`+typed+`"`)
	}
	if len(s.Payments()) != 0 {
		t.Error("something was paid")
	}
	s.fillIn(page, customer("amount", " 07.5 "))
	if len(s.Payments()) != 1 || s.ordered[0].amount != 750 {
		t.Errorf("%d payments", len(s.Payments()))
	}
}

func TestATransferShowsItsAccountAndIsPaid(t *testing.T) {
	s := serve(t, Options{ManualTransfers: true})
	alias := s.link(naira("mug"))
	page := s.visit(withReturn(alias))
	page.shows(`id="channel-paybytransfer"`, "Pay by transfer")
	account := s.follow(s.fillIn(page, customer("channel", "PayByTransfer", "card", "nonsense")))
	ref := s.newest()
	tr := s.payments[ref].transfer
	account.shows("Pay by bank transfer", "12.50 NGN", tr.account, "Sandbox Bank", "Sandbox Collections", ref, "4 May 2026, 09:00:00 UTC")
	must(t, s.Pay(ref, "5"))
	check := account.href("Check again")
	s.visit(check).shows("Paid so far", "5.00 NGN", "Still to pay", "7.50 NGN")
	must(t, s.Pay(ref, "7.50"))
	s.is(ref, "Successfull")
	if a := s.visit(check); a.http != 303 || a.header.Get("Location") != shop {
		t.Errorf("%d to %q", a.http, a.header.Get("Location"))
	}
	late := s.follow(s.fillIn(s.visit("/pay/"+s.link(naira("cup"))), customer("channel", "PayByTransfer")))
	must(t, s.Pay(s.newest(), "5"))
	s.Forward(accountValid)
	s.visit(late.href("Check again")).shows("The payment failed", "Only 5.00 NGN was received.", "Pay in another way")
}

func TestEveryAddressAnswersAsItShould(t *testing.T) {
	s := serve(t, Options{})
	alias := s.link(draft("A mug"))
	for _, c := range []struct {
		method, path string
		http         int
		allow        string
	}{
		{"GET", "/pay/none", 404, ""},
		{"GET", "/pay/" + alias + "/NOBODY", 404, ""},
		{"GET", "/pay/" + alias + "?return=javascript:alert(1)", 400, ""},
		{"GET", "/pay/" + alias + "?return=https://a:b@shop.example", 400, ""},
		{"GET", "/pay/" + alias + "?return=https://shop.example/%0d%0aSet-Cookie:a=b", 400, ""},
		{"DELETE", "/pay/" + alias, 405, "GET, HEAD, POST"},
		{"POST", "/pay/" + alias + "/NOBODY", 405, "GET, HEAD"},
	} {
		if a := s.send(c.method, c.path, "", asForm); a.http != c.http || a.header.Get("Allow") != c.allow {
			t.Errorf("%s %s: %d %q", c.method, c.path, a.http, a.header.Get("Allow"))
		}
	}
	if a := s.send("POST", "/pay/"+alias, "a="+strings.Repeat("b", maxBody), asForm); a.http != 413 {
		t.Errorf("a huge form: %d", a.http)
	}
	if a := s.send("POST", "/pay/"+alias, "a=%zz", asForm); a.http != 400 {
		t.Errorf("a broken form: %d", a.http)
	}
}
