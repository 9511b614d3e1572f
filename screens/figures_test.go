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

	"github.com/google/go-cmp/cmp"

	"paydesk/screens/consoletest"
)

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

// costs returns the costs of n times do, the smallest first.
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
	}, consoletest.Size(120, 40), consoletest.Inbox(), consoletest.OnDisk(t.TempDir()+"/state"))
}

// A poll that changes nothing moves the time of the last check, and writes no other word twice, however
// long its answer takes within a second. On home the age of the payment grows, each minute.
func TestAPollThatChangedNothingWritesTheDigitsOfOneTime(t *testing.T) {
	for name, at := range map[string]func(c *consoletest.Console){
		"watch": func(c *consoletest.Console) { c.Press("s").Sees("Payment", "last checked") },
		"home":  func(c *consoletest.Console) { c.Press("esc").Sees("1 to act on", "as of") },
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

// What happened to a payment is written when it happens, and reads the same ever after. It takes seconds: consoles begin and poll for a
// day of fake time.
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
