package transactions

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
)

func (l *fakeLister) Differing(context.Context) ([]api.Reference, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.AppendSeq(slices.Clone(l.differing), maps.Keys(l.known)), l.unread
}

// account is a list like that of an account: amounts from pence to thousands, most of them paid.
func account(n int) *fakeLister {
	l := &fakeLister{}
	l.answer = func(page, per int) (api.Page, error) {
		p := honestPage(n, page, per)
		for k := range p.Rows {
			i := (page-1)*per + k
			word := [...]string{"SUCCESSFUL", "SUCCESSFUL", "FAILED", "Successfull", "PENDING", "SUCCESSFUL", "INITIATED", "InProgress"}[i*7%11%8]
			code := [...]string{"GBP", "GBP", "NGN", "GBP", "KWD", "GBP", "JPY", "XQX"}[i%8]
			p.Rows[k] = rowOf(fmt.Sprintf("txn_%04d", i+1), int64(i*i*137+i*4_999)%2_000_000+45, code, word)
		}
		return p, nil
	}
	return l
}

func TestTotalsOfThePageAreAViewOfTheirOwnOrBesideTheList(t *testing.T) {
	for name, size := range map[string][2]int{"80x24": {78, 20}, "120x40": {118, 36}} {
		inBubble(t, func(t *testing.T) {
			c := browse(t, account(100), size[0], size[1]).settle()
			c.Press("t").Wait(time.Second).Sees("Totals of ", " read").Golden("totals-" + name)
			for range 2 {
				if size[0] < 110 {
					c.Press("right")
				} else {
					c.Press("t")
				}
			}
			c.Golden("totals-ngn-" + name)
			c.Press("esc").WaitsUntilGone("Totals of")
		})
	}
}

func TestTotalsFollowTheSearchAndSayOfWhat(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, account(40)).settle()
		c.Press("/").Type("failed").Press("enter", "t").Wait(time.Second)
		c.Sees("found in 40 read").WaitsUntilGone("SUCCESSFUL")
		c.Press("t").Sees("“failed”").WaitsUntilGone("Totals of")
	})
}

// What an answer differed about is never among what was paid, whatever its status in the list.
func TestAMismatchIsNotUnderSuccessInTheTotals(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) {
			p := honestPage(3, page, per)
			for i := range p.Rows {
				p.Rows[i] = rowOf(fmt.Sprintf("txn_%04d", i+1), 1000, "GBP", "SUCCESSFUL")
			}
			return p, nil
		}, differing: []api.Reference{"txn_0002"}}
		c := browse80(t, l).settle()
		c.Press("t").Wait(time.Second).Sees("SUCCESSFUL", "2", "20.00", "≠ MISMATCH", "1", "10.00", "33.3 %", "All GBP", "30.00")
	})
}

func TestTotalsCountWhatCannotBeSummedApart(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) {
			p := honestPage(3, page, per)
			p.Rows[0] = rowOf("a", 1000, "GBP", "FAILED")
			p.Rows[1] = rowOf("b", 1000, "XQX", "FAILED")
			p.Rows[2] = api.Transaction{ID: api.Clean("c"), Raw: api.Clean("12.5"), Currency: api.Clean("GBP"), Status: api.ParseStatus("\x1b[32mSUCCESSFUL")}
			return p, nil
		}}
		c := browse80(t, l).settle()
		c.Press("t").Wait(time.Second).Sees(`"XQX"`, "not summed", "GBP").WaitsUntilGone("✓ SUCCESSFUL")
		c.Press("right").Sees("1 row without an amount that can be read: not in the sums.", "10.00")
		if strings.Contains(c.Screen(), "\x1b") {
			t.Error("a raw word")
		}
	})
}

func TestTotalsOfNothing(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, listOf(0)).settle()
		c.Press("t").WaitsUntilGone("Totals")
		c = browse80(t, listOf(1)).settle()
		c.Press("t").Wait(time.Second).Sees("Totals of 1 row read", "100.0 %", "0.50").WaitsUntilGone("all currencies")
	})
}

// Totals of rows that may not be the whole list say so, as their file does.
func TestTotalsOfAListThatChangedSaySo(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c, _ := exporting(t, growing(1204), 80, 24)
		c.Press("space").Wait(time.Minute).Press("t").Wait(time.Second).Sees("Totals of 1,2", "▲ The list changed while it was read: rows may be missing")
	})
}

// Where the lines do not all fit, the totals say so at any length of their title.
func TestTotalsThatDoNotFitSaySoInASmallWindow(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := account(120_000)
		l.respond(l.answer, time.Second)
		c, _ := exporting(t, l, 60, 18)
		c.Press("space").Wait(4500*time.Millisecond).Press("t").Wait(time.Second).Sees("read so far, of 120,000", "lines 1–").Fits()
	})
}
