package journal_test

import (
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// answer is what the status endpoint answers about REF-1.
func answer(status string, amount money.Amount) api.PaymentStatus {
	return api.PaymentStatus{Reference: "REF-1", Status: api.ParseStatus(status), Amount: amount, HasAmount: true}
}

// A status may be answered in other letter case, so a reference in it is not another payment; also where the answer to an
// unresolved attempt named it. At another service it is.
func TestAReferenceInOtherLetterCaseIsTaken(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a, b := mustBegin(t, j, initiation(t, 1250)), mustBegin(t, j, initiation(t, 990))
	mustEnd(t, j, a.ID, accepted("Ref-1", "PENDING"))
	if err := j.End(t.Context(), b.ID, accepted("rEF-1", "PENDING")); api.OutcomeOf(err) != api.OutcomeUnresolved {
		t.Error(err)
	}
	why := unavailableText(t, j.Decide(t.Context(), mustAttempt(t, j, b.ID), ledger.Found, "REF-1"))
	if want := "Attempt " + string(a.ID) + " has this reference already."; !strings.Contains(why, want) {
		t.Error(why)
	}
	told, other := mustBegin(t, j, initiation(t, 800)), mustBegin(t, j, initiation(t, 700))
	mustEnd(t, j, told.ID, ledger.Result{Outcome: ledger.Unresolved, Named: "REF-2"})
	err := j.End(t.Context(), other.ID, accepted("ref-2", "PENDING"))
	if api.OutcomeOf(err) != api.OutcomeUnresolved || !strings.Contains(err.Error(), string(told.ID)) {
		t.Error(err)
	}
	elsewhere := initiation(t, 1250)
	elsewhere.Destination = ledger.Destination{Profile: "live", Environment: "LIVE", Host: "live.example.com"}
	mustEnd(t, j, mustBegin(t, j, elsewhere).ID, accepted("Ref-1", "PENDING"))
}
