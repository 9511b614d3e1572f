package collect

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/nav"
)

func TestARefusalKeepsEverythingTypedButTheCVV(t *testing.T) {
	f := newFake()
	f.failed = &api.Refusal{Kind: api.KindService, HTTP: 422, Failures: []api.Text{api.Clean("paymentRequestProps.returnUrl must be an https address"),
		api.Clean("The merchant's agreement ended on 31 December. Ask the provider to renew it before you send another payment, and tell them which it is: that stands on each of its statements.")}}
	withScreen(t, 78, 20, Options{SendReference: true}, f, func(c *harness) {
		c.toReview().yes()
		c.Sees("The service rejected the request. Nothing was done.", "returnUrl must be an https address", "https://shop.example/done",
			"4242", "12/34", "Order 7", "order=7, desk=2", "statements").Golden("refused")
		if d := c.m.details; !d.cvv.Empty() || d.pan.Empty() {
			t.Error("the CVV was kept, or the card number was not")
		}
		if card := f.sent[0].Card; card.PAN.Expose() != "" || card.CVV.Expose() != "" {
			t.Error("the sent card is still held")
		}
		c.Press("esc").Sees("ada@example.com").Press("ctrl+s", "ctrl+s").Sees("CVV is required")
		f.failed = nil
		c.Type("321").Press("ctrl+s")
		c.yes()
		if len(f.sent) != 2 || f.pans[1] != visa+" 321" || f.sent[0].OwnReference == f.sent[1].OwnReference {
			t.Errorf("%d payments were sent", len(f.sent))
		}
	})
}

func TestARefusalIsShownAtTheFieldItNames(t *testing.T) {
	for text, want := range map[string]stage{
		"amount must be at least 1.00":                             stageAmount,
		"channel must be one of Card for this currency":            stageChannel,
		"userInformation.emailAddress must be an e-mail address":   stageCustomer,
		"paymentRequestProps.card.number is not a test card":       stageDetails,
		"link.alias is not the alias of a link":                    stageDetails,
		"The merchant's account is not active":                     reviewing,
		"paymentRequestProps must not be there for PayByTransfer.": reviewing,
	} {
		f := newFake()
		f.failed = &api.Refusal{Kind: api.KindService, HTTP: 400, Text: api.Clean(text)}
		withScreen(t, 78, 20, Options{}, f, func(c *harness) {
			c.toReview().yes().Sees(text[:20])
			if got := c.m.stage; got != want {
				t.Errorf("%q stands in stage %d, not %d", text, got, want)
			}
			if !c.m.details.cvv.Empty() {
				t.Errorf("the CVV is kept after %q", text)
			}
			if c.m.forms[want] != nil {
				c.Sees("rejected the request").Press("backspace").Type("1").WaitsUntilGone("rejected the request")
			}
		})
	}
}

func TestAPaymentThatWasNotSentMayBeSentAfterAskingAgain(t *testing.T) {
	f := newFake()
	f.failed = &api.Failure{Kind: api.KindConnect}
	withScreen(t, 78, 20, Options{}, f, func(c *harness) {
		c.toReview().yes().Sees("The host could not be reached. Nothing was sent.", "You can send it again", "Charge 12.50 GBP")
		c.Golden("unsent")
		c.Wait(time.Minute)
		c.sentOnce() // the earlier answer does not count for the new question
		f.failed = nil
		if c.yes(); len(f.sent) != 2 || f.pans[1] != visa+" 123" {
			t.Errorf("%d payments were sent", len(f.sent))
		}
		c.hasNoSecret()
	})
}

// The request is drawn for each frame, with the card as far as it was typed.
func TestNoFrameOfACardHasItsCVV(t *testing.T) {
	withScreen(t, 118, 36, Options{}, nil, func(c *harness) {
		c.amount("g", "12.50").Press("enter")
		c.customer()
		c.Type(visa).Press("enter")
		for _, digit := range "937" {
			c.Type(string(digit))
			for _, shown := range []string{"93", "37", `"cvv": "9`} {
				if c.Has(shown) {
					t.Fatalf("%s is on the screen", shown)
				}
			}
		}
		c.Press("enter").Type("1234").Sees(`"cvv": "•••"`, `"number": "•••• 4242"`).Press("up", "backspace").Sees("•• ")
		if strings.Contains(string(c.Bytes()), "937") {
			t.Error("a frame has the CVV")
		}
	})
}

// A walk is one way through the screen that ends in a stage.
type walk struct {
	name string
	o    Options
	f    func(*fake)
	take func(*harness, string)
}

func walks() []walk {
	plain := func(*fake) {}
	filled := func(c *harness, pan string) {
		c.amount("g", "12.50").Press("enter")
		c.customer().card(pan, "1234"[:3])
	}
	sent := func(c *harness, pan string) { filled(c, pan); c.yes() }
	fails := func(err error) func(*fake) { return func(f *fake) { f.failed = err } }
	link := &api.Link{Alias: "0-abcdefg", HasAmount: true, Amount: gbp(1000)}
	return []walk{
		{"channels", Options{}, plain, func(c *harness, _ string) { c.amount("g", "12.50") }},
		{"channels failed", Options{}, func(f *fake) { f.refused = &api.Failure{Kind: api.KindDNS} },
			func(c *harness, _ string) { c.amount("g", "12.50") }},
		{"card", Options{}, plain, func(c *harness, pan string) { filled(c, pan); c.Press("esc") }},
		{"picker", Options{Cards: testCards}, plain, func(c *harness, pan string) { filled(c, pan); c.Press("esc", "ctrl+t") }},
		{"review", Options{Collect: nav.Collect{Link: link}}, plain, func(c *harness, pan string) {
			c.Press("enter")
			c.customer().fill(pan, "123", "1234", "https://shop.example/done", "Order 7", "order=7")
		}},
		{"live", Options{Target: live}, plain, filled},
		{"refused", Options{}, fails(&api.Refusal{Kind: api.KindService, Text: api.Clean("card number is odd")}), sent},
		{"unsent", Options{}, fails(&api.Failure{Kind: api.KindDNS}), sent},
		{"unresolved", Options{}, fails(&api.Unresolved{Kind: api.KindTimeout}), sent},
		{"duplicates", Options{Collect: nav.Collect{Link: link}}, func(f *fake) {
			f.failed = &ledger.Duplicate{Attempts: []ledger.Attempt{{ID: "a9z8y7x6w5", Amount: gbp(1000)}, {}, {}, {}, {}}}
		}, func(c *harness, pan string) {
			c.Press("enter")
			c.customer().fill(pan, "123", "1234", "https://shop.example/done", "Order 7", "order=7").yes().Sees("Type a9z8")
		}},
		{"sending", Options{}, func(f *fake) { f.answering = make(chan struct{}) }, sent},
	}
}

// A wide window has the preview beside the form.
func TestNoStageOverflowsItsBodyOrShowsMoreThanFourDigitsOfACard(t *testing.T) {
	for i, pan := range []string{visa, verve, "378282246310005"} {
		for _, walk := range walks() {
			if i > 0 && walk.name != "card" && walk.name != "live" {
				continue // the others show what these show
			}
			f := newFake()
			synctest.Test(t, func(t *testing.T) {
				t.Log(walk.name)
				walk.f(f)
				c := open(t, 118, 36, walk.o, f)
				walk.take(c, pan)
				sent := strings.NewReplacer(" ", "", "•", "").Replace(string(c.Bytes()))
				for i := range len(pan) - 4 {
					if five := pan[i : i+5]; strings.Contains(sent, five) {
						t.Fatalf("shows %s", five)
					}
				}
				c.Fits()
				if f.answering != nil {
					close(f.answering)
				}
			})
		}
	}
}
