package screens_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/screens/consoletest"
)

// What repeats to the byte: how much is written to the terminal, and how often. A person
// on a slow line waits for every one of them.

// A cost is what one thing that happened wrote to the terminal.
type cost struct{ bytes, writes, cells int }

// costs is what do writes.
func costs(c *consoletest.Console, do func()) cost {
	bytes, writes, before := len(c.Bytes()), c.Writes(), c.Screen()
	do()
	return cost{len(c.Bytes()) - bytes, c.Writes() - writes, changed(before, c.Screen())}
}

// changed is how many cells differ.
func changed(a, b string) (n int) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		var p, q []rune
		if i < len(x) {
			p = []rune(x[i])
		}
		if i < len(y) {
			q = []rune(y[i])
		}
		for j := range max(len(p), len(q)) {
			if j >= len(p) || j >= len(q) || p[j] != q[j] {
				n++
			}
		}
	}
	return n
}

// sorted is the costs of n times do, by their bytes.
func sorted(c *consoletest.Console, n int, do func()) (all []cost) {
	for range n {
		all = append(all, costs(c, do))
	}
	slices.SortFunc(all, func(a, b cost) int { return a.bytes - b.bytes })
	return all
}

func within(t *testing.T, what string, got, most int) {
	t.Helper()
	t.Logf("%s: %d", what, got)
	if got > most {
		t.Errorf("%s: %d, more than %d", what, got, most)
	}
}

func TestAMoveInAListWritesLittle(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("t").Sees("Page 1 of")
		moves := sorted(c, 15, func() { c.Press("down") }) // within the page: past its end the next one is drawn
		within(t, "bytes of a move in the list, median", moves[7].bytes, 40)
		within(t, "bytes of a move in the list, most", moves[14].bytes, 60)
		within(t, "cells of a move in the list", moves[7].cells, 2)
		within(t, "writes of a move in the list", moves[14].writes, 1)
	}, consoletest.Size(120, 40))
}

func TestAScrollByOneWritesLittle(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("t").Sees("Page 1 of").Press(slices.Repeat([]string{"down"}, 10)...)
		scrolls := sorted(c, 8, func() { c.Press("down") })
		if scrolls[0].cells < 20 {
			t.Fatalf("a move of %d cells is no scroll", scrolls[0].cells)
		}
		within(t, "bytes of a scroll by one, median", scrolls[4].bytes, 290)
		within(t, "writes of a scroll by one", scrolls[7].writes, 1)
	}, consoletest.Size(120, 18))
}

func TestNoKeyWritesMoreThanAScreen(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		most := 0
		for _, k := range []string{"t", "enter", "esc", "?", "esc", "esc", "c", "esc", "a", "esc", "s", "esc", "ctrl+b", "esc", "l", "esc"} {
			most = max(most, costs(c, func() { c.Press(k).Wait(time.Second) }).bytes)
		}
		within(t, "bytes of the costliest key", most, 5_500)
	}, consoletest.Size(120, 40))
}

func TestNothingIsWrittenWhenNothingHasChanged(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		for _, k := range []string{"", "t", "c", "l", "p", "a", "s", "ctrl+b"} {
			if k != "" {
				c.Press(k)
			}
			c.Wait(10 * time.Second)
			if idle := costs(c, func() { c.Wait(10 * time.Minute) }); idle != (cost{}) {
				t.Errorf("after %q ten minutes without a key write %+v", k, idle)
			}
			if k != "" {
				c.Press("esc")
			}
		}
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute).Sees("SUCCESSFUL")
		if idle := costs(c, func() { c.Wait(time.Hour) }); idle != (cost{}) {
			t.Errorf("a payment that is final writes %+v", idle)
		}
	}, consoletest.Size(120, 40))
}

func TestATickOfAClockWritesLittle(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		begun := time.Now()
		ticks := sorted(c, 60, func() { c.Wait(time.Second) })
		within(t, "bytes of a tick, median", ticks[30].bytes, 16)
		within(t, "bytes of a tick, most", ticks[59].bytes, 24)
		writes := 0
		for _, tick := range ticks {
			writes += tick.writes
		}
		within(t, "writes of a minute of ticks", writes, int(time.Since(begun)/time.Second))
	}, consoletest.Size(120, 40), consoletest.WithSandbox(manual))
}

// A watch says how long ago the status was last checked, when it is checked next, and how long the account
// can still be paid into: nothing else is written while the status stays.
func TestAQuestionThatChangedNothingWritesTheTimesAlone(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		c.Press("enter").Sees("CUSTOMER MUST PAY").Wait(3 * time.Minute)
		before := c.Screen()
		asked := len(c.Wire.Gets())
		polls := costs(c, func() { c.Wait(5 * time.Minute) })
		n := len(c.Wire.Gets()) - asked
		if n < 5 {
			t.Fatalf("only %d questions", n)
		}
		within(t, "cells that five minutes of questions changed", changed(before, c.Screen()), 40)
		within(t, "bytes of a second of watching", polls.bytes/300, 24) // two of the times move every second
	}, consoletest.Size(120, 40), consoletest.WithSandbox(manual))
}

func TestAfterAStormOfSizesEveryCellIsRight(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("t").Sees("Page 1 of").Press("down", "down", "down")
		drawn := rand.New(rand.NewPCG(1, 2))
		storm := costs(c, func() {
			for range 200 {
				c.Resize(1+drawn.IntN(200), 1+drawn.IntN(60))
			}
		})
		c.Resize(100, 30).Wait(time.Second)
		got := c.Screen()
		c.Press("?").Press("?") // paints it again
		c.Resize(99, 30).Resize(100, 30)
		if wrong := changed(c.Screen(), got); wrong != 0 {
			t.Errorf("%d cells are wrong", wrong)
		}
		within(t, "bytes of 200 sizes", storm.bytes, 1_500_000)
	}, consoletest.Size(100, 30))
}
