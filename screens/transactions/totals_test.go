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

func TestTotalsOfThePageAreAViewOfTheirOwn(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, account(100)).settle()
		c.Press("t").Wait(time.Second).Sees("Totals of ", " read").Golden("totals-80x24")
		c.Press("right", "right").Golden("totals-ngn-80x24").Press("esc").WaitsUntilGone("Totals of")
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
