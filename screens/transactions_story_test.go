package screens_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/sandbox"
	"paydesk/screens/consoletest"
)

func TestTheListIsWalkedToItsEndAndBack(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Sees("100 of 1,204 read at").Golden("transactions/first")
		first := c.Marked()
		hold := func(key string, n int) {
			for range n {
				c.Press(key)
			}
		}
		hold("j", 250)
		c.Sees("300 of 1,204 read")
		hold("up", 250)
		if at := c.Sees("Rows 1–").Marked(); at != first {
			t.Errorf("back on %q, want the first row %q", at, first)
		}
		was := c.Press("down", "down", "down").Marked()
		c.Press("/").Type("status:failed amount:31").Sees("No transaction read so far matches.").Type(" stauts:x").Sees("Did you mean status?").WaitsUntilGone("No transaction")
		c.Press("ctrl+u").Type("status:failed amount:31").Press("enter").Sees("No transaction read so far matches.").Press("down", "down", "enter", "esc")
		if c.Sees("300 of 1,204"); c.Marked() != was { // a search that finds nothing loses no row
			t.Errorf("%q is marked, want %q", c.Marked(), was)
		}
		c.Press("home").Wait(time.Second).Sees("Rows 1–")
	})
}

func TestARefusedConnectionIsToldAtOnceAndTriedAgain(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Disconnect(true)
		c.Press("2").Sees("The next try is at ", "The host could not be reached")
		c.Wait(time.Minute).Sees("! The host could not be reached.", "try again").WaitsUntilGone("next try")
		c.Wire.Disconnect(false)
		c.Press("r").Sees("100 of 1,204 read")
		c.Press("/").Sees("esc clear ").Type("gbp").Press("enter").Sees("esc clear ")
		c.Press("esc").WaitsUntilGone("esc clear").Sees("esc back")
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

func TestTheWholeListIsReadSearchedAndSorted(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Sees("100 of 1,204").Press("space").Wait(time.Minute).Sees("all 1,204 read at", "no change seen")
		c.Golden("transactions/scan-done")
		c.Press("/").Type("failed gbp >100").Sees("status is FAILED · currency is GBP · amount over 100", "in all 1,204").Press("enter")
		c.Sees("“failed gbp >100”", "✗ FAILED", "GBP").WaitsUntilGone("✓ SUCCESSFUL", "◌ PENDING").Golden("transactions/scan-searched")
		c.Press("tab", "right").Sees("currency, highest").Press("enter").Press("enter").Wait(time.Second).Sees("Raw object", "FAILED").WaitsUntilGone("Reading its page")
		c.Press("esc", "esc").Sees("all 1,204 read").WaitsUntilGone("“failed")
		c.Press("f2").Sees("GET  transactions?page=…", "200 ×")
	})
}

func TestAScanGoesOnWhileOtherScreensAreOpen(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Slow(time.Second)
		c.Press("2").Wait(2*time.Second).Press("space").Wait(1500*time.Millisecond).Sees("page ", " of 13")
		c.Press("space").Wait(2*time.Second).Sees("paused at row ", "space reads on")
		c.Press("1").Sees("Menu").Wait(time.Minute)
		n := len(c.Wire.Gets())
		c.Press("2").Sees("paused at row ", "space reads on").Wait(time.Minute)
		if len(c.Wire.Gets()) != n {
			t.Errorf("%v were asked for while the scan was paused", c.Wire.Gets()[n:])
		}
		c.Press("space").Wait(time.Second).Sees("page ", " of 13").Press("1").Sees("Menu").Wait(time.Minute)
		n = len(c.Wire.Gets())
		c.Press("2").Sees("all 1,204 read at")
		if len(c.Wire.Gets()) != n {
			t.Errorf("%v were asked for again", c.Wire.Gets()[n:])
		}
	})
}

func TestAScanIsPausedWhenTheConsoleIsLocked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Slow(15 * time.Second)
		c.Press("2").Wait(30 * time.Second).Sees("100 of 1,204").Press("space").Wait(20 * time.Second).Sees(" of 13")
		c.Wait(45 * time.Second).Sees("Locked: idle for 1 minute")
		n := len(c.Wire.Gets())
		if c.Wait(time.Hour); len(c.Wire.Gets()) != n {
			t.Errorf("%v were asked for while the console was locked", c.Wire.Gets()[n:])
		}
		c.Wire.Slow(0)
		c.Press("enter").Wait(time.Second).Sees("Read before the key was entered · space reads again")
		c.Press("space").Wait(30 * time.Second).Sees("all 1,204 read at")
	}, consoletest.Live(), idleAfter(1))
}

// What changed between two readings of the whole list is found with since:, with the status that was, and what was made
// from here with here.
func TestWhatChangedSinceTheScanBeforeAndWhatWasMadeFromHereIsFound(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		must(t, c.Sandbox.SetSwitch("list.id", "reference"))
		c.Press("2").Wait(time.Second).Press("space").Wait(time.Minute).Sees("Saved. Search since:last")
		c.Press("/").Type("since:last").Press("enter").Wait(time.Second).Sees("This is the first saved scan").Press("esc", "esc")
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(20 * time.Second).Sees("✓ SUCCESSFUL").Press("2").Wait(time.Second).Press("r").Wait(time.Minute)
		c.Sees("all 121 read", "since the scan before.").Press("/").Type("since:last").Press("enter").Wait(time.Second).Sees("Was", "1 new", "1 found in all 121")
		c.Press("esc", "/").Type("here").Press("enter").Wait(time.Second).Sees("1 found in all 121", "1 of 1 reference matches a list ID.")
		c.Press("esc", "/").Type("gone:last").Press("enter").Wait(time.Second).Sees("No transaction matches.")
	}, consoletest.Size(120, 40), consoletest.WithSandbox(func(o *sandbox.Options) { o.Transactions = 120 }))
}

// A sale describes one attempt in a journal.
type sale struct {
	amount, currency, status, name string // a name makes it a link
	who                            ledger.Payer
}

// sell records attempts, one an hour, the last of them now.
func sell(c *consoletest.Console, all ...sale) {
	c.T.Helper()
	here := ledger.Destination{Profile: "demo", Environment: "SANDBOX", Host: "127.0.0.1:8099"}
	for i, s := range all {
		currency, err := money.ParseCurrency(s.currency)
		must(c.T, err)
		amount, err := money.Parse(s.amount, currency)
		must(c.T, err)
		a := ledger.Attempt{Kind: ledger.Initiate, Destination: here, Amount: amount, Channel: api.ChannelCard, Card: fmt.Sprintf("%04d", 4242+i)}
		r := ledger.Result{Outcome: ledger.Unresolved, Why: "no answer came"}
		switch {
		case s.name != "":
			a = ledger.Attempt{Kind: ledger.CreateLink, Destination: here, Amount: amount, Draft: api.LinkDraft{Name: s.name, Amount: amount}}
			r = ledger.Result{Outcome: ledger.Accepted, Link: &api.Link{
				Alias: api.Alias(fmt.Sprintf("0-abc%04d", i)), Name: api.Clean(s.name), Amount: amount, HasAmount: true,
			}}
		case s.status != "":
			r = ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: api.Reference(fmt.Sprintf("REF%04d", i)), Status: api.ParseStatus(s.status)}}
		}
		recorded(c, a, s.who, r)
	}
}

// desk records what a desk has sold.
func desk(c *consoletest.Console) {
	ada, ben := ledger.Payer{Email: "Ada@example.org", Phone: "+44 20 7946 0000"}, ledger.Payer{Email: "ben@example.org"}
	sell(c,
		sale{amount: "250.00", currency: "GBP", status: "FAILED", who: ada},
		sale{amount: "12.50", currency: "GBP", status: "FAILED", who: ben},
		sale{amount: "300.00", currency: "GBP", status: "SUCCESSFUL", who: ada},
		sale{amount: "4000", currency: "JPY", status: "FAILED", who: ben},
		sale{amount: "3.005", currency: "KWD", status: "PENDING", who: ada},
		sale{amount: "77.00", currency: "GBP"},
		sale{amount: "120.00", currency: "GBP", name: "Oak chairs"},
		sale{amount: "80.00", currency: "GBP", name: "Never failed dues"},
	)
}

// It takes seconds: the journal is searched for each letter.
func TestActivityIsSearchedInTheQueryLanguage(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		desk(c)
		day := func() int {
			before, _, _ := strings.Cut(c.Screen(), "── 1 Jan")
			return strings.Count(before, "\n")
		}
		c.Press("3").Sees("8 attempts")
		was := day()
		if c.Press("/").Type("failed gbp >100"); day() != was {
			t.Errorf("the rows moved from line %d to %d", was, day())
		}
		c.Sees("1 of 8 attempts · status is FAILED · currency is GBP · amount over 100", "REF0000").WaitsUntilGone("REF0001", "REF0003").Golden("search/meaning")
		for query, want := range map[string]string{
			`"failed"`: "0-abc0007", "oak": "0-abc0006", "status:failed,pending,must-pay amount:<20": "REF0004 REF0001",
			"-status:failed -status:successful -unresolved card:*": "REF0004", "12": "REF0001", "amount:=3.01": "", "operator:nobody": "",
		} {
			c.Press("ctrl+u").Type(query)
			if want == "" {
				c.Sees("0 of 8 attempts", "No attempts match the search.")
			}
			if query == "12" {
				c.Sees("a field contains “12” or the amount is 12 to under 13")
			}
			c.Sees(strings.Fields(want)...)
		}
		c.Press("ctrl+u").Type("gbp stauts:failed")
		c.Sees("No such field. Did you mean status?").Golden("search/problem-80")
		c.Press("enter").Sees("No such field").Press("end", "ctrl+u").WaitsUntilGone("No such field")
		c.Type("day:7d -failed email:ada@example.org").Sees("e-mail is the same mailbox as what you typed", "2 of 8 attempts")
	})
}

// One search is on the screen: a facet shows the term that is typed, and writes the one that is chosen.
func TestAFacetAndATermAreOneSearch(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		desk(c)
		c.Press("3", "/").Type("failed oak").Press("enter").Sees("“oak”", "FAILED▾", "0 of 8 attempts")
		c.Press("tab", "tab", "right").Sees("‹PENDING›", "“oak”")
		if x, y, _ := c.Cursor(); ansi.Cut(strings.Split(c.Screen(), "\n")[y], x, x+8) != "‹PENDING" { // braille displays follow it
			t.Errorf("the cursor is at %d,%d of\n%s", x, y, c.Screen())
		}
		c.Press("enter", "/").Sees("Search oak status:PENDING")
		c.Press("ctrl+u").Type("refused").Press("enter").WaitsUntilGone("PENDING▾").Sees("REFUSED▾")
		c.Press("esc").Sees("8 attempts", "status▾", "outcome▾")
		c.Press("tab", "tab", "tab", "tab", "right").Sees("‹today›", "8 attempts").Press("tab", "right").Sees("‹GBP›", "6 of 8 attempts")
		c.Press("enter", "/").Type("oak").Sees("day:today currency:GBP oak", "1 of 8 attempts ").Press("enter").Sees("“oak”", "today▾", "GBP▾")
	})
}

// Who paid is compared by the journal's hash. What is typed stays in the line that it is typed in. A customer is found by a whole
// value alone: the field says so before an empty list would. It takes seconds: the journal is searched for each letter.
func TestACustomerIsSearchedWithoutBeingShown(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		desk(c)
		c.Press("3", "/").Type("email:ADA+shop@example.org").Sees("3 of 8 attempts", "e-mail is the same mailbox as what you typed", "Only payments sent with it")
		c.Press("enter").Sees("“email:…”").WaitsUntilGone("example.org", "ADA+shop")
		c.Press("w").Sees("Export 3 of 8 attempts", "e-mail is the same mailbox as what you typed").WaitsUntilGone("example.org").Press("esc")
		c.Press("/", "ctrl+u").Type("ADA+shop@example.org").Sees("3 of 8 attempts", "e-mail is the same mailbox as what you typed")
		c.Press("enter").Sees("“email:…”").WaitsUntilGone("example.org", "ADA+shop")
		c.Press("/", "ctrl+u").Type("+44 20 7946 0000").Sees("3 of 8 attempts", "phone is the same number as what you typed")
		c.Press("enter").Sees("“phone:…”").WaitsUntilGone("2079460000")
		c.Press("/", "ctrl+u").Type("-email:ben@example.org phone:02079460000").Sees("3 of 8 attempts")
		c.Press("ctrl+u").Type("email=nobody@example.org").Press("enter").Sees("“email:…”", "0 of 8 attempts").WaitsUntilGone("nobody")
		c.Press("/", "ctrl+u").Type("4000 0566 5566 5556").Sees("Card number removed").WaitsUntilGone("5556")

		c.Press("ctrl+u").Sees("a whole e-mail")
		for typed, whole := range map[string]string{"ada@": "email:", "@example.org": "email:", "email:ada": "email:", "+4420": "phone:", "phone:0794": "phone:"} {
			c.Press("ctrl+u").Type(typed).Sees("! Only the whole of it can be found, as in "+whole, "8 · 1 unresolved")
		}
		c.Press("ctrl+u").Type("ada@example.org +442079460000").Sees("3 of 8 attempts").WaitsUntilGone("Only the whole")
		c.Press("ctrl+u").Type("customer:ada").Sees("! A customer's name is not kept. The whole e-mail or phone finds them")
		c.Press("ctrl+u").Type("lovelace").Sees("0 of 8 attempts", "A customer's name is not", "phone:02079460000")
		c.Press("esc", "4", "/").Type("ada@example.org").Sees("! Links have no customer. Search Activity for it.")
	})
}

func TestLinksAreSearchedInTheQueryLanguage(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		desk(c)
		c.Press("4").Sees("2 links").Press("/").Type("gbp >100 name:oak*")
		c.Sees("1 of 2 links", "link name begins with oak", "0-abc0006").WaitsUntilGone("0-abc0007").Golden("search/links-60")
		c.Press("ctrl+u").Type("-name:oak* day:today").Sees("1 of 2 links", "0-abc0007")
		c.Press("ctrl+u").Type("status:failed").Sees("Links have no status. Search Activity for it.").Golden("search/links-problem-60")
		c.Press("ctrl+u").Type("name:zzz").Press("enter").Sees("No links match the search.").Press("end").Sees("end does nothing here")
	}, consoletest.Size(60, 18))
}

// In the smallest window: that nothing moves in others is tested in package present.
func TestAQueryIsExplainedWhileItIsTyped(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		at := func() int { // the line of the list's titles
			before, _, _ := strings.Cut(c.Screen(), "Status ")
			return strings.Count(before, "\n")
		}
		c.Press("2").Sees(" read at ").Press("/").Sees("id:5e62*")
		list := at()
		for _, step := range []struct{ typed, meaning string }{
			{"failed,successful", "status is FAILED or SUCCESSFUL"},
			{"100..250", "amount from 100 to 250"},
			{"status:fialed", "! This status is not known. Did you mean FAILED?"},
			{"stauts:failed", "! No such field. Did you mean status?"},
			{"failed,successful day:today", "! The service's list has no dates."},
			{"amount:10-20", "! Write a range with two dots, as in 100..250."},
			{`"never closed`, "! Close the quotation marks"},
		} {
			c.Press("ctrl+u").Type(step.typed).Sees(step.meaning)
			if now := at(); now != list && c.Has("Status ") {
				t.Errorf("the list moved from %d to %d with %q", list, now, step.typed)
			}
		}
		c.Press("enter").Sees("! Close the quotation marks").Press("backspace")
		c.Press("ctrl+u").Type("failed,successful").Press("enter").WaitsUntilGone("status is FAILED").Sees("“failed,succes…”")
	}, consoletest.Size(60, 18))
}
