package attempt_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/attempt"
	"paydesk/screens/screentest"
)

// counted returns a generator of attempt ids, the same for each test: the title of the screen has them.
func counted() func() ledger.ID {
	n := 0
	return func() ledger.ID {
		n++
		return ledger.ID(fmt.Sprintf("k3f9q2mz%02d", n))
	}
}

// withJournal runs a test with an unresolved attempt in a journal in memory.
func withJournal(t *testing.T, test func(*testing.T, *screentest.Console, *journal.Journal, ledger.Attempt, *fakeService)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		j, err := journal.Open(t.Context(), journal.Options{Operator: ada, NewID: counted()})
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		a, err := j.Begin(t.Context(), lost(0), ledger.Payer{Email: "ada@example.com"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "The request timed out."}); err != nil {
			t.Fatal(err)
		}
		s := &fakeService{}
		c := screentest.Open(t, attempt.New(screentest.Theme, j, s, shop, a.ID, false), 80, 24)
		test(t, c, j, a, s)
		c.Leave()
	})
}

// expectDecision fails unless the journal has this decision and this reference.
func expectDecision(t *testing.T, j *journal.Journal, id ledger.ID, v ledger.Decision, r api.Reference) {
	t.Helper()
	a, err := j.Attempt(t.Context(), id)
	if err != nil || a.Decision != v || a.Reference != r {
		t.Errorf("the journal has %q as %q (%v), not %q as %q", a.Decision, a.Reference, err, v, r)
	}
	if v != ledger.Undecided && (a.DecidedBy != ada || a.DecidedAt.IsZero()) {
		t.Errorf("decided by %v at %v", a.DecidedBy, a.DecidedAt)
	}
}

// A person took "not found" for true too early. The decision is taken back, and another is made; what
// was decided before, by whom and when, is on the screen each time.
func TestADecisionIsTakenBackAndReplaced(t *testing.T) {
	withJournal(t, func(t *testing.T, c *screentest.Console, j *journal.Journal, a ledger.Attempt, s *fakeService) {
		c.Press("u").Sees("Nothing is decided that could be taken back.")
		decide(c.Wait(10*time.Minute+time.Second), "not found")
		c.Slowly("y").Sees("Recorded as never done", "u take back")
		c.Press("u").Sees("Take back what was decided?", "Until now: not found, 2000-01-01", "by ada on till-3", "unresolved again")
		c.Fits().Slowly("y").Sees("UNRESOLVED", "taken back, 2000", "Before that", "not found, 2000-01-01", "by ada on till-3")
		expectDecision(t, j, a.ID, ledger.Undecided, "")
		if left, err := j.Unfinished(t.Context(), shop); err != nil || len(left) != 1 || !left[0].IsUnresolved() {
			t.Errorf("%+v %v", left, err)
		}
		elsewhere, err := j.Attempt(t.Context(), a.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Decide(t.Context(), elsewhere, ledger.Found, "ref-1"); err != nil { // in another console
			t.Fatal(err)
		}
		c.Press("x")
		c.Slowly("y").Sees("The decision was not recorded.", "another answer or decision arrived meanwhile", "found as ref-1")
		expectDecision(t, j, a.ID, ledger.Found, "ref-1")
		c.Press("u").Sees("Until now: found as ref-1", "The payment ref-1 is then no longer this attempt's.")
		c.Slowly("y").Sees("UNRESOLVED", "found as ref-1, 2000", "not found, 2000").WaitsUntilGone("Reference     ref-1")
		c.Fits()
		expectDecision(t, j, a.ID, ledger.Undecided, "")
	})
}

// A person reads 20.00 GBP and is asked whether that is right, while the service answers 2,000.00 GBP to
// another console. What was confirmed is about an answer that nobody has read.
func TestNobodyDecidesAboutAnAnswerThatWasNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, err := journal.Open(t.Context(), journal.Options{Operator: ada})
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		a, err := j.Begin(t.Context(), lost(0), ledger.Payer{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: "ref-1"}}); err != nil {
			t.Fatal(err)
		}
		answers := func(minor int64) {
			t.Helper()
			got := api.PaymentStatus{Reference: "ref-1", Status: api.ParseStatus("SUCCESSFUL"), Amount: gbp(minor), HasAmount: true}
			if err := j.RecordTransaction(t.Context(), shop, got); err != nil {
				t.Fatal(err)
			}
		}
		answers(2000)
		c := screentest.Open(t, attempt.New(screentest.Theme, j, &fakeService{}, shop, a.ID, false), 80, 24)
		decide(c.Sees("20.00 GBP"), "answer is right").Sees("Record that the service's answer is right?")
		answers(200000)
		c.Slowly("y").Sees("The decision was not recorded.", "another answer or decision arrived meanwhile", "2,000.00 GBP").Fits()
		open, err := j.Unfinished(t.Context(), shop)
		if err != nil || len(open) != 1 || !open[0].Mismatch.Undecided() {
			t.Errorf("%+v %v", open, err)
		}
		decide(c, "answer is right").Slowly("y").Sees("Decided     answer is right")
		c.Leave()
	})
}
