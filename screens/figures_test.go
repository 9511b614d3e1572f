package screens_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/screens/consoletest"
	"paydesk/screens/screentest"
)

// What a start, a key and doing nothing cost, in what repeats exactly on any machine, however busy it is. The figures
// hold each other's reasons: a frame that is drawn from fewer allocations is a key that is answered sooner, and bytes are time on
// a slow line.

// figures were measured. A figure that grows by more than a tenth fails; one that shrinks is written down here.
var figures = map[string]int{
	"bytes of a start":              3_325,
	"frames of a start":             3, // one of them takes the terminal
	"bytes before main":             194_000,
	"allocations before main":       1_340,
	"draw first":                    725, // allocations
	"draw home":                     800,
	"draw transactions":             660,
	"draw activity":                 630,
	"key in home":                   15, // bytes, of which 4 put the cursor at the mark
	"key in transactions":           15,
	"key in activity":               15,
	"rows of a key in home":         2,
	"rows of a key in transactions": 2,
	"rows of a key in activity":     2,
	"scroll beside a pane":          90, // bytes a key, in the list of Activity down to its end
	"idle minute":                   0,
	"changed status on home":        111, // bytes, of which 64 are the news of it and 15 the time of the answer
	"bytes of a poll, most":         18,
	"changed status in the list":    72, // of which 28 are its row, and the others what was counted
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

// newRows returns how many rows of the screen do draws anew.
func newRows(c *consoletest.Console, do func()) (n int) {
	before := c.Draw()
	do()
	for y, row := range c.Draw() {
		if y >= len(before) || row != before[y] {
			n++
		}
	}
	return n
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
		hold(t, "draw first", int(testing.AllocsPerRun(20, c.DrawFirst)))
		for _, room := range []struct{ key, name string }{{"2", "transactions"}, {"3", "activity"}, {"1", "home"}} {
			c.Press(room.key).Wait(10 * time.Second)
			hold(t, "draw "+room.name, int(testing.AllocsPerRun(20, func() { c.Draw() })))
			hold(t, "key in "+room.name, costs(c, 5, func() { c.Press("j") })[2])
			hold(t, "rows of a key in "+room.name, newRows(c, func() { c.Press("j") }))
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
		refs := strangers(c, 6)
		reload := func() { c.Press("r").Wait(time.Minute) }
		c.Press("2").Wait(time.Minute)
		same, changed := slices.Min(costs(c, 5, reload)), []int{} // the machine decides whether a frame falls into the reading
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
			seen, written := c.Messages(), c.Writes()
			time.Sleep(time.Minute)
			if hold(t, "idle minute", c.Messages()-seen); c.Writes() != written {
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

// An engineer with an incident takes along every failed payment in pounds of the whole list.
func TestFailedPaymentsOfTheWholeListAreTakenAlong(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		folder := t.TempDir()
		c.Press("2").Sees(" read at ").Press("space").Wait(time.Minute).Sees("all 1,204 read")
		c.Press("/").Type("failed gbp >100").Press("enter").Wait(time.Second).Sees(" found in all 1,204")
		c.Press("w").Sees("Export transactions", "Search  status is FAILED · currency is GBP · amount over 100", "all 1,204 read", "transactions-matches-")
		c.Fill("Folder", folder).Press("ctrl+s").Wait(time.Second).Sees("rows were written to")
		records, err := csv.NewReader(strings.NewReader(screentest.OnlyFile(t, folder, "paydesk-transactions-matches-2*.csv"))).ReadAll()
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
		for line := range strings.Lines(screentest.OnlyFile(t, folder, "*.jsonl")) {
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
