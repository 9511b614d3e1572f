package journal_test

import (
	"testing"

	"paydesk/api"
	"paydesk/api/ledger"
)

// It was found as a payment that is another's. Taken back, that payment is not this attempt's.
func TestWhatWasFoundIsForgottenWithTheDecision(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	a, other := unresolved(t, j, initiation(t, 1250)), unresolved(t, j, initiation(t, 1300))
	decide(t, j, a.ID, ledger.Found, "REF-1")
	noError(t, j.RecordChallenge(t.Context(), shop, "REF-1"))
	noError(t, j.CustomerDone(t.Context(), shop, "REF-1"))
	f := mustBegin(t, j, finalizeOne)
	mustEnd(t, j, f.ID, ledger.Result{Outcome: ledger.Accepted})
	noError(t, j.RecordStatus(t.Context(), shop, "REF-1", api.ParseStatus("SUCCESSFUL")))
	decide(t, j, a.ID, ledger.Undecided, "")
	got := mustAttempt(t, j, a.ID)
	if got.Reference != "" || !got.StatusAt.IsZero() || got.Status.State.Final() || got.Finalized || got.CustomerDone || got.Challenged || !got.IsUnresolved() {
		t.Errorf("%+v", got)
	}
	if _, err := j.Payment(t.Context(), shop, "REF-1"); err != ledger.ErrNotFound {
		t.Error(err)
	}
	decide(t, j, other.ID, ledger.Found, "REF-1")
	if p, err := j.Payment(t.Context(), shop, "REF-1"); err != nil || p.ID != other.ID || !p.Finalized {
		t.Errorf("%+v %v", p, err)
	}
	unavailableText(t, j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.Found, "REF-1"))
	if events := timeline(t, j, a.ID, c.at); len(events) < 6 {
		t.Errorf("events were lost: %q", events)
	}
}
