package screens_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/keystore/keystoretest"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
	"paydesk/ui"
	"paydesk/ui/termtest"
)

// two are a file with two profiles of the service of the stories, and a keyring with the
// key of the first.
func two(t *testing.T) []consoletest.Option {
	t.Helper()
	text := "-- default --\none\n"
	for name, idle := range map[string]int{"one": 20, "two": 0} {
		text += fmt.Sprintf("-- profiles/%s.toml --\nenvironment = \"test\"\nbase_url = \"http://127.0.0.1:8099\"\nlist_url = \"http://127.0.0.1:8099\"\nidle_lock = %d\n", name, idle)
	}
	path := keystoretest.Write(t, t.TempDir(), text)
	key, err := keystore.ParseKey(consoletest.Key)
	must(t, err)
	ring := keystore.NewMemory("keyring")
	must(t, ring.Set(t.Context(), "one", key))
	c, err := keystore.Folder(path).Load()
	must(t, err)
	return []consoletest.Option{consoletest.Config(path), consoletest.Store(ring), consoletest.StartAt(nav.Key{Profile: c.Profiles["one"]})}
}

func TestAnotherProfileIsOpenedWithNothingLeftOfTheFormer(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("l").Type("ref-of-the-first").Press("enter").Sees("has no record of it").Press("esc", "esc").Sees("Menu").WaitsUntilGone("Try these") // as in the demo
		c.Press("2").Sees(" read at ")
		c.Wire.Slow(time.Minute)
		c.Press("space").Wait(time.Second) // reads on, with the key of the former
		c.Wire.Slow(0)
		asked := len(c.Wire.Gets())
		c.Press("5").Sees("2 profiles", "open, default").Press("down", "i").Sees("Doctor")
		copies(c, "paydesk doctor --profile two")
		c.Press("esc").Sees("2 profiles").Press("down", "enter")
		c.Sees("two, environment test", "The keyring has no key for this profile yet").WaitsUntilGone("…0042")
		c.Press("esc").Wait(time.Hour).Sees("two, environment test") // there is nothing to hide
		c.Pick("Another profile").Press("enter").Sees("2 profiles").Press("esc")
		c.Press("home").Pick("Type the key").Press("enter").Type(consoletest.Key).Press("enter").Sees("Menu", "key this run …0042")
		c.Wait(time.Hour).Sees("Menu")
		if n := len(c.Wire.Gets()); n != asked+2 { // about the key, and home's
			t.Errorf("%d questions were asked after the switch", n-asked)
		}
		c.Press("l").WaitsUntilGone("ref-of-the-first")
	}, append(two(t), consoletest.Tour())...)
}

func TestAKeyWithWhichNothingCanBeOpenedLeadsToTheOptions(t *testing.T) {
	key, err := keystore.ParseKey("4111111111111111")
	must(t, err)
	ring := keystore.NewMemory("keyring")
	must(t, ring.Set(t.Context(), "one", key))
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("This is a card number, not a secret key", "Type the key", "Another profile").WaitsUntilGone("Waiting for")
	}, append(two(t), consoletest.Store(ring))...)
}

func TestNoOtherProfileIsOpenedWhileSomethingIsBeingSent(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("n").Fill("Name", "Dues").Fill("Description", "of May").Choose("Currency", "GBP").Fill("Amount", "12.50")
		c.Wire.Slow(20 * time.Second)
		c.Press("ctrl+s").Press("esc").Sees("Please wait for the response").WaitsUntilGone("Menu")
		c.Send(nav.Restart{To: nav.Profiles{}}) // as if a screen asked for it at this moment
		c.Wait(time.Second).Sees("A request is in progress. Switch profiles once it has been answered.")
		c.Wait(25 * time.Second).Sees("Dues").WaitsUntilGone("2 profiles")
	}, two(t)...)
}

// strangers makes payments of other consoles, which wait for their customers, and returns their references.
func strangers(c *consoletest.Console, n int) (all []string) {
	for i := range n {
		other := c.Elsewhere()
		pay(other, fmt.Sprintf("%d.50", 12+i), "GBP", "challenge")
		other.Yes("Charge ").Wait(time.Second)
	}
	for _, p := range c.Sandbox.Payments() {
		all = append(all, p.Reference)
	}
	return all
}

// settle lets a customer pay.
func settle(c *consoletest.Console, ref string) {
	c.Sandbox.Approve(ref)
	c.Sandbox.Settle(ref)
}

// It takes seconds: the payments are followed on one screen after the other.
func TestPastedReferencesArePinnedAndWatchedWhateverScreenIsShown(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		refs := strangers(c, 2)
		c.Press("l").Sees("Which payment?").Paste("7F3K9QXA2B\n4000 0566 5566 5556\n6f1c2b1e-8a57-4f6c-9c5e-0d6a1c2b3e4f\n")
		c.Sees("2 references to pin to Home", "A line with a card number was removed.").Golden("pins/several")
		c.Paste(strings.Join(refs, "\n") + "\nno reference at all") // in place of those
		c.Sees("2 references to pin to Home", "A line is not a reference", "enter pin to Home", refs[1]).WaitsUntilGone("7F3K9QXA2B")
		c.Press("enter").Sees("Home", "2 payments pinned to Home.").Wait(10*time.Second).Sees(refs[0], refs[1])
		c.Wait(40 * time.Minute) // longer than a payment is watched otherwise
		c.Press("2").Sees(" read at ").Wait(time.Minute)
		written, asked := len(c.Bytes()), len(c.Wire.Gets())
		c.Wait(10 * time.Minute)
		if n := len(c.Wire.Gets()) - asked; n < 15 || n > 21 {
			t.Errorf("%d requests about two pins in ten minutes", n)
		}
		if n := len(c.Bytes()) - written; n != 0 {
			t.Errorf("%d bytes for answers that change nothing", n)
		}
		settle(c, refs[0])
		bells := c.Bells()
		c.Wait(70*time.Second).Sees("Transactions", "Payment "+refs[0]+": SUCCESSFUL")
		if c.Bells() != bells+1 {
			t.Errorf("the bell rang %d times", c.Bells()-bells)
		}
		if c.Wait(20 * time.Second); c.Has("Payment " + refs[0]) {
			t.Error("the notice stays")
		}
		settle(c, refs[1])
		if c.Press("b").Sees("The bell is off.").Wait(70 * time.Second); c.Bells() != bells+1 {
			t.Error("the bell is off and rings")
		}
		again := c.Again()
		again.Wait(5*time.Second).Sees(refs[0], refs[1], "SUCCESSFUL")
		if again.Bells() != 0 {
			t.Error("it rings for what had settled before")
		}
	})
}

// What is pinned on home stays where it is listed, and is there for the next console.
func TestAPaymentIsPinnedOnHome(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		ref := strangers(c, 1)[0]
		c.Press("l").Type(ref).Press("enter").Wait(5*time.Second).Press("esc", "esc").Sees("Looked up", ref)
		c.Pick("▲").Press("p").Sees("Payment " + ref + " pinned to Home.").Sees("Looked up")
		again := c.Again()
		again.Sees("Pinned", ref).WaitsUntilGone("Looked up")
		again.Pick("▲").Press("p").Sees("Payment " + ref + " unpinned.").Sees("Pinned")
		again.Press("p").Sees("Payment " + ref + " pinned to Home.").Press("enter").Sees("── Status checks").WaitsUntilGone("pinned to Home.")
		again.Press("esc").Pick("▲").Press("p").Sees("unpinned.")
		last := c.Again().Sees("Looked up", ref).WaitsUntilGone("Pinned")
		last.Press("l").Paste("NOSUCHREF1\nNOSUCHREF2").Press("enter").Wait(10*time.Second).Press("g").Wait(time.Second).Press("p").Sees("NOSUCHREF1 unpinned.", "p pin ")
		last.Press("Y").Sees("The answer was sent")
		last.Press("p").Sees("Pinned to Home, which checks whether it is a reference.", "NOSUCHREF1", "NOSUCHREF2")
	})
}

// That nothing needs attention is not said while a pinned payment could not be checked, in the window or below it. It takes seconds:
// more payments than the window has rows for are polled.
func TestAPinThatCouldNotBeCheckedIsNotSaidToNeedNothing(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		refs := strangers(c, 16)
		ref := refs[0]
		settle(c, ref)
		c.Press("l").Paste(ref+"\nREF-2").Press("enter").Wait(30*time.Second).Sees("No payment needs attention", "no record of it").WaitsUntilGone("REF-2: The service")
		c.Wire.Rewrite(func(string, int, []byte) (int, []byte) { return 500, nil })
		c.Press("r").Wait(time.Minute).Sees("checks failed", "HTTP 500").WaitsUntilGone("No payment needs attention")
		c.Wire.Rewrite(nil)
		c.Press("r").Wait(10 * time.Second).WaitsUntilGone("checks failed")

		slices.Sort(refs)
		below := refs[len(refs)-1] // the window
		c.Press("l").Paste(strings.Join(refs, "\n")).Press("enter").Wait(10 * time.Second).Sees("No payment needs attention").WaitsUntilGone(below)
		c.Wire.Rewrite(func(path string, code int, body []byte) (int, []byte) {
			if strings.HasSuffix(path, below) {
				code = 500
			}
			return code, body
		})
		c.Wait(10*time.Minute).Sees("1 of 16 checks failed", "HTTP 500").WaitsUntilGone("No payment needs attention")
		c.Wire.Rewrite(nil)
		c.Press("r").Wait(2 * time.Second).Sees("No payment needs attention").WaitsUntilGone("checks failed")
	})
}

func TestWithTheJournalOffPinsAreSaidToLastOneRun(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("l").Paste("REF-1\nREF-2").Press("enter").Wait(time.Second)
		c.Sees("2 payments pinned to Home, for this run: the journal is off.", "Pinned for this run, journal off", "REF-1")
		c.Press("down").Wait(time.Second).Press("p").Sees("unpinned.")
	}, consoletest.As(func(p *keystore.Profile) { p.Journal = "off" }))
}

func TestAPaymentThatSettledMeanwhileIsToldAtTheNextStart(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		refs := strangers(c, 1)
		c.Press("l").Paste(refs[0] + "\nNO-SUCH-PAYMENT").Press("enter").Wait(10 * time.Second).Sees(refs[0])
		c.Press("ctrl+c")
		settle(c, refs[0])
		again := c.Again()
		again.Sees("Payment " + refs[0] + ": SUCCESSFUL")
		if again.Bells() != 1 {
			t.Errorf("the bell rang %d times", again.Bells())
		}
	})
}

// A desktop shows its notifications to whoever stands there, and keeps them.
func TestANotificationNamesThePaymentInWordsOfTheConsole(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		refs := strangers(c, 3)
		c.Press("l").Paste(strings.Join(refs, "\r")).Press("enter").Wait(10 * time.Second).Press("n")
		settle(c, refs[0])
		c.Wait(time.Minute)
		c.Press("esc").Press("b").Sees("The bell rings when a watched payment settles. Notifications are off.")
		settle(c, refs[1])
		c.Wait(time.Minute)
		c.Press("b").Sees("A notification is shown when a watched payment settles. The bell is off.")
		bells := c.Bells()
		c.Sandbox.SetStatusWord("FAILED; \x1b]52;c;YQ==")
		c.Wait(2 * time.Minute)
		c.Sandbox.SetStatusWord("")
		settle(c, refs[2])
		c.Wait(time.Minute)
		want := []string{"Payment " + refs[0] + ": SUCCESSFUL (SANDBOX)", "Payment " + refs[2] + ": SUCCESSFUL (SANDBOX)"}
		if got := termtest.Notes(c.Bytes()); !slices.Equal(got, want) || c.Bells() != bells {
			t.Errorf("%q, %d bells", got, c.Bells()-bells)
		}
	}, consoletest.Themed(func(t *ui.Theme) { t.Notifier = ui.OSC777 }))
}

// The news of a hidden console names no payment.
func TestAHiddenConsoleTellsOnlyThatSomethingHasSettled(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		refs := strangers(c, 1)
		c.Press("l").Paste(refs[0] + "\nNO-SUCH-PAYMENT").Press("enter").Wait(10 * time.Second)
		c.Wait(10 * time.Minute).Sees("locked")
		settle(c, refs[0])
		c.Wait(2 * time.Minute).WaitsUntilGone(refs[0])
		if got := termtest.Notes(c.Bytes()); !slices.Equal(got, []string{"A pinned payment is final (SANDBOX)."}) {
			t.Errorf("%q", got)
		}
	}, consoletest.Themed(func(t *ui.Theme) { t.Notifier = ui.OSC9 }), consoletest.As(func(p *keystore.Profile) { p.IdleLock = 5 }))
}

func TestAMismatchOfAPinnedPaymentIsToldWhateverScreenIsShown(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP").Sees("Bank check")
		ref := reference(c)
		c.Press("1").Wait(time.Second).Pick("▲").Press("p").Sees("pinned to Home.").Wait(time.Minute).Press("2").Wait(time.Minute)
		bells := c.Bells()
		c.Wire.Rewrite(replacing("", `"amount":12\.50`, `"amount":1250.00`))
		for range 10 { // the notice goes after a while
			if c.Wait(10 * time.Second); c.Has("MISMATCH") {
				break
			}
		}
		c.Sees("Transactions", "Payment "+ref+": MISMATCH")
		if c.Bells() != bells+1 {
			t.Errorf("the bell rang %d times", c.Bells()-bells)
		}
	})
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP").Sees("Bank check").Press("1").Wait(time.Second).Pick("▲").Press("p").Wait(10 * time.Minute).Sees("Locked:")
		c.Wire.Rewrite(replacing("", `"amount":12\.50`, `"amount":1250.00`))
		c.Wait(2 * time.Minute)
		if got := termtest.Notes(c.Bytes()); !slices.Equal(got, []string{"A pinned payment has a mismatch (SANDBOX)."}) {
			t.Errorf("%q", got)
		}
	}, consoletest.Themed(func(t *ui.Theme) { t.Notifier = ui.OSC9 }), idleAfter(5))
}

// What a person arranged by pinning stays as it is, whatever settles, and is found again by the next console.
func TestPinsStandInTheOrderInWhichTheyWerePinned(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		refs := strangers(c, 3)
		order := []string{refs[1], refs[0], refs[2]}
		for i, ref := range order {
			if i == 2 { // home is open over a form, too
				c.Press("c").Choose("Currency", "GBP").Fill("Amount", "12.50").Press("enter").Sees("Channel")
				c.Press(":").Type("transactions").Press("enter").Sees(" read at ").Press("1").Sees("▸ Home")
			}
			c.Press("l").Paste(ref).Press("enter").Wait(5 * time.Second).Press("p").Sees("pinned to Home.").Wait(time.Minute)
			c.Press("1").Wait(5 * time.Second)
			if line := c.Line("▌ ▲"); !strings.Contains(line, ref) {
				t.Errorf("the mark is on %q, not on %s", line, ref)
			}
		}
		inOrder := func(c *consoletest.Console) {
			var at []int
			for _, ref := range order {
				at = append(at, strings.Index(c.Screen(), ref))
			}
			if at[0] < 0 || !slices.IsSorted(at) {
				t.Errorf("not in the order of %s:\n%s", order, c.Screen())
			}
		}
		inOrder(c)
		settle(c, order[1])
		c.Wait(2*time.Minute).Press("2", "1").Wait(5 * time.Second)
		inOrder(c)
		inOrder(c.Again().Wait(5 * time.Second))
	})
}

func TestAChallengeIsApprovedOnTheSandboxScreenAndTurnsOnThePaymentScreen(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP to •••• 1019?")
		ref := reference(c)
		c.Press("enter").Sees(ref, "INITIATED")
		c.Press("f3").Sees("True state", "▲ INITIATED", ref, "A approve").Golden("sandbox/challenge")
		c.Press("f3").Sees("True state").Press("%").Sees("% does nothing here.") // it is there already
		c.Press("A").Sees("The customer approved; the payment is now PENDING.")
		c.Press("esc").Sees("Payment", ref).Wait(30*time.Second).Sees("✓ SUCCESSFUL", "Provide the goods or service")
		c.Press("f3").Sees("paid in full").Golden("sandbox/settled")
		c.Press("esc").Sees("Provide the goods or service")
	})
}

func TestTheSandboxIsReachedWhileAPaymentIsBeingSent(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Wire.Slow(20 * time.Second)
		c.Yes("Charge 12.50 GBP to •••• 4242?")
		c.Press("f3").Sees("True state", "•••• 4242")
		c.Wait(25 * time.Second).Sees("True state") // the answer came, and this screen stayed
		c.Wire.Slow(0)
		c.Press("esc").Sees("Payment", "•••• 4242").Wait(time.Minute).Sees("✓ SUCCESSFUL")
		c.Press("esc").Sees("Menu")
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 {
			t.Errorf("%d were sent", n)
		}
	})
}

// A tester who opens a test profile whose address is a paydesk sandbox gets its cards and its screen.
func TestATestProfileWhoseAddressIsASandboxGetsItsCardsAndItsScreen(t *testing.T) {
	var asked []string
	served := consoletest.Served(func(address string) bool { asked = append(asked, address); return true })
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("TEST", "5 Sandbox")
		pay(c, "12.50", "GBP", "challenge") // by a test card of the list
		c.Yes("Charge 12.50 GBP to •••• 1019?")
		ref := reference(c)
		c.Press("enter").Sees(ref, "INITIATED").Press("f3").Sees("True state", ref)
		c.Press("A").Sees("The customer approved; the payment is now PENDING.")
		c.Press("esc").Sees("Payment", ref).Wait(30 * time.Second).Sees("✓ SUCCESSFUL")
		if len(asked) != 1 {
			t.Errorf("asked %q", asked)
		}
	}, consoletest.As(func(p *keystore.Profile) { p.Name, p.Environment = "shop", keystore.Test }), served)
}

// No other profile gets them, and a live one does not even ask.
func TestNoOtherProfileGetsASandbox(t *testing.T) {
	for asks, as := range []consoletest.Option{
		consoletest.Live(),
		consoletest.As(func(p *keystore.Profile) { p.Name, p.Environment = "shop", keystore.Test }), // of a service
	} {
		asked := 0
		consoletest.Run(t, func(c *consoletest.Console) {
			c.Sees("Collect").WaitsUntilGone("sandbox serves").Press("f3").WaitsUntilGone("True state")
			if asked != asks {
				t.Errorf("asked %d times, want %d", asked, asks)
			}
		}, as, consoletest.Served(func(string) bool { asked++; return asks == 0 }))
	}
}

// What was decided in the sandbox is seen at once, however long the next check would take.
func TestComingBackFromTheSandboxAsksAtOnce(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(5*time.Minute).Sees("PENDING", "within 30 s · last").Press("space").Sees("paused; space resumes")
		n := len(c.Wire.Gets())
		if c.Press("f3").Sees("True state").Press("esc").Sees("paused; space resumes"); len(c.Wire.Gets()) != n {
			t.Error("a watch that was paused asks")
		}
		c.Press("space").Wait(time.Second).Press("f3", "S")
		n = len(c.Wire.Gets())
		c.Press("esc").Sees("Payment", "final; not checked again")
		if asked := len(c.Wire.Gets()) - n; asked != 1 {
			t.Errorf("%d questions were asked", asked)
		}
	}, consoletest.WithSandbox(manual))
}

// The clock takes every payment with it, and cannot be moved back.
func TestTheClockAsksBeforeItChangesSeveralPayments(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		strangers(c, 2)
		c.Press("5").Sees("True state").Press("T", "enter").Sees("Move the clock on by 1 min?", "2 payments are not final").Golden("sandbox/clock")
		if c.Wait(time.Second).Press("enter").Wait(time.Second).Sees("Move the clock on by"); c.Sandbox.Ahead() != 0 {
			t.Error("the clock moved without a yes")
		}
		if c.Press("enter").Yes("Move the clock on by 1 min?").Sees("The clock is now 1 min ahead."); c.Sandbox.Ahead() != time.Minute {
			t.Errorf("the clock is %s ahead", c.Sandbox.Ahead())
		}
	})
}
