package screens_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

func TestTheListIsWalkedToItsLastPageAndBack(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Sees("Page 1 of 61 · rows 1–20 of 1,204").Golden("transactions/first")
		c.Press("]").Sees("Page 2 of 61 · rows 21–40 of 1,204")
		c.Press("}").Sees("Page 61 of 61 · rows 1,201–1,204 of 1,204").Golden("transactions/last")
		c.Press("]").Sees("Page 61 of 61")
		c.Press("[").Sees("Page 60 of 61")
		c.Press("{").Sees("Page 1 of 61")
		c.Press("#").Type("30").Press("enter").Sees("Page 30 of 61 · rows 581–600 of 1,204")
	})
}

func TestARefusedConnectionIsToldAtOnceAndWithItsNextTry(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Disconnect(true)
		c.Press("2").Sees("Reading the transactions… at most 20 s", "! The host could not be reached: no connection was made.", "Next try in ", "(2 of 3).", "esc stops waiting.")
		c.Wait(20*time.Second).Sees("! The host could not be reached.", "Press r to retry.").WaitsUntilGone("Next try")
		c.Wire.Disconnect(false)
		c.Press("r").Sees("Page 1 of 61")
		c.Press("/").Sees("esc clear search").Type("gbp").Press("enter").Sees("esc clear search")
		c.Press("esc").WaitsUntilGone("clear search").Sees("esc back")
	})
}

func TestTheServicesWordsAboveTheListAreReadable(t *testing.T) {
	for _, width := range []int{80, 60} {
		consoletest.Run(t, func(c *consoletest.Console) {
			c.Wire.Rewrite(func(string, int, []byte) (int, []byte) {
				return 422, []byte(`{"status":false,"message":"The list cannot be read now.\n- The period is closed for the audit of this month.\\n- Ask support about it."}`)
			})
			c.Press("2").Sees("! The service rejected the request.", "│ The list cannot be read now. - The period is closed", "about it.").WaitsUntilGone(`\n`)
			c.Wire.Rewrite(func(string, int, []byte) (int, []byte) { return 307, nil })
			c.Press("r").Sees("The service redirected the request (HTTP 307).", "redirect is followed", "│ list_url redirects without saying where to")
		}, consoletest.Size(width, 24))
	}
}

func TestTheSearchNamesItsKeysInASmallWindow(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Press("/").Sees("enter keep search", "esc clear search").Type("gbp").Golden("transactions/search-small")
		c.Press("enter").Sees("/ search", "esc clear search").Golden("transactions/search-kept-small")
	}, consoletest.Size(60, 18))
}

func TestAHeldKeyGoesOnFromPageToPage(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Sees("Page 1 of 61")
		hold := func(key string, n int) {
			for range n {
				c.Press(key)
			}
		}
		first, last := c.Marked(), ""
		hold("j", 19)
		last = c.Sees("Page 1 of 61").Marked()
		hold("down", 1)
		c.Sees("Page 2 of 61 · rows 21–40 of 1,204").Press("k").Sees("Page 1 of 61")
		if at := c.Marked(); at != last {
			t.Errorf("back on %q, want the last row %q", at, last)
		}
		hold("j", 41)
		c.Sees("Page 4 of 61 · rows 61–80 of 1,204")
		hold("up", 60)
		if at := c.Sees("Page 1 of 61").Marked(); at != first {
			t.Errorf("back on %q, want the first row %q", at, first)
		}
		c.Press("k").Sees("Page 1 of 61", "This is the first page.")
		c.Press("}", "end", "j").Sees("Page 61 of 61", "The last page is 61.")
	})
}

// What is done with a list all day is in its bar in the smallest usual window; the rest is in the help.
func TestTheBarOfAListHasItsMainKeys(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Sees("PENDING").Press("1").Wait(5 * time.Second)
		for _, room := range []struct{ keys, bar string }{
			{"1", "enter open   r check   d decide   c collect   p pin"},
			{"2", "/ search   space read all   t totals   w export   p pin   esc back   ? help"},
			{"3", "enter open   / search   w export   tab fields   p pin"},
		} {
			bar := ""
			for line := range strings.Lines(c.Press(room.keys).Wait(time.Second).Screen()) {
				bar = line
			}
			if !strings.Contains(bar, room.bar) {
				t.Errorf("the bar is %q, without %q", bar, room.bar)
			}
		}
	})
}

func TestThePaneEndsWhereItsWordsEnd(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Sees("Page 1 of ", "This page").Press("shift+down", "shift+down").Sees("── Transaction", "This page")
		c.Press("?").Sees("shift+↑/shift+↓  ").WaitsUntilGone("shift+up")
	}, consoletest.Size(120, 40))
}

func TestASearchThatFindsNothingLosesNoRow(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Sees("Page 1 of ").Press("down", "down", "down")
		was := c.Marked()
		c.Press("/").Type("status:failed amount:31").Press("enter").Sees("No loaded transaction matches.").Press("down", "down", "enter", "esc")
		if c.Sees("Page 1 of "); c.Marked() != was {
			t.Errorf("%q is marked, want %q", c.Marked(), was)
		}
	})
}

// Who types ahead is not told that a key does nothing, which does something a moment later.
func TestKeysThatMoveMayBeTypedAheadOfTheRows(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("4", "j", "down", "G").Sees("▸ Links").WaitsUntilGone("does nothing")
	})
}
