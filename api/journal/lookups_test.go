package journal_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// lookedUp is an answer about a payment of the status endpoint.
func lookedUp(t testing.TB, ref, status string, minor int64) api.PaymentStatus {
	return api.PaymentStatus{Reference: api.Reference(ref), Status: api.ParseStatus(status), Amount: pounds(t, minor), HasAmount: true}
}

// lookups formats what was looked up, with seconds since a time.
func lookups(t testing.TB, j *journal.Journal, d ledger.Destination, since time.Time) (all []string) {
	t.Helper()
	found, err := madeElsewhere(t, j, d, 10)
	noError(t, err)
	for _, l := range found {
		all = append(all, fmt.Sprintf("%s %s %s, %v to %v by %s", l.Reference, l.Status.State, l.Amount,
			l.At.Sub(since).Seconds(), l.AnsweredAt.Sub(since).Seconds(), l.By.User))
	}
	return all
}

func TestAPaymentThatWasLookedUpStaysKnown(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	start := c.at
	j := mustOpen(t, dir, c)
	look := func(d ledger.Destination, got api.PaymentStatus) {
		t.Helper()
		c.advance(time.Second)
		noError(t, j.RecordTransaction(t.Context(), d, got))
	}
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("OURS", "PENDING"))
	look(shop, lookedUp(t, "OURS", "PENDING", 1250))
	look(shop, lookedUp(t, "THEIRS", "PENDING", 900))
	look(shop, lookedUp(t, "OTHER", "FAILED", 700))
	look(shop, lookedUp(t, "THEIRS", "SUCCESSFUL", 900))
	look(shop, lookedUp(t, "THEIRS", "PENDING", 900)) // a final status stays
	look(shop, lookedUp(t, typedPAN, "PENDING", 900)) // it may be a card number
	look(ledger.Destination{Environment: "TEST", Host: "elsewhere.example"}, lookedUp(t, "ELSEWHERE", "PENDING", 900))
	j.Close()
	j = mustOpen(t, dir, c)
	want := []string{"THEIRS SUCCESSFUL 9.00 GBP, 2 to 5 by ada", "OTHER FAILED 7.00 GBP, 3 to 3 by ada"}
	if diff := cmp.Diff(want, lookups(t, j, shop, start)); diff != "" {
		t.Error(diff)
	}
	if found, err := madeElsewhere(t, j, shop, 1); err != nil || len(found) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

// The answer to an initiation may arrive after somebody looked the payment up, whose final status stays; one that was
// received in part is asked about again instead.
func TestAFinalStatusThatWasLookedUpBeforeTheAnswerStays(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	sent, lost, part := mustBegin(t, j, initiation(t, 1250)), mustBegin(t, j, initiation(t, 900)), mustBegin(t, j, initiation(t, 800))
	short := lookedUp(t, "PART", "SUCCESSFUL", 800)
	short.Received = pounds(t, 500)
	noError(t, j.RecordTransaction(t.Context(), shop, short))
	mustEnd(t, j, part.ID, accepted("PART", "PENDING"))
	if got := mustAttempt(t, j, part.ID); got.Status.State != api.Pending || !got.UnderWay() {
		t.Errorf("%+v", got)
	}
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "OURS", "SUCCESSFUL", 1250)))
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "LOST", "SUCCESSFUL", 900)))
	mustEnd(t, j, sent.ID, accepted("OURS", "PENDING"))
	mustEnd(t, j, lost.ID, ledger.Result{Outcome: ledger.Unresolved})
	noError(t, j.Decide(t.Context(), mustAttempt(t, j, lost.ID), ledger.Found, "LOST"))
	for _, a := range []ledger.Attempt{sent, lost} {
		if got := mustAttempt(t, j, a.ID); got.Status.State != api.Successful || !got.Mismatch.IsZero() {
			t.Errorf("%+v", got)
		}
	}
}

// madeElsewhere are the payments that were made elsewhere, of those that are recent.
func madeElsewhere(t testing.TB, j *journal.Journal, d ledger.Destination, n int) ([]ledger.Entry, error) {
	all, err := j.Recent(t.Context(), d, n)
	return slices.DeleteFunc(all, func(e ledger.Entry) bool { return e.Kind != ledger.Known }), err
}
