package screens_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
)

// A slowSource has a key after a while, or none.
type slowSource struct {
	keystore.Store
	takes time.Duration
	err   error
}

func (s slowSource) Get(ctx context.Context, profile string) (keystore.Key, error) {
	select {
	case <-time.After(s.takes):
	case <-ctx.Done():
		return keystore.Key{}, ctx.Err()
	}
	if s.err != nil {
		return keystore.Key{}, s.err
	}
	return s.Store.Get(ctx, profile)
}

// reading are the options of a console whose key takes a while to read.
func reading(takes time.Duration, err error, more ...consoletest.Option) []consoletest.Option {
	store := slowSource{keystore.NewMemory("demo"), takes, err}
	return append(more, consoletest.Store(store), consoletest.As(func(p *keystore.Profile) { p.Source = "command" }))
}

func TestTheFirstFrameIsHomeWhileTheKeyIsRead(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("Home", "Loading payments…", "reading the key from the key command…", "Collect a payment", "SANDBOX").WaitsUntilGone("Waiting")
		c.Wait(600*time.Millisecond).Sees("Home", "…0042  ▐").WaitsUntilGone("reading the key")
	}, reading(500*time.Millisecond, nil)...)
}

func TestKeysThatArePressedBeforeTheKeyIsReadGoToTheScreensThatTheyAreFor(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("c", "tab").Type("12.50").Press("enter").Sees("Home")
		c.Wait(time.Second).Sees("Collect", "● Channel", "12.50")
		c.Press("esc", "esc").Sees("Home")
	}, reading(900*time.Millisecond, nil)...)
}

func TestKeysThatWerePressedBeforeAQuestionAreNotItsAnswer(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2", "3").Sees("Home")
		c.Wait(600*time.Millisecond).Sees("Secret key", "The vault is closed", "Type the key", "have been ignored")
		c.Pick("Type the key").Press("enter").Sees("Enter the key for this run only")
	}, reading(500*time.Millisecond, errors.New("the vault is closed"))...)
}

func TestASourceThatTakesLongSaysWhatItWaitsFor(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("c").Wait(time.Second).Sees("Secret key", "Waiting for", "1 s of at most 10 s", "esc stops waiting", "have been ignored")
		c.Wait(4*time.Second).Sees("Home", "key demo …0042", "have been ignored").WaitsUntilGone("Waiting")
		c.Press("j").WaitsUntilGone("have been ignored")
	}, reading(4*time.Second, nil)...)
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wait(1100*time.Millisecond).Press("esc").Sees("was cancelled", "Type the key")
	}, reading(4*time.Second, nil)...)
}

func TestANumberLeadsToARoomFromEveryOther(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("paydesk ▸ Home", "▪ 1 Home ─ 2 Transactions ─ 3 Activity ─ 4 Links ─ 5 Sandbox").WaitsUntilGone("6 Profiles")
		c.Press("2").Sees("▸ Transactions", "▪ 2 Transactions", " read at ")
		c.Press("3").Sees("▸ Activity", "▪ 3 Activity").WaitsUntilGone("▸ Transactions")
		c.Press("4").Sees("▸ Links", "▪ 4 Links")
		c.Press("5").Sees("▸ Sandbox", "▪ 5 Sandbox")
		c.Press("5").Sees("This is Sandbox already.")
		c.Press("2", "1").Sees("▸ Home", "▪ 1 Home")
		c.Press("4", "3", "esc").Sees("▸ Home") // a room is left for home, not for the one before it
		c.Press("6").Sees("▸ Home", "6 does nothing here. ? lists the keys.")
		c.Press("2", "/").Type("12").Sees("12").Press("enter", "3").Sees("▸ Activity") // in a field it is text
		c.Press("1", "c").Sees("▸ Collect").WaitsUntilGone("2 Transactions").Fill("Amount", "12.50").Sees("12.50")
	})
}

// A number shows a list as another number left it, with its search and its mark. esc leaves it for good.
func TestARoomIsAsANumberLeftIt(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		for _, amount := range []string{"12.50", "31.00", "14.50"} {
			pay(c, amount, "GBP", "pending-long")
			c.Yes("Charge " + amount + " GBP").Wait(10 * time.Second).Sees("PENDING").Press("1").Wait(time.Second)
		}
		c.Press("3", "/").Type("31").Press("enter").Wait(time.Second).Sees("31.00 GBP").WaitsUntilGone("12.50 GBP")
		c.Press("1").Sees("▸ Home").Press("3").Wait(time.Second).Sees("▸ Activity", "31.00 GBP").WaitsUntilGone("12.50 GBP")
		c.Press("esc").Wait(time.Second).Press("end")
		for _, way := range [][]string{{"2", "3"}, {"enter", "3"}, {"1", "2", "4", "3"}} {
			if c.Press(way...).Wait(time.Second).Sees("▸ Activity", "31.00 GBP"); !strings.Contains(c.Marked(), "12.50 GBP") {
				t.Errorf("%q: the mark is on %q", way, c.Marked())
			}
		}
		c.Press("2").Wait(time.Second).Press("down", "down")
		row := c.Marked()
		if c.Press("3", "2").Wait(time.Second).Sees("▸ Transactions ", "Rows 1–"); c.Marked() != row {
			t.Errorf("the mark was on %q, and is on %q", row, c.Marked())
		}
		c.Press("enter").Sees("▸ Transactions ▸").Press("3", "2").Wait(time.Second).Sees("▸ Transactions ").WaitsUntilGone("▸ Transactions ▸")
		c.Press("3", "/").Type("31").Press("enter", "esc", "esc").Sees("▸ Home").Press("3").Wait(time.Second).Sees("12.50 GBP", "31.00 GBP")
	})
}

// A list that was read to its end is read again with each return, and the mark stays on its row.
func TestAListThatIsReadAgainKeepsTheMark(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Wait(time.Second).Sees("all 30 read").Press("down", "down", "down", "/").Type("gbp").Press("enter").Wait(time.Second).Press("down")
		row, before := c.Marked(), len(c.Wire.Gets())
		c.Press("1", "2").Wait(time.Second).Sees("gbp")
		if c.Marked() != row || len(c.Wire.Gets()) == before {
			t.Errorf("the mark was on %q, and is on %q; %d requests", row, c.Marked(), len(c.Wire.Gets())-before)
		}
	}, consoletest.WithSandbox(func(o *sandbox.Options) { o.Transactions = 30 }))
}

func TestARoomIsOpenedOverAPaymentThatIsNotDone(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP")
		c.Sees("Bank check").Press("2").Sees("▸ Transactions", " read at ")
		if head, _, _ := strings.Cut(c.Screen(), "\n"); !strings.HasPrefix(head, " paydesk ▸ Bank check ▸ Transactions ") {
			t.Errorf("the header is %q", head)
		}
		c.Press("3").Sees("Bank check ▸ Activity").Press("esc").Sees("▸ Bank check", "customer done")
		c.Press("1").Sees("▸ Home", "INITIATED") // which leads back to it
		c.Press("esc").Sees("▸ Home")
	})
}

func TestARoomThatIsNotThereHasNoNumber(t *testing.T) {
	without := func(p *keystore.Profile) { p.Environment = keystore.Test }
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("▐TEST▌", "▪ 1 Home ─ 2 Transactions ─ 3 Activity ─ 4 Links ─ 5 Profiles")
		c.Press("6").Sees("▸ Home", "6 does nothing here").Press("5").Sees("▸ Profiles")
	}, consoletest.As(without), consoletest.Config("/nowhere/profiles.toml"))
}

func TestOneKeyQuitsOnHomeAlone(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("q quit").Press("2").WaitsUntilGone("q quit").Press("q").Sees("▸ Transactions")
		c.Press("1", "?").Sees("Keys: Home").Press("q").WaitsUntilGone("Keys: Home").Wait(time.Second).Sees("▸ Home")
		if c.Press("q").Wait(time.Second); !c.Ended() {
			t.Error("q does not quit")
		}
	})
}

// A key is for the screen that the one before it opens or leaves, also where it comes in the same breath. It takes
// seconds: two rooms are opened and left twenty times.
func TestAKeyMeetsTheScreenThatTheOneBeforeItOpens(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		c.Press("esc").Sees("Menu")
		for range 20 {
			c.Press("3").Sees("1 attempt").AtOnce("enter", "esc").Sees("▪ 3 Activity", "1 attempt").Press("esc").Sees("Menu")
		}
		for range 20 {
			c.Press("4").AtOnce("n", "O", "a", "k", "esc").Sees("▪ 4 Links").Press("n").Sees("Oak").Press("ctrl+x", "esc", "esc").Sees("Menu")
		}
	})
}

// lead walks the four lines to their ends, each from home.
func lead(c *consoletest.Console) {
	c.T.Helper()
	c.Sees("0 of 4 done", "▌ ○  Pay by card").Press("enter").Sees("A made-up payment is filled in", "These channels accept").Press("enter")
	c.Sees("test.customer@example.com").Press("ctrl+s").Sees("▌ challenge").Press("esc", "ctrl+t").Sees("▌ challenge").Press("enter").Sees("https://shop.example/done").Press("ctrl+s")
	c.Yes("to •••• 1019?").Sees("The customer opens this URL")
	c.Sandbox.Approve(reference(c))
	c.Press("enter").Wait(time.Second).Sees("PENDING").Press("1").Sees("0 of 4 done").Wait(time.Minute).Sees("✓ SUCCESSFUL", "1 of 4 done", "✓  Pay by card")

	payMadeUpLink(c)
	c.Press("esc", "esc")
	c.Sees("2 of 4 done", "✓  Pay a link")

	toLine(c, "Lose an answer").Press("enter").Sees("A made-up payment is filled in").Press("enter").Sees("Test").Press("ctrl+s")
	c.Sees("▌ approve").Press("enter").Press("ctrl+s").Yes("to •••• 4242?").Sees("It is not known whether this payment was made")
	ref := c.Sandbox.Payments()[0].Reference
	c.Press("esc").Sees("2 of 4 done", "? UNRESOLVED")
	toLine(c, "Lose an answer").Press("enter").Sees("It is not known whether this payment was made")
	decide(c, "found as…").Sees("Found as").Type(ref).Press("enter").Wait(time.Second)
	c.Yes("found").Wait(time.Minute).Press("esc")
	if !c.Has("paydesk ▸ Home ") {
		c.Press("1")
	}
	c.Sees("3 of 4 done", "✓  Lose an answer")

	arrives(c, ref, "SUCCESSFUL", "12.5")
	c.Wait(5 * time.Second).Sees("3 of 4 done")
	toLine(c, "See a webhook").Press("enter").Wait(5*time.Second).Sees("1 event", ref).Press("esc").Sees("all done: x takes these off", "✓  See a webhook")
}

// payMadeUpLink creates the link of the line and pays it, up to its status.
func payMadeUpLink(c *consoletest.Console) {
	c.T.Helper()
	toLine(c, "Pay a link").Press("enter").Sees("A made-up link is filled in", "Six oak chairs", "▌ Amount").Press("enter").Sees("enter collect", "120.00 GBP")
	c.Press("enter").Sees("A made-up payment is filled in", "These channels accept").Press("enter").Sees("test.customer@example.com").Press("ctrl+s")
	c.Sees("▌ approve").Press("enter").Press("ctrl+s").Yes("Charge 120.00 GBP to •••• 4242").Wait(time.Second).Press("f").Yes("Finalize").Sees("completed").Press("enter").Wait(time.Minute).Sees("SUCCESSFUL")
}

// toLine puts the mark on a line of the tour.
func toLine(c *consoletest.Console, name string) *consoletest.Console {
	c.T.Helper()
	for range 40 {
		if strings.Contains(c.Line(name), "▌") {
			return c
		}
		c.Press("down")
	}
	c.T.Fatalf("the mark is not on %q:\n%s", name, c.Boxed())
	return c
}

func TestTheDemoLeadsThroughFourLinesThatTickThemselves(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Golden("tour/begin")
		lead(c)
		c.Golden("tour/end")
		toLine(c, "See a webhook").Press("x").WaitsUntilGone("Try these").Press("r").Wait(time.Second).WaitsUntilGone("Try these")
	}, consoletest.Inbox(), consoletest.Tour())
}

func TestAnAnswerIsLostOnlyFromTheLineThatSaysSo(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		toLine(c, "Lose an answer").Press("enter").Sees("A made-up payment is filled in")
		if len(c.Sandbox.Armed()) != 1 {
			t.Errorf("armed are %+v", c.Sandbox.Armed())
		}
		c.Press("esc", "esc").Sees("Menu").Wait(time.Second)
		if len(c.Sandbox.Armed()) != 0 {
			t.Errorf("armed are %+v", c.Sandbox.Armed())
		}
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute).Sees("✓ SUCCESSFUL")

		c.Wire.Rewrite(func(string, int, []byte) (int, []byte) { return 502, []byte("<html>") })
		toMenu(c)
		linked(c)
		c.Wait(time.Second).Sees("UNRESOLVED")
		toMenu(c).Sees("? UNRESOLVED", "enter arms it").WaitsUntilGone("f3 finds it") // which lists no links
	}, consoletest.Tour())
}

func TestAWebhookIsSentWhereNoneHasArrivedYet(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		must(t, c.Sandbox.SetWebhooks([]string{"http://127.0.0.1:1/hook"}))
		defer c.Sandbox.SetWebhooks(nil)
		toLine(c, "See a webhook").Press("enter").Sees("No webhook has arrived yet")
		sent := c.Sandbox.Deliveries()
		if len(sent) != 1 || !sent[0].Sample {
			t.Fatalf("sent are %+v", sent)
		}
		c.Press("esc").Sees("0 of 4 done")
		toLine(c, "See a webhook").Press("enter")
		arrives(c, sent[0].Reference, "SUCCESSFUL", "12.5")
		c.Wait(5*time.Second).Sees("1 event", "SAMPLE1").Press("esc").Sees("1 of 4 done", "✓  See a webhook")
		toLine(c, "See a webhook").Press("enter").Wait(time.Second).Sees("1 event")
		if n := len(c.Sandbox.Deliveries()); n > 2 {
			t.Errorf("sent %d", n)
		}
	}, consoletest.Inbox(), consoletest.Tour())
}

// unconfigured are the options of a console without a configuration, and the path where one will be.
func unconfigured(t *testing.T, more ...consoletest.Option) (path string, options []consoletest.Option) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "paydesk")
	return path, append(more, consoletest.Config(path), consoletest.Store(keystore.NewMemory("keyring")), consoletest.StartAt(nav.Setup{}),
		consoletest.Served(func(address string) bool { return address == "http://127.0.0.1:8099" }))
}

func TestTheFirstRunLeadsToAnAccountThatWasTriedPastAWrongKeyAndAWrongAddress(t *testing.T) {
	path, options := unconfigured(t)
	consoletest.Run(t, func(c *consoletest.Console) {
		must(t, os.WriteFile(path, nil, 0o600)) // in place of the folder
		c.Press("n").Fill("Base URL", "http://127.0.0.1:8098").Fill("List URL", "http://127.0.0.1:8099").Press("ctrl+s").Sees("The profile cannot be written", "for this run only")
		must(t, os.Remove(path))
		c.Press("ctrl+s").Sees("The keyring has no key").WaitsUntilGone("A paydesk sandbox").Type("sk_test_CANARYofSomebodyElse").Press("enter")
		c.Sees("rejected", "wiped; enter another", "Wrong address? esc")
		if _, err := os.Stat(path); err == nil {
			t.Error("a profile was written that does not work")
		}
		c.Press("esc").Sees("http://127.0.0.1:8098", "http://127.0.0.1:8099", "▌ ").WaitsUntilGone("▐TEST▌")
		c.To("Base URL").Press("ctrl+u").Type("http://127.0.0.1:8099").Press("ctrl+s").Sees("A paydesk sandbox answers at this address")
		c.Wire.Disconnect(true)
		c.Type(consoletest.Key).Press("enter").Wait(20*time.Second).Sees("could not be verified", "Wrong address? esc")
		must(t, os.WriteFile(path, nil, 0o600)) // in place of the folder
		c.Press("ctrl+k").Wait(time.Second).Sees("First run", "test was not written")
		must(t, os.Remove(path))
		c.Press("r").Wait(time.Minute).Sees("First run", "1 failed", "reach base_url", "test is in", "it is in the keyring", "r run again")
		c.Wire.Disconnect(false)
		asked := len(c.Wire.Gets())
		c.Press("r").Wait(time.Second).Sees("First run", "Checked again at", "returned a page of transactions", "itself rejected", "f3 controls it", "…0042").WaitsUntilGone("failed")
		if gets := strings.Join(c.Wire.Gets()[asked:], " ") + " "; !strings.Contains(gets, "/transactions ") || !strings.Contains(gets, "/NONE") || len(c.Wire.Posts()) != 0 {
			t.Errorf("it was tried with %q and %q", gets, c.Wire.Posts())
		}
		c.Press("esc").Sees("Menu", "Home", "Profiles")
	}, options...)
	config, err := keystore.Folder(path).Load()
	must(t, err)
	if p, err := config.Select(""); err != nil || p.Name != "test" || p.ListURL != "http://127.0.0.1:8099" || p.Source != "keyring" {
		t.Errorf("the profile is %+v, %v", p, err)
	}
}

// The list answers at its own address, so only the address of payments is wrong.
func TestAWrongAddressOfPaymentsEndsTheFirstRunWithAFault(t *testing.T) {
	for wrong, want := range map[string][2]string{
		"http://127.0.0.1:8099/elsewhere": {"▲ warning  status path", "2 warnings"}, // the service rejects it like any path
		"http://127.0.0.1:8100":           {"✗ failed  status path", "1 failed"},
	} {
		_, options := unconfigured(t, consoletest.Size(60, 18))
		consoletest.Run(t, func(c *consoletest.Console) {
			c.Press("n").Fill("Base URL", wrong).Fill("List URL", "http://127.0.0.1:8099").Press("ctrl+s")
			if strings.HasSuffix(wrong, "8100") {
				c.Wire.Rewrite(func(path string, status int, body []byte) (int, []byte) {
					if strings.Contains(path, "/NONE") {
						return 200, []byte("<p>Hello</p>") // another server
					}
					return status, body
				})
			}
			c.Type(consoletest.Key).Press("enter").Wait(time.Second).Sees("First run", want[0], want[1], "check base_url").Press("end").Sees("key accepted", "6 and then e")
			if len(c.Wire.Posts()) != 0 {
				t.Errorf("it sent %q", c.Wire.Posts())
			}
			c.Press("5").Sees("Profile test").Press("e").Sees("Edit profile test", "Base URL")
		}, options...)
	}
}
