package sandbox

import (
	"encoding/json"
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

func TestErrorsAreShownOnceAndAtTheirField(t *testing.T) {
	s := serve(t, Options{})
	for _, c := range []struct {
		filled url.Values
		wrong  string // as "id: text", one a line
	}{
		{customer("channel", "PayByTransfer"), "channel: Payment method must be one of Card, PayByAccount for this currency."},
		{customer("card", "none"), "card: Test card is required."},
		{url.Values{"channel": {"Card"}}, "first-name: First name is required.\nlast-name: Last name is required.\n" +
			"email: E-mail address is required.\ncard: Test card is required."},
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
		if len(s.Payments()) != 0 {
			t.Fatal("something was paid")
		}
	}
	if a := s.follow(s.fillIn(s.visit("/pay/"+s.link(draft("a mug"))), customer())); !strings.Contains(a.text, "is being processed") {
		t.Error(a.text)
	}
}

func TestWhatWasTypedStaysExceptForACardNumber(t *testing.T) {
	s := serve(t, Options{})
	page := s.visit("/pay/" + s.link(naira("mug")))
	a := s.fillIn(page, customer("first-name", `A"da`, "email", "wrong", "phone", "+44 1", "card", "verve"))
	a.shows(`value="A&#34;da"`, `value="wrong"`, `value="+44 1"`, `value="verve" checked`)
	shown := func(a reply) string { return hiddenFields.ReplaceAllString(a.text, "") } // they contain a token with random digits
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
		if a.http != 403 || !strings.Contains(a.text, "This form is invalid") || len(s.Payments()) != 0 {
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
		if len(s.Payments()) != len(sent) {
			r.Fatalf("%d forms were taken, and %d payments", len(sent), len(s.Payments()))
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
			"channel": "Card", "card": "verve", "token": "x",
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
	if len(s.Payments()) != 0 {
		t.Error("something was paid")
	}
}
