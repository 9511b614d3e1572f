package screens_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
)

// rotated is the key that replaces the one of the stories.
const rotated = "sk_test_CANARYafterTheRotation77"

// another gives the console the key that is taken now.
func another(c *consoletest.Console) {
	c.T.Helper()
	c.Sees("The service rejected the key", "ctrl+g")
	if n := strings.Count(c.Screen(), "rejected the key"); n != 1 {
		c.T.Errorf("it is said %d times:\n%s", n, c.Boxed())
	}
	c.Press("ctrl+g")
	c.Sees("The service rejected the key …0042.", "Your work is kept")
	c.Type(rotated).Press("enter")
	c.WaitsUntilGone("ctrl+g", "rejected the key").Sees("…on77  ▐")
}

// again sends a card payment that was refused another time; its CVV was wiped.
func again(c *consoletest.Console) {
	c.T.Helper()
	c.Wait(2*time.Second).Press("enter").Fill("CVV", "123").Press("ctrl+s")
	c.Yes("Charge 12.50 GBP to •••• 4242?")
}

func TestAKeyThatIsRefusedInTheMiddleOfAPaymentIsReplacedWithoutLosingWhatWasTyped(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("c").Choose("Currency", "GBP").Fill("Amount", "12.50")
		c.Press("ctrl+g").WaitsUntilGone("another key") // not offered while the key is taken
		c.Wire.AcceptKey(rotated)
		c.Press("enter").Sees("ctrl+g another key").Golden("key/refused")
		c.Press("ctrl+g").Golden("key/replace").Press("esc").Sees("● Channel", "ctrl+g another key")
		another(c)
		c.Press("r").Sees("These channels accept").Press("enter")
		customer(c.Person)

		c.Wire.AcceptKey(rotated + "x") // and once more, with a card typed
		c.Press("ctrl+t").Sees("approve").Press("enter").Fill("Return URL", "https://shop.example/done").Press("ctrl+s")
		c.Yes("Charge 12.50 GBP to •••• 4242?").Sees("Nothing was done", "ctrl+g another key", "•••• 4242").Golden("key/refused-card")
		c.Press("ctrl+g").Type(rotated+"x").Press("enter").Sees("Ada Obi", "•••• 4242").WaitsUntilGone("ctrl+g")
		if n := c.Sandbox.Accepted(); n != 0 {
			t.Errorf("%d payments were taken", n)
		}
		sent := c.Wire.PostsTo("/pay/initiate")
		again(c)
		c.Sees("Payment")
		if n := c.Wire.PostsTo("/pay/initiate"); n != sent+1 || c.Sandbox.Accepted() != 1 {
			t.Errorf("%d were sent, %d taken", n-sent, c.Sandbox.Accepted())
		}
	})
}

func TestAWatchStopsWhenTheKeyIsRefusedAndGoesOnWithAnother(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP to •••• 4242?")
		c.Sees("PENDING")
		c.Wire.AcceptKey(rotated)
		c.Wait(5 * time.Second).Sees("Checking stopped")
		asked := len(c.Wire.Gets())
		c.Wait(time.Hour)
		if n := len(c.Wire.Gets()); n != asked {
			t.Errorf("it was asked %d times more", n-asked)
		}
		another(c)
		if n := len(c.Wire.Gets()); n != asked+2 { // the key's own question, and the payment's
			t.Errorf("it was asked %d times more", n-asked)
		}
		c.Wait(time.Minute).Sees("✓ SUCCESSFUL")
	})
}

func TestNoKeyIsReplacedWhileSomethingIsBeingSent(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Wire.AcceptKey(rotated)
		c.Yes("Charge 12.50 GBP to •••• 4242?").Sees("ctrl+g another key")
		c.Wire.Slow(20 * time.Second)
		again(c)
		c.Press("ctrl+g").Sees("A request is in progress. Change the key").WaitsUntilGone("Enter another")
		c.Wait(25 * time.Second)
		c.Wire.Slow(0)
		c.Press("ctrl+g").Sees("Enter another")
	})
}

func TestALiveKeyThatIsGivenToATestProfileSendsNothingUnseen(t *testing.T) {
	const live = "sk_live_CANARYgivenByMistake99"
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.AcceptKey(live)
		c.Press("2").Sees("ctrl+g").Press("ctrl+g").Type(live).Press("enter").Sees("key demo …ke99").Press("esc")
		c.Press("c").Choose("Currency", "GBP").Fill("Amount", "12.50").Press("enter").Sees("unclear")
		if n := len(c.Wire.Posts()); n != 0 {
			t.Errorf("%d were sent", n)
		}
	}, consoletest.As(func(p *keystore.Profile) { p.Environment = keystore.Test }))
}
