package screens_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
)

// shop is a test profile, for which commands work elsewhere too.
func shop() []consoletest.Option {
	return []consoletest.Option{
		consoletest.As(func(p *keystore.Profile) { p.Name, p.Environment = "shop", keystore.Test }),
		consoletest.Served(func(string) bool { return true }),
	}
}

// copies presses f4, and checks that this is what was copied and what is shown.
func copies(c *consoletest.Console, want string) {
	c.T.Helper()
	before := c.Screen()
	c.Press("f4")
	if c.Copied() != want {
		c.T.Errorf("copied %q, not %q, on:\n%s", c.Copied(), want, before)
	}
	shown := strings.NewReplacer("\n", "", "│", "", " ", "").Replace(c.Screen())
	if !strings.Contains(shown, strings.ReplaceAll(want, " ", "")) {
		c.T.Errorf("%q is not whole on:\n%s", want, c.Screen())
	}
	if c.Has("any key closes this") {
		c.Press("x").WaitsUntilGone("any key closes this")
	}
}

func TestEveryScreenCopiesItsCommand(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		const paydesk = "paydesk --profile shop "
		c.Wait(time.Second)
		copies(c, paydesk+"activity")
		c.Press("2").Sees(" rows read")
		c.Press("/").Type("failed >100 -\"it's\"")
		copies(c, paydesk+`transactions --all --where 'failed >100 -"it'\''s"'`)
		c.Press("ctrl+u", "esc").Press("t").Wait(time.Second)
		if c.Press("f4"); !strings.HasSuffix(c.Copied(), " --totals") {
			t.Errorf("copied %q for the totals", c.Copied())
		}
		c.Press("1", "2").Wait(time.Second).Press("/").Type("since:last")
		copies(c, paydesk+"transactions --all --where since:last")
		c.Press("esc")
		c.Press("3").Sees("Activity")
		copies(c, paydesk+"activity")
		c.Press("4")
		copies(c, paydesk+"link list")
		c.Press("5")
		copies(c, "paydesk sandbox")
		c.Press("f2").Sees("Requests")
		copies(c, paydesk+"transactions")
		c.Press("1").Press("l").Sees("Look up a payment").Press("f4").Sees("No command does what this screen does.")
		c.Type("XHCQVX9BB5").Press("enter").Sees("Payment XHCQVX9BB5")
		copies(c, paydesk+"status XHCQVX9BB5 --watch")
		c.Press("v")
		copies(c, paydesk+"status XHCQVX9BB5 --json")
	}, append(shop(), consoletest.Size(60, 18))...)
}

// Neither a name nor a card may bring a secret to the clipboard.
func TestTheCommandOfAFormHasWhatWasTypedButNoSecret(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("n").Fill("Name", "sk_test_0123456789abcdef").Press("f4").Sees("Not copied").Press("f5").Sees("Not copied").Press("ctrl+x")
		if c.Copied() != "" {
			t.Errorf("copied %q", c.Copied())
		}
		c.Fill("Name", "Ada's chairs").Fill("Description", "six").Choose("Currency", "GBP").Fill("Amount", "120")
		copies(c, `paydesk --profile shop link create --name 'Ada'\''s chairs' --description six --currency GBP --amount 120.00`)
		c.Choose("Amount is", "chosen by the customer").Choose("Can be paid", "many times")
		copies(c, `paydesk --profile shop link create --name 'Ada'\''s chairs' --description six --currency GBP --customer-chooses --reusable`)
		c.Press("ctrl+s").Sees("collect payment").Press("f4")
		if !strings.HasPrefix(c.Copied(), "paydesk --profile shop link show ") {
			t.Errorf("copied %q", c.Copied())
		}
	}, shop()...)
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		copies(c, "paydesk --profile shop collect --currency GBP --amount 12.50 --channel Card --first-name Ada --last-name Obi "+
			"--email ada@example.org --phone '+44 20 7946 0000' --return-url https://shop.example/done")
		c.Yes("Charge 12.50 GBP")
		ref := reference(c)
		copies(c, "paydesk --profile shop authenticate "+ref)
		c.Sandbox.Approve(ref)
		c.Press("enter").Wait(time.Second)
		c.Press("1")
		copies(c, "paydesk --profile shop status "+ref)
		c.Press("3", "enter").Sees("Attempt ").Press("f4")
		if !strings.HasPrefix(c.Copied(), "paydesk --profile shop activity show ") {
			t.Errorf("copied %q", c.Copied())
		}
	}, shop()...)
}

func TestTheDemoHasNoCommandElsewhere(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Sees("100 of 1,204").Press("f4").Sees("The demo has no command elsewhere").Press("f5").Sees("The demo has no command elsewhere")
		c.Press("?").WaitsUntilGone("copy command", "copy as curl").Press("esc")
		c.Press("1", "l").Sees("Look up a payment").Press("f4").Sees("The demo has no command elsewhere").Press("f5").Sees("The demo has no command elsewhere").Press("esc")
		if c.Copied() != "" {
			t.Errorf("copied %q", c.Copied())
		}
		c.Press("f3").Wait(time.Second)
		copies(c, "paydesk sandbox")
	})
}

func TestARequestIsCopiedForCurl(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		const head = `printf 'X-Api: %s\n' "$PAYDESK_SECRET_KEY" | curl -sS -g -X `
		for _, of := range []struct{ method, last string }{
			{"GET", "\n  'http://127.0.0.1:8099/v1/api/transactions?page=2&perPage=100'"},
			{"POST", "  http://127.0.0.1:8099/api/payment/payment-link"},
			{"GET", "\n  http://127.0.0.1:8099/api/payment/transactions/XHCQVX9BB5"},
		} {
			switch {
			case strings.Contains(of.last, "?page"):
				c.Press("2").Sees("100 of 1,204").Press("#").Type("150").Press("enter").Wait(time.Second)
			case of.method == "POST":
				c.Press("1").Press("n").Fill("Name", "Chairs").Fill("Description", "six").Choose("Currency", "GBP").Fill("Amount", "120")
			default:
				c.Press("esc").Press("l").Type("XHCQVX9BB5").Press("enter").Sees("Payment XHCQVX9BB5")
			}
			c.Press("f5").Sees("closes this", "$PAYDESK_SECRET_KEY", "curl")
			if got := c.Copied(); !strings.HasPrefix(got, head+of.method) || !strings.HasSuffix(got, of.last) {
				t.Errorf("copied %s", got)
			}
			if of.method == "POST" {
				c.Sees("Each run creates").Golden("command/curl-link")
			}
			c.Press("x").WaitsUntilGone("closes this")
		}
		c.Press("?").Sees("f4", "copy command", "f5", "copy as curl")
	}, shop()...)
}
