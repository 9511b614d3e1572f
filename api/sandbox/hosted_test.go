package sandbox

import (
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
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

// fillIn submits the form of a link's page.
func (s *harness) fillIn(page reply, filled url.Values) reply {
	s.t.Helper()
	form := maps.Clone(filled)
	for _, m := range hiddenFields.FindAllStringSubmatch(page.text, -1) {
		form.Set(m[1], html.UnescapeString(m[2]))
	}
	m := regexp.MustCompile(`<form method="post" action="([^"]*)"`).FindStringSubmatch(page.text)
	if m == nil {
		s.t.Fatalf("there is no form in %s", page.text)
	}
	return s.send("POST", html.UnescapeString(m[1]), form.Encode(), asForm)
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
	if p := s.payments[ref]; p.link.alias != alias || s.Accepted() != 1 {
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
		if s.Accepted() != 2 {
			t.Errorf("%s: %d payments", name, s.Accepted())
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
	if s.Accepted() != 0 {
		t.Error("something was paid")
	}
	s.fillIn(page, customer("amount", " 07.5 "))
	if s.Accepted() != 1 || s.ordered[0].amount != 750 {
		t.Errorf("%d payments", s.Accepted())
	}
}

func TestATransferShowsItsAccountAndIsPaid(t *testing.T) {
	s := serve(t, Options{ManualTransfers: true})
	alias := s.link(naira("mug"))
	page := s.visit(withReturn(alias))
	page.shows(`id="channel-paybytransfer"`, "Pay by transfer")
	account := s.follow(s.fillIn(page, customer("channel", "PayByTransfer", "card", "typed", "number", "nonsense")))
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

func TestErrorsAreShownOnceAndAtTheirField(t *testing.T) {
	s := serve(t, Options{})
	typed := customer("card", "typed", "number", "4242 4242-42424242", "month", "12", "year", "34", "cvv", "123")
	number := func(change ...string) url.Values {
		v := url.Values{}
		for name, values := range typed {
			v[name] = values
		}
		for i := 0; i < len(change); i += 2 {
			v.Set(change[i], change[i+1])
		}
		return v
	}
	for _, c := range []struct {
		filled url.Values
		wrong  string // as "id: text", one a line
	}{
		{customer("channel", "PayByTransfer"), "channel: Payment method must be one of Card, PayByAccount for this currency."},
		{customer("card", "approve", "number", "1"), "card: Choose either a test card or the card you entered."},
		{number("number", "4111111111111111"), "number: Card number is not on the sandbox&#39;s list of test cards."},
		{number("month", "13"), "month: Expiry month must be from 1 to 12."},
		{url.Values{"channel": {"Card"}, "card": {"typed"}}, "first-name: First name is required.\nlast-name: Last name is required.\n" +
			"email: E-mail address is required.\nnumber: Card number is required.\nmonth: Expiry month is required.\n" +
			"year: Expiry year is required.\ncvv: Security code is required."},
	} {
		alias := s.link(draft("mug " + strings.Repeat("x", len(s.links))))
		a := s.fillIn(s.visit("/pay/"+alias), c.filled)
		var said []string
		for _, m := range regexp.MustCompile(`<li><a href="#([^"]*)">([^<]*)</a></li>`).FindAllStringSubmatch(a.text, -1) {
			said = append(said, m[1]+": "+m[2])
			if !strings.Contains(a.text, ` id="`+m[1]+`"`) || !strings.Contains(a.text, ` aria-describedby="`+m[1]+`-error"`) {
				t.Errorf("there is no field %s that is marked", m[1])
			}
		}
		if got := strings.Join(said, "\n"); got != c.wrong || a.http != 422 {
			t.Errorf("%v: %d %q, want %q", c.filled, a.http, got, c.wrong)
		}
		a.shows("<title>Error: mug", `role="alert" tabindex="-1" autofocus`)
		if s.Accepted() != 0 {
			t.Fatal("something was paid")
		}
	}
	if a := s.follow(s.fillIn(s.visit("/pay/"+s.link(draft("a mug"))), typed)); !strings.Contains(a.text, "is being processed") {
		t.Error(a.text)
	}
}

func TestWhatWasTypedStaysExceptForTheCard(t *testing.T) {
	s := serve(t, Options{})
	page := s.visit("/pay/" + s.link(naira("mug")))
	a := s.fillIn(page, customer("first-name", `A"da`, "email", "wrong", "phone", "+44 1", "card", "typed",
		"number", "4111 1111 1111 1111", "month", "7", "year", "2034", "cvv", "987"))
	a.shows(`value="A&#34;da"`, `value="wrong"`, `value="+44 1"`, `value="typed" checked`)
	shown := func(a reply) string { return hiddenFields.ReplaceAllString(a.text, "") } // they contain a token with random digits
	for _, secret := range []string{"4111", "987"} {
		if strings.Contains(shown(a), secret) {
			t.Errorf("the page holds %s", secret)
		}
	}
	a = s.fillIn(page, customer("first-name", "4111111111111111", "email", "x4111111111111111", "channel", "PayByTransfer"))
	if strings.Contains(shown(a), "4111") {
		t.Error("a card number typed into the wrong field is shown again")
	}
	a.shows(`value="PayByTransfer" checked`)
}

func TestAFormWithoutAPagesTokenIsNotAccepted(t *testing.T) {
	s := serve(t, Options{})
	alias := s.link(draft("mug"))
	for _, token := range []string{"", "AAAA.0.00", "../../bank/x", strings.Repeat("a", 26), strings.Repeat("A", 25) + "\r"} {
		a := s.send("POST", "/pay/"+alias, customer("token", token, "return", "").Encode(), asForm)
		if a.http != 403 || !strings.Contains(a.text, "This form is invalid") || s.Accepted() != 0 {
			t.Errorf("%q: %d", token, a.http)
		}
		a.shows(`value="Ada"`)
	}
}

// Whatever a customer reloads, goes back to or submits twice, however late, each form pays at most once and leads to
// what it paid, and a one-time link never has two payments that have not failed.
func TestReloadsAndDoubleSubmitsNeverPayTwice(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := New(Options{Key: testKey, ManualTransfers: true})
		reusable := rapid.Bool().Draw(r, "reusable")
		s.keepLink(&link{alias: "0-a", name: "mug", reusable: reusable, amount: 1250, currency: "NGN"})
		browse := func(method, address string, form url.Values) *httptest.ResponseRecorder {
			q := httptest.NewRequest(method, address, strings.NewReader(form.Encode()))
			q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			s.ServeHTTP(w, q)
			if w.Code >= 500 {
				r.Fatal(w.Body)
			}
			return w
		}
		var tokens, addresses []string // forms that were shown, URLs that were visited
		sent := map[string]bool{}
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			switch step := rapid.IntRange(0, 6).Draw(r, "step"); {
			case step <= 1 || len(tokens) == 0:
				w := browse("GET", "/pay/0-a", nil)
				if m := hiddenFields.FindStringSubmatch(w.Body.String()); m != nil {
					tokens = append(tokens, m[2])
				}
			case step <= 4:
				token := rapid.SampledFrom(tokens).Draw(r, "form")
				choice := rapid.SampledFrom([]string{"approve", "decline", "challenge", "transfer"}).Draw(r, "pay by")
				form := customer("token", token, "return", "", "card", choice)
				if choice == "transfer" {
					form.Set("channel", "PayByTransfer")
				}
				switch w := browse("POST", "/pay/0-a", form); {
				case w.Code == http.StatusSeeOther:
					sent[token] = true
					addresses = append(addresses, w.Header().Get("Location"))
				case sent[token]:
					r.Fatalf("a form that paid is answered HTTP %d when it is sent again", w.Code)
				}
			case len(addresses) > 0:
				browse("GET", rapid.SampledFrom(addresses).Draw(r, "address"), nil)
			}
			if step := rapid.IntRange(0, 3).Draw(r, "bank"); step == 0 && len(s.ordered) > 0 {
				p := rapid.SampledFrom(s.ordered).Draw(r, "payment")
				rapid.SampledFrom([]func(string) bool{s.Approve, s.Reject, s.Settle, s.Expire}).Draw(r, "what")(p.reference)
			}
			s.Forward(rapid.SampledFrom([]time.Duration{0, 3 * time.Second, 10 * time.Second, 24 * time.Hour}).Draw(r, "time"))
		}
		if s.Accepted() != len(sent) {
			r.Fatalf("%d forms were taken, and %d payments", len(sent), s.Accepted())
		}
		alive := slices.DeleteFunc(slices.Clone(s.ordered), func(p *payment) bool { return p.at(s.now()) == failed })
		if !reusable && len(alive) > 1 {
			r.Fatalf("a one-time link has %d payments", len(alive))
		}
	})
}

// tags is a page's tags without their content.
func tags(page string) string {
	tags := regexp.MustCompile(`<[^>]*>`).FindAllString(page, -1)
	return regexp.MustCompile(`="[^"]*"`).ReplaceAllString(strings.Join(tags, "\n"), "")
}

// No link name and no input changes the structure of the page.
func TestHostileTextStaysText(t *testing.T) {
	var corpus []struct {
		Value string
		Raw   bool
	}
	if err := json.Unmarshal([]byte(read(t, "faulttest/hostile-strings.json")), &corpus); err != nil || len(corpus) < 100 {
		t.Fatal(err, len(corpus))
	}
	s := New(Options{Key: testKey})
	page := func(text string) (string, string) {
		l := &link{alias: "0-a", name: text, description: text + "'", amount: 1250, currency: "NGN", dynamic: true}
		s.keepLink(l)
		o := formInput{
			"amount": text, "first-name": text, "last-name": text, "email": text, "phone": text,
			"channel": "Card", "card": cardTyped, "token": "x",
		}
		shown := s.linkPage(l, o, []formError{{"amount", text}}, s.now())
		form := customer("amount", text, "first-name", text, "email", text, "channel", text, "card", text, "return", text)
		q := httptest.NewRequest("POST", "/pay/0-a", strings.NewReader(form.Encode()))
		asForm(q)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, q)
		if w.Code == 303 || w.Code >= 500 || len(w.Header()["Location"]) > 0 {
			t.Errorf("%q gets %d", text, w.Code)
		}
		return tags(shown.markup()), w.Body.String()
	}
	want, _ := page("text")
	for _, c := range corpus {
		got, answered := page(c.Value)
		if got != want {
			t.Errorf("%q changes the page", c.Value)
		}
		if strings.ContainsAny(c.Value, "<>") && strings.Contains(answered, c.Value) {
			t.Errorf("%q is in the response unescaped", c.Value)
		}
	}
}

// byAccount is a valid payment from an account, in GBP.
func byAccount() obj {
	o := with(charge("approve"), "paymentRequestProps", obj{"returnUrl": shop})
	return with(o, "channel", "PayByAccount")
}

// byInterac is a valid Interac payment, in CAD.
func byInterac() obj {
	o := with(charge("approve"), "paymentRequestProps", obj{"email": "bill@shop.example"})
	return with(with(o, "channel", "Interac"), "currency", "CAD")
}

func dollars(name string) obj {
	return with(with(draft(name), "currencyCode", "CAD"), "amountInfo.currencyCode", "CAD")
}

func TestAnInteracPaymentIsApprovedFromAnEMail(t *testing.T) {
	s := serve(t, Options{})
	a := s.post(initiatePath, byInterac())
	if a.http != 200 || a.str("value.paymentStatus") != "REQUIRE_USER_OFFLINE_ACTION" || a.at("value.bankAuthURL") != nil {
		t.Fatalf("%d %s", a.http, a.text)
	}
	ref := a.str("value.paymentItem.reference")
	s.is(ref, "INITIATED")
	v, _ := s.Payment(ref) // where a tester finds what is in the e-mail
	request := s.visit(strings.TrimPrefix(v.BankURL, s.origin))
	request.shows("Sandbox Bank asks you to approve this payment by Interac.", "bill@shop.example", "12.50 CAD")
	s.press(request, "decision", "approve")
	s.is(ref, "PENDING")
	if v, _ := s.Payment(ref); v.BankURL != "" {
		t.Errorf("the request is still open: %+v", v)
	}
	s.Forward(5 * time.Second)
	s.is(ref, "Successfull")
}

func TestALinkIsPaidByInterac(t *testing.T) {
	s := serve(t, Options{})
	page := s.visit(withReturn(s.link(dollars("mug"))))
	page.shows(`value="Interac" checked`, "A request for money is sent to the customer")
	waits := s.follow(s.fillIn(page, customer("channel", "Interac")))
	waits.shows("Approve the request in your e-mail", "ada@shop.example", "looks again every 5 seconds")
	request := s.visit(strings.TrimPrefix(waits.href("Open the request"), s.origin))
	left := s.follow(s.press(request, "decision", "leave"))
	left.shows("Approve the request in your e-mail")
	if s.press(request, "decision", "approve"); s.payments[s.newest()].finalized != (time.Time{}) {
		t.Error("it was finalized before the customer came back")
	}
	if a := s.visit(left.href("Check again")); a.http != 303 || a.header.Get("Location") != shop {
		t.Errorf("%d to %q", a.http, a.header.Get("Location"))
	}
	s.Forward(5 * time.Second)
	s.is(s.newest(), "Successfull")
}

// A channel can be listed and yet be rejected at initiation, and the page of a link says so.
func TestAChannelThatIsRejectedSaysWhatIsAccepted(t *testing.T) {
	s := serve(t, Options{})
	cad, gbp := s.link(dollars("mug")), s.link(draft("cup"))
	form := s.visit("/pay/" + gbp)
	must(t, s.SetSwitch("channels.rejected", "Interac"))
	s.post(initiatePath, byInterac()).refused(400, "channel is listed for this currency, but rejected at initiation")
	none := s.visit("/pay/" + cad)
	none.shows("The sandbox accepts no payments in CAD. It accepts payments in NGN and GBP.")
	if strings.Contains(none.text, "<form") {
		t.Error("there is a form that nobody can submit")
	}
	s.SetSwitch("channels.rejected", "PayByAccount")
	s.visit("/pay/" + gbp).shows(`value="PayByAccount" disabled`)
	s.fillIn(form, customer("channel", "PayByAccount")).shows(`<a href="#channel">Payment method is listed for this currency, but`)
	if s.Accepted() != 0 {
		t.Error("something was paid")
	}
}

// challenge makes a payment with a challenge and returns its reference and the bank URL
// without the origin.
func (s *harness) challenge(body obj) (string, string) {
	s.t.Helper()
	a := s.post(initiatePath, body)
	return a.str("value.paymentItem.reference"), strings.TrimPrefix(a.str("value.bankAuthURL"), s.origin)
}

// visit requests a page like a browser, without the key.
func (s *harness) visit(path string) reply {
	s.t.Helper()
	return s.send("GET", path, "", func(r *http.Request) { r.Header.Del(KeyHeader) })
}

// press submits the form of a page with a button's name and value.
func (s *harness) press(page reply, name, value string) reply {
	s.t.Helper()
	action := regexp.MustCompile(`<form[^>]* action="([^"]*)"`).FindStringSubmatch(page.text)
	if action == nil {
		s.t.Fatalf("there is no form in %s", page.text)
	}
	form := url.Values{name: {value}}
	for _, m := range regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`).FindAllStringSubmatch(page.text, -1) {
		form.Set(m[1], html.UnescapeString(m[2]))
	}
	return s.send("POST", strings.TrimPrefix(html.UnescapeString(action[1]), s.origin), form.Encode(), func(r *http.Request) {
		r.Header.Del(KeyHeader)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	})
}

func TestTheBankAsksAndSendsTheCustomerOn(t *testing.T) {
	for decision, word := range map[string]string{"approve": "PENDING", "reject": "FAILED"} {
		s := serve(t, Options{})
		ref, address := s.challenge(charge("challenge"))
		page := s.visit(address)
		for _, text := range []string{"12.50 GBP", "ending in 1019", ref, ">Approve<", ">Reject<", ">Leave without answering<", "the payment waits", "sandbox"} {
			if !strings.Contains(page.text, text) {
				t.Errorf("the page does not contain %q", text)
			}
		}
		s.is(ref, "INITIATED")
		a := s.press(page, "decision", decision)
		if a.http != 303 || a.header.Get("Location") != "https://shop.example/back?order=1" {
			t.Errorf("%s: %d to %q", decision, a.http, a.header.Get("Location"))
		}
		s.is(ref, word)
		if again := s.visit(address); strings.Contains(again.text, "<form") || !strings.Contains(again.text, "Return to the shop") {
			t.Error("the bank asks twice, or does not link to the shop")
		}
		s.press(page, "decision", "approve")
		s.is(ref, word)
	}
}

func TestTheBankAddressMustComeBackUnchanged(t *testing.T) {
	s := serve(t, Options{})
	ref, address := s.challenge(charge("challenge"))
	for name, change := range map[string]func(string) string{
		"decoded":         func(a string) string { return strings.Replace(a, "%20", "+", 1) },
		"lower case":      func(a string) string { return strings.Replace(a, "%2B", "%2b", 1) },
		"without a token": func(a string) string { return regexp.MustCompile(`token=\w+`).ReplaceAllString(a, "token=") },
		"without query":   func(a string) string { return strings.Split(a, "?")[0] },
		"another payment": func(a string) string { return strings.Replace(a, ref, "OTHER", 1) },
	} {
		if a := s.visit(change(address)); a.http != 404 || strings.Contains(a.text, "<form") {
			t.Errorf("%s: %d", name, a.http)
		}
	}
	form := "token=guess&decision=approve"
	a := s.send("POST", "/bank/"+ref, form, func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") })
	if a.http != 404 {
		t.Errorf("a guessed URL got %d", a.http)
	}
	s.is(ref, "INITIATED")
	if a := s.send("DELETE", address, ""); a.http != 405 || a.header.Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("DELETE: %d", a.http)
	}
}

func TestPagesAreSafeAndPlain(t *testing.T) {
	s := serve(t, Options{})
	hostile := `"><script>alert(1)</script>&amp;` + "\u202e"
	alias := s.link(with(with(draft(hostile), "description", hostile+"'"), "amountType", 1))
	_, address := s.challenge(with(charge("challenge"), "paymentRequestProps.returnUrl", `https://shop.example/"><script>x</script>`))
	for _, path := range []string{"/pay/" + alias, "/pay/none", address, "/bank/none"} {
		a := s.visit(path)
		policy := a.header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; base-uri 'none'") || !strings.Contains(policy, cspHash(asset("page.css"))) {
			t.Errorf("%s: the policy is %q", path, policy)
		}
		for name, want := range map[string]string{"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8"} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if framed := !strings.HasSuffix(policy, "; frame-ancestors 'none'"); path == address && !framed || path == "/pay/"+alias && framed || len(a.header["Set-Cookie"]) > 0 {
			t.Errorf("a shop frames the bank and nothing of a link, and there are no cookies: %s %v", path, a.header)
		}
		if strings.Contains(a.text, "<script") || strings.Contains(a.text, "src=") || strings.Contains(a.text, "@import") {
			t.Errorf("%s contains markup from outside: %s", path, a.text)
		}
		for _, part := range []string{`<html lang="en">`, "<title>", "<main>", "<h1>"} {
			if !strings.Contains(a.text, part) {
				t.Errorf("%s has no %s", path, part)
			}
		}
	}
}

func TestLeavingTheBankDecidesNothing(t *testing.T) {
	s := serve(t, Options{})
	ref, address := s.challenge(charge("challenge"))
	if a := s.press(s.visit(address), "decision", "leave"); a.http != 303 || a.header.Get("Location") != "https://shop.example/back?order=1" {
		t.Errorf("%d to %q", a.http, a.header.Get("Location"))
	}
	s.is(ref, "INITIATED")
	closing := s.press(s.visit(strings.Replace(address, "redirect=true", "redirect=false", 1)), "decision", "leave")
	if !strings.Contains(closing.text, "You left without answering") || !strings.Contains(closing.text, `data-answer="left"`) {
		t.Errorf("%d %s", closing.http, closing.text)
	}
	if back := s.visit(strings.TrimPrefix(closing.href("Answer it now"), s.origin)); !strings.Contains(back.text, ">Approve<") {
		t.Error("the challenge cannot be answered later")
	}
	s.is(ref, "INITIATED")
}
