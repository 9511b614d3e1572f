package transactions

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"paydesk/api"
)

func (l *fakeLister) Differing(context.Context) ([]api.Reference, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.AppendSeq(slices.Clone(l.differing), maps.Keys(l.known)), l.unread
}

// What an answer differed about is never among what was paid, whatever its status in the list, and what cannot be summed is counted apart.
func TestTotalsSumOnlyWhatWasPaidAndCanBeRead(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) {
			p := honestPage(5, page, per)
			for i := range 3 {
				p.Rows[i] = rowOf(fmt.Sprintf("txn_%04d", i+1), 1000, "GBP", "SUCCESSFUL")
			}
			p.Rows[3] = rowOf("b", 1000, "XQX", "FAILED")
			p.Rows[4] = api.Transaction{ID: api.Clean("c"), Raw: api.Clean("12.5"), Currency: api.Clean("GBP"), Status: api.ParseStatus("\x1b[32mSUCCESSFUL")}
			return p, nil
		}, differing: []api.Reference{"txn_0002"}}
		c := browse80(t, l).settle()
		c.Press("t").Wait(time.Second).Sees(`"XQX"`, "not summed", "GBP")
		c.Press("right").Sees("SUCCESSFUL", "2", "20.00", "≠ MISMATCH", "1", "10.00", "All GBP", "30.00", "1 row without an amount that can be read: not in the sums.")
		c.Press("esc").WaitsUntilGone("Totals of")
	})
}
