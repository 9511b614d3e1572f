package transactions

import (
	"context"
	"sync"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/money"
	"paydesk/screens/screentest"
)

// A madeJournal has some payments.
type madeJournal struct {
	mu    sync.Mutex
	has   map[api.Reference]ledger.Attempt
	reads int
	takes time.Duration
}

func (j *madeJournal) payment(ctx context.Context, r api.Reference) (ledger.Attempt, error) {
	j.mu.Lock()
	j.reads++
	a, is := j.has[r]
	takes := j.takes
	j.mu.Unlock()
	select {
	case <-time.After(takes):
	case <-ctx.Done():
		return ledger.Attempt{}, ctx.Err()
	}
	if !is {
		return a, ledger.ErrNotFound
	}
	return a, nil
}

func (j *madeJournal) count() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.reads
}

func madeAttempt(id, ref string, i int, status string) ledger.Attempt {
	c, _ := money.ParseCurrency(currencies[i%len(currencies)])
	return ledger.Attempt{
		ID: ledger.ID(id), Kind: ledger.Initiate, At: time.Now().Add(-time.Hour), By: ledger.Operator{User: "ada"}, Outcome: ledger.Accepted,
		Amount: money.Amount{Minor: int64(i)*4999 + 50, Currency: c}, Reference: api.Reference(ref), Status: api.ParseStatus(status), StatusAt: time.Now().Add(-time.Hour),
	}
}

func madeHere() *madeJournal {
	differs := madeAttempt("differs001", "txn_0002", 1, "PENDING")
	differs.Amount.Minor++
	return &madeJournal{has: map[api.Reference]ledger.Attempt{
		"txn_0001": madeAttempt("agrees0001", "txn_0001", 0, "SUCCESSFUL"), "txn_0002": differs, "txn_0003": madeAttempt("moved00001", "txn_0003", 2, "PENDING"),
	}}
}

func TestTheRowOfAPaymentMadeFromHereNamesItsAttempt(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l, j := listOf(1204), madeHere()
		c := screentest.Open(t, New(screentest.Theme, l, Options{Scans: listing.NewScanner(t.Context(), l), Made: j.payment}), 80, 24)
		c.Wait(time.Second).Sees("agrees0001").Golden("made-agrees").Fits()
		c.Press("down").Wait(time.Second).Sees("differs001", "differs").Golden("made-differs")
		c.Press("down").Wait(time.Second).Sees("moved00001")
		c.Press("down").Wait(time.Second).WaitsUntilGone("moved00001", "In this console")
		n := j.count()
		if c.Press("down", "down", "down", "down").Wait(time.Second); j.count() != n+1 {
			t.Errorf("%d rows were looked up after four moves", j.count()-n)
		}
		c.Press("home").Wait(time.Second).Press("enter").Sees("In this console", "agrees0001", "Amount and status agree.").Golden("made-detail").Fits()
		c.Press("esc", "space").Wait(time.Minute).Sees("agrees0001")
	})
}

func TestASuccessThatDiffersFromItsAttemptIsNotPaintedAsOne(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := madeAttempt("differs001", "txn_0001", 0, "SUCCESSFUL")
		a.Amount.Minor = 999
		l, j := listOf(1204), &madeJournal{has: map[api.Reference]ledger.Attempt{"txn_0001": a}}
		c := screentest.Open(t, New(screentest.Theme, l, Options{Scans: listing.NewScanner(t.Context(), l), Made: j.payment}), 120, 40)
		c.Wait(time.Second).Sees("▐≠ SUCCESSFUL▌", "It differs: requested 9.99 GBP").Press("enter").Sees("▐≠ SUCCESSFUL▌")
	})
}
