package screens_test

import (
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

// costs returns what do writes.
func costs(c *consoletest.Console, do func()) cost {
	bytes, writes, before := len(c.Bytes()), c.Writes(), c.Screen()
	do()
	return cost{len(c.Bytes()) - bytes, c.Writes() - writes, changed(before, c.Screen())}
}

// changed returns how many cells differ.
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

func TestNoKeyWritesMoreThanAScreen(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		most := 0
		for _, k := range []string{"2", "enter", "esc", "?", "esc", "esc", "c", "esc", "3", "esc", "4", "esc", "f3", "esc", "n", "esc"} {
			most = max(most, costs(c, func() { c.Press(k).Wait(time.Second) }).bytes)
		}
		within(t, "bytes of the costliest key", most, 7_000)
	}, consoletest.Size(120, 40))
}

// quiet are the seconds of some minutes in which something was written, by their bytes, and how many questions
// were asked.
func quiet(c *consoletest.Console, minutes int) (all []cost, questions int) {
	asked := len(c.Wire.Gets())
	for _, second := range sorted(c, 60*minutes, func() { c.Wait(time.Second) }) {
		if second != (cost{}) {
			all = append(all, second)
		}
	}
	return all, len(c.Wire.Gets()) - asked
}

// A poll that changes nothing moves the time of the last check, and writes no other word twice, however
// long its answer takes within a second. On home the age of the payment grows, each minute.
func TestAPollThatChangedNothingWritesTheDigitsOfOneTime(t *testing.T) {
	for name, at := range map[string]func(c *consoletest.Console){
		"watch": func(c *consoletest.Console) { c.Press("s").Sees("Payment", "last checked") },
		"home":  func(c *consoletest.Console) { c.Press("esc").Sees("1 in progress", "as of") },
	} {
		t.Run(name, func(t *testing.T) {
			consoletest.Run(t, func(c *consoletest.Console) {
				pay(c, "12.50", "GBP", "challenge")
				c.Yes("Charge 12.50 GBP")
				at(c)
				c.Wire.Slow(400 * time.Millisecond)
				c.Wait(3 * time.Minute)
				before := c.Screen()
				seconds, questions := quiet(c, 10)
				if questions < 15 {
					t.Fatalf("only %d questions", questions)
				}
				ages, digits := 0, 0
				if name == "home" {
					ages, digits = 11, 1
				}
				within(t, "seconds in which something was written", len(seconds), questions+ages)
				within(t, "bytes of a poll, median", seconds[len(seconds)/2].bytes, 18)
				within(t, "bytes of a poll, most", seconds[len(seconds)-1].bytes, 20)
				within(t, "cells of ten minutes of polls", changed(before, c.Screen()), 5+digits)
			}, consoletest.Size(120, 40))
		})
	}
}

// The time that is left to pay into an account moves every second, beside the time of the last check.
func TestAWatchOfATransferWritesItsCountdownAndOneTime(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		transfer(c)
		c.Press("enter").Sees("CUSTOMER MUST PAY").Wait(3 * time.Minute)
		seconds, questions := quiet(c, 4)
		if questions < 6 {
			t.Fatalf("only %d questions", questions)
		}
		within(t, "bytes of a second, median", seconds[len(seconds)/2].bytes, 16)
		within(t, "bytes of a second with a poll, most", seconds[len(seconds)-1].bytes, 50)
	}, consoletest.Size(120, 40), consoletest.WithSandbox(manual))
}
