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
		c.Press("2").Wait(time.Second).Sees("Page 1 of", "agrees").Press("m").Sees("Nothing of the service's list has been read yet.")
		c.Press("space").Wait(time.Minute).Sees("1 payment from here · 1,205 rows, no change seen while it was read", "1 of 1 reference is an ID in the list.", "Each payment that was compared agrees")
		c.Press("z").Sees("1,204 rows have the ID of no payment made from here.").Press("z").Golden("reconcile/agrees")
		c.Press("esc").Sees("All 1,205 rows read")
	})
}

func TestWhereIDsAreNotReferencesPaymentsAreComparedByAmount(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		settledPayment(c)
		c.Press("2").Wait(time.Second).SeesNot("agrees").Press("space").Wait(time.Minute).Sees("All 1,205 rows read").Press("m").Wait(time.Second)
		c.Sees("None of 1 reference is an ID in the list: IDs are not references", "so rows could be found by amount only.", "1 by amount alone", "1 could be it").Golden("reconcile/by-amount")
		c.Press("enter").Wait(time.Second).Sees("Attempt").Press("esc").Sees("by amount alone")
	}, consoletest.Size(140, 40))
}
