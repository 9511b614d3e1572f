package collect

import (
	"fmt"
	"strings"
	"testing"

	"paydesk/api"
)

// described are two channels, the first with a long description.
func described() api.Channels {
	c := usable(api.ChannelAccount, api.ChannelCard)
	c.Channels[0].Description = api.Clean(strings.Repeat("The customer approves at the bank. ", 12) + "That is all.")
	c.Channels[1].Description = api.Clean("Any card.")
	return c
}

func TestWhatAChannelIsCanBeReadWhole(t *testing.T) {
	for _, size := range [][2]int{{58, 14}, {78, 20}, {118, 36}} {
		f := newFake(t)
		f.channels = described()
		withScreen(t, size[0], size[1], Options{}, f, func(c *harness) {
			c.amount("g", "12.50").Sees("The PayByAccount: The customer approves at the bank.")
			if size[0] == 58 {
				c.Golden("described-small")
			}
			if !c.Has("That is all.") {
				c.Sees("z: all of it").Press("z")
				for range 20 {
					c.Press("down")
				}
				c.Sees("That is all.").WaitsUntilGone("These channels").Press("esc")
			}
			c.Sees("These channels").Press("down").Sees("The Card: Any card.").WaitsUntilGone("z: all of it")
			c.Press("z").Sees("The Card: Any card.", "These channels").Press("enter").Sees("First name")
		})
	}
}

func TestTheServiceCanBeAskedAboutChosenChannels(t *testing.T) {
	f := newFake(t)
	withScreen(t, 58, 14, Options{}, f, func(c *harness) {
		c.amount("g", "12.50").Press("e").Sees("Which channels", "[ ] Card", "[ ] Interac").Golden("checklist-small")
		c.Press("esc").Sees("These channels accept").Press("e", "space", "down", "down", "space").Sees("[x] Card", "[ ] PayByTransfer", "[x] PayByAccount")
		f.channels = usable(api.ChannelCard)
		f.channels.Valid = false
		c.Press("enter").Sees("Only Card, PayByAccount checked:", "the service listed these.")
		f.channels = api.Channels{}
		c.Press("r").Sees("Only Card, PayByAccount checked: not accepted for 12.50", "Check other channels (e)")
		f.channels = usable(api.ChannelCard)
		c.Press("e").Sees("[x] Card", "[x] PayByAccount").Press("space", "down", "down", "space", "enter").Sees("These channels accept 12.50 GBP")
		if got := fmt.Sprint(f.about); got != "[[] [Card PayByAccount] [Card PayByAccount] []]" {
			t.Errorf("asked about %s", got)
		}
		c.Fits()
	})
}

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

func TestAnAddressWithAURLBehindItIsNoEMail(t *testing.T) {
	const problem = "! Enter one e-mail"
	withScreen(t, 78, 20, Options{}, nil, func(c *harness) {
		c.amount("g", "12.50").Press("enter").To("E-mail")
		for _, typed := range []string{"a@example.comhttps://shop.example/done", "a@shop.example/done", "a@shop.example:443", "a@//shop.example"} {
			c.Press("ctrl+u").Type(typed).Press("down").Sees(problem).Press("up")
			if line := c.Line("E-mail"); strings.Contains(line, "✓") {
				t.Errorf("%s is approved: %q", typed, line)
			}
		}
		c.Press("ctrl+u").Type("room/12@shop.example").Press("down").WaitsUntilGone(problem)
		if line := c.Line("E-mail"); !strings.Contains(line, "✓") {
			t.Errorf("an address with a slash in its name is not approved: %q", line)
		}
	})
}

func TestTheRequestOfInteracMayGoElsewhere(t *testing.T) {
	f := newFake(t)
	f.channels = usable(api.ChannelInterac)
	withScreen(t, 78, 20, Options{}, f, func(c *harness) {
		c.amount("c", "12.50").Press("enter")
		c.customer().Type("nobody").Press("enter").Sees("Enter one e-mail address").Press("up", "ctrl+u")
		c.Type("till@shop.example").Press("ctrl+s").Sees("Interac e-mail", "till@shop.example", "ada@example.com")
		f.failed = &api.Refusal{HTTP: 422, Kind: api.KindHTTP, Failures: []api.Text{api.Clean("paymentRequestProps.email must be an e-mail address")}}
		c.yes()
		c.Sees("▌ Interac e-mail", "must be an e-mail address")
		if in := c.sentOnce(); in.Email != "till@shop.example" || in.Customer.Email != "ada@example.com" {
			t.Errorf("sent %+v", in)
		}
	})
}
