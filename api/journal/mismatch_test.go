package journal_test

import (
	"errors"
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

func TestASecondLinkWithTheAliasOfTheFirstIsUnresolved(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	made := ledger.Result{Outcome: ledger.Accepted, Link: &api.Link{Alias: "0-abc", Name: api.Clean("Dues")}}
	a := mustBegin(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: pounds(t, 700)})
	b := mustBegin(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: pounds(t, 800)})
	mustEnd(t, j, a.ID, made)
	if err := j.End(t.Context(), b.ID, made); !errors.Is(err, api.ErrUnresolved) {
		t.Fatal(err)
	}
	if got := mustAttempt(t, j, b.ID); !got.IsUnresolved() || got.Named != "0-abc" || got.CreatedLink != nil {
		t.Errorf("%+v", got)
	}
	links, err := j.Links(t.Context(), shop)
	if err != nil || len(links) != 1 || links[0].ID != a.ID {
		t.Errorf("%+v %v", links, err)
	}
}

// The same answer again needs no other decision; another one does.
func TestOnlyAnotherAnswerChangesAMismatch(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("REF-1", "INITIATED"))
	noError(t, j.RecordTransaction(t.Context(), shop, answer("PENDING", pounds(t, 125000))))
	noError(t, j.RecordTransaction(t.Context(), shop, api.PaymentStatus{Reference: "REF-1", Status: api.ParseStatus("PENDING")}))
	if m := mustAttempt(t, j, a.ID).Mismatch; !m.AgreesAt.IsZero() || strings.Contains(strings.Join(timeline(t, j, a.ID, c.at), "\n"), "answer agrees") {
		t.Errorf("an answer without an amount agrees: %+v", m)
	}
	decide(t, j, a.ID, ledger.AnswerRight, "")
	for _, minor := range []int64{125000, 1251} {
		noError(t, j.RecordTransaction(t.Context(), shop, answer("PENDING", pounds(t, minor))))
		if m := mustAttempt(t, j, a.ID).Mismatch; m.Undecided() != (minor == 1251) {
			t.Errorf("after the answer %d: %+v", minor, m)
		}
	}
}
