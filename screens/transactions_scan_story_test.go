package screens_test

import (
	"testing"
	"time"

	"paydesk/api/sandbox"
	"paydesk/screens/consoletest"
)

func TestTheWholeListIsReadSearchedAndSorted(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Sees("100 of 1,204").Press("space").Wait(time.Minute).Sees("1,204 rows read at", "no change seen", "of 1,204 read")
		c.Golden("transactions/scan-done")
		c.Press("/").Type("failed gbp >100").Sees("status is FAILED · currency is GBP · amount over 100", "found in 1,204 read").Press("enter")
		c.Sees("“failed gbp >100”", "✗ FAILED", "GBP").WaitsUntilGone("✓ SUCCESSFUL", "◌ PENDING").Golden("transactions/scan-searched")
		c.Press("tab", "right").Sees("currency, highest").Press("enter").Press("enter").Wait(time.Second).Sees("Raw object", "FAILED").WaitsUntilGone("Reading its page")
		c.Press("esc", "esc").Sees("of 1,204 read").WaitsUntilGone("“failed")
	})
}

func TestAScanGoesOnWhileOtherScreensAreOpen(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Slow(time.Second)
		c.Press("2").Wait(2*time.Second).Press("space").Wait(1500*time.Millisecond).Sees("page ", " of 13")
		c.Press("space").Wait(2*time.Second).Sees("Paused at row ", "space reads on")
		c.Press("1").Sees("Menu").Wait(time.Minute)
		n := len(c.Wire.Gets())
		c.Press("2").Sees("Paused at row ", "space reads on").Wait(time.Minute)
		if len(c.Wire.Gets()) != n {
			t.Errorf("%v were asked for while the scan was paused", c.Wire.Gets()[n:])
		}
		c.Press("space").Wait(time.Second).Sees("page ", " of 13").Press("1").Sees("Menu").Wait(time.Minute)
		n = len(c.Wire.Gets())
		c.Press("2").Sees("All 1,204 rows read at")
		if len(c.Wire.Gets()) != n {
			t.Errorf("%v were asked for again", c.Wire.Gets()[n:])
		}
	})
}

func TestAScanIsPausedWhenTheConsoleIsLocked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Slow(15 * time.Second)
		c.Press("2").Wait(30 * time.Second).Sees("100 of 1,204").Press("space").Wait(20 * time.Second).Sees(" of 13")
		c.Wait(45 * time.Second).Sees("Locked: no key was pressed for a minute")
		n := len(c.Wire.Gets())
		if c.Wait(time.Hour); len(c.Wire.Gets()) != n {
			t.Errorf("%v were asked for while the console was locked", c.Wire.Gets()[n:])
		}
		c.Wire.Slow(0)
		c.Press("enter").Wait(time.Second).Sees("Read before the key was entered · space reads again")
		c.Press("space").Wait(30 * time.Second).Sees("All 1,204 rows read at")
	}, consoletest.Live(), idleAfter(1))
}

// What changed between two readings of the whole list is found with since:, with the status that was, and what was made
// from here with here.
func TestWhatChangedSinceTheScanBeforeAndWhatWasMadeFromHereIsFound(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		must(t, c.Sandbox.SetSwitch("list.id", "reference"))
		c.Press("2").Wait(time.Second).Press("space").Wait(time.Minute).Sees("Kept: since:last finds")
		c.Press("/").Type("since:last").Press("enter").Wait(time.Second).Sees("This is the first scan that was kept").Press("esc", "esc")
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(20 * time.Second).Sees("✓ SUCCESSFUL").Press("2").Wait(time.Second).Press("r").Wait(time.Minute)
		c.Sees("All 121 rows read", "since the scan before.").Press("/").Type("since:last").Press("enter").Wait(time.Second).Sees("Was", "1 new", "1 found in 121 read")
		c.Press("esc", "/").Type("here").Press("enter").Wait(time.Second).Sees("1 found in 121 read", "1 of 1 reference matches a list ID.")
		c.Press("esc", "/").Type("gone:last").Press("enter").Wait(time.Second).Sees("No transaction matches.")
	}, consoletest.Size(120, 40), consoletest.WithSandbox(func(o *sandbox.Options) { o.Transactions = 120 }))
}
