package payment_test

import (
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

func TestTheURLIsShownInFullWithItsHost(t *testing.T) {
	openCheck(t, 60, 18, payingByCard(t, bank, ""), func(c *screentest.Console) {
		c.Sees("Host         bank.example", "true: then on to the return URL", "12.50 GBP •••• 4242   ▐▲ INITIATED▌").Golden("address-small").Fits().HelpBarFits().Idle(time.Hour)
		whole := ""
		for line := range strings.SplitSeq(c.Screen(), "\n") {
			whole += strings.Split(strings.TrimSpace(line), "  ")[0]
		}
		if !strings.Contains(whole, bank) {
			t.Errorf("the address is not there in full:\n%s", c.Screen())
		}
	})
}

func TestTheRedirectSwitchChangesNothingElse(t *testing.T) {
	other := strings.Replace(bank, "redirect=true", "redirect=false", 1)
	openCheck(t, 120, 40, payingByCard(t, bank, ""), func(c *screentest.Console) {
		c.Press("tab").Sees(other, "false: window closes (iframe, modal)").Press("y")
		if c.Copied() != other {
			t.Errorf("copied %q", c.Copied())
		}
		c.Press("tab").Sees(bank).Press("y")
		if c.Copied() != bank {
			t.Errorf("copied %q", c.Copied())
		}
	})
	without := "https://bank.example/3ds?token=1&redirects=true"
	openCheck(t, 80, 24, payingByCard(t, without, ""), func(c *screentest.Console) {
		c.WaitsUntilGone("tab redirect", "Redirect").Press("tab").Sees("no redirect=true or redirect=false", without).Fits()
	})
}

func TestAnUnsafeURLIsNotOffered(t *testing.T) {
	for _, bad := range []string{"javascript:alert(1)", "https://a@bank.example/", "file:///etc/passwd", "http://bank.example/"} {
		w := payingByCard(t, bad, "")
		openCheck(t, 80, 24, w, func(c *screentest.Console) {
			c.Sees("! The service returned a URL that is not safe to use:").WaitsUntilGone("o open", "y copy", "z QR", bad).Fits()
			c.Press("y").Sees("no URL that is safe to copy").Press("o", "z", "tab")
			if c.Copied() != "" || len(w.opened) != 0 {
				t.Errorf("copied %q, opened %q", c.Copied(), w.opened)
			}
		})
	}
}

func TestABrowserIsOpenedOnlyWhereThereIsOne(t *testing.T) {
	w := payingByCard(t, bank, "")
	openCheck(t, 80, 24, w, func(c *screentest.Console) {
		if len(w.opened) != 0 {
			t.Error("it opened by itself")
		}
		c.Press("o").Sees("The page was sent to your browser.").Went()
		if len(w.opened) != 1 || w.opened[0] != bank {
			t.Errorf("opened %q", w.opened)
		}
	})
	w = payingByCard(t, bank, "")
	w.here = "There is no display here."
	openCheck(t, 80, 24, w, func(c *screentest.Console) {
		c.WaitsUntilGone("o open").Press("o").Sees("There is no display here. Copy the URL or scan its code.")
		if len(w.opened) != 0 {
			t.Errorf("opened %q", w.opened)
		}
	})
}

// The header gives way to the code, and says beside it where one is.
func TestTheCodeTakesTheWholeWindowAndGivesItBack(t *testing.T) {
	long := "https://bank.example/3ds/authorise?token=" + strings.Repeat("a1B2c3D4", 12) // as those of the demo's bank
	openCheck(t, 80, 24, payingByCard(t, long, ""), func(c *screentest.Console) {
		c.Sees("z QR code").WaitsUntilGone("▀").Press("z")
		c.Sees("▀", "TEST", "payments.example", "bank.example", "12.50 GBP", "ref-1", "esc back").WaitsUntilGone("Authentication check").Press("y")
		if c.Sees("The URL was sent to"); c.Copied() != long {
			t.Errorf("copied %q", c.Copied())
		}
		c.Press("esc").Sees("Host").WaitsUntilGone("▀").Went()
	})
	openCheck(t, 60, 18, payingByCard(t, long, ""), func(c *screentest.Console) { c.Press("z").Sees("needs a window of 71×24").Fits() })
}

func TestOnlyAPersonMarksTheCustomerAsDone(t *testing.T) {
	for link, to := range map[api.Alias]nav.Route{"": nav.Payment{Reference: "ref-1"}, "0-abc": nav.Finalize{Reference: "ref-1"}} {
		w := payingByCard(t, bank, link)
		openCheck(t, 80, 24, w, func(c *screentest.Console) {
			c.Flood("enter", 20).Went() // typed before the screen was open
			c.Wait(time.Second).Press("o", "y", "tab", "z", "z", "a")
			if c.Went(); w.done != 0 {
				t.Error("it was said by another key")
			}
			c.Press("enter").Went(nav.Replace{To: to})
			if w.done != 1 {
				t.Errorf("it was said %d times", w.done)
			}
		})
	}
}
