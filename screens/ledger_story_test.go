package screens_test

import (
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

// settledPayment is a payment that was made from here and settled.
func settledPayment(c *consoletest.Console) {
	c.T.Helper()
	pay(c, "12.50", "GBP", "approve")
	c.Yes("Charge 12.50 GBP").Wait(20 * time.Second).Sees("✓ SUCCESSFUL")
}

func TestAPaymentMadeFromHereIsFoundInTheListByItsReference(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		if err := c.Sandbox.SetSwitch("list.id", "reference"); err != nil {
			t.Fatal(err)
		}
		settledPayment(c)
		c.Press("2").Wait(time.Second).Sees("100 of 1,205", "agrees").Press("space").Wait(time.Minute).Sees("All 1,205 rows read")
		c.Press("/").Type("here").Press("enter").Wait(time.Second).Sees("1 found in 1,205 read", "1 of 1 reference matches a list ID.", "agrees")
		c.Press("esc", "/").Type("not-here").Press("enter").Wait(time.Second).Sees("1,204 found in 1,205 read")
		c.Press("esc", "/").Type("absent,differs").Press("enter").Wait(time.Second).Sees("No transaction matches.")
	})
}

func TestWhereIDsAreNotReferencesThatIsSaid(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		settledPayment(c)
		c.Press("2").Wait(time.Second).WaitsUntilGone("agrees").Press("space").Wait(time.Minute).Press("/").Type("here").Press("enter").Wait(time.Second)
		c.Sees("No reference matches a list ID: IDs may not be", "No transaction matches.")
	}, consoletest.Size(140, 40))
}

// What changed between two readings of the whole list is found with since: and gone:, with the status that was.
func TestWhatChangedSinceTheScanBefore(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Wait(time.Second).Press("space").Wait(time.Minute).Sees("Kept: since:last finds")
		c.Press("/").Type("since:last").Press("enter").Wait(time.Second).Sees("This is the first scan that was kept").Press("esc")
		if err := c.Sandbox.SetSwitch("list.changes", "both"); err != nil {
			t.Fatal(err)
		}
		c.Press("r").Wait(time.Minute)
		if err := c.Sandbox.SetSwitch("list.changes", "off"); err != nil {
			t.Fatal(err)
		}
		c.Press("r").Wait(time.Minute).Sees("All 1,2", "since the scan before.")
		c.Press("/").Type("since:1999-12-01").Press("enter").Wait(time.Second).Sees("Was", "new", "found in", "14 new · 14 with another status", "◌ PENDING       INITIATED")
		c.Press("w").Sees("found").Press("esc", "esc", "/").Type("gone:last").Press("enter").Wait(time.Second).Sees("No transaction matches.")
	}, consoletest.Size(120, 40))
}
