package screens_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/screens/consoletest"
)

// took is the time since the event before, on a rail: at the end of its line where there is no
// room for a line of its own.
var took = regexp.MustCompile(`\s*\+\d+ (s|min|h|d).*$`)

// history is the day of the history on the screen and its events, oldest first, each as its lines are: when it
// was and what, without what follows from the times and the room.
func history(c *consoletest.Console) []string {
	c.T.Helper()
	var all []string
	for line := range strings.SplitSeq(c.Screen(), "\n") {
		line = strings.TrimSpace(line)
		at, after, rail := line, "", false
		for _, stop := range []string{"●", "│", "○"} {
			if after, rail = strings.CutPrefix(line, stop); rail {
				at = strings.TrimSpace(took.ReplaceAllString(after, ""))
				break
			}
		}
		switch {
		case strings.HasPrefix(line, "── History"):
			all = []string{strings.Fields(line)[3]}
		case all != nil && !rail:
			return all
		case all != nil && at != "" && !strings.HasPrefix(line, "○"):
			all = append(all, at)
		}
	}
	c.T.Fatalf("there is no history on the screen:\n%s", c.Boxed())
	return nil
}

// isTold checks that a history has lines that begin and end as wanted, oldest first.
func isTold(c *consoletest.Console, got []string, want ...[2]string) {
	c.T.Helper()
	if len(got) != len(want)+1 {
		c.T.Fatalf("%d lines:\n%s", len(got)-1, strings.Join(got, "\n"))
	}
	for i, w := range want {
		if line := got[i+1]; !strings.Contains(line, w[0]) || !strings.HasSuffix(line, w[1]) {
			c.T.Errorf("line %d is %q, want %q", i+1, line, w)
		}
	}
}

// sameEverywhere opens a payment in a console that is started anew, on each way that leads to it.
func sameEverywhere(c *consoletest.Console, ref string, want []string, onHome bool) {
	c.T.Helper()
	is := func(where string, at *consoletest.Console) {
		c.T.Helper()
		if diff := cmp.Diff(want, history(at)); diff != "" {
			c.T.Errorf("%s: %s", where, diff)
		}
	}
	at := c.Again()
	at.Press("3").Sees(ref).Press("enter").Sees("Checked      2000-01-0")
	is("in Activity", at.Press("end"))
	at.Press("enter").Sees("Payment").Wait(time.Second)
	is("from Activity", at)
	at.Press("l").Sees("Which payment?").Type(ref).Press("enter").Wait(time.Second).Sees(ref)
	is("looked up", at)
	at.Leave()
	if onHome {
		at = c.Again()
		at.Sees(ref).Press("enter").Wait(time.Second).Sees("Payment")
		is("from home", at)
		at.Leave()
	}
}

// What happened to a payment is written when it happens, and reads the same ever after. It takes seconds: consoles begin and poll for a
// day of fake time.
func TestAHistoryReadsTheSameAfterARestartOnEveryWay(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		ref := reference(c)
		pending := history(c)
		isTold(c, pending, [2]string{"sent", "ada on desk"}, [2]string{"▲ INITIATED", "first answer"}, [2]string{"◌ PENDING", "check"})
		c.Wait(2 * time.Minute)
		sameEverywhere(c, ref, pending, true)

		c.Wait(20 * time.Minute).Sees("✓ SUCCESSFUL")
		paid := history(c)
		if last := len(paid) - 1; !slices.Equal(paid[:last], pending) || !strings.HasSuffix(paid[last], "check") {
			t.Errorf("it was\n%s\nand is\n%s", strings.Join(pending, "\n"), strings.Join(paid, "\n"))
		}
		c.Wait(26 * time.Hour) // another day
		sameEverywhere(c, ref, paid, false)
	})
}

func TestAFinalizeWithoutAnAnswerIsShownUntilItIsKnown(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		payLink(c, "pending-long")
		c.Yes("Charge 120.00 GBP").Wait(time.Second)
		ref := reference(c)
		c.Sandbox.Arm("POST", "lost-answer", 1)
		c.Press("f").Wait(time.Second)
		c.Yes("Finalize " + ref).Sees("It is not known whether it was finalized")
		c.Press("enter").Wait(time.Second)
		c.Sees("A finalize got no answer", "finalize UNRESOLVED", "→ It can be finalized again from 00:01:", "on (f)").Golden("finalize/lost")
		c.WaitsUntilGone("not settled yet", "f finalize").Press("f").Sees("it can be repeated from 00:01:")
		c.Press("space").Wait(70*time.Second).Sees("f finalize", "finalize it again: press f") // a paused screen says it too
		again := c.Again()
		again.Sees("FINALIZE UNKNOWN", ref).Golden("finalize/home")
		again.Press("enter").Wait(2*time.Minute).Sees("A finalize got no answer", "finalize UNRESOLVED")
		again.Press("f").Sees("Finalize "+ref+"?", "A finalize got no answer", "sends a second one").Golden("finalize/again")
		again.Yes("Finalize").Sees("completed").Press("enter").Wait(time.Second)
		again.WaitsUntilGone("A finalize got no answer").Sees("finalize accepted")
	})
}

// Where not all that is known of a payment has room, the key bar says how much has not, and the key that shows it.
func TestWhatHasNoRoomOnThePaymentIsCountedAndShownByAKey(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(replacing("", `"amount":12\.50`, `"amount":1250.00`))
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute)
		for _, size := range [][2]int{{80, 24}, {60, 18}} {
			c.Resize(size[0], size[1]).Wait(0)
			c.Sees("≠ MISMATCH", " more  ").WaitsUntilGone("ada on desk")
			c.Press("z").Sees("z less", "↑/↓ scroll", "lines 1–").Press("end", "G").Sees("sent", "PENDING").WaitsUntilGone("does nothing here")
			c.Press("home").Sees("Provide nothing").Press("pgdown").Sees("Sent   ").Press("esc").Sees(" more  ", " · MISMATCH   ")
			c.Press("z", "z").Sees(" more  ").WaitsUntilGone("lines 1–")
		}
		c.Resize(120, 40).Wait(0)
		c.WaitsUntilGone(" more  ").Press("z").Sees("Everything is on the screen already.")
	})
}

// PENDING is what a card payment of a link is before it is finalized, too. The bank does nothing about it then.
func TestAPendingPaymentOfALinkWaitsForItsFinalize(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		payLink(c, "pending-long")
		c.Yes("Charge 120.00 GBP").Wait(10*time.Second).Sees("◌ PENDING", "it settles once it is finalized", "f finalize").WaitsUntilGone("not settled yet")
		ref := reference(c)
		at := c.Again()
		at.Press("3").Sees(ref).Press("enter").Wait(time.Second).Sees("it settles once it is finalized").WaitsUntilGone("not settled yet")
		c.Press("f").Wait(time.Second).Yes("Finalize " + ref).Wait(time.Second).Press("enter").Wait(10 * time.Second)
		c.Sees("◌ PENDING", "not settled yet").WaitsUntilGone("once it is")
	})
}

// Activity asks about the rows that it shows when it is told to, and about none by itself.
func TestActivityAsksAboutItsRowsOnR(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING").WaitsUntilGone("f finalize") // it settles without
		ref := reference(c)
		c.Press("?").Sees("finalize").Press("esc")
		c.Press("f").Sees("Finalize "+ref+"?").Press("esc", "esc", "3").Wait(time.Second).Sees("Activity", "◌ PENDING")
		c.Sandbox.Settle(ref)
		if n := questions(c, time.Hour); n != 0 {
			t.Errorf("%d were asked by itself", n)
		}
		c.Wire.Disconnect(true)
		c.Press("r").Wait(time.Minute).Sees("1 of 1 could not be checked. The host could not be reached.", "◌ PENDING")
		c.Wire.Disconnect(false)
		before := len(c.Wire.Gets())
		c.Press("r").Wait(time.Second).Sees("✓ SUCCESSFUL", "1 payment was checked.")
		if row := c.Marked(); strings.Contains(row, "PENDING") {
			t.Errorf("the row is %q", row)
		}
		if n := len(c.Wire.Gets()) - before; n != 1 {
			t.Errorf("asked %d times", n)
		}
		if c.Press("r").Wait(time.Second); len(c.Wire.Gets())-before != 1 {
			t.Error("a final payment was asked about")
		}
	})
}
