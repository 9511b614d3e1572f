package listing_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/listing"
)

// Two accounts can share an address. What was paid with the key of one is not missing from the list of the other.
func TestAPaymentMadeWithAnotherKeyIsNotMissing(t *testing.T) {
	ours := madeHere("ours", "R1", 1250, "GBP", "SUCCESSFUL")
	theirs, kept, lost, named := madeHere("theirs", "R2", 700, "GBP", "PENDING"), madeHere("kept", "R3", 800, "GBP", "FAILED"), lostHere("lost", 900, "GBP"), lostHere("named", 950, "GBP")
	named.Named = "R9"
	for _, p := range []*journal.PaymentRecord{&theirs, &kept, &lost, &named} {
		p.OtherKey = true
	}
	r1, r3 := rowOf("R1", 1250, "GBP", "SUCCESSFUL"), rowOf("R3", 801, "GBP", "FAILED") // the key of one account was replaced
	r := reconciled(wholeList(r1, r3, rowOf("X", 900, "GBP", "FAILED")), ours, theirs, kept, lost, named)
	if diff := cmp.Diff("kept differs, row 1: requested 8.00 GBP, but the service reports 8.01 GBP", caseWords(r)); diff != "" {
		t.Error(diff)
	}
	if r.OtherKey != 3 || r.Payments != 2 || r.References != 2 || r.Joined != 2 {
		t.Errorf("%d made with another key, %d payments, %d references, %d joined", r.OtherKey, r.Payments, r.References, r.Joined)
	}
	r = reconciled(wholeList(rowOf("R9", 950, "GBP", "FAILED")), ours, named)
	if diff := cmp.Diff("named found, row 0\nours no row, 0 could be it", caseWords(r)); diff != "" || r.OtherKey != 0 {
		t.Error(diff, r.OtherKey)
	}
	r = reconciled(wholeList(rowOf("X", 700, "GBP", "PENDING")), theirs)
	if _, known := r.AreReferences(); len(r.Cases) != 0 || r.Count(listing.NoRow) != 0 || known {
		t.Errorf("of another key's payments it says %q", caseWords(r))
	}
}

// A payment that the service may have made after reading began need not be in the rows.
func TestAPaymentThatWasStillBeingSentWhenReadingBeganIsNotMissing(t *testing.T) {
	sent := readAt.Add(-30 * time.Second)
	other, otherRow := madeHere("z", "R9", 700, "JPY", "FAILED"), rowOf("R9", 700, "JPY", "FAILED")
	for name, test := range map[string]struct {
		p     journal.PaymentRecord
		sent  time.Time
		took  time.Duration
		later int
		want  string
	}{
		"accepted before":      {madeHere("a", "R1", 1250, "GBP", "PENDING"), sent, 29 * time.Second, 0, "a absent, 0 could be it"},
		"accepted as it began": {madeHere("a", "R1", 1250, "GBP", "PENDING"), sent, 30 * time.Second, 1, ""},
		"accepted after":       {madeHere("a", "R1", 1250, "GBP", "PENDING"), sent, 80 * time.Second, 1, ""},
		"the clock was set":    {madeHere("a", "R1", 1250, "GBP", "PENDING"), readAt.Add(time.Second), -time.Hour, 1, ""},
		"lost just before":     {lostHere("a", 1250, "GBP"), sent, time.Second, 1, ""},
		"lost long before":     {lostHere("a", 1250, "GBP"), readAt.Add(-101 * time.Second), time.Second, 0, "a in doubt, 0 could be it"},
	} {
		t.Run(name, func(t *testing.T) {
			test.p.At, test.p.AnsweredAt = test.sent, test.sent.Add(test.took)
			r := reconciled(wholeList(otherRow), test.p, other)
			if diff := cmp.Diff(test.want, caseWords(r)); diff != "" || r.Later != test.later {
				t.Errorf("%d later: %s", r.Later, diff)
			}
		})
	}
}

// The row of a payment can say what was asked for although another answer about it did not.
func TestAPaymentWithAnOpenMismatchDoesNotAgree(t *testing.T) {
	for decision, want := range map[journal.Decision]string{journal.Undecided: "a differs, row 0", journal.AnswerRight: ""} {
		p := madeHere("a", "R1", 1250, "GBP", "SUCCESSFUL")
		p.Differed, p.MismatchDecision = api.AmountDiffers, decision
		if got := caseWords(reconciled(wholeList(rowOf("R1", 1250, "GBP", "SUCCESSFUL")), p)); got != want {
			t.Errorf("decided %q: %q, want %q", decision, got, want)
		}
	}
}

// A scan may go on while what it has read so far is compared.
func TestRowsThatWereReadSinceAreNotCompared(t *testing.T) {
	st := wholeList(rowOf("R9", 700, "JPY", "FAILED"), rowOf("R1", 1250, "GBP", "FAILED"))
	st.Phase, st.Read = listing.Paused, 1
	r := reconciled(st, madeHere("a", "R1", 1250, "GBP", "SUCCESSFUL"), madeHere("z", "R9", 700, "JPY", "FAILED"))
	if diff := cmp.Diff("a not seen, 0 could be it", caseWords(r)); diff != "" || r.Joined != 1 {
		t.Error(diff, r.Joined)
	}
}

func TestLookingForCandidatesEndsWithItsContext(t *testing.T) {
	p := madeHere("a", "R1", 1250, "GBP", "SUCCESSFUL")
	var all []api.Row
	for i := range 20_000 {
		all = append(all, rowOf(fmt.Sprint("x", i), 1, "GBP", "FAILED"))
	}
	r := reconciled(wholeList(append(all, rowOf("x", 1250, "GBP", "SUCCESSFUL"))...), p)
	if got := r.CandidatesOf(t.Context(), p, 9); len(got) != 1 || got[0] != 20_000 {
		t.Errorf("found %v", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := r.CandidatesOf(ctx, p, 9); len(got) != 0 {
		t.Errorf("found %v after nobody waited for it", got)
	}
}
