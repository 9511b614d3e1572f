package journal_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// told is a history as its lines say it: seconds, what, detail, source.
func told(t testing.TB, j *journal.Journal, ref api.Reference, since time.Time) (all []string) {
	t.Helper()
	_, events, err := j.Record(t.Context(), shop, ref)
	noError(t, err)
	for _, l := range ledger.Lines(events) {
		words := fmt.Sprintf("%d %s [%s] %s", int(l.At.Sub(since).Seconds()), l.What, l.Detail, l.From)
		if l.AfterFinal {
			words += ", after final"
		}
		all = append(all, strings.TrimSpace(words))
	}
	return all
}

func TestTheHistoryOfAPaymentIsTheSameAfterARestart(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	start := c.at
	j := mustOpen(t, dir, c)
	check := func(status string) {
		t.Helper()
		c.advance(time.Second)
		noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "REF-1", status, 1250)))
	}
	check("INITIATED") // looked up before it was known to be ours
	a := unresolved(t, j, initiation(t, 1250))
	decide(t, j, a.ID, ledger.Found, "REF-1")
	check("INITIATED")
	noError(t, j.RecordChallenge(t.Context(), shop, "REF-1"))
	check("PENDING")
	check("pending") // the same in another spelling
	f := mustBegin(t, j, ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: "REF-1"})
	c.advance(time.Second)
	mustEnd(t, j, f.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "the answer was cut short"})
	check("SUCCESSFUL")
	check("Successfull")
	check("FAILED")
	want := []string{
		"1 status [INITIATED] look-up",
		"1 sent [] " + ada(),
		"1 unresolved [the answer was cut short] this console",
		"1 decided [found as REF-1] " + ada(),
		"2 customer asked to authorise [] bank's check",
		"3 status [PENDING] check",
		"4 finalize sent [] " + ada(),
		"5 finalize unresolved [the answer was cut short] this console",
		"6 status [SUCCESSFUL] check",
		"6 finalize accepted [the payment is SUCCESSFUL] check",
		"8 mismatch [the final status SUCCESSFUL was followed by FAILED] check",
		"8 status [FAILED] check, after final",
	}
	for range 2 {
		if diff := cmp.Diff(want, told(t, j, "REF-1", start)); diff != "" {
			t.Error(diff)
		}
		j.Close()
		c.advance(time.Hour)
		j = mustOpen(t, dir, c)
	}
}

func TestAFinalizeIsLostUntilSomethingShowsWhatBecameOfIt(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"", "accepted", "given up", "SUCCESSFUL", "PENDING"} {
		c := newClock()
		j := mustOpen(t, "", c)
		a := mustBegin(t, j, initiation(t, 1250))
		mustEnd(t, j, a.ID, accepted("REF-1", "PENDING"))
		c.advance(time.Second)
		f := unresolved(t, j, ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: "REF-1"})
		lost := mustAttempt(t, j, f.ID).AnsweredAt
		c.advance(2 * time.Minute)
		switch end {
		case "accepted":
			again := mustBegin(t, j, ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: "REF-1"})
			mustEnd(t, j, again.ID, ledger.Result{Outcome: ledger.Accepted})
		case "given up":
			decide(t, j, f.ID, ledger.GaveUp, "")
		case "":
		default:
			noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "REF-1", end, 1250)))
		}
		e, _, err := j.Record(t.Context(), shop, "REF-1")
		noError(t, err)
		want := time.Time{}
		if end == "" || end == "PENDING" || end == "given up" {
			want = lost
		}
		if e.Finalized {
			e.FinalizeUnresolvedAt = time.Time{} // of the one before
		}
		if !e.FinalizeUnresolvedAt.Equal(want) {
			t.Errorf("%q: lost at %v, not %v", end, e.FinalizeUnresolvedAt, want)
		}
	}
}
