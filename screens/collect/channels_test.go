package collect

import (
	"strings"
	"testing"

	"paydesk/api"
)

func TestEachChannelHasItsOwnFields(t *testing.T) {
	for _, test := range []struct {
		channel     string
		has, hasNot []string
		url, email  string
	}{
		{api.ChannelAccount, []string{"Return URL"}, []string{"Interac e-mail", "Card number"}, "https://shop.example/done", ""},
		{api.ChannelInterac, []string{"Interac e-mail", "Return URL"}, []string{"Card number"}, "https://shop.example/done", "ada@example.com"},
		{api.ChannelTransfer, []string{"Narration"}, []string{"Return URL", "Interac e-mail", "Card number"}, "", ""},
		{"Wallet", []string{"Return URL"}, []string{"Interac e-mail", "Card number"}, "https://shop.example/done", ""},
	} {
		f := newFake(t)
		f.channels = usable(strings.ToUpper(test.channel))
		if test.channel == "Wallet" {
			f.channels = usable("Wallet")
		}
		withScreen(t, 78, 20, Options{}, f, func(c *harness) {
			c.amount("g", "12.50").Press("enter")
			c.customer().Sees(test.has...).WaitsUntilGone(test.hasNot...).WaitsUntilGone("Card ─")
			if test.url != "" {
				c.To("Return URL")
				c.Type(test.url)
			}
			c.Press("ctrl+s").Sees("Request 12.50 GBP by").WaitsUntilGone("•••• 4242")
			c.yes()
			if in := c.sentOnce(); in.ReturnURL != test.url || in.Email != test.email || in.Channel != test.channel {
				t.Errorf("%s: sent %+v", test.channel, in)
			}
		})
	}
}
