package journal_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// answer is what the status endpoint answers about REF-1.
func answer(status string, amount money.Amount) api.PaymentStatus {
	return api.PaymentStatus{Reference: "REF-1", Status: api.ParseStatus(status), Amount: amount, HasAmount: true}
}

// openIDs are the IDs of what needs attention.
func openIDs(t *testing.T, j *journal.Journal) (ids []ledger.ID) {
	t.Helper()
	open, err := j.Unfinished(t.Context(), shop)
	noError(t, err)
	for _, a := range open {
		ids = append(ids, a.ID)
	}
	return ids
}

func TestAnAnswerAboutAnotherPaymentIsNotBelieved(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		named string
		state api.State
		what  api.Aspects
	}{
		"another":         {"OTHER", api.Pending, api.ReferenceDiffers},
		"our own":         {"OWN1", api.Successful, 0},
		"the same":        {"REF-1", api.Successful, 0},
		"in another case": {"ref-1", api.Pending, api.ReferenceDiffers},
	} {
		t.Run(name, func(t *testing.T) {
			j := mustOpen(t, "", newClock())
			in := initiation(t, 1250)
			in.OwnReference = "OWN1"
			a := mustBegin(t, j, in)
			mustEnd(t, j, a.ID, accepted("REF-1", "PENDING"))
			got := answer("SUCCESSFUL", pounds(t, 1250))
			got.OtherReference = api.CleanASCII(test.named)
			noError(t, j.RecordTransaction(t.Context(), shop, got))
			b := mustAttempt(t, j, a.ID)
			if b.Status.State != test.state || b.Mismatch.What != test.what || len(openIDs(t, j)) > 1 {
				t.Errorf("%v, %+v", b.Status, b.Mismatch)
			}
			if test.what != 0 && b.Mismatch.Reference.Line(0) != test.named {
				t.Errorf("both references: %+v", b.Mismatch)
			}
		})
	}
}

func TestFeesThatWereStatedAreNoMismatchInALaterRun(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	j := mustOpen(t, dir, c)
	a := mustBegin(t, j, initiation(t, 1250))
	done := accepted("REF-1", "INITIATED")
	done.Payment.Fees = pounds(t, 19)
	mustEnd(t, j, a.ID, done)
	j.Close()
	j = mustOpen(t, dir, c)
	noError(t, j.RecordTransaction(t.Context(), shop, answer("SUCCESSFUL", pounds(t, 1269))))
	if got := mustAttempt(t, j, a.ID); !got.Mismatch.IsZero() || got.Fees != 19 || len(openIDs(t, j)) != 0 {
		t.Errorf("%+v", got)
	}
}

// A status may be answered in other letter case, so a reference in it is not another payment.
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
}

func TestAnotherServiceMayHaveTheSameReference(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, initiation(t, 1250))
	elsewhere := initiation(t, 1250)
	elsewhere.Destination = ledger.Destination{Profile: "live", Environment: "LIVE", Host: "live.example.com"}
	b := mustBegin(t, j, elsewhere)
	mustEnd(t, j, a.ID, accepted("REF-1", "PENDING"))
	mustEnd(t, j, b.ID, accepted("REF-1", "PENDING"))
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

// What was charged is not known while a mismatch is undecided: neither a failure nor age releases the
// guard, and another customer is asked about as well, as after an unresolved attempt.
func TestAMismatchHoldsTheSamePaymentBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answers  []api.PaymentStatus
		decision ledger.Decision
		later    time.Duration
		want     bool
	}{
		"failed, then successful":         {[]api.PaymentStatus{answer("FAILED", pounds(t, 1250)), answer("SUCCESSFUL", pounds(t, 1250))}, "", 0, true},
		"failed, for another amount":      {[]api.PaymentStatus{answer("FAILED", pounds(t, 125000))}, "", 0, true},
		"after a day":                     {[]api.PaymentStatus{answer("FAILED", pounds(t, 125000))}, "", 24 * time.Hour, true},
		"successful, after a day":         {[]api.PaymentStatus{answer("SUCCESSFUL", pounds(t, 125000))}, "", 24 * time.Hour, true},
		"failed, and not ours":            {[]api.PaymentStatus{answer("FAILED", pounds(t, 125000))}, ledger.NotOurs, 0, true},
		"not ours, after a day":           {[]api.PaymentStatus{answer("FAILED", pounds(t, 125000))}, ledger.NotOurs, 24 * time.Hour, true},
		"decided, after a day":            {[]api.PaymentStatus{answer("FAILED", pounds(t, 125000))}, ledger.AnswerRight, 24 * time.Hour, false},
		"decided and not, after a day":    {[]api.PaymentStatus{answer("FAILED", pounds(t, 125000))}, ledger.AskAgain, 24 * time.Hour, true},
		"a failure that nothing disputes": {[]api.PaymentStatus{answer("FAILED", pounds(t, 1250))}, "", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClock()
			j := mustOpen(t, "", c)
			a := mustBegin(t, j, initiation(t, 1250))
			mustEnd(t, j, a.ID, accepted("REF-1", "INITIATED"))
			for _, got := range test.answers {
				noError(t, j.RecordTransaction(t.Context(), shop, got))
			}
			if test.decision != "" {
				noError(t, j.Decide(t.Context(), mustAttempt(t, j, a.ID), test.decision, ""))
			}
			c.advance(test.later)
			if _, err := j.Begin(t.Context(), initiation(t, 1250), ledger.Payer{}, nil); isDuplicate(err) != test.want {
				t.Errorf("the same again: %v", err)
			}
		})
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

// The answer to an unresolved attempt may have named its payment.
func TestAReferenceThatAnUnresolvedAttemptWasToldIsTaken(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a, b := mustBegin(t, j, initiation(t, 1250)), mustBegin(t, j, initiation(t, 990))
	mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Unresolved, Named: "REF-1"})
	err := j.End(t.Context(), b.ID, accepted("REF-1", "PENDING"))
	if api.OutcomeOf(err) != api.OutcomeUnresolved || !strings.Contains(err.Error(), string(a.ID)) {
		t.Error(err)
	}
	noError(t, j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.Found, "REF-1"))
}
