package screens_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
)

// found is the line that is marked in the palette's list.
func found(c *consoletest.Console) string {
	lines := strings.Split(c.Screen(), "\n")
	for _, l := range lines[5:] {
		if strings.HasPrefix(l, " ▌ ") {
			return strings.Join(strings.Fields(strings.Trim(l, " ▌█│")), " ")
		}
	}
	return ""
}

func TestThePaletteFindsScreensAndWhatKeysDo(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press(":").Sees("▸ Go to", "Collect a payment", "enter go", "esc close").WaitsUntilGone("? help").Golden("palette/home")
		c.Type("trans")
		if got := found(c); got != "2 Transactions screen" {
			t.Errorf("found %q", got)
		}
		c.Press("enter").Sees("▸ Transactions", " rows read").Press(":").Type("relo")
		if got := found(c); got != "r Reload here" {
			t.Errorf("found %q", got)
		}
		lists := len(c.Wire.Gets())
		if c.Press("enter").Wait(time.Second); len(c.Wire.Gets()) <= lists {
			t.Error("the list was not read again")
		}
		c.Press(":").Type("q").Sees("▸ Go to").Press("ctrl+u").Type("no such thing").Sees("Nothing matches.")
		c.Press("enter").Sees("▸ Go to").Press("esc").Sees("▸ Transactions").WaitsUntilGone("What there is")
		c.Press("/").Type("a:b").Sees("a:b").WaitsUntilGone("What there is")
	})
}

func TestThePaletteFindsPaymentsAndProfiles(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP").Sees("Bank check")
		ref := reference(c)
		c.Press("1", ":").Type(ref)
		if got := found(c); got != "12.50 GBP "+ref+" ▲ INITIATED" {
			t.Errorf("found %q", got)
		}
		c.Press("enter").Sees("Payment "+ref, "INITIATED").Press("esc").Sees("▸ Home")
	})
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("c").Choose("Currency", "GBP").Fill("Amount", "12.50").Press("enter").Sees("Channel")
		c.Press(":").Type("profile two").Press("enter").Sees("Another profile closes what is being filled in.", "Channel")
		c.Press("esc").Sees("12.50").Press("ctrl+x", "esc").Press(":")
		for _, words := range []string{"two", "two profile", "profile two", "test TWO"} {
			if c.Press("ctrl+u").Type(words); found(c) != "two · TEST profile" {
				t.Errorf("%q found %q", words, found(c))
			}
		}
		c.Press("enter").Sees("Profile   two, environment test")
	}, two(t)...)
}

func TestThePaletteIsClosedWithTheConsole(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press(":").Wait(16 * time.Minute).Sees("▸ Locked").WaitsUntilGone("Go to")
		c.Send(tea.PasteMsg{Content: "x"})
		c.Press(":").WaitsUntilGone("Go to,")
	}, consoletest.As(func(p *keystore.Profile) { p.IdleLock = 15 }))
}
