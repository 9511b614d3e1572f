package collect

import (
	"errors"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/present"
)

var live = present.Target{Environment: "LIVE", Host: "payments.example"}

func TestACardIsChargedOnceWithWhatWasReviewedAndInLiveItsAmountTyped(t *testing.T) {
	withScreen(t, 78, 20, Options{Target: live}, nil, func(c *harness) {
		c.toReview().Sees("Charge 12.50 GBP to •••• 4242?", "sent as 12.5")
		c.yes().Sees("Type 12.50 to continue", "LIVE · payments.example").Golden("live")
		if len(c.f.sent) != 0 {
			t.Fatal("sent without the amount")
		}
		for _, r := range "12.50" {
			c.Type(string(r)).Wait(200 * time.Millisecond)
		}
		c.Press("enter").Wait(time.Second)
		in := c.sentOnce()
		if in.Amount.Major() != "12.50" || in.Amount.Currency.Code() != "GBP" || in.Channel != api.ChannelCard ||
			in.ReturnURL != "https://shop.example/done" || in.Narration != "Order 7" || len(in.MetaData) != 2 ||
			in.Customer != (api.Customer{FirstName: "Ada", LastName: "Okafor", Email: "ada@example.com", Phone: "+44 20 7946 0000"}) {
			t.Errorf("sent %+v", in)
		}
		if c.f.pans[0] != visa+" 123" {
			t.Error("the card that was sent is not the one that was typed")
		}
		c.Went(nav.Replace{To: nav.Payment{Reference: "ref-1"}})
		c.hasNoSecret()
	})
}

func TestTheResponseDecidesTheNextScreen(t *testing.T) {
	address, err := api.ParseAddress("https://bank.example/acs?redirect=true")
	if err != nil {
		t.Fatal(err)
	}
	payment := func(word string, change func(*api.Payment)) api.Payment {
		p := api.Payment{Reference: "ref-1", Status: api.ParseClaim(word)}
		change(&p)
		return p
	}
	card := api.Initiation{Channel: api.ChannelCard}
	transfer := api.Initiation{Channel: api.ChannelTransfer}
	plain := func(*api.Payment) {}
	bank := func(p *api.Payment) { p.BankAuth = address }
	watch, challenge := nav.Payment{Reference: "ref-1"}, nav.Challenge{Reference: "ref-1"}
	for _, test := range []struct {
		name string
		in   api.Initiation
		p    api.Payment
		want nav.Route
	}{
		{"a card whose bank address cannot be used", card,
			payment("INITIATED", func(p *api.Payment) { p.BankAuthRefused = api.Clean("no host") }), challenge},
		{"a card whose bank must check", card, payment("REQUIRED_BANK_AUTH", plain), challenge},
		{"a card rejected at once", card, payment("FAILED", bank), watch},
		{"an unknown status", card, payment("ODD", plain), watch},
		{"a transfer rejected at once", transfer, payment("FAILED", plain), watch},
	} {
		if got := next(test.in, test.p); got != test.want {
			t.Errorf("%s goes to %#v, not %#v", test.name, got, test.want)
		}
	}
}

func TestChoosingTheTransferWipesTheCard(t *testing.T) {
	withScreen(t, 78, 20, Options{}, nil, func(c *harness) {
		c.amount("g", "12.50").Press("enter")
		c.customer().fill(visa, "123", "1234", "https://shop.example/done").Press("esc", "esc", "down", "enter")
		c.hasNoSecret()
		c.Press("ctrl+s")
		c.fill("", "", "").yes()
		if in := c.sentOnce(); in.Card != nil || in.ReturnURL != "" {
			t.Errorf("sent %+v", in)
		}
	})
}

func TestAGBPCardWithoutAReturnURLIsStoppedAtTheField(t *testing.T) {
	withScreen(t, 78, 20, Options{}, nil, func(c *harness) {
		c.amount("g", "12.50").Press("enter")
		c.customer().fill(visa, "123", "1234").Press("ctrl+s")
		c.Sees("A GBP card payment needs a return URL").WaitsUntilGone("Charge")
		c.Type("shop.example").Press("ctrl+s").Sees("Enter a full URL").WaitsUntilGone("Charge 12.50")
	})
	withScreen(t, 78, 20, Options{}, nil, func(c *harness) {
		c.amount("n", "12.50").Press("enter")
		c.customer().fill(visa, "123", "1234").Press("ctrl+s").Sees("Charge 12.50 NGN")
	})
}

func TestAnUnresolvedPaymentOffersNoKeyThatSendsAgain(t *testing.T) {
	for name, fail := range map[string]func(*fake){
		"a response that never came":  func(f *fake) { f.failed = &api.Unresolved{Kind: api.KindTimeout} },
		"a console that broke off":    func(f *fake) { f.breaks = true },
		"a wrapped unresolved answer": func(f *fake) { f.failed = errors.Join(errors.New("journal"), &api.Unresolved{}) },
	} {
		f := newFake(t)
		fail(f)
		withScreen(t, 78, 20, Options{}, f, func(c *harness) {
			c.toReview().yes().Sees("It is not known whether this payment was made", "12.50 GBP", "Visa •••• 4242", "Ada Okafor",
				"payments.example").WaitsUntilGone("Nothing was sent", "again by", "failed", "declined", "rejected")
			c.hasNoSecret()
			for _, b := range c.m.Keys() {
				if strings.Contains(b.Help().Desc, "again") || strings.Contains(b.Help().Desc, "send") {
					t.Errorf("%s: there is a key for %q", name, b.Help().Desc)
				}
			}
			for _, k := range "abcdefghijklnopqrstuwxyz0123456789" {
				c.Type(string(k))
			}
			c.Press("enter", "ctrl+s", "tab", "pgdown", "ctrl+t", "y", "enter").Wait(time.Minute)
			c.sentOnce()
			c.Sees("It is not known")
			c.Press("m", "v")
			c.Went(nav.Push{To: nav.Transactions{}}, nav.Push{To: nav.Raw{Operation: api.OpInitiate}})
		})
	}
}
