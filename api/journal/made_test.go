package journal_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// in is an initiation of an amount of another currency.
func in(t testing.TB, code string, minor int64) ledger.Attempt {
	t.Helper()
	c, err := money.ParseCurrency(code)
	noError(t, err)
	a := initiation(t, 0)
	a.Amount = money.Amount{Minor: minor, Currency: c}
	return a
}

// madeText formats what was made in a day, each currency on a line.
func madeText(t testing.TB, j *journal.Journal, from time.Time) (all []string) {
	t.Helper()
	made, err := j.Made(t.Context(), shop, from, from.AddDate(0, 0, 1))
	noError(t, err)
	for _, m := range made {
		line := fmt.Sprintf("%s %d made", m.Currency.Code(), m.Payments())
		for _, s := range []struct {
			name string
			journal.Sum
		}{{"secured", m.Secured}, {"failed", m.Failed}, {"open", m.Open}, {"mismatched", m.Mismatched}, {"unresolved", m.Unresolved}} {
			if s.Payments > 0 {
				line += fmt.Sprintf(", %d %s %s", s.Payments, s.name, money.Amount{Minor: s.Minor, Currency: m.Currency})
			}
		}
		all = append(all, line)
	}
	return all
}

func TestWhatWasMadeInADayIsCountedByCurrencyAndByHowItStands(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	today := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	n := 0
	make := func(a ledger.Attempt, status string) api.Reference {
		t.Helper()
		n++
		ref := fmt.Sprintf("REF%d", n)
		a = mustBegin(t, j, a)
		mustEnd(t, j, a.ID, accepted(ref, "PENDING"))
		noError(t, j.RecordTransaction(t.Context(), a.Destination, api.PaymentStatus{Reference: api.Reference(ref), Status: api.ParseStatus(status)}))
		c.advance(time.Second)
		return api.Reference(ref)
	}
	c.at = today.Add(-time.Second)
	make(initiation(t, 1), "SUCCESSFUL") // yesterday
	c.at = today
	make(initiation(t, 1250), "SUCCESSFUL")
	make(initiation(t, 119200), "Successfull")
	make(initiation(t, 7525), "FAILED")
	make(initiation(t, 31000), "PENDING")
	make(initiation(t, 31001), "SUCCESSFULLY") // a word of its own
	make(in(t, "NGN", 250000), "SUCCESSFUL")
	make(in(t, "KWD", 13235), "SUCCESSFUL")

	differs := make(initiation(t, 2000), "PENDING")
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, string(differs), "SUCCESSFUL", 200000)))
	lost := mustBegin(t, j, initiation(t, 4000))
	mustEnd(t, j, lost.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "cut off"})
	mustBegin(t, j, initiation(t, 4100)) // not answered yet
	for i, end := range []ledger.Outcome{ledger.Refused, ledger.NotSent} {
		a := mustBegin(t, j, initiation(t, 6000+int64(i)))
		mustEnd(t, j, a.ID, ledger.Result{Outcome: end, Why: "no"})
	}
	want := []string{
		"GBP 8 made, 2 secured 1,204.50 GBP, 1 failed 75.25 GBP, 2 open 620.01 GBP, 1 mismatched 20.00 GBP, 2 unresolved 81.00 GBP",
		"KWD 1 made, 1 secured 13.235 KWD", "NGN 1 made, 1 secured 2,500.00 NGN",
	}
	if diff := cmp.Diff(want, madeText(t, j, today)); diff != "" {
		t.Error(diff)
	}

	c.advance(time.Hour)
	noError(t, j.Decide(t.Context(), mustAttempt(t, j, lost.ID), ledger.NotFound, ""))
	noError(t, j.Decide(t.Context(), must(j.Payment(t.Context(), shop, differs)), ledger.AnswerRight, ""))
	if got := madeText(t, j, today)[0]; got != "GBP 7 made, 2 secured 1,204.50 GBP, 1 failed 75.25 GBP, 2 open 620.01 GBP, 1 mismatched 20.00 GBP, 1 unresolved 41.00 GBP" {
		t.Errorf("an answer that was found right is counted as %s", got)
	}
}

// No float and no overflow: a sum that does not fit is no sum.
func TestASumOfWhatWasMadeIsExactOrNone(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	sum := func() ([]journal.Made, error) {
		return j.Made(t.Context(), shop, c.at.Add(-time.Hour), c.at.Add(time.Hour))
	}
	make := func(ref string, minor int64) {
		a := mustBegin(t, j, initiation(t, minor))
		mustEnd(t, j, a.ID, accepted(ref, "PENDING"))
	}
	make("A", 1<<53+1)
	make("B", math.MaxInt64-1<<53-1)
	if got := must(sum()); got[0].Open.Minor != math.MaxInt64 {
		t.Errorf("%+v", got)
	}
	make("C", 1)
	if got, err := sum(); !errors.Is(err, money.ErrTooLarge) {
		t.Errorf("%+v, %v", got, err)
	}
}
