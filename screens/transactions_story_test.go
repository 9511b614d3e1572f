package screens_test

import (
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

func TestTheListIsWalkedToItsEndAndBack(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Sees("100 of 1,204 rows read at").Golden("transactions/first")
		first := c.Marked()
		hold := func(key string, n int) {
			for range n {
				c.Press(key)
			}
		}
		hold("j", 250)
		c.Sees("300 of 1,204 rows read")
		hold("up", 250)
		if at := c.Sees("Rows 1–").Marked(); at != first {
			t.Errorf("back on %q, want the first row %q", at, first)
		}
		was := c.Press("down", "down", "down").Marked()
		c.Press("/").Type("status:failed amount:31").Press("enter").Sees("No transaction read so far matches.").Press("down", "down", "enter", "esc")
		if c.Sees("300 of 1,204"); c.Marked() != was { // a search that finds nothing loses no row
			t.Errorf("%q is marked, want %q", c.Marked(), was)
		}
		c.Press("#").Type("1204").Press("enter").Wait(time.Second).Sees("Rows 1,193–1,204 of 1,204 read", "All 1,204 rows read")
		c.Press("home").Wait(time.Second).Sees("Rows 1–")
	})
}

func TestARefusedConnectionIsToldAtOnceAndTriedAgain(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Disconnect(true)
		c.Press("2").Sees("Waiting until ", "The host could not be reached")
		c.Wait(time.Minute).Sees("! Stopped at page 1. The host could not be reached.", "tries page 1 again.").WaitsUntilGone("Waiting")
		c.Wire.Disconnect(false)
		c.Press("r").Sees("100 of 1,204 rows read")
		c.Press("/").Sees("esc clear search").Type("gbp").Press("enter").Sees("esc clear search")
		c.Press("esc").WaitsUntilGone("clear search").Sees("esc back")
	})
}

func TestTheServicesWordsAboveTheListAreReadable(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(func(string, int, []byte) (int, []byte) {
			return 422, []byte(`{"status":false,"message":"The list cannot be read now.\n- The period is closed for the audit of this month.\\n- Ask support about it."}`)
		})
		c.Press("2").Sees("The service rejected the request.", "│ The list cannot be read now. - The period is closed", "about it.").WaitsUntilGone(`\n`)
		c.Wire.Rewrite(func(string, int, []byte) (int, []byte) { return 307, nil })
		c.Press("r").Wait(time.Minute).Sees("The service redirected", "redirect is followed", "│ list_url redirects without saying where to")
	}, consoletest.Size(60, 24))
}
