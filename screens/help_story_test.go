package screens_test

import (
	"strings"
	"testing"

	"paydesk/screens/consoletest"
)

func TestTheHelpPageGroupsTheKeysAndScrolls(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2", "?").Sees("Keys: Transactions", "── On this screen", "lines 1–", "↑/↓ scroll   any other key closes help")
		c.WaitsUntilGone("Connected to").Press("end").Sees("Connected to").WaitsUntilGone("Keys: Transactions")
		c.Press("g").Sees("Keys: Transactions")
		c.Press("x").WaitsUntilGone("Good to know").Sees(" rows read").WaitsUntilGone("does nothing")
	}, consoletest.Size(60, 18))
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("?").Sees("Keys: Home · times are UTC", "paydesk test", "any key closes help").WaitsUntilGone("lines 1–").Press("down").WaitsUntilGone("Keys: Home")
	}, consoletest.Size(120, 40))
}

func TestAKeyOrAPasteThatDoesNothingSaysSo(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("Z").Sees("Z does nothing here. ? lists the keys.").Press("r").WaitsUntilGone("does nothing")
		c.Press("f7").Sees("f7 does nothing here.").Press("esc").Sees("This is the first screen: q quits.")
		c.Press("2", "down").WaitsUntilGone("does nothing").Press("/").Type("Zq").WaitsUntilGone("does nothing").Press("left", "home", "left", "ctrl+w").WaitsUntilGone("does nothing")
		c.Press("f7").Sees("f7 does nothing here. f1 lists the keys.")
		if n := strings.Count(c.Screen(), "does nothing"); n != 1 {
			t.Errorf("it is said %d times", n)
		}
		const ignored = "Paste ignored: no field takes text here."
		c.Press("esc", "1").Paste("CG44PU3RBQ").Sees(ignored).Press("2").WaitsUntilGone(ignored).Paste("x").Sees(ignored)
		c.Press("/").WaitsUntilGone(ignored).Paste("FAIL").Sees("FAIL").WaitsUntilGone(ignored).Press("esc")
		c.Press("1", "c").To("Currency").Paste("GBP").Sees(ignored).To("Amount").Paste("12.50").Sees("12.50").WaitsUntilGone(ignored)
	})
}
