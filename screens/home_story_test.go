package screens_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

func TestHomeAsksByItselfAndEachLineChangesInItsPlace(t *testing.T) {
	settles := func(c *consoletest.Console) *consoletest.Console { // which is said for a moment
		for range 60 {
			if c.Wait(time.Second); strings.Contains(c.Boxed(), "Just settled") {
				break
			}
		}
		return c.Sees("Just settled")
	}
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		one := reference(c)
		c.Press("esc")
		pay(c, "7", "GBP", "pending-long")
		c.Yes("Charge 7.00 GBP").Wait(10 * time.Second).Sees("PENDING")
		two := reference(c)
		c.Press("esc").Wait(time.Second).Sees("2 in progress", "as of 00:00:2")
		before := c.Line("as of ")
		c.Sees("▌ ◌ PENDING                   12.50 GBP")
		if !c.Sandbox.Settle(one) {
			t.Fatal("the payment could not be settled")
		}
		c.Wait(time.Minute).Sees("1 in progress", "▌ ✓ SUCCESSFUL                12.50 GBP", "  ◌ PENDING                    7.00 GBP")
		if c.Line("as of ") == before {
			t.Errorf("the list does not say that it is newer:\n%s", c.Boxed())
		}
		c.Sandbox.Settle(two)
		settles(c).Sees("No payment needs attention").Golden("home/settled")
		c.Wait(time.Minute).Sees("Settled today").WaitsUntilGone("Just settled")
		if n := questions(c, time.Hour); n != 0 {
			t.Errorf("%d more were asked about what is final", n)
		}
		c.Wait(24*time.Hour).Sees("Earlier").WaitsUntilGone("Settled today", "Made from here today") // nothing of yesterday is said to be of today
	})
	consoletest.Run(t, func(c *consoletest.Console) { // which reads its journal again once it has recorded the status
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		one := reference(c)
		c.Press("esc").Wait(time.Second).Sees("1 in progress")
		c.Sandbox.Settle(one)
		settles(c).Wait(15 * time.Second).Press("r").Sees("Just settled").Wait(10 * time.Second).Sees("Settled today").WaitsUntilGone("Just settled")
	}, consoletest.OnDisk(t.TempDir()+"/state"))
}

func TestHomeAsksNothingWhileItIsCoveredOrHidden(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge") // which the customer does not meet
		c.Yes("Charge 12.50 GBP to •••• 1019?").Sees("Bank check").Press("esc").Wait(time.Second).Sees("INITIATED")
		c.Press("3").Wait(time.Second).Sees("Activity").Resize(100, 30).Resize(80, 24)
		if n := questions(c, 10*time.Minute); n != 0 {
			t.Errorf("%d were asked for a screen that nobody sees", n)
		}
		before := len(c.Wire.Gets())
		if c.Press("esc").Wait(time.Second).Sees("Menu"); len(c.Wire.Gets()) != before+1 {
			t.Error("it is not asked at once on return")
		}
		c.Wait(20 * time.Minute).Sees("checks ended, r checks again")
		if c.Press("r").Wait(time.Second).Sees("Asked again at 00:3").WaitsUntilGone("checks ended"); questions(c, time.Minute) == 0 {
			t.Error("r does not begin again")
		}
		c.Wait(30 * time.Minute).Sees("Locked:")
		if n := questions(c, 10*time.Minute); n != 0 {
			t.Errorf("%d were asked for a screen that is hidden", n)
		}
		before = len(c.Wire.Gets())
		if c.Press("enter").Wait(time.Second).Sees("1 to act on"); len(c.Wire.Gets()) == before {
			t.Error("it is not asked once the console is unlocked")
		}
	}, idleAfter(30))
}

func TestHomeSaysWhyNothingIsChecked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING").Press("esc").Wait(time.Second)
		c.Wire.Disconnect(true)
		c.Wait(time.Minute).Sees("as of 00:00:", "▲ 1 of 1 checks failed", "Next check at").Golden("home/unreachable")
		c.Wire.Disconnect(false)
		c.Press("r").Wait(time.Second).WaitsUntilGone("checks failed")
		c.Wire.AcceptKey("another")
		c.Wait(time.Minute).Sees("nothing is checked", "The service rejected the key: ctrl+g").Golden("home/rejected")
		if n := questions(c, time.Hour); n != 0 {
			t.Errorf("%d were asked with a key that was rejected", n)
		}
		if c.Press("r").Sees("ctrl+g").Press("2", "esc").Wait(time.Minute).Sees("Menu"); questions(c, time.Hour) != 0 {
			t.Error("the return to it asks with a key that was rejected")
		}
	})
}

func TestHomeNeverSaysThatAllIsWellBeforeItKnows(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		if n := len(c.Wire.Gets()); n != 1 {
			t.Errorf("it has asked %d times whether the service answers", n)
		}
		c.Sees("No payment needs attention").WaitsUntilGone("was checked yet")
		if n := questions(c, time.Hour); n != 0 {
			t.Errorf("%d more were asked while nothing is in progress", n)
		}
		c.Wire.Disconnect(true)
		c.Press("r").Wait(2*time.Second).Sees("▲ The host could not be reached", "checking…")
		c.Wait(time.Minute).Sees("▲ The host could not be reached", "r checks again").WaitsUntilGone("No payment needs attention", "as of")
		c.Wire.Disconnect(false)
		c.Press("r").Wait(time.Second).Sees("No payment needs attention").WaitsUntilGone("could not be reached")

		c.Wire.Disconnect(true) // and it answers about a payment, in place of r
		c.Press("r").Wait(2*time.Minute).Sees("could not be reached", "r checks again")
		c.Wire.Disconnect(false)
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second)
		ref := reference(c)
		c.Press("esc").Wait(time.Second)
		c.Sandbox.Settle(ref)
		c.Wait(time.Minute).Sees("✓ SUCCESSFUL", "No payment needs attention").WaitsUntilGone("could not be reached")
	})
}

// A link is paid by a transfer that the customer never makes. It leaves the list by itself, and until then its status is shown.
func TestALinkPaidByATransferThatExpiresLeavesHome(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "NGN", "1500.00")
		c.Wait(time.Second).Press("enter").Sees("into an account given next").Press("down", "enter")
		customer(c.Person)
		c.Press("ctrl+s").Yes("1,500.00 NGN")
		c.Sees("Account").Wait(time.Second).Press("d").Sees("Finalize").Press("esc", "esc", "esc", "esc").Sees("Menu", "1 to act on")
		c.Press("enter").Wait(time.Second).Sees("1,500.00 NGN", "press f").Press("esc").Sees("Menu")
		c.Sandbox.Forward(31 * time.Minute)
		c.Wait(time.Minute).Sees("✗ FAILED").WaitsUntilGone("CUSTOMER MUST PAY", "to act on")
	}, consoletest.WithSandbox(func(o *sandbox.Options) { o.ManualTransfers = true }))
}

// What another profile of the same file sent to another service is not listed, until it is looked up.
func TestAPaymentOfAnotherProfileIsListedOnceItWasLookedUp(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		other := c.Again(func(p *keystore.Profile) { p.Name, p.Environment = "shop", keystore.Test })
		other.Sees("No payment needs attention").WaitsUntilGone("PENDING", "12.50 GBP")
		ref := reference(c)
		other.Press("l").Fill("Reference", ref).Press("enter").Wait(time.Second).Sees("PENDING").Press("esc", "esc")
		other.Sees("No payment needs attention", "Looked up", "PENDING", "12.50 GBP", "looked up", ref)
		later := other.Again()
		later.Sees("PENDING", "looked up", ref)
		c.Sandbox.Settle(ref)
		later.Wait(time.Minute).Sees("✓ SUCCESSFUL", "looked up")
	})
}

// A payment of elsewhere is known only by the finalize that was lost here. Home asks how it ended.
func TestAFinalizeThatWasLostIsSettledOnHomeByThePaymentsStatus(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		other := c.Elsewhere()
		createLink(other, "Chairs", "once", "GBP", "120.00")
		payLink(other, "approve")
		other.Yes("Charge 120.00 GBP").Wait(time.Second)
		ref := reference(other)
		c.Send(nav.Push{To: nav.Payment{Reference: api.Reference(ref)}})
		c.Wait(time.Second).Sees("f finalize")
		c.Sandbox.Arm("POST", "lost-answer", 1)
		c.Press("f").Wait(time.Second).Yes("Finalize " + ref).Sees("It is not known whether it was finalized")
		c.Wait(400*time.Millisecond).Press("enter").Wait(100*time.Millisecond).Sees("Payment "+ref, "FINALIZE UNKNOWN", "A finalize got no answer")
		again := c.Again()
		again.Sees("1 unresolved", "? UNRESOLVED", ref).Wait(2 * time.Minute)
		again.Sees("No payment needs attention", "✓ SUCCESSFUL", ref).WaitsUntilGone("UNRESOLVED")
	})
}

func TestHomeIsTheDeskOfAPersonAtWork(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		for _, p := range [][2]string{{"12.50", "approve"}, {"75.25", "decline"}, {"310", "pending-long"}, {"18.99", "challenge"}} {
			pay(c, p[0], "GBP", p[1])
			c.Yes("Charge " + p[0]).Wait(40 * time.Second)
			toMenu(c)
		}
		pay(c, "40", "GBP", "approve")
		c.Sandbox.Arm("POST", "lost-answer", 1)
		c.Yes("Charge 40.00 GBP").Wait(time.Second)
		toMenu(c)
		for _, size := range [][2]int{{80, 24}, {60, 18}, {120, 40}, {160, 50}} {
			c.Resize(size[0], size[1]).Press("home").Wait(time.Second)
			c.Sees("1 unresolved · 1 failed · 1 to act on", "? UNRESOLVED", "▲ INITIATED", "Under way", "◌ PENDING", "Settled today")
			if !strings.Contains(c.Line("Under way"), "─ 1 ─") {
				t.Errorf("how many are in progress is not said:\n%s", c.Boxed())
			}
			if size[0] >= 80 {
				c.Sees("✓ SUCCESSFUL", "✗ FAILED", "Made from here today", "GBP  5 made", "✓ 1  ✗ 1  ◌ 1  ▲ 1  ? 1", "12.50 secured")
				c.Sees("not known whether this payment")
			}
			c.Golden(fmt.Sprintf("home/desk-%dx%d", size[0], size[1]))
		}
	})
}

func TestTheMarkGoesFromThePaymentsOnToTheMenu(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wait(time.Second).Sees("▌ c  Collect a payment").Press("tab").Sees("tab does nothing here").Press("down").Sees("▌ n  Create").Press("enter").Sees("New link").Press("esc")
		c.Sees("▌ n  Create").Press("up", "up")
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		ref := reference(c)
		c.Press("esc").Wait(time.Second).Press("tab").Sees("▌ ◌ PENDING").Wait(time.Second).Sees("── Payment " + ref)
		c.Press("down").Sees("▌ c  Collect", "── Payment "+ref).Wait(time.Second).WaitsUntilGone("── Payment " + ref).Sees("── Collect a payment")
		c.Press("up").Sees("▌ ◌ PENDING").Press("tab").Sees("▌ c  Collect").Press("end").Sees("▌ l  Look up").Press("enter").Sees("Look up a payment", "Reference")
	})
}

// A payment that failed needs a person until it was taken off the list, or collected again: it left the list once it was read.
func TestAPaymentThatFailedNeedsSomebodyUntilThatIsDealtWith(t *testing.T) {
	declined := func(c *consoletest.Console, amount string) string {
		pay(c, amount, "GBP", "decline")
		c.Yes("Charge " + amount).Wait(40 * time.Second).Sees("FAILED")
		ref := reference(c)
		c.Press("esc").Wait(time.Second).Sees("Needs you", ref)
		return ref
	}
	consoletest.Run(t, func(c *consoletest.Console) {
		ref := declined(c, "7.10")
		c.Sees("1 failed").Press("tab", "home", "enter").Sees("Payment "+ref, "FAILED").Press("esc").Wait(time.Second)
		c.Sees("Needs you", "1 failed", ref).Press("x").Wait(time.Second).Sees("Settled today", ref, "No payment needs attention").WaitsUntilGone("Needs you", "1 failed")

		pay(c, "310", "GBP", "pending-long")
		c.Yes("Charge 310").Wait(10 * time.Second).Press("esc")
		first, second := declined(c, "7.20"), declined(c, "7.30")
		c.Sees("2 failed").Press("home").Wait(time.Second).Sees("x take off").Press("x").Wait(time.Second)
		c.Sees("1 failed", "Settled today", second).Press("x").Wait(time.Second).Sees("1 in progress", first).WaitsUntilGone("1 failed")
		c.Again().Wait(time.Second).Sees("3 failed", "Needs you") // for this run

		third := declined(c, "7.50")
		pay(c, "7.50", "GBP", "approve")
		c.Yes("Charge 7.50").Wait(time.Minute).Sees("SUCCESSFUL").Press("esc").Wait(time.Second).WaitsUntilGone("Needs you").Sees(third, "Settled today")
	}, consoletest.Size(120, 40))
}

// In a low window the mark goes to what needs somebody now: it stayed on the settled payment, and the list on that.
func TestWhatNeedsSomebodyNowIsSeenOnHomeInALowWindow(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12", "GBP", "approve")
		c.Yes("Charge 12.00").Wait(time.Minute)
		toMenu(c)
		c.Press("down", "up")
		pay(c, "40", "GBP", "approve")
		c.Sandbox.Arm("POST", "lost-answer", 1)
		c.Yes("Charge 40.00 GBP").Wait(time.Second)
		toMenu(c)
		c.Sees("▌ ? UNRESOLVED").Press("down", "enter").Wait(time.Second).Sees("Payment ").Press("esc").Wait(time.Second).Sees("▌ ✓ SUCCESSFUL")
		c.Press("2", "esc").Wait(time.Second).Sees("▌ ✓ SUCCESSFUL").Press("end").Sees("▌ l  Look up").Press("2").Wait(time.Second).Press("1").Wait(time.Second).Sees("▌ ? UNRESOLVED")
	}, consoletest.Size(60, 18), consoletest.Tour())
}

// A listed state is one that home lists: what was sent and answered, and how a person ends that it needs attention.
type listed struct {
	name   string
	sent   ledger.Attempt
	result ledger.Result
	after  func(t testing.TB, j *journal.Journal, a ledger.Attempt) // what happened since
	shows  []string                                                 // on the screen that enter opens
	ways   []string                                                 // the keys from there to the question
	asks   string
}

func pounds(minor int64) money.Amount { return screentest.Money(minor, "GBP") }

// listedStates are all groups that the journal reports as unfinished.
func listedStates() []listed {
	here := ledger.Destination{Profile: "demo", Environment: "SANDBOX", Host: "127.0.0.1:8099"}
	card := ledger.Attempt{Kind: ledger.Initiate, Destination: here, Amount: pounds(1250), Channel: api.ChannelCard, Card: "4242"}
	transfer, linked := card, card
	transfer.Channel, transfer.Card = api.ChannelTransfer, ""
	linked.Link = "0-abc1234"
	link := ledger.Attempt{Kind: ledger.CreateLink, Destination: here, Amount: pounds(12000), Draft: api.LinkDraft{Name: "Chairs", Amount: pounds(12000)}}
	finalize := ledger.Attempt{Kind: ledger.Finalize, Destination: here, Reference: "REF1"}
	lost := ledger.Result{Outcome: ledger.Unresolved, Why: "the connection was closed"}
	accepted := func(status string) ledger.Result {
		return ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: "REF1", Status: api.ParseStatus(status)}}
	}
	differing := &api.Link{Alias: "0-abc1234", Name: api.Clean("Chairs"), Differs: []api.LinkDifference{
		{Part: api.Clean("amount"), Asked: api.Clean("120.00 GBP"), Answered: api.Clean("12.00 GBP")},
	}}
	decided := func(v ledger.Decision, r api.Reference) func(testing.TB, *journal.Journal, ledger.Attempt) {
		return func(t testing.TB, j *journal.Journal, a ledger.Attempt) {
			now, err := j.Attempt(t.Context(), a.ID)
			if err == nil {
				err = j.Decide(t.Context(), now, ledger.Deciding{Decision: v, As: string(r)})
			}
			must(t, err)
		}
	}
	follow := []string{"x", "x"}
	return []listed{
		{"an unresolved payment", card, lost, nil, []string{"UNRESOLVED", "12.50 GBP"}, []string{"x"}, "Give up"},
		{"an unresolved link", link, lost, nil, []string{"UNRESOLVED", "Chairs"}, []string{"x"}, "Give up"},
		{"an unresolved finalization", finalize, lost, nil, []string{"UNRESOLVED", "REF1"}, []string{"x"}, "Give up"},
		{"a link to be read", link, ledger.Result{Outcome: ledger.Accepted, Link: differing}, nil, []string{"MISMATCH", "12.00 GBP"}, []string{"enter"}, "Have you read how it differs?"},
		{"a mismatch", card, accepted("PENDING"), func(t testing.TB, j *journal.Journal, a ledger.Attempt) {
			got := api.PaymentStatus{Reference: "REF1", Status: api.ParseStatus("SUCCESSFUL"), Amount: pounds(2000), HasAmount: true}
			must(t, j.RecordTransaction(t.Context(), here, got))
		}, []string{"MISMATCH", "20.00 GBP"}, []string{"d", "down", "down", "enter"}, "not our payment"},
		{"a card at its bank", card, accepted("REQUIRE_BANK_AUTH"), nil, []string{"BANK CHECK NEEDED", "12.50 GBP"}, follow, "Stop following"},
		{"a card that settles", card, accepted("PENDING"), nil, []string{"PENDING", "12.50 GBP"}, follow, "Stop following"},
		{"an unknown word", card, accepted("ON_HOLD"), nil, []string{"ON_HOLD", "12.50 GBP"}, follow, "Stop following"},
		{"a transfer", transfer, accepted("REQUIRE_USER_OFFLINE_ACTION"), nil, []string{"CUSTOMER MUST PAY", "12.50 GBP"}, follow, "Stop following"},
		{"a link's payment", linked, accepted("PENDING"), nil, []string{"PENDING", "press f"}, follow, "Stop following"},
		{"a payment that was found", card, lost, decided(ledger.Found, "REF1"), []string{"REF1", "12.50 GBP"}, follow, "Stop following"},
	}
}

// Whatever home lists leads to a screen that shows how it stands, and has a key that takes it off the list. The service
// knows none of these payments, so that no check ends them.
func TestEverythingThatHomeListsHasAWayOut(t *testing.T) {
	for _, state := range listedStates() {
		t.Run(state.name, func(t *testing.T) {
			consoletest.Run(t, func(c *consoletest.Console) {
				a := recorded(c, state.sent, ledger.Payer{}, state.result)
				if state.after != nil {
					state.after(c.T, c.Journal, a)
				}
				again := c.Again()
				again.Sees(" 1 ").Press("enter").Wait(time.Second).Sees(state.shows...)
				again.Press(state.ways...).Wait(time.Second).Yes(state.asks).Wait(time.Second)
				toMenu(again).WaitsUntilGone("Needs you", "Under way")
				c.Again().Sees("Menu").WaitsUntilGone("Needs you", "Under way")
			})
		})
	}
}

func TestAPaymentThatIsNoLongerFollowedIsTakenBack(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge") // which the customer gives up
		c.Yes("Charge 12.50 GBP to •••• 1019?").Sees("Bank check").Press("esc").Wait(time.Second).Sees("1 to act on")
		decide(c, "stop following").Yes("Stop following this payment?").Wait(time.Second)
		c.Sees("Decided      no longer followed", "by", "ada", "decided no longer followed").Golden("home/not-followed")
		c.Press("esc").Wait(time.Second).WaitsUntilGone("Needs you", "Under way").Sees("INITIATED")
		if n := questions(c, time.Hour); n != 0 {
			t.Errorf("%d were asked about what nobody follows", n)
		}
		c.Press("enter").Wait(time.Second).Sees("INITIATED").Press("u").Sees("no longer followed").Press("u").Yes("Follow this payment again?")
		c.Wait(time.Second).Press("esc", "esc").Wait(time.Second).Sees("1 to act on")
	})
}

// Without a journal a lost link or finalization is listed as long as the console runs, and home says that nothing of
// it is kept.
func TestWithoutAJournalHomeSaysThatNothingIsKept(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(func(path string, status int, body []byte) (int, []byte) {
			if strings.HasSuffix(path, "/payment-link") {
				return http.StatusBadGateway, []byte("<html>")
			}
			return status, body
		})
		linked(c)
		c.Wait(time.Second).Sees("UNRESOLVED").Press("esc", "esc", "esc").Wait(time.Second)
		c.Sees("1 unresolved", "UNRESOLVED", "120.00 GBP", "new link", "none of this is kept after this run").Golden("home/no-journal")
		c.Press("d").Wait(time.Second).Sees("▸ Decide", "found as…", "give up")
		c.Press("esc").Wait(time.Second).Sees("1 unresolved", "── Menu").WaitsUntilGone("Decide") // where it was opened, not an attempt that nobody has
		c.Press("d").Wait(time.Second).Pick("give up").Press("enter").Yes("Give up").Wait(time.Second).Sees("Attempt", "GIVEN UP")
	}, consoletest.As(func(p *keystore.Profile) { p.Journal = "off" }))
}
