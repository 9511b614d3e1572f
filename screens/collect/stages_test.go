package collect

import (
	"fmt"
	"testing"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

func gbp(minor int64) money.Amount { return screentest.Money(minor, "GBP") }

var testCards = []TestCard{
	{"approve", visa, "123", 12, 2034, "approved without a challenge; settles"},
	{"amex", "378282246310005", "1234", 12, 2034, "approved without a challenge; settles (CVV of 4)"},
}

func TestAStaticLinksAmountCannotBeChanged(t *testing.T) {
	l := api.Link{Alias: "0-abcdefg", HasAmount: true, Amount: gbp(1000)}
	withScreen(t, 78, 20, Options{Link: &l}, nil, func(c *harness) {
		c.Sees("Through the link 0-abcdefg", "10.00 GBP")
		c.Type("99.00n").Press("backspace", "left", "down", "tab", "ctrl+s")
		c.Paste("77").Sees("10.00 GBP")
		if c.m.Notice().Text == "" {
			t.Error("nothing says why")
		}
		c.Press("enter", "enter")
		c.customer().WaitsUntilGone("Link alias").Press("ctrl+t")
		c.fill(visa, "123", "1234", "https://shop.example/done", "", "").Sees("Charge 10.00 GBP", "0-abcdefg")
		c.yes()
		if in := c.sentOnce(); in.Amount != gbp(1000) || in.Link != "0-abcdefg" {
			t.Errorf("sent %+v", in)
		}
	})
}

func TestADynamicLinkFixesTheCurrencyAndAsksForTheAmount(t *testing.T) {
	l := api.Link{Alias: "0-abcdefg", AmountType: api.Dynamic, HasAmount: true, Amount: gbp(500)} // a suggestion
	withScreen(t, 78, 20, Options{Link: &l}, nil, func(c *harness) {
		c.Sees("0-abcdefg", "GBP").WaitsUntilGone("Currency")
		c.fill("7.5").Sees("These channels accept 7.50 GBP", "Through the link 0-abcdefg for 7.50 GBP")
	})
}

func TestAChannelMayBeChosenUncheckedOnlyWhenTheRequestFailed(t *testing.T) {
	f := newFake(t)
	f.refused = &api.Failure{Kind: api.KindTimeout}
	withScreen(t, 78, 20, Options{}, f, func(c *harness) {
		c.amount("n", "12.50").Sees("The request timed out", "unchecked")
		c.Press("down", "enter")
		c.customer().fill("", "", "").Sees("PayByTransfer, unchecked")
		c.Press("esc", "esc", "esc", "up", "enter", "ctrl+s").Sees("Card number")
	})
}

func TestGoingBackLosesNothingButTheCVVAndLeavingWipesEveryCopyOfTheCard(t *testing.T) {
	withScreen(t, 118, 36, Options{}, nil, func(c *harness) {
		c.toReview()
		frozen := c.m.review.in.Card
		c.Press("esc").Sees("Card number")
		if !frozen.PAN.IsZero() || !frozen.CVV.IsZero() {
			t.Error("the review's copy outlived the review")
		}
		if d := c.m.details; d.cvv.Empty() || d.pan.Empty() {
			t.Error("going back to the card lost it")
		}
		c.Press("esc").Sees("ada@example.com")
		if !c.m.details.cvv.Empty() {
			t.Error("the CVV outlived the card stage")
		}
		c.Press("esc").Sees("These channels").Press("esc").Sees("12.50")
		c.Press("ctrl+s", "enter", "ctrl+s").Sees("4242", "https://shop.example/done", "Order 7", "order=7, desk=2")
		c.Press("ctrl+s").Sees("CVV is required").Type("123").Press("ctrl+s").Sees("Charge 12.50 GBP").Press("esc", "esc", "esc", "esc")
		if c.Went(); c.m.details.pan.Empty() {
			t.Fatal("the number was lost on the way back")
		}
		c.Press("esc").Went(nav.Back{})
		if len(c.f.shown) == 0 {
			t.Fatal("no JSON was built of the card")
		}
		c.hasNoSecret()
	})
}

func TestMetadataIsParsedAsPairs(t *testing.T) {
	for text, want := range map[string]struct {
		pairs []api.Pair
		wrong string
	}{
		"":                   {},
		"a=b":                {pairs: []api.Pair{{Key: "a", Value: "b"}}},
		" a = b c , d=e=f, ": {pairs: []api.Pair{{Key: "a", Value: "b c"}, {Key: "d", Value: "e=f"}}},
		"a":                  {wrong: "Enter key=value pairs, separated by commas"},
		"a=b, a=c":           {wrong: "The key a appears twice"},
	} {
		got, wrong := pairs(text)
		if fmt.Sprint(got) != fmt.Sprint(want.pairs) || wrong != want.wrong {
			t.Errorf("%q is %v, %q; not %v, %q", text, got, wrong, want.pairs, want.wrong)
		}
	}
	withScreen(t, 78, 20, Options{}, nil, func(c *harness) {
		c.amount("n", "12.50").Press("down", "enter")
		c.customer().fill("Card 4242 4242 4242 4242", "order", "").Sees("Card number removed", "Enter key=value pairs").WaitsUntilGone("42424")
	})
}

func TestNoFieldOfAPaymentKeepsACardNumber(t *testing.T) {
	withScreen(t, 78, 20, Options{}, nil, func(c *harness) {
		look := func(labels ...string) {
			for _, label := range labels {
				c.To(label).Type("4242 4242 4242 4242").Sees("! Card number removed: it belongs in the card step")
				c.Press("ctrl+s").Sees(label, "! Card number removed")
				c.WaitsUntilGone("4242 4242 4", "42424").To(label).Press("ctrl+u").Type("x")
			}
		}
		look("Amount")
		c.Press("ctrl+u").To("Currency")
		c.amount("g", "12.50").Press("enter")
		look("First name", "Last name", "E-mail", "Phone")
		for _, f := range [][2]string{{"First name", "Ada"}, {"Last name", "Obi"}, {"E-mail", "a@b.example"}, {"Phone", "+442079460000"}} {
			c.To(f[0]).Press("ctrl+u").Type(f[1])
		}
		c.Press("ctrl+s").Type(visa).Press("enter").Type("123").Press("enter").Type("1234")
		look("Return URL", "Narration", "Metadata", "Link alias")
		if len(c.f.sent) != 0 {
			t.Error("it was sent")
		}
	})
}
