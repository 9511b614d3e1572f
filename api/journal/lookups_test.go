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

// The payments about which an answer differed are named, made here or looked up, at this service alone; also after a person
// decided.
func TestAllPaymentsAboutWhichAnAnswerDifferedAreNamed(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("OURS", "PENDING"))
	b := mustBegin(t, j, initiation(t, 990))
	mustEnd(t, j, b.ID, accepted("RIGHT", "PENDING"))
	elsewhere := ledger.Destination{Environment: "TEST", Host: "elsewhere.example"}
	for _, got := range []struct {
		at    ledger.Destination
		ref   string
		minor int64
	}{
		{shop, "OURS", 125000}, {shop, "RIGHT", 990}, {shop, "THEIRS", 900}, {shop, "THEIRS", 901}, {shop, "STEADY", 900}, {shop, "STEADY", 900},
		{elsewhere, "THERE", 1}, {elsewhere, "THERE", 2},
	} {
		noError(t, j.RecordTransaction(t.Context(), got.at, lookedUp(t, got.ref, "PENDING", got.minor)))
	}
	want := []api.Reference{"OURS", "THEIRS"}
	for range 2 {
		if got, err := j.Differing(t.Context(), shop); err != nil || !cmp.Equal(got, want) {
			t.Fatalf("%v, %v", got, err)
		}
		decide(t, j, a.ID, ledger.AnswerRight, "")
	}
}

// A finalize stands for a payment that was not made from here.
func TestEachPaymentThatMayHaveBeenMadeFromHereIsReadOnce(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	refused, lost := ledger.Result{Outcome: ledger.Refused, Why: "no"}, ledger.Result{Outcome: ledger.Unresolved, Why: "cut off"}
	end := func(a ledger.Attempt, r ledger.Result) {
		t.Helper()
		mustEnd(t, j, mustBegin(t, j, a).ID, r)
		c.advance(time.Hour)
	}
	finalize := func(ref api.Reference, r ledger.Result) {
		end(ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: ref}, r)
	}
	elsewhere := initiation(t, 105)
	elsewhere.Host = "other.example"
	end(initiation(t, 100), accepted("REF-1", "PENDING"))
	end(initiation(t, 101), refused)
	end(initiation(t, 103), lost)
	end(ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Draft: api.LinkDraft{Name: "mug"}}, lost)
	end(elsewhere, accepted("REF-2", "PENDING"))
	finalize("REF-1", ledger.Result{Outcome: ledger.Accepted}) // of a payment made from here
	finalize("LINK-1", lost)
	finalize("LINK-1", ledger.Result{Outcome: ledger.Accepted})
	finalize("LINK-3", refused)
	finalize("REF-2", ledger.Result{Outcome: ledger.Accepted}) // at another service that was a payment from here
	var got []string
	noError(t, j.EachPayment(t.Context(), shop, func(some []journal.PaymentRecord) error {
		for _, a := range some {
			got = append(got, fmt.Sprint(a.Kind, " ", a.Outcome, " ", a.Reference, " ", a.Amount.Minor))
		}
		return nil
	}))
	want := []string{"initiate accepted REF-1 100", "initiate unresolved  103", "finalize accepted LINK-1 0", "finalize accepted REF-2 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
