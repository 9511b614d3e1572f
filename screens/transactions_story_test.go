package screens_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/sandbox"
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

// A sale is what a journal has of one attempt.
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

// desk is what a desk has sold.
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

func TestActivityIsSearchedInTheQueryLanguage(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		desk(c)
		c.Press("3").Sees("8 attempts").Press("/").Type("failed gbp >100")
		c.Sees("1 attempt of this service", "status is FAILED · currency is GBP · amount over 100", "REF0000").WaitsUntilGone("REF0001", "REF0003").Golden("search/meaning")
		for query, want := range map[string]string{
			`"failed"`: "0-abc0007", "oak": "0-abc0006", "status:failed,pending amount:<20": "REF0004 REF0001",
			"-status:failed -status:successful -unresolved card:*": "REF0004", "12": "REF0001", "amount:=3.01": "", "operator:nobody": "",
		} {
			c.Press("ctrl+u").Type(query)
			if want == "" {
				c.Sees("0 attempts of this service", "No attempts match the search.")
			}
			if query == "12" {
				c.Sees("a field contains “12” or the amount is 12 to under 13")
			}
			c.Sees(strings.Fields(want)...)
		}
		c.Press("ctrl+u").Type("gbp stauts:failed")
		c.Sees("No such field. Did you mean status?", "^^^^^^", "currency is GBP").Golden("search/problem-80")
		c.Press("enter").Sees("No such field").Press("end", "ctrl+u").WaitsUntilGone("No such field")
		c.Type("day:7d -failed email:ada@example.org").Sees("e-mail is the same mailbox as what you typed", "2 attempts")
	})
}

// One search is on the screen: a facet shows the term that is typed, and writes the one that is chosen.
func TestAFacetAndATermAreOneSearch(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		desk(c)
		c.Press("3", "/").Type("failed oak").Press("enter").Sees("“oak”", "FAILED▾", "0 attempts")
		c.Press("tab", "tab", "right").Sees("‹PENDING›", "“oak”")
		if x, y, _ := c.Cursor(); ansi.Cut(strings.Split(c.Screen(), "\n")[y], x, x+8) != "‹PENDING" { // braille displays follow it
			t.Errorf("the cursor is at %d,%d of\n%s", x, y, c.Screen())
		}
		c.Press("enter", "/").Sees("Search oak status:PENDING")
		c.Press("ctrl+u").Type("refused").Press("enter").WaitsUntilGone("PENDING▾").Sees("REFUSED▾")
		c.Press("esc").Sees("8 attempts", "status▾", "outcome▾")
		c.Press("tab", "tab", "tab", "tab", "right").Sees("‹today›", "8 attempts").Press("tab", "right").Sees("‹GBP›", "6 attempts")
		c.Press("enter", "/").Type("oak").Sees("day:today currency:GBP oak", "1 attempt ").Press("enter").Sees("“oak”", "today▾", "GBP▾")
	})
}

// Who paid is compared by the journal's hash. What is typed stays in the line that it is typed in. A customer is found by a whole
// value alone: the field says so before an empty list would.
func TestACustomerIsSearchedWithoutBeingShown(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		desk(c)
		c.Press("3", "/").Type("email:ADA+shop@example.org").Sees("3 attempts", "e-mail is the same mailbox as what you typed", "Only payments sent with it")
		c.Press("enter").Sees("“email:…”").WaitsUntilGone("example.org", "ADA+shop")
		c.Press("w").Sees("Export 3 attempts", "e-mail is the same mailbox as what you typed").WaitsUntilGone("example.org").Press("esc")
		c.Press("/", "ctrl+u").Type("ADA+shop@example.org").Sees("3 attempts", "e-mail is the same mailbox as what you typed")
		c.Press("enter").Sees("“email:…”").WaitsUntilGone("example.org", "ADA+shop")
		c.Press("/", "ctrl+u").Type("+442079460000").Sees("3 attempts", "phone is the same number as what you typed")
		c.Press("enter").Sees("“phone:…”").WaitsUntilGone("2079460000")
		c.Press("/", "ctrl+u").Type("-email:ben@example.org phone:02079460000").Sees("3 attempts")
		c.Press("ctrl+u").Type("email=nobody@example.org").Press("enter").Sees("“email:…”", "0 attempts").WaitsUntilGone("nobody")
		c.Press("/", "ctrl+u").Type("4000 0566 5566 5556").Sees("Card number removed").WaitsUntilGone("5556")

		c.Press("ctrl+u").Sees("a customer's whole", "no name is kept")
		for typed, whole := range map[string]string{"ada@": "email:", "@example.org": "email:", "email:ada": "email:", "+4420": "phone:", "phone:0794": "phone:"} {
			c.Press("ctrl+u").Type(typed).Sees("! Only the whole of it can be found, as in "+whole, "This search cannot be read", "8 · 1 unresolved")
		}
		c.Press("ctrl+u").Type("ada@example.org +442079460000").Sees("3 attempts").WaitsUntilGone("Only the whole")
		c.Press("ctrl+u").Type("customer:ada").Sees("! A customer's name is not kept. The whole e-mail or phone finds them")
		c.Press("ctrl+u").Type("lovelace").Sees("0 attempts", "A customer's name is not", "kept: the whole e-mail or phone finds them.")
		c.Press("esc", "4", "/").Type("ada@example.org").Sees("! Links have no customer. Search Activity for it.")
	})
}

func TestLinksAreSearchedInTheQueryLanguage(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		desk(c)
		c.Press("4").Sees("2 links").Press("/").Type("gbp >100 name:oak*")
		c.Sees("1 of 2 links", "amount over 100", "link name begins with oak", "0-abc0006").WaitsUntilGone("0-abc0007").Golden("search/links-60")
		c.Press("ctrl+u").Type("-name:oak* day:today").Sees("1 of 2 links", "0-abc0007")
		c.Press("ctrl+u").Type("status:failed").Sees("Links have no status. Search Activity for it.", "^^^^^^^^^^^^^").Golden("search/links-problem-60")
	}, consoletest.Size(60, 18))
}

// In the smallest window: that nothing moves in others is tested in package present.
func TestAQueryIsExplainedWhileItIsTyped(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		at := func() int { // the line of the list's titles
			before, _, _ := strings.Cut(c.Screen(), "Status ")
			return strings.Count(before, "\n")
		}
		c.Press("2").Sees(" rows read").Press("/").Sees("status:failed,pending")
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
			if wrong := strings.HasPrefix(step.meaning, "!"); wrong != c.Has("^^") {
				t.Errorf("is %q marked? %v", step.typed, !wrong)
			}
			if now := at(); now != list && c.Has("Status ") {
				t.Errorf("the list moved from %d to %d with %q", list, now, step.typed)
			}
		}
		c.Press("enter").Sees("! Close the quotation marks").Press("backspace")
		c.Press("ctrl+u").Type("failed,successful").Press("enter").WaitsUntilGone("status is FAILED").Sees("“failed,…”")
	}, consoletest.Size(60, 18))
}

// What a start, a key and doing nothing cost, in what repeats exactly on any machine, however busy it is. The figures
// hold each other's reasons: a frame that is drawn from fewer allocations is a key that is answered sooner, and bytes are time on
// a slow line.

// figures were measured. A figure that grows by more than a tenth fails; one that shrinks is written down here.
var figures = map[string]int{
	"bytes of a start":           3_325,
	"frames of a start":          3, // one of them takes the terminal
	"bytes before main":          211_000,
	"allocations before main":    1_525,
	"draw home":                  850, // allocations
	"draw transactions":          660,
	"draw activity":              630,
	"key in home":                15, // bytes, of which 4 put the cursor at the mark
	"key in transactions":        15,
	"key in activity":            15,
	"scroll beside a pane":       90, // bytes a key, in the list of Activity down to its end
	"idle minute, inbox":         12, // messages: it looks whether webhooks are still received
	"idle minute, others":        0,
	"changed status on home":     115, // bytes, of which 64 are the news of it and 15 the time of the answer
	"bytes of a poll, most":      18,
	"changed status in the list": 72, // of which 28 are its row, and the others what was counted
}

// hold compares a figure with what it was.
func hold(t *testing.T, what string, got int) {
	t.Helper()
	was, known := figures[what]
	t.Logf("%s: %d, was %d", what, got, was)
	if !known || got > was+was/10 {
		t.Errorf("%s: %d, more than a tenth above %d", what, got, was)
	}
}

// cost returns how many bytes do writes.
func cost(c *consoletest.Console, do func()) int {
	before := len(c.Bytes())
	do()
	return len(c.Bytes()) - before
}

// costs are those of n times do, the smallest first.
func costs(c *consoletest.Console, n int, do func()) (all []int) {
	for range n {
		all = append(all, cost(c, do))
	}
	slices.Sort(all)
	return all
}

// manyRows is enough for a list to scroll.
const manyRows = 60

// sendMany records attempts that the service accepted, and links that were created.
func sendMany(c *consoletest.Console) {
	c.T.Helper()
	var all []sale
	for i := range manyRows {
		s := sale{amount: fmt.Sprintf("%d.50", 12+i), currency: "GBP", status: []string{"SUCCESSFUL", "FAILED"}[i/2%2]}
		if i%2 == 1 {
			s.name = fmt.Sprintf("Chairs %d", i)
		}
		all = append(all, s)
	}
	sell(c, all...)
}

func TestTheFiguresOfAStartAndOfAKeyHold(t *testing.T) {
	consoletest.RunAlone(t, func(c *consoletest.Console) {
		sendMany(c)
		c.Wait(time.Second)
		hold(t, "bytes of a start", len(c.Bytes()))
		hold(t, "frames of a start", c.Writes())
		for _, room := range []struct{ key, name string }{{"2", "transactions"}, {"3", "activity"}, {"1", "home"}} {
			c.Press(room.key).Wait(10 * time.Second)
			hold(t, "draw "+room.name, int(testing.AllocsPerRun(20, c.Draw)))
			hold(t, "key in "+room.name, costs(c, 5, func() { c.Press("j") })[2])
		}
	}, consoletest.Size(120, 40), consoletest.Tour())
}

func TestAListBesideAPaneScrollsInFewBytes(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		sendMany(c)
		c.Press("3").Sees("60 attempts")
		down := cost(c, func() {
			for range manyRows - 1 {
				c.Press("j")
			}
		})
		hold(t, "scroll beside a pane", down/(manyRows-1))
	}, consoletest.Size(120, 40))
}

// What changed is written, and nothing that stands beside it in its line.
func TestAChangedStatusIsWrittenInFewBytes(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		refs := strangers(c, 2)
		c.Press("l").Paste(strings.Join(refs, "\n")).Press("enter").Sees("2 payments pinned").Wait(3 * time.Minute).Press("home").Wait(time.Second)
		settle(c, refs[1])
		seconds := costs(c, 60, func() { c.Wait(time.Second) })
		c.Sees("✓ SUCCESSFUL")
		hold(t, "changed status on home", slices.Max(seconds))
	}, consoletest.Size(120, 40))
	consoletest.Run(t, func(c *consoletest.Console) {
		refs := strangers(c, 4)
		reload := func() { c.Press("r").Wait(time.Minute) }
		c.Press("2").Wait(time.Minute)
		same, changed := slices.Min(costs(c, 3, reload)), []int{} // the machine decides whether a frame falls into the reading
		for _, ref := range refs[1:] {
			settle(c, ref)
			changed = append(changed, cost(c, reload))
		}
		hold(t, "changed status in the list", slices.Min(changed)-same)
	}, consoletest.Size(120, 40))
}

// A laptop sleeps while nothing happens: no message, no frame and no timer of the library.
func TestNothingWakesAConsoleThatIsIdle(t *testing.T) {
	consoletest.RunAlone(t, func(c *consoletest.Console) {
		c.Wait(time.Second) // the patience of a start
		for _, k := range []string{"1", "2", "3", "4", "5", "6", "c", "n", "l", "f2", "?"} {
			c.Press(k).Wait(500 * time.Millisecond)
			seen, written, room := c.Messages(), c.Writes(), "others"
			if time.Sleep(time.Minute); k == "5" {
				room = "inbox"
			}
			if hold(t, "idle minute, "+room, c.Messages()-seen); c.Writes() != written {
				t.Errorf("after %q a minute has %d frames", k, c.Writes()-written)
			}
			c.Press("esc").Wait(time.Second)
		}
		stacks := make([]byte, 1<<20)
		if stacks = stacks[:runtime.Stack(stacks, true)]; bytes.Contains(stacks, []byte("startRenderer")) {
			t.Error("Bubble Tea's timer goes on")
		}
	}, consoletest.Size(120, 40), consoletest.Inbox())
}

// A poll that changes nothing moves the time of the last check, and writes no other word twice, however
// long its answer takes within a second. On home the age of the payment grows, each minute.
func TestAPollThatChangedNothingWritesTheDigitsOfOneTime(t *testing.T) {
	for name, at := range map[string]func(c *consoletest.Console){
		"watch": func(c *consoletest.Console) { c.Press("s").Sees("Payment", "last checked") },
		"home":  func(c *consoletest.Console) { c.Press("esc").Sees("1 in progress", "as of") },
	} {
		consoletest.Run(t, func(c *consoletest.Console) {
			pay(c, "12.50", "GBP", "challenge")
			c.Yes("Charge 12.50 GBP")
			at(c)
			c.Wire.Slow(400 * time.Millisecond)
			c.Wait(3 * time.Minute)
			asked := len(c.Wire.Gets())
			seconds := costs(c, 5*60, func() { c.Wait(time.Second) })
			seconds = slices.DeleteFunc(seconds, func(bytes int) bool { return bytes == 0 })
			questions, ages := len(c.Wire.Gets())-asked, 0
			if name == "home" {
				ages = 6
			}
			if questions < 8 || len(seconds) > questions+ages {
				t.Errorf("%s: something was written in %d seconds, with %d questions", name, len(seconds), questions)
			}
			hold(t, "bytes of a poll, most", slices.Max(seconds))
		}, consoletest.Size(120, 40))
	}
}

// onlyFile is the text of the only file with a name in a folder, which only its owner can read.
func onlyFile(t *testing.T, folder, pattern string) string {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(folder, pattern))
	all, _ := os.ReadDir(folder)
	if len(names) != 1 {
		t.Fatalf("%s: %v of %v", pattern, names, all)
	}
	info, err := os.Stat(names[0])
	raw, bad := os.ReadFile(names[0])
	if err != nil || bad != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(err, bad, info.Mode())
	}
	return string(raw)
}

// An engineer with an incident takes along every failed payment in pounds of the whole list.
func TestFailedPaymentsOfTheWholeListAreTakenAlong(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		folder := t.TempDir()
		c.Press("2").Sees(" rows read").Press("space").Wait(time.Minute).Sees("All 1,204 rows read")
		c.Press("/").Type("failed gbp >100").Press("enter").Wait(time.Second).Sees(" found in 1,204 read")
		c.Press("w").Sees("Export transactions", "Search  failed gbp >100", "all 1,204 read", "transactions-matches-")
		c.Fill("Folder", folder).Press("ctrl+s").Wait(time.Second).Sees("rows were written to")
		records, err := csv.NewReader(strings.NewReader(onlyFile(t, folder, "paydesk-transactions-matches-2*.csv"))).ReadAll()
		if err != nil || len(records) < 10 || len(records) > 100 {
			t.Fatal(len(records), err)
		}
		for _, r := range records[1:] {
			whole, cents, _ := strings.Cut(r[5], ".")
			if r[2] != "FAILED" || r[4] != "GBP" || whole+cents != r[6] || len(whole) < 3 {
				t.Errorf("a row is %q", r)
			}
		}
		c.Press("w").Choose("Rows", "all 1,204 read").Choose("Format", "JSON Lines").Press("ctrl+s").Wait(time.Second).Sees("1,204 rows were written to")
		lines := 0
		for line := range strings.Lines(onlyFile(t, folder, "*.jsonl")) {
			var row map[string]any
			if err := json.Unmarshal([]byte(line), &row); err != nil || len(row) != 4 {
				t.Fatalf("%s: %v", line, err)
			}
			lines++
		}
		if lines != 1204 {
			t.Errorf("%d lines", lines)
		}
	})
}

// took is the time since the event before, on a rail: at the end of its line where there is no
// room for a line of its own.
var took = regexp.MustCompile(`\s*\+\d+ (s|min|h|d).*$`)

// history is the day of the history on the screen and its events, oldest first, each as its lines are: when it
// was and what, without what follows from the times and the room.
func history(c *consoletest.Console) []string {
	c.T.Helper()
	var all []string
	for line := range strings.SplitSeq(c.Screen(), "\n") {
		line = strings.TrimSpace(line)
		at, after, rail := line, "", false
		for _, stop := range []string{"●", "│", "○"} {
			if after, rail = strings.CutPrefix(line, stop); rail {
				at = strings.TrimSpace(took.ReplaceAllString(after, ""))
				break
			}
		}
		switch {
		case strings.HasPrefix(line, "── History"):
			all = []string{strings.Fields(line)[3]}
		case all != nil && !rail:
			return all
		case all != nil && at != "" && !strings.HasPrefix(line, "○"):
			all = append(all, at)
		}
	}
	c.T.Fatalf("there is no history on the screen:\n%s", c.Boxed())
	return nil
}

// isTold checks that a history has lines that begin and end as wanted, oldest first.
func isTold(c *consoletest.Console, got []string, want ...[2]string) {
	c.T.Helper()
	if len(got) != len(want)+1 {
		c.T.Fatalf("%d lines:\n%s", len(got)-1, strings.Join(got, "\n"))
	}
	for i, w := range want {
		if line := got[i+1]; !strings.Contains(line, w[0]) || !strings.HasSuffix(line, w[1]) {
			c.T.Errorf("line %d is %q, want %q", i+1, line, w)
		}
	}
}

// sameEverywhere opens a payment in a console that is started anew, on each way that leads to it.
func sameEverywhere(c *consoletest.Console, ref string, want []string, onHome bool) {
	c.T.Helper()
	is := func(where string, at *consoletest.Console) {
		c.T.Helper()
		if diff := cmp.Diff(want, history(at)); diff != "" {
			c.T.Errorf("%s: %s", where, diff)
		}
	}
	at := c.Again()
	at.Press("3").Sees(ref).Press("enter").Sees("Checked      2000-01-0")
	is("in Activity", at.Press("end"))
	at.Press("enter").Sees("Payment").Wait(time.Second)
	is("from Activity", at)
	at.Press("l").Sees("Which payment?").Type(ref).Press("enter").Wait(time.Second).Sees(ref)
	is("looked up", at)
	at.Leave()
	if onHome {
		at = c.Again()
		at.Sees(ref).Press("enter").Wait(time.Second).Sees("Payment")
		is("from home", at)
		at.Leave()
	}
}

// What happened to a payment is written when it happens, and reads the same ever after.
func TestAHistoryReadsTheSameAfterARestartOnEveryWay(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		ref := reference(c)
		pending := history(c)
		isTold(c, pending, [2]string{"sent", "ada on desk"}, [2]string{"▲ INITIATED", "initiation"}, [2]string{"◌ PENDING", "check"})
		c.Wait(2 * time.Minute)
		sameEverywhere(c, ref, pending, true)

		c.Wait(20 * time.Minute).Sees("✓ SUCCESSFUL")
		paid := history(c)
		if last := len(paid) - 1; !slices.Equal(paid[:last], pending) || !strings.HasSuffix(paid[last], "check") {
			t.Errorf("it was\n%s\nand is\n%s", strings.Join(pending, "\n"), strings.Join(paid, "\n"))
		}
		c.Wait(26 * time.Hour) // another day
		sameEverywhere(c, ref, paid, false)
	})
}

func TestAFinalizeWithoutAnAnswerIsShownUntilItIsKnown(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		payLink(c, "pending-long")
		c.Yes("Charge 120.00 GBP").Wait(time.Second)
		ref := reference(c)
		c.Sandbox.Arm("POST", "lost-answer", 1)
		c.Press("f").Wait(time.Second)
		c.Yes("Finalize " + ref).Sees("It is not known whether it was finalized")
		c.Press("enter").Wait(time.Second)
		c.Sees("A finalize got no answer", "finalize UNRESOLVED", "→ It can be finalized again from 00:01:", "on (f)").Golden("finalize/lost")
		c.WaitsUntilGone("not settled yet", "f finalize").Press("f").Sees("it can be repeated from 00:01:")
		c.Press("space").Wait(70*time.Second).Sees("f finalize", "finalize it again: press f") // a paused screen says it too
		again := c.Again()
		again.Sees("FINALIZE UNKNOWN", ref).Golden("finalize/home")
		again.Press("enter").Wait(2*time.Minute).Sees("A finalize got no answer", "finalize UNRESOLVED")
		again.Press("f").Sees("Finalize "+ref+"?", "A finalize got no answer", "sends a second one").Golden("finalize/again")
		again.Yes("Finalize").Sees("completed").Press("enter").Wait(time.Second)
		again.WaitsUntilGone("A finalize got no answer").Sees("finalize accepted")
	})
}

// Where not all that is known of a payment has room, the key bar says how much has not, and the key that shows it.
func TestWhatHasNoRoomOnThePaymentIsCountedAndShownByAKey(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(replacing("", `"amount":12\.50`, `"amount":1250.00`))
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute)
		for _, size := range [][2]int{{80, 24}, {60, 18}} {
			c.Resize(size[0], size[1]).Wait(0)
			c.Sees("≠ MISMATCH", " more  ").WaitsUntilGone("initiation ")
			c.Press("z").Sees("z less", "↑/↓ scroll", "lines 1–").Press("end").Sees("sent", "PENDING")
			c.Press("home").Sees("Provide nothing").Press("pgdown").Sees("Sent   ").Press("esc").Sees(" more  ", " · MISMATCH   ")
			c.Press("z", "z").Sees(" more  ").WaitsUntilGone("lines 1–")
		}
		c.Resize(120, 40).Wait(0)
		c.WaitsUntilGone(" more  ").Press("z").Sees("All there is to say about it is on the screen.")
	})
}

// PENDING is what a card payment of a link is before it is finalized, too. The bank does nothing about it then.
func TestAPendingPaymentOfALinkWaitsForItsFinalize(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		payLink(c, "pending-long")
		c.Yes("Charge 120.00 GBP").Wait(10*time.Second).Sees("◌ PENDING", "it settles once it is finalized", "f finalize").WaitsUntilGone("not settled yet")
		ref := reference(c)
		at := c.Again()
		at.Press("3").Sees(ref).Press("enter").Wait(time.Second).Sees("it settles once it is finalized").WaitsUntilGone("not settled yet")
		c.Press("f").Wait(time.Second).Yes("Finalize " + ref).Wait(time.Second).Press("enter").Wait(10 * time.Second)
		c.Sees("◌ PENDING", "not settled yet").WaitsUntilGone("once it is")
	})
}
