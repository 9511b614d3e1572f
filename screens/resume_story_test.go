package screens_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/servicetest"
	"paydesk/keystore"
	"paydesk/screens/consoletest"
)

// attempts returns what the journal holds, newest first.
func attempts(c *consoletest.Console) []ledger.Attempt {
	c.T.Helper()
	all, _, err := c.Journal.Attempts(c.T.Context(), journal.Filter{}, 0, 100)
	must(c.T, err)
	return all
}

func TestAfterACrashAPaymentGoesOnAtItsBank(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP to •••• 1019?")
		ref := reference(c)
		again := c.Again()
		again.Sees("1 to act on", "INITIATED", "12.50 GBP", "•••• 1019", ref).Golden("resume/home")
		again.Press("enter").Sees(ref, "INITIATED", "The customer must complete the bank check: press a")
		again.Press("a").Sees("Bank check", "The customer opens this URL", ref).Golden("resume/bank")
		c.Sandbox.Approve(ref)
		again.Press("s").Wait(time.Minute).Sees("SUCCESSFUL")
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 {
			t.Errorf("sent %d times", n)
		}
		again.Press("esc").Sees("No payment needs attention")
	})
}

func TestAfterACrashALinksPaymentIsFinalizedOnce(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		payLink(c, "challenge")
		c.Yes("Charge 120.00 GBP")
		ref := reference(c)
		c.Again().Press("enter").Wait(time.Second).Press("f").Sees("must complete the bank's check first")
		c.Sandbox.Approve(ref)
		c.Press("enter").Sees("Finalize " + ref + "?") // the customer is done, and nothing is asked yet
		again := c.Again()
		again.Press("enter").Wait(time.Second).Sees(ref, "must be finalized: press f")
		again.Press("f").Yes("Finalize").Sees("completed")
		again.Press("enter").Wait(time.Minute).Sees("SUCCESSFUL")
		if n := c.Wire.PostsTo("/pay/finalize"); n != 1 {
			t.Errorf("finalized %d times", n)
		}
		// The first console hears of it when it asks, and does not retry finalize.
		third := c.Again()
		third.Sees("Settled today", "SUCCESSFUL", ref, "No payment needs attention").WaitsUntilGone("Needs you", "Under way")
	})
}

func TestACrashWhileSendingLeavesAnAttemptAndNeverSendsAgain(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Wire.Slow(80 * time.Second)
		c.Sees("Charge 12.50 GBP").Wait(time.Second)
		c.Press("y")
		again := c.Again()
		again.Sees("Nothing recorded here is in progress") // another console is sending it
		c.Wait(2 * time.Minute)
		third := c.Again()
		third.Sees("1 in progress")
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 {
			t.Errorf("sent %d times", n)
		}
	})
}

// Twelve payments are lost. The profile is renamed, or names the same host otherwise: they are
// still there, and the same customer is not charged again without a question.
func TestLostPaymentsAreThereWhateverTheProfileIsCalled(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		key := servicetest.Key(consoletest.Key)
		fingerprint, err := c.Journal.Fingerprint(c.T.Context(), key)
		must(t, err)
		for i := range int64(12) {
			lost := ledger.Attempt{
				Kind: ledger.Initiate, Channel: api.ChannelCard, Card: "4242", Amount: pounds(1250 + i),
				Destination: ledger.Destination{Profile: "old", Environment: "SANDBOX", Host: "127.0.0.1:8099", Fingerprint: fingerprint},
			}
			recorded(c, lost, ledger.Payer{Email: "ada+first@example.org"}, ledger.Result{Outcome: ledger.Unresolved, Why: "the answer was lost"})
		}
		for _, change := range []func(*keystore.Profile){
			func(p *keystore.Profile) { p.Name = "renamed" },
			func(p *keystore.Profile) { p.BaseURL = "http://localhost:8099" },
		} {
			again := c.Again(change)
			again.Sees("12 unresolved", "Sent from profile old")
			again.Press("3").Sees("12 attempts of this service").Press("esc")
			pay(again, "12.50", "GBP", "approve")
			again.Yes("Charge 12.50 GBP to •••• 4242?").Sees("Nothing was sent: this looks like a duplicate.", "from profile old")
		}
		if n := c.Wire.PostsTo("/pay/initiate"); n != 0 {
			t.Errorf("sent %d times", n)
		}
	})
}

func TestALookAlikeOfAnotherConsoleIsNamedBeforeAnythingIsSent(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(2 * time.Second)
		other := c.Again()
		pay(other, "12.50", "GBP", "challenge")
		other.Yes("Charge 12.50 GBP").Sees("Nothing was sent: this looks like a duplicate", "•••• 4242", "ada").Golden("resume/look-alike")
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 {
			t.Fatalf("sent %d times", n)
		}
		// Enter alone goes back; only the short id lets it pass.
		other.Wait(time.Second).Press("enter").Wait(time.Second)
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 {
			t.Errorf("sent %d times", n)
		}
	})
}

// strayed lists the keys that a person who does not look might press, besides enter and letters.
var strayed = []tea.KeyPressMsg{
	{Code: tea.KeyTab}, {Code: tea.KeyTab, Mod: tea.ModShift}, {Code: tea.KeyDown}, {Code: tea.KeyUp}, {Code: tea.KeyRight}, {Code: tea.KeyLeft},
	{Code: tea.KeyEscape}, {Code: tea.KeySpace, Text: " "}, {Code: tea.KeyBackspace}, {Code: tea.KeyF1}, {Code: tea.KeyPgDown},
	{Code: 's', Mod: tea.ModCtrl}, {Code: 'l', Mod: tea.ModCtrl}, {Code: 't', Mod: tea.ModCtrl}, {Code: tea.KeyF3}, {Code: 'r', Mod: tea.ModCtrl},
}

// A walker presses keys. Without figures it can type no amount, and no currency for want of
// capitals.
type walker struct {
	*rand.Rand
	figures bool
}

func (w walker) step() tea.Msg {
	letter := rune('a' + w.IntN(26))
	switch n := w.IntN(100); {
	case n < 40:
		return tea.KeyPressMsg{Code: tea.KeyEnter, IsRepeat: w.IntN(4) == 0}
	case n < 65:
		return strayed[w.IntN(len(strayed))]
	case n < 67:
		return tea.PasteMsg{Content: "shop\n"}
	case n < 73:
		letter = 'y'
	case n < 83 && w.figures:
		letter = rune('0' + w.IntN(10))
	}
	if letter == 'q' { // it would end the walk on home
		letter = 'z'
	}
	return tea.KeyPressMsg{Code: letter, Text: string(letter)}
}

// walk presses up to 500 keys, some at once and some after a thought, and now and then
// looks at the frame. It returns the titles of the screens that it saw then.
func walk(c *consoletest.Console, seed uint64, figures bool) (titles []string) {
	c.T.Helper()
	w := walker{rand.New(rand.NewPCG(seed, 77)), figures}
	for i := range 1 + w.IntN(500) {
		c.Send(w.step())
		if w.IntN(3) == 0 {
			time.Sleep(time.Duration(w.IntN(900)) * time.Millisecond)
		}
		if i%20 == 0 {
			if c.Wait(0); !strings.Contains(c.Screen(), "▐▲ LIVE▌") || !strings.Contains(c.Screen(), "127.0.0.1:8099") {
				c.T.Fatalf("walk %d has a frame that does not say where it is:\n%s", seed, c.Boxed())
			}
			titles = append(titles, title(c))
		}
	}
	c.Wait(2 * time.Second) // for what is on its way
	return titles
}

// walks returns how many walks there are: 200, of which a usual run takes four.
func walks() uint64 {
	if long {
		return 200
	}
	return 4
}

func TestNoWalkOnALiveProfilePostsWithoutTheUnlock(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and one thing after the other: it looks for no races")
	}
	seen := map[string]int{}
	for seed := range walks() {
		consoletest.Run(t, func(c *consoletest.Console) {
			for _, name := range walk(c, seed, true) {
				seen[name]++
			}
			if posts := c.Wire.Posts(); len(posts) != 0 {
				t.Errorf("walk %d posted %q", seed, posts)
			}
		}, consoletest.Live(), consoletest.Size(60, 18), consoletest.As(func(p *keystore.Profile) { p.AllowCardEntry = true }))
	}
	if len(seen) < 6 {
		t.Errorf("the walks saw %v alone", seen)
	}
}

// title is the title of the screen.
func title(c *consoletest.Console) string {
	head, _, _ := strings.Cut(c.Screen(), "\n")
	trail, _, _ := strings.Cut(strings.TrimSpace(head), "  ")
	return trail
}

func TestNoWalkThatIsUnlockedSendsWithoutTheTypedAmountOrACardAtAll(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and one thing after the other: it looks for no races")
	}
	for seed := range walks() {
		consoletest.Run(t, func(c *consoletest.Console) {
			unlocked(c)
			if seed%2 == 0 { // it begins in the middle of the way
				linked(c)
				c.Sees("Type 120.00")
			} else {
				c.Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter").Sees("These channels accept")
			}
			walk(c, seed, false)
			for _, path := range []string{"/payment-link", "/initiate", "/finalize"} {
				if n := c.Wire.PostsTo(path); n != 0 {
					t.Errorf("walk %d posted %d times to %s", seed, n, path)
				}
			}
		}, consoletest.Live())
	}
}
