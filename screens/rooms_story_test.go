package screens_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
)

func headOf(c *consoletest.Console) string { return strings.Split(c.Screen(), "\n")[0] }

func TestANumberLeadsToARoomFromEveryOther(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("paydesk ▸ Home", "▪ 1 Home ─ 2 Transactions ─ 3 Activity ─ 4 Links ─ 5 Sandbox").WaitsUntilGone("6 Profiles")
		c.Press("2").Sees("▸ Transactions", "▪ 2 Transactions", " rows read")
		c.Press("3").Sees("▸ Activity", "▪ 3 Activity").WaitsUntilGone("▸ Transactions")
		c.Press("4").Sees("▸ Links", "▪ 4 Links")
		c.Press("5").Sees("▸ Sandbox", "▪ 5 Sandbox")
		c.Press("5").Sees("This is Sandbox already.")
		c.Press("2", "1").Sees("▸ Home", "▪ 1 Home")
		c.Press("4", "3", "esc").Sees("▸ Home") // a room is left for home, not for the one before it
		c.Press("6").Sees("▸ Home", "6 does nothing here. ? lists the keys.")
		c.Press("2", "/").Type("12").Sees("12").Press("enter", "3").Sees("▸ Activity") // in a field it is text
		c.Press("1", "c").Sees("▸ Collect").WaitsUntilGone("2 Transactions").Fill("Amount", "12.50").Sees("12.50")
	})
}

func TestARoomIsOpenedOverAPaymentThatIsNotDone(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP")
		c.Sees("Bank check").Press("2").Sees("▸ Transactions", " rows read")
		if !strings.HasPrefix(headOf(c), " paydesk ▸ Bank check ▸ Transactions ") {
			t.Errorf("the header is %q", headOf(c))
		}
		c.Press("3").Sees("Bank check ▸ Activity").Press("esc").Sees("▸ Bank check", "customer done")
		c.Press("1").Sees("▸ Home", "INITIATED") // which leads back to it
		c.Press("esc").Sees("▸ Home")
	})
}

func TestARoomThatIsNotThereHasNoNumber(t *testing.T) {
	without := func(p *keystore.Profile) { p.Environment = keystore.Test }
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("▐TEST▌", "▪ 1 Home ─ 2 Transactions ─ 3 Activity ─ 4 Links ─ 5 Profiles")
		c.Press("6").Sees("▸ Home", "6 does nothing here").Press("5").Sees("▸ Profiles")
	}, consoletest.As(without), consoletest.Config("/nowhere/profiles.toml"))
}

func TestOneKeyQuitsOnHomeAlone(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("q quit").Press("2").WaitsUntilGone("q quit").Press("q").Sees("▸ Transactions")
		c.Press("1", "?").Sees("Keys: Home").Press("q").WaitsUntilGone("Keys: Home").Wait(time.Second).Sees("▸ Home")
		if c.Press("q").Wait(time.Second); !c.Ended() {
			t.Error("q does not quit")
		}
	})
}

// A key is for the screen that the one before it opens or leaves, also where it comes in the same breath.
func TestAKeyMeetsTheScreenThatTheOneBeforeItOpens(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		c.Press("esc").Sees("Menu")
		for range 20 {
			c.Press("3").Sees("1 attempt").AtOnce("enter", "esc").Sees("▪ 3 Activity", "1 attempt").Press("esc").Sees("Menu")
		}
		for range 20 {
			c.Press("4").AtOnce("n", "O", "a", "k", "esc").Sees("▪ 4 Links").Press("n").Sees("Oak").Press("ctrl+x", "esc", "esc").Sees("Menu")
		}
	})
}
