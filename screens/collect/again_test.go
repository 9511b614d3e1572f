package collect

import (
	"testing"

	"paydesk/api"
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
