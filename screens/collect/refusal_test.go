package collect

import (
	"testing"
	"time"

	"paydesk/api"
)

func TestARefusalKeepsEverythingTypedButTheCVV(t *testing.T) {
	f := newFake(t)
	f.failed = &api.Refusal{Kind: api.KindService, HTTP: 422, Text: api.Clean("paymentRequestProps.returnUrl must be an https address")}
	withScreen(t, 78, 20, Options{}, f, func(c *harness) {
		c.toReview().yes()
		c.Sees("The service rejected the request. Nothing was done.", "returnUrl must be an https address", "https://shop.example/done",
			"4242", "12/34", "Order 7", "order=7, desk=2").Golden("refused")
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
		f := newFake(t)
		f.failed = &api.Refusal{Kind: api.KindService, HTTP: 400, Text: api.Clean(text)}
		withScreen(t, 78, 20, Options{}, f, func(c *harness) {
			c.toReview().yes().Sees(text[:20])
			if got := c.m.stage; got != want {
				t.Errorf("%q stands in stage %d, not %d", text, got, want)
			}
			if !c.m.details.cvv.Empty() {
				t.Errorf("the CVV is kept after %q", text)
			}
		})
	}
}

func TestAPaymentThatWasNotSentMayBeSentAfterAskingAgain(t *testing.T) {
	f := newFake(t)
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
