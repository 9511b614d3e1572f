package journal_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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

func TestAMismatchIsKeptUntilAPersonDecides(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	j := mustOpen(t, dir, c)
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("REF-1", "INITIATED"))
	c.advance(time.Second)
	seen := c.at
	noError(t, j.RecordTransaction(t.Context(), shop, answer("SUCCESSFUL", pounds(t, 125000))))
	j.Close()
	c.advance(time.Hour)

	j = mustOpen(t, dir, c)
	got := mustAttempt(t, j, a.ID)
	m := got.Mismatch
	if !m.Undecided() || m.What != api.AmountDiffers || m.Answered != pounds(t, 125000) || got.Amount != pounds(t, 1250) || !m.At.Equal(seen) {
		t.Fatalf("both values and when: %+v", m)
	}
	if got.Status.State != api.Successful || !slices.Equal(openIDs(t, j), []ledger.ID{a.ID}) {
		t.Errorf("it is final, and still needs attention: %+v %v", got.Status, openIDs(t, j))
	}
	// A later answer that agrees is noted, and changes nothing else.
	noError(t, j.RecordTransaction(t.Context(), shop, answer("SUCCESSFUL", pounds(t, 1250))))
	noError(t, j.RecordTransaction(t.Context(), shop, answer("SUCCESSFUL", pounds(t, 1250))))
	if m := mustAttempt(t, j, a.ID).Mismatch; !m.Undecided() || m.Answered != pounds(t, 125000) || !m.AgreesAt.Equal(c.at) {
		t.Errorf("after an answer that agrees: %+v", m)
	}
	lines := strings.Join(timeline(t, j, a.ID, seen), "\n")
	for _, want := range []string{
		"0 mismatch [requested 12.50 GBP, but the service reports 1,250.00 GBP: 100 times too large] status",
		"3600 answer agrees [12.50 GBP] status",
	} {
		if strings.Count(lines, want) != 1 {
			t.Errorf("%q is not once in\n%s", want, lines)
		}
	}
	if s, err := j.Purge(t.Context(), c.at.Add(time.Hour)); err != nil || s.Attempts != 0 || s.Kept != 1 {
		t.Errorf("it was purged: %+v %v", s, err)
	}
	for _, v := range []struct {
		decision ledger.Decision
		open     int
	}{{ledger.AnswerRight, 0}, {ledger.AskAgain, 1}, {ledger.NotOurs, 0}} {
		noError(t, j.Decide(t.Context(), mustAttempt(t, j, a.ID), v.decision, ""))
		if m := mustAttempt(t, j, a.ID).Mismatch; m.Undecided() != (v.open == 1) || m.DecidedBy.User != "ada" || len(openIDs(t, j)) != v.open {
			t.Errorf("%s: %+v, %v", v.decision, m, openIDs(t, j))
		}
	}
	// The same answer again needs no other decision; another one does.
	noError(t, j.RecordTransaction(t.Context(), shop, answer("SUCCESSFUL", pounds(t, 125000))))
	if len(openIDs(t, j)) != 0 {
		t.Error("what was decided is undecided again")
	}
	noError(t, j.RecordTransaction(t.Context(), shop, answer("SUCCESSFUL", pounds(t, 1251))))
	if m := mustAttempt(t, j, a.ID).Mismatch; !m.Undecided() || m.Answered != pounds(t, 1251) {
		t.Errorf("another answer: %+v", m)
	}
}

func TestOnlyAMismatchHasADecisionAboutOne(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("REF-1", "PENDING"))
	if why := unavailableText(t, j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.AnswerRight, "")); !strings.Contains(why, "nothing to decide") {
		t.Error(why)
	}
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

func TestAnInitiationForAnotherAmountIsAMismatchAtTheNextStart(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	j := mustOpen(t, dir, c)
	a := mustBegin(t, j, initiation(t, 1250))
	done := accepted("REF-1", "INITIATED")
	done.Payment.Difference = api.Difference{What: api.AmountDiffers, Answered: pounds(t, 2000)}
	mustEnd(t, j, a.ID, done)
	j.Close()
	j = mustOpen(t, dir, c)
	if m := mustAttempt(t, j, a.ID).Mismatch; !m.Undecided() || m.Answered != pounds(t, 2000) {
		t.Errorf("%+v", m)
	}
	if open := openIDs(t, j); len(open) != 1 {
		t.Errorf("it is listed %d times", len(open))
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

func TestAContradictionOfAFinalStatusIsKept(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	j := mustOpen(t, dir, c)
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("REF-1", "PENDING"))
	noError(t, j.RecordTransaction(t.Context(), shop, answer("SUCCESSFUL", pounds(t, 1250))))
	noError(t, j.RecordTransaction(t.Context(), shop, answer("FAILED", pounds(t, 1250))))
	j.Close()
	j = mustOpen(t, dir, c)
	got := mustAttempt(t, j, a.ID)
	if got.Status.State != api.Successful || got.Mismatch.What != api.StatusDiffers || got.Mismatch.Status.Line(0) != "FAILED" || len(openIDs(t, j)) != 1 {
		t.Errorf("%+v", got)
	}
}

// One reference is one payment, in one console, across consoles and across runs.
func TestASecondPaymentWithTheReferenceOfTheFirstIsUnresolved(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	first, second := mustOpen(t, dir, c), mustOpen(t, dir, c)
	a, b := mustBegin(t, first, initiation(t, 1250)), mustBegin(t, second, initiation(t, 990))
	mustEnd(t, first, a.ID, accepted("REF-1", "PENDING"))
	noError(t, first.RecordTransaction(t.Context(), shop, answer("SUCCESSFUL", pounds(t, 1250))))
	err := second.End(t.Context(), b.ID, accepted("REF-1", "INITIATED"))
	var u *api.Unresolved
	if !errors.As(err, &u) || api.OutcomeOf(err) != api.OutcomeUnresolved || !strings.Contains(err.Error(), string(a.ID)) {
		t.Fatalf("the error is %v", err)
	}
	second.Close()
	second = mustOpen(t, dir, c)
	got := mustAttempt(t, second, b.ID)
	if !got.IsUnresolved() || got.Reference != "" || got.Named != "REF-1" || !strings.Contains(got.Why, string(a.ID)) || !got.Status.Text.Empty() {
		t.Errorf("the second: %+v", got)
	}
	if p, err := second.Payment(t.Context(), shop, "REF-1"); err != nil || p.ID != a.ID || p.Status.State != api.Successful {
		t.Errorf("the first: %+v %v", p, err)
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

func TestAClaimOfTheInitiationIsNotFinalAtTheNextStart(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	j := mustOpen(t, dir, c)
	a := mustBegin(t, j, initiation(t, 1250))
	done := accepted("REF-1", "")
	done.Payment.Status = api.ParseClaim("SUCCESSFUL")
	mustEnd(t, j, a.ID, done)
	j.Close()
	j = mustOpen(t, dir, c)
	if got := mustAttempt(t, j, a.ID); got.Status.State != api.Claimed || got.Status.Text.Line(0) != "SUCCESSFUL" || !got.UnderWay() || len(openIDs(t, j)) != 1 {
		t.Errorf("%+v", got)
	}
	noError(t, j.RecordTransaction(t.Context(), shop, answer("FAILED", pounds(t, 1250))))
	if got := mustAttempt(t, j, a.ID); got.Status.State != api.Failed || !got.Mismatch.IsZero() {
		t.Errorf("%+v", got)
	}
}

func TestAMismatchIsFoundByItsWordAndIsNotPaid(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	link := mustBegin(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop})
	mustEnd(t, j, link.ID, ledger.Result{Outcome: ledger.Accepted, Link: &api.Link{Alias: "0-abc"}})
	var ids []ledger.ID
	for i, ref := range []api.Reference{"REF-0", "REF-1"} {
		in := initiation(t, 1250+int64(i))
		in.Link = "0-abc"
		a := mustBegin(t, j, in)
		mustEnd(t, j, a.ID, accepted(string(ref), "PENDING"))
		got := answer("SUCCESSFUL", pounds(t, 1250))
		got.Reference = ref
		noError(t, j.RecordTransaction(t.Context(), shop, got))
		ids = append(ids, a.ID)
	}
	links, err := j.Links(t.Context(), shop)
	if err != nil || links[0].Paid != 1 || links[0].Differ != 1 || links[0].Accepted != 2 {
		t.Errorf("%+v %v", links, err)
	}
	for state, want := range map[string]ledger.ID{"SUCCESSFUL": ids[0], journal.Mismatched: ids[1]} {
		if all, n, err := j.Attempts(t.Context(), journal.Filter{Query: asks("status:" + state)}, 0, 9); err != nil || n != 1 || all[0].ID != want {
			t.Errorf("%s: %+v %v", state, all, err)
		}
	}
	choices, err := j.Choices(t.Context())
	noError(t, err)
	if diff := cmp.Diff([]string{journal.Mismatched, "SUCCESSFUL"}, choices.Statuses); diff != "" {
		t.Error(diff)
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

func TestOnlyAnAnswerWithTheAmountAgreesAgain(t *testing.T) {
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
}
