package payment_test

import (
	"testing"
	"time"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

func TestTheCheckHasThreeResults(t *testing.T) {
	for name, c := range map[string]struct {
		says api.Authentication
		sees string
	}{
		"needed":     {handsOver, "Needed       yes"},
		"not-needed": {api.Authentication{HasEnabled: true, Recommendation: api.Clean("DO_NOT_PROCEED")}, "Needed       no"},
		"unsaid":     {api.Authentication{Message: api.Clean("maybe\x1b[2J")}, "Needed       the response does not say"},
	} {
		t.Run(name, func(t *testing.T) {
			w := payingByCard(t, bank, "")
			w.says = c.says
			openCheck(t, 80, 24, w, func(s *screentest.Console) {
				s.WaitsUntilGone("Authentication check").Press("a").Sees("Authentication check", c.sees).Fits()
			})
		})
	}
}

func TestThePageIsServedAndNeverPrinted(t *testing.T) {
	w := payingByCard(t, bank, "")
	w.says = handsOver
	openCheck(t, 80, 24, w, func(c *screentest.Console) {
		c.Press("a").Sees("bytes, SHA-256", "o serves it once").Press("o")
		c.Sees("Served once, for ten minutes:", "http://127.0.0.1:39000/c/0123456789abcdef0123456789abcdef").Golden("served").Fits()
		if len(w.markup) != 1 || w.markup[0] != handsOver.Page.Expose() || len(w.opened) != 1 || w.opened[0] != w.pages[0].Address() {
			t.Errorf("served %d, opened %q", len(w.markup), w.opened)
		}
		w.pages[0].fetch()
		c.Wait(0).Sees("The page was opened once and is closed").WaitsUntilGone("127.0.0.1").Golden("fetched").Fits()
		if c.Press("o"); len(w.pages) != 2 {
			t.Errorf("served %d times", len(w.pages))
		}
	})
}

func TestOverSSHThePageComesWithItsTunnelAndSaysWhoCouldFetchIt(t *testing.T) {
	w := payingByCard(t, bank, "")
	w.says, w.here, w.tunnel = handsOver, "You are here over SSH.", "ssh -L 39000:127.0.0.1:39000 192.0.2.7"
	w.unguarded = "Other users of this system could open the page first."
	openCheck(t, 80, 24, w, func(c *screentest.Console) {
		c.Press("a").WaitsUntilGone("Other users").Press("o").Sees("http://127.0.0.1:39000/c/0123456789abcdef0123456789abcdef", w.tunnel, w.unguarded).Fits()
		if len(w.opened) != 0 {
			t.Errorf("opened %q", w.opened)
		}
		w.pages[0].fetch()
		c.Wait(0).WaitsUntilGone("Other users")
	})
}

func TestLeavingClosesThePage(t *testing.T) {
	for name, leave := range map[string]func(*screentest.Console){
		"esc":    func(c *screentest.Console) { c.Press("esc").Went(nav.Back{}) },
		"enter":  func(c *screentest.Console) { c.Wait(time.Second).Press("enter") },
		"popped": func(c *screentest.Console) { c.Leave() },
	} {
		w := payingByCard(t, bank, "")
		w.says, w.here = handsOver, "There is no display here."
		openCheck(t, 80, 24, w, func(c *screentest.Console) {
			c.Press("a", "o").Sees("127.0.0.1")
			if w.pages[0].closed {
				t.Fatal("the page was closed at once")
			}
			leave(c)
			if c.Wait(0); !w.pages[0].closed {
				t.Errorf("%s leaves the page open", name)
			}
		})
	}
}

// TestTheChecksOwnWordsAreNotThePaymentsStatus has a check that says what a paid payment would, in texts of
// several lines.
func TestTheChecksOwnWordsAreNotThePaymentsStatus(t *testing.T) {
	w := payingByCard(t, bank, "")
	w.says = api.Authentication{
		HasEnabled: true, Status: api.CleanASCII("SUCCESSFUL"), Code: api.Clean("00"), Recommendation: api.CleanASCII("Advice rec\nPaid"),
		Message: api.Clean("The bank needs nothing more of the customer, who authenticated earlier today in another browser, and the last words are these"),
	}
	openCheck(t, 80, 36, w, func(c *screentest.Console) {
		c.Press("a").Sees("Check says   SUCCESSFUL · code 00", "Advice       Advice rec Paid", "these”", "Bank page    none").WaitsUntilGone(`\n`, "✓ SUCCESSFUL", "Status  ").Fits()
	})
}
