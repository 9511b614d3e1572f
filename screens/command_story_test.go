package screens_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
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
		c.Press("2").Sees(" read at ")
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
		c.Press("ctrl+s").Sees("enter collect").Press("f4")
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
				c.Press("2").Sees("100 of 1,204").Press("end").Wait(time.Second).Press("end").Wait(time.Second)
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

// found is the line that is marked in the palette's list.
func found(c *consoletest.Console) string {
	lines := strings.Split(c.Screen(), "\n")
	for _, l := range lines[5:] {
		if strings.HasPrefix(l, " ▌ ") {
			return strings.Join(strings.Fields(strings.Trim(l, " ▌█│")), " ")
		}
	}
	return ""
}

func TestThePaletteFindsScreensAndWhatKeysDo(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press(":").Sees("▸ Go to", "Collect a payment", "enter go", "esc back").WaitsUntilGone("? help").Golden("palette/home")
		c.Type("trans")
		if got := found(c); got != "2 Transactions the service's own list" {
			t.Errorf("found %q", got)
		}
		if c.Press("ctrl+u").Type("doctor"); found(c) != "Diagnostics doctor of this console" { // by what it is for
			t.Errorf("found %q", found(c))
		}
		c.Press("ctrl+u").Type("trans")
		c.Press("enter").Sees("▸ Transactions", " read at ").Press(":").Type("relo")
		if got := found(c); got != "r Reload" {
			t.Errorf("found %q", got)
		}
		lists := len(c.Wire.Gets())
		if c.Press("enter").Wait(time.Second); len(c.Wire.Gets()) <= lists {
			t.Error("the list was not read again")
		}
		c.Press(":").Type("q").Sees("▸ Go to").Press("ctrl+u").Type("onscreen").Sees("Nothing matches. ctrl+u")
		c.Press("enter").Sees("▸ Go to").Press("esc").Sees("▸ Transactions").WaitsUntilGone("▸ Go to")
		c.Press("/").Type("a:b").Sees("a:b").WaitsUntilGone("▸ Go to")
	})
}

func TestThePaletteFindsPaymentsAndProfiles(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP").Sees("Bank check")
		ref := reference(c)
		c.Press("1", ":").Type(ref)
		if got := found(c); got != "▲ INITIATED 12.50 GBP "+ref {
			t.Errorf("found %q", got)
		}
		c.Press("enter").Sees("Payment "+ref, "INITIATED").Press("esc").Sees("▸ Home")
	})
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("c").Choose("Currency", "GBP").Fill("Amount", "12.50").Press("enter").Sees("Channel")
		c.Press(":").Type("profile two").Press("enter").Sees("Another profile closes the form being filled in.", "Channel")
		c.Press(":").Type("profiles").Press("enter").Sees("2 profiles").Press("enter").Sees("Another profile closes the form being filled in.").Press("esc").Sees("Channel")
		c.Press("esc").Sees("12.50").Press("ctrl+x", "esc").Press(":")
		for _, words := range []string{"two", "two profile", "profile two", "test TWO"} {
			if c.Press("ctrl+u").Type(words); found(c) != "two · TEST profile" {
				t.Errorf("%q found %q", words, found(c))
			}
		}
		c.Press("enter").Sees("Profile   two, environment test")
	}, two(t)...)
}

func TestTheHelpPageGroupsTheKeysAndScrolls(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2", "?").Sees("Keys: Transactions", "── On this screen", "lines 1–", "↑/↓ scroll   esc closes help")
		c.WaitsUntilGone("Connected to").Press("end").Sees("Connected to").WaitsUntilGone("Keys: Transactions")
		c.Press("g").Sees("Keys: Transactions").Press("space").WaitsUntilGone("Keys: Transactions").Press("g")
		c.Press("x").WaitsUntilGone("Good to know").Sees(" read at ").WaitsUntilGone("does nothing")
	}, consoletest.Size(60, 18))
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("?").Sees("Keys: Home · times are UTC", "paydesk test", "any key closes help").WaitsUntilGone("lines 1–").Press("down").WaitsUntilGone("Keys: Home")
	}, consoletest.Size(120, 40))
}

func TestAKeyOrAPasteThatDoesNothingSaysSo(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("Z").Sees("Z does nothing here. ? lists the keys.").Press("r").WaitsUntilGone("does nothing")
		c.Press("f7").Sees("f7 does nothing here.").Press("esc").Sees("This is the first screen: q quits.")
		c.Press("2", "down").WaitsUntilGone("does nothing").Press("/").Type("Zq").WaitsUntilGone("does nothing").Press("left", "home", "left", "ctrl+w").WaitsUntilGone("does nothing")
		c.Press("f7").Sees("f7 does nothing here. f1 lists the keys.")
		if n := strings.Count(c.Screen(), "does nothing"); n != 1 {
			t.Errorf("it is said %d times", n)
		}
		const ignored = "Paste ignored: no field takes text here."
		c.Press("esc", "1").Paste("two words").Sees(ignored).Press("2").WaitsUntilGone(ignored).Paste("4242424242424242").Sees(ignored)
		c.Paste("CG44PU3RBQ\n").Sees("Look up a payment", "CG44PU3RBQ").WaitsUntilGone(ignored).Press("esc").Sees("▸ Transactions")
		c.Press("/").WaitsUntilGone(ignored).Paste("FAIL").Sees("FAIL").WaitsUntilGone(ignored).Press("esc")
		c.Press("1", "c").To("Currency").Paste("GBP").Sees(ignored).To("Amount").Paste("12.50").Sees("12.50").WaitsUntilGone(ignored)
	})
}

// helpGap stands between a key and what it does, and between two columns of the help page.
var helpGap = regexp.MustCompile(`\s{2,}`)

// The help of every screen begins with what the screen is for. A key means there what the table says, so that it means one thing
// in the whole console; in its other states a screen is compared with the table by its own tests: see package screentest.
func TestTheHelpOfEveryScreenSaysWhatItIsForAndItsKeysMeanOneThing(t *testing.T) {
	table, checked := screentest.ReadKeyTable(t), map[string]bool{}
	var profile keystore.Profile
	note := consoletest.As(func(p *keystore.Profile) { profile = *p })
	consoletest.Run(t, func(c *consoletest.Console) {
		for _, r := range routes(profile) {
			c.Send(nav.Push{To: r})
			c.Wait(2 * time.Second)
			c.Press("f1")
			_, page, _ := strings.Cut(c.Screen(), "Keys: ")
			_, page, _ = strings.Cut(page, "\n")
			purpose, keys, ruled := strings.Cut(page, "──")
			if purpose = strings.TrimSpace(purpose); !ruled || purpose == "" || strings.Count(purpose, "\n") > 2 {
				t.Errorf("the help of %T begins with %q", r, purpose)
			}
			asked := strings.Contains(helpGap.ReplaceAllString(keys, " "), "enter answer")
			for line := range strings.Lines(keys) {
				columns := helpGap.Split(strings.TrimSpace(line), -1)
				for i := 0; i+1 < len(columns); i += 2 {
					does := strings.ToLower(columns[i+1])
					if key, _, _ := strings.Cut(columns[i], " "); asked && (key == "y" || key == "n") {
						continue // the table leaves out what answers a question
					}
					for name := range strings.FieldsSeq(columns[i]) {
						if differs := table.Against(name, does); name < "~" && differs != "" {
							t.Errorf("%T: %s", r, differs)
						}
						checked[name+does] = true
					}
				}
			}
			c.Press("f1")
			c.Send(nav.Back{})
		}
	}, note, consoletest.Size(80, 60))
	if len(checked) < 60 {
		t.Errorf("only %d keys were looked at", len(checked))
	}
}

// What a key does has no other key, so that a person who knows one word knows where it is on every screen.
func TestAWordIsOnOneKeyInTheWholeConsole(t *testing.T) {
	keys := map[string]string{}
	for name, words := range screentest.ReadKeyTable(t) {
		for _, word := range words {
			if other := keys[word]; other != "" && word != "copy" && !strings.Contains("567", name) { // y copies, and Y something else of it
				t.Errorf("%q is on %s and on %s", word, name, other)
			}
			keys[word] = name
		}
	}
}
