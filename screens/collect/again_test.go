package collect

import (
	"testing"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/nav"
)

// again is a payment that was declined.
func again() *api.Initiation {
	return &api.Initiation{
		Amount: gbp(1250), Channel: api.ChannelCard, Narration: "Order 7", ReturnURL: "https://shop.example/done",
		Customer: api.Customer{FirstName: "Ada", LastName: "Okafor", Email: "ada@example.com", Phone: "+44 20 7946 0000"},
		MetaData: []api.Pair{{Key: "order", Value: "7"}, {Key: "desk", Value: "2"}},
	}
}

func TestAPaymentIsCollectedAgainAsItWasAskedFor(t *testing.T) {
	withScreen(t, 58, 14, Options{Again: again()}, nil, func(c *harness) {
		c.Sees("These channels accept 12.50 GBP", "The Card").Press("down", "enter", "ctrl+s", "ctrl+s")
		c.Sees("Request 12.50 GBP by transfer?")
		c.yes()
		in := c.sentOnce()
		if want := *again(); in.Amount != want.Amount || in.Customer != want.Customer || in.Narration != want.Narration || len(in.MetaData) != 2 || in.MetaData[1] != want.MetaData[1] {
			t.Errorf("sent %+v", in)
		}
	})
	withScreen(t, 58, 14, Options{Again: again()}, nil, func(c *harness) {
		c.Sees("These channels accept").Press("enter", "ctrl+s")
		c.hasNoSecret() // nothing of the other card was kept
		c.fill(visa, "123", "1234").Press("ctrl+s").Sees("Charge 12.50 GBP to •••• 4242?").Press("esc", "esc", "esc", "esc").Sees("12.50").Press("esc").Went(nav.Back{})
	})
}

// Of a currency without a choice of its own, and through a link.
func TestTheCurrencyAndTheLinkAreFilledIn(t *testing.T) {
	yen, err := money.ParseCurrency("JPY")
	if err != nil {
		t.Fatal(err)
	}
	in := again()
	in.Amount = money.Amount{Minor: 1500, Currency: yen}
	withScreen(t, 78, 20, Options{Again: in}, nil, func(c *harness) {
		c.Sees("These channels accept 1,500 JPY").Press("esc").Sees("JPY", "1500")
	})
	in.Link = "0-abcdefg"
	withScreen(t, 78, 20, Options{Again: in}, nil, func(c *harness) {
		c.Sees("Through the link 0-abcdefg, again", "These channels accept 1,500 JPY").Press("esc").Sees("1500").WaitsUntilGone("enter any amount", "Currency")
	})
}

// A journal that has no amount leaves it to be typed.
func TestWithoutAnAmountItIsTyped(t *testing.T) {
	withScreen(t, 78, 20, Options{Again: &api.Initiation{}}, nil, func(c *harness) {
		c.Sees("Currency")
		c.amount("g", "12.50").Sees("These channels accept 12.50 GBP")
	})
}

func TestTheCardOfADeclinedPaymentIsWiped(t *testing.T) {
	f := newFake(t)
	f.payment.Status = api.ParseClaim("FAILED")
	withScreen(t, 78, 20, Options{}, f, func(c *harness) {
		c.toReview().yes()
		c.Went(nav.Replace{To: nav.Payment{Reference: "ref-1"}})
		c.hasNoSecret()
	})
}

// The card is the only thing that a person still chooses.
func TestAMadeUpPaymentIsFilledInAndItsTestCardOfferedOnce(t *testing.T) {
	cards := []TestCard{
		{Name: "decline", Number: "4000000000000002", CVV: "123", Month: 1, Year: 2039, Does: "declined at once"},
		{Name: "approve", Number: visa, CVV: "123", Month: 1, Year: 2039, Does: "approved"},
	}
	withScreen(t, 58, 14, Options{Cards: cards, Sample: "approve"}, nil, func(c *harness) {
		c.Sees("These channels accept 17.50 GBP").Press("enter").Sees("test.customer@example.com").Press("ctrl+s")
		c.Sees("▌ approve").Press("esc").WaitsUntilGone("What it does").Sees("https://shop.example/done").Press("esc").Press("ctrl+s").WaitsUntilGone("What it does")
		c.Press("ctrl+t").Sees("▌ decline").Press("down", "enter").Press("ctrl+s").Sees("Charge 17.50 GBP to •••• 4242?")
		c.yes()
		if in := c.sentOnce(); in.Customer != sampleCustomer || in.ReturnURL != "https://shop.example/done" {
			t.Errorf("sent %+v", in)
		}
	})
	withScreen(t, 58, 14, Options{Cards: cards, Sample: "approve"}, nil, func(c *harness) { // another channel has no card
		c.Sees("These channels accept").Press("down", "enter", "ctrl+s").WaitsUntilGone("What it does")
	})
}
