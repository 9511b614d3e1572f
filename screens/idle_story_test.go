package screens_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
)

// A ring gives a key of its own each time, as a keyring does.
type ring struct {
	keystore.Store
	given []keystore.Key
}

func (r *ring) Name() string { return "keyring" }

func (r *ring) Get(context.Context, string) (keystore.Key, error) {
	k, err := keystore.ParseKey(consoletest.LiveKey)
	r.given = append(r.given, k)
	return k, err
}

func idleAfter(minutes int) consoletest.Option {
	return consoletest.As(func(p *keystore.Profile) { p.IdleLock = minutes })
}

func TestAConsoleThatNobodyUsesHidesAndItsSourceOpensIt(t *testing.T) {
	r := &ring{Store: keystore.NewMemory("keyring")}
	consoletest.Run(t, func(c *consoletest.Console) {
		unlocked(c)
		c.Press("n").Fill("Name", "Chairs of oak").Press("f4") // which shows what it copies
		c.Wait(14*time.Minute + 50*time.Second).Sees("Chairs of oak")
		c.Wait(20*time.Second).Sees("▐▲ LIVE▌", "Locked: idle for 15 minutes").WaitsUntilGone("Chairs", "New link", "Unlocked").Golden("lock/idle")
		before := len(c.Bytes())
		if c.Wait(2 * time.Hour); len(c.Bytes()) != before {
			t.Errorf("%d bytes were written while it was hidden", len(c.Bytes())-before)
		}
		c.Press("esc").Sees("Locked", "Press enter to unlock it").Press("f1").WaitsUntilGone("Chairs", "requests", "copy", "look up", "go to", "empty form", "bell", "Links").Press("f1")
		c.Press("ctrl+l", "f2", "f3", "f4", "f5", "ctrl+g", "ctrl+x", ":", "l", "b", "2", "tab", "y").Paste("x").Sees("Locked:").WaitsUntilGone("Chairs")
		if len(r.given) != 1 || !r.given[0].IsZero() {
			t.Errorf("the source was asked %d times, or the key is still there", len(r.given))
		}
		c.Press("enter").Wait(time.Second).Sees("New link", "Chairs of oak", "Sending is locked")
		if len(r.given) != 2 || r.given[1].IsZero() {
			t.Errorf("the source was asked %d times", len(r.given))
		}
		c.Press("esc", "2").Sees(" read at ")    // and it asks with a key
		c.Wait(16 * time.Minute).Sees("Locked:") // again
	}, consoletest.Live(), idleAfter(15), consoletest.Store(r), consoletest.As(func(p *keystore.Profile) { p.Source = "keyring" }))
}

func TestTheFirstKeyAfterTheMachineSleptOnlyHidesTheConsole(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("n").Sees("New link").Sleep(time.Hour)
		c.Press("x").Sees("Locked: idle for 15 minutes").WaitsUntilGone("New link")
	}, consoletest.Live(), idleAfter(15))
}

func TestEachKeyAndPasteRestartsTheTime(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("n")
		for range 10 {
			c.Wait(50 * time.Second).Press("tab").Wait(50 * time.Second).Paste("x")
		}
		c.Sees("New link").Wait(61 * time.Second).Sees("Locked: idle for 1 minute")
	}, consoletest.Live(), idleAfter(1))
}

func TestCardDataIsWipedAndTheRestOfTheFormIsThere(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Sees("Charge 12.50 GBP to •••• 4242?").Wait(2 * time.Minute)
		c.Sees("Locked:").WaitsUntilGone("4242", "12.50", "Ada")
		c.Press("enter").Wait(time.Second).Sees("Card number", "https://shop.example/done").WaitsUntilGone("•••• 4242", "Charge")
		c.Wait(time.Second).Press("y", "enter").Wait(time.Second)
		c.Press("esc").Sees("Ada", "Obi").Press("esc", "esc").Sees("12.50")
		if n := c.Wire.PostsTo("/initiate"); n != 0 {
			t.Errorf("%d were sent", n)
		}
	}, idleAfter(1))
}

func TestWhatIsBeingSentIsSentAndItsAnswerWaits(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Wire.Slow(80 * time.Second)
		c.Yes("Charge 12.50 GBP to •••• 4242?")
		c.Wait(65 * time.Second).Sees("Locked:")
		c.Wire.Slow(0)
		c.Wait(time.Minute).Sees("Locked:").WaitsUntilGone("4242")
		c.Press("enter").Wait(time.Minute/2).Sees("SUCCESSFUL", "12.50 GBP")
		if n := len(c.Sandbox.Payments()); n != 1 {
			t.Errorf("the service took %d", n)
		}
	}, idleAfter(1))
}

// questions returns how many GETs there were while d passed.
func questions(c *consoletest.Console, d time.Duration) int {
	before := len(c.Wire.Gets())
	c.Wait(d)
	return len(c.Wire.Gets()) - before
}

func TestAHiddenConsoleAsksOnInTestAndNotInLive(t *testing.T) {
	watch := func(c *consoletest.Console) {
		c.Send(nav.Push{To: nav.Payment{Reference: "00000000-0000-4000-8000-000000000000"}})
		c.Wire.Disconnect(true) // so that it goes on asking
		c.Press("r").Wait(61 * time.Second).Sees("Locked:")
		c.Wire.Disconnect(false)
	}
	consoletest.Run(t, func(c *consoletest.Console) {
		watch(c)
		if n := questions(c, 5*time.Minute); n == 0 {
			t.Error("in test nothing is more checks")
		}
	}, idleAfter(1), consoletest.As(func(p *keystore.Profile) { p.Environment = keystore.Test }))
	consoletest.Run(t, func(c *consoletest.Console) {
		watch(c)
		if n := questions(c, 5*time.Minute); n != 0 {
			t.Errorf("in live %d questions were asked", n)
		}
		before := len(c.Wire.Gets())
		if c.Press("enter").Wait(time.Second); len(c.Wire.Gets()) == before {
			t.Errorf("afterwards nothing is more checks\n%s", c.Boxed())
		}
	}, idleAfter(1), consoletest.Live())
}

func TestAKeyThatWasOnlyTypedIsTypedAgain(t *testing.T) {
	store := keystore.NewMemory("this run")
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("Secret key").Type(consoletest.LiveKey).Press("enter").Wait(time.Second).Sees("Home")
		c.Wait(61 * time.Second).Sees("Locked:").Press("enter").Wait(time.Second)
		c.Sees("Secret key").WaitsUntilGone("Home").Press("esc").Sees("Locked:").Press("enter").Wait(time.Second)
		c.Type(consoletest.LiveKey).Press("enter").Wait(time.Second).Sees("Home")
	}, consoletest.Live(), idleAfter(1), consoletest.Store(store), consoletest.As(func(p *keystore.Profile) { p.Source = "ask" }))
}

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
		c.Press("r").Sees("These channels accept", "Asked again at 00:").Press("enter")
		customer(c.Person)

		c.Wire.AcceptKey(rotated + "x") // and once more, with a card typed
		c.Press("ctrl+t").Sees("approve").Press("enter").Press("ctrl+s")
		c.Yes("Charge 12.50 GBP to •••• 4242?").Sees("Nothing was done", "ctrl+g another key", "•••• 4242").Golden("key/refused-card")
		c.Press("ctrl+g").Type(rotated+"x").Press("enter").Sees("Ada Obi", "•••• 4242").WaitsUntilGone("ctrl+g")
		if n := len(c.Sandbox.Payments()); n != 0 {
			t.Errorf("%d payments were taken", n)
		}
		sent := c.Wire.PostsTo("/pay/initiate")
		again(c)
		c.Sees("Payment")
		if n := c.Wire.PostsTo("/pay/initiate"); n != sent+1 || len(c.Sandbox.Payments()) != 1 {
			t.Errorf("%d were sent, %d taken", n-sent, len(c.Sandbox.Payments()))
		}
	})
}

func TestAWatchStopsWhenTheKeyIsRefusedAndGoesOnWithAnother(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP to •••• 4242?")
		c.Sees("PENDING")
		c.Wire.AcceptKey(rotated)
		c.Wait(5 * time.Second).Sees("none: stopped")
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
	store := keystore.NewMemory("demo")
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.AcceptKey(live)
		c.Press("2").Sees("ctrl+g").Press("ctrl+g").Type(live).Press("enter").Sees("This is a live key, but profile demo has environment test")
		k, err := keystore.ParseKey(live)
		must(t, err)
		must(t, store.Set(c.T.Context(), "demo", k)) // which the console did not refuse
		c.Press("ctrl+r").Sees("key demo …ke99").Press("esc")
		c.Press("c").Choose("Currency", "GBP").Fill("Amount", "12.50").Press("enter").Sees("unclear")
		if n := len(c.Wire.Posts()); n != 0 {
			t.Errorf("%d were sent", n)
		}
	}, consoletest.Store(store), consoletest.As(func(p *keystore.Profile) { p.Environment = keystore.Test }))
}

// inOneRead types a text as a terminal passes it on at once: a key for each character that a person sees.
func inOneRead(c *consoletest.Console, text string) *consoletest.Console {
	for text != "" {
		seen, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		c.Send(tea.KeyPressMsg{Code: tea.KeyExtended, Text: seen})
		text = text[len(seen):]
	}
	return c.Wait(0)
}

var waysToEnter = map[string]func(c *consoletest.Console, text string) *consoletest.Console{
	"typed":             func(c *consoletest.Console, text string) *consoletest.Console { return c.Type(text) },
	"typed in one read": inOneRead,
	"pasted":            func(c *consoletest.Console, text string) *consoletest.Console { return c.Paste(text) },
}

// underlineEnds is the column behind the last one that is underlined in a line.
func underlineEnds(c *consoletest.Console, y int) int {
	x := c.Width()
	for x > 0 && c.Cell(x-1, y).Style.Underline == 0 {
		x--
	}
	return x
}

func TestANameKeepsTheJoinersOfItsScript(t *testing.T) {
	names := map[string]string{"علی\u200cرضا": "علی\u200cرضا", "👩\u200d👩\u200d👧 Ltd": "👩👩👧 Ltd", "I ❤\ufe0f chairs": "I ❤ chairs"}
	for way, enter := range waysToEnter {
		consoletest.Run(t, func(c *consoletest.Console) {
			for name, shown := range names {
				c.Press("n").Sees("Name")
				enter(c, name+" "+way).Sees(shown).WaitsUntilGone("Invisible")
				y := slices.IndexFunc(strings.Split(c.Screen(), "\n"), func(l string) bool { return strings.Contains(l, shown) })
				if ends := underlineEnds(c, y); ends != 74 {
					t.Errorf("the field ends in column %d: %q", ends, c.Line(shown))
				}
				c.Fill("Description", "six oak chairs").Choose("Currency", "GBP").Fill("Amount", "12.50").Press("ctrl+s")
				c.Sees("enter collect", shown).WaitsUntilGone("MISMATCH") // the service's answer has what was typed
				c.Press("esc")
			}
		})
	}
}
