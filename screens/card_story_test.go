package screens_test

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/api/sandbox"
	"paydesk/screens/consoletest"
)

// pay goes through the card step's stages with a test card, up to the question.
func pay(c *consoletest.Console, amount, currency, card string) {
	c.T.Helper()
	toCard(c.Person, amount, currency)
	pick(c.Person, card)
	if currency == "GBP" {
		c.Fill("Return URL", "https://shop.example/done")
	}
	c.Press("ctrl+s")
}

// reference is the reference on the screen.
func reference(c *consoletest.Console) string {
	c.T.Helper()
	line := c.Line("Reference")
	var name, ref string
	if n, err := fmt.Sscan(line, &name, &ref); n != 2 {
		c.T.Fatalf("no reference in %q: %v", line, err)
	}
	return ref
}

func TestACardWithAChallengeIsTakenToItsEnd(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Sees("12.50 GBP, sent as 12.5", "•••• 1019", "SANDBOX").Golden("card/review")
		c.Yes("Charge 12.50 GBP to •••• 1019?")
		c.Sees("The customer opens this URL", "redirect=true").Golden("card/challenge")
		ref := reference(c)

		c.Press("tab").Sees("redirect=false").Press("tab")
		c.Press("a").Sees("Needed       yes", "PROCEED").Golden("card/check")

		if !c.Sandbox.Approve(ref) {
			t.Fatal("the bank could not approve")
		}
		c.Press("enter").Sees(ref, "PENDING")
		c.Wait(30*time.Second).Sees("SUCCESSFUL", "Provide the goods or service").Golden("card/successful")
		if c.Bells() != 1 {
			t.Errorf("the bell rang %d times", c.Bells())
		}
		if c.Sandbox.Accepted() != 1 {
			t.Errorf("the service took %d payments", c.Sandbox.Accepted())
		}
		c.Press("esc").Sees("SUCCESSFUL", "12.50 GBP").Golden("card/home")
	}, consoletest.Inbox())
}

// That the customer is done does not mean that the bank approved: only the service's status says so.
func TestTheBankIsDoneOnlyWhenItApproved(t *testing.T) {
	for name, c := range map[string]struct {
		decide       func(*sandbox.Sandbox, string) bool
		status, step string
	}{
		"approved":  {(*sandbox.Sandbox).Approve, "SUCCESSFUL", "✓ Bank"},
		"rejected":  {(*sandbox.Sandbox).Reject, "FAILED", "○ Bank"},
		"abandoned": {func(*sandbox.Sandbox, string) bool { return true }, "INITIATED", "○ Bank"},
	} {
		t.Run(name, func(t *testing.T) {
			consoletest.Run(t, func(s *consoletest.Console) {
				pay(s, "40.00", "GBP", "challenge")
				s.Yes("Charge 40.00 GBP")
				ref := reference(s)
				if !c.decide(s.Sandbox, ref) {
					t.Fatal("the bank took no answer")
				}
				s.Press("enter").Wait(time.Minute).Sees(c.status, c.step)
				s.Again().Press("l").Fill("Reference", ref).Press("enter").Wait(time.Second).Sees(c.status, c.step)
			})
		})
	}
}

func TestAQuitDuringAPaymentWaitsForItsAnswer(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Wire.Slow(20 * time.Second)
		c.Yes("Charge 12.50 GBP to •••• 4242?")
		c.Press("esc").Sees("being sent")
		c.Press("ctrl+c").Sees("Quitting once the service answers").Golden("card/leaving")
		c.Press("esc").WaitsUntilGone("Quitting once").Press("ctrl+c").Sees("Quitting once")
		if c.Ended() {
			t.Fatal("it left")
		}
		c.Wait(30 * time.Second)
		if err := c.Done(); err != nil {
			t.Error(err)
		}
		if c.Sandbox.Accepted() != 1 {
			t.Errorf("the service took %d payments", c.Sandbox.Accepted())
		}
	})
}

func TestALostAnswerIsNeverSentAgainAndFoundByItsReference(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Sandbox.Arm("POST", "lost-answer", 1)
		c.Yes("Charge 12.50 GBP to •••• 4242?")
		c.Sees("It is not known whether this payment was made").Golden("card/unresolved")
		for _, k := range []string{"enter", "r", "y", "a", "s", "space", "ctrl+s"} {
			c.Press(k).Wait(time.Second)
		}
		if n := c.Wire.PostsTo("/pay/initiate"); n != 1 || c.Sandbox.Accepted() != 1 {
			t.Errorf("%d sent, %d taken", n, c.Sandbox.Accepted())
		}
		taken := c.Sandbox.Payments()[0].Reference
		decide(c, "found as…").Sees("Found as").Type(taken).Press("enter").Wait(time.Second)
		c.Yes("found")
		c.Wait(time.Minute).Sees(taken, "SUCCESSFUL").Golden("resume/found")
		if a := attempts(c)[0]; a.Decision != ledger.Found || a.DecidedBy.User != "ada" {
			t.Errorf("%+v", a)
		}
	})
}

// What covers the question takes back an answer that was given a moment before, and one that is typed ahead of what is
// uncovered is none.
func TestACoveredQuestionTakesItsAnswerBack(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		yes := tea.KeyPressMsg{Code: 'y', Text: "y"}
		for name, cover := range map[string]tea.Msg{
			"the help": tea.KeyPressMsg{Code: '?', Text: "?"}, "the palette": tea.KeyPressMsg{Code: ':', Text: ":"},
			"the sandbox": tea.KeyPressMsg{Code: tea.KeyF3}, "a stop": tea.ResumeMsg{},
		} {
			c.Sees("Charge 12.50 GBP").Wait(time.Second)
			c.Send(yes) // no time passes before the next message
			c.Send(cover)
			if c.Wait(2 * time.Second); name != "a stop" {
				c.WaitsUntilGone("Yes ").Press("esc")
				c.Send(yes)
			}
			if c.Wait(time.Second); c.Wire.PostsTo("/pay/initiate") != 0 {
				t.Fatalf("it was sent after %s", name)
			}
		}
		c.Yes("Charge 12.50 GBP").Sees("PENDING")
	})
}
