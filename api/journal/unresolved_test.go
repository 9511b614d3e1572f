package journal_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

func unresolved(t testing.TB, j *journal.Journal, a ledger.Attempt) ledger.Attempt {
	t.Helper()
	a = mustBegin(t, j, a)
	mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "the answer was cut short"})
	return a
}

func decide(t testing.TB, j *journal.Journal, id ledger.ID, v ledger.Decision, r api.Reference) {
	t.Helper()
	if err := j.Decide(t.Context(), mustAttempt(t, j, id), v, r); err != nil {
		t.Fatal(err)
	}
}

func unfinished(t testing.TB, j *journal.Journal) (ids []ledger.ID) {
	t.Helper()
	all, err := j.Unfinished(t.Context(), shop)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		ids = append(ids, a.ID)
	}
	return ids
}

func TestNotFoundCanBeSaidTenMinutesAfterTheSending(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	a := unresolved(t, j, initiation(t, 1250))
	c.advance(ledger.NotFoundAfter - time.Second)
	if err := j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.NotFound, ""); !errors.Is(err, ledger.ErrTooEarly) {
		t.Fatal(err)
	}
	if got := unfinished(t, j); len(got) != 1 {
		t.Error(got)
	}
	c.advance(time.Second)
	decide(t, j, a.ID, ledger.NotFound, "")
	got := mustAttempt(t, j, a.ID)
	if got.IsUnresolved() || got.Decision != ledger.NotFound || got.DecidedBy.User != "ada" || !got.DecidedAt.Equal(c.at) || got.Outcome != ledger.Unresolved {
		t.Errorf("%+v", got)
	}
	mustBegin(t, j, initiation(t, 1250)) // it was never made, so there is no duplicate
}

func TestAFoundPaymentIsUnderWay(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := unresolved(t, j, initiation(t, 1250))
	unavailableText(t, j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.Found, ""))
	unavailableText(t, j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.Found, "no reference"))
	decide(t, j, a.ID, ledger.Found, "REF-1")
	got, err := j.Payment(t.Context(), shop, "REF-1")
	if err != nil || got.ID != a.ID || !got.UnderWay() || got.IsUnresolved() {
		t.Fatalf("%+v %v", got, err)
	}
	if err := j.RecordStatus(t.Context(), shop, "REF-1", api.ParseStatus("SUCCESSFUL")); err != nil {
		t.Fatal(err)
	}
	if got := mustAttempt(t, j, a.ID); got.UnderWay() || got.Status.State != api.Successful {
		t.Errorf("%+v", got)
	}
	if got.Account != nil || got.CreatedLink != nil {
		t.Errorf("a card payment has the account %v and the link %v", got.Account, got.CreatedLink)
	}
	unavailableText(t, j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.Found, "REF-1")) // that is recorded already
}

// The answer comes late, with another reference than the operator found.
func TestTheServicesOwnReferenceReplacesTheOneThatWasFound(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := unresolved(t, j, initiation(t, 1250))
	decide(t, j, a.ID, ledger.Found, "REF-1")
	noError(t, j.CustomerDone(t.Context(), shop, "REF-1"))
	noError(t, j.RecordChallenge(t.Context(), shop, "REF-1"))
	f := mustBegin(t, j, ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: "REF-1"})
	mustEnd(t, j, f.ID, ledger.Result{Outcome: ledger.Accepted})
	noError(t, j.RecordStatus(t.Context(), shop, "REF-1", api.ParseStatus("FAILED")))
	mustEnd(t, j, a.ID, accepted("REF-2", "PENDING"))
	got := mustAttempt(t, j, a.ID)
	if got.Reference != "REF-2" || !got.UnderWay() || got.Finalized || got.CustomerDone || got.Status.State != api.Pending || !got.Challenged {
		t.Errorf("%+v", got)
	}
}

func TestAReferenceIsOfOneAttempt(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	one := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, one.ID, accepted("REF-1", "SUCCESSFUL"))
	two := unresolved(t, j, initiation(t, 1300))
	unavailableText(t, j.Decide(t.Context(), mustAttempt(t, j, two.ID), ledger.Found, "REF-1"))
	if got := mustAttempt(t, j, two.ID); !got.IsUnresolved() {
		t.Errorf("%+v", got)
	}
}

func TestOnlyUnresolvedAttemptsAreDecided(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	sent := mustBegin(t, j, initiation(t, 1))
	taken := mustBegin(t, j, initiation(t, 2))
	mustEnd(t, j, taken.ID, accepted("REF-1", "PENDING"))
	for _, id := range []ledger.ID{sent.ID, taken.ID} {
		unavailableText(t, j.Decide(t.Context(), mustAttempt(t, j, id), ledger.GaveUp, ""))
	}
	if err := j.Decide(t.Context(), ledger.Attempt{ID: "nothere123"}, ledger.GaveUp, ""); !errors.Is(err, ledger.ErrNotFound) {
		t.Error(err)
	}
	unavailableText(t, j.Decide(t.Context(), mustAttempt(t, j, unresolved(t, j, initiation(t, 3)).ID), "maybe", ""))
}

func TestAGivenUpAttemptCanStillBeFound(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := unresolved(t, j, initiation(t, 1250))
	decide(t, j, a.ID, ledger.GaveUp, "")
	if got := unfinished(t, j); got != nil {
		t.Error(got)
	}
	decide(t, j, a.ID, ledger.Found, "REF-9")
	if got := unfinished(t, j); len(got) != 1 {
		t.Error(got)
	}
}

func TestWhatIsKnownBetterStands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ first, then, want ledger.Outcome }{
		{ledger.Unresolved, ledger.Accepted, ledger.Accepted},
		{ledger.Unresolved, ledger.Refused, ledger.Refused},
		{ledger.Accepted, ledger.Unresolved, ledger.Accepted},
		{ledger.Accepted, ledger.Refused, ledger.Accepted},
		{ledger.Refused, ledger.Unresolved, ledger.Refused},
		{ledger.NotSent, ledger.Unresolved, ledger.NotSent},
		{ledger.Refused, ledger.Accepted, ledger.Accepted},
	} {
		j := mustOpen(t, "", newClock())
		a := mustBegin(t, j, initiation(t, 1250))
		for _, o := range []ledger.Outcome{c.first, c.then} {
			answer := ledger.Result{Outcome: o}
			if o == ledger.Accepted {
				answer = accepted("REF-1", "PENDING")
			}
			mustEnd(t, j, a.ID, answer)
		}
		if got := mustAttempt(t, j, a.ID); got.Outcome != c.want || (got.Reference == "REF-1") != (c.want == ledger.Accepted) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// The synctest bubble also proves that a journal leaves no goroutine behind and uses the clock
// of its options.
func TestAnUnansweredAttemptIsUnresolvedAfterAHundredSeconds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, where := range []string{"", dir + "/paydesk"} {
		synctest.Test(t, func(t *testing.T) {
			j, err := openJournal(t.Context(), journal.Options{Dir: where, Now: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			defer j.Close()
			a := mustBegin(t, j, initiation(t, 1250))
			time.Sleep(100 * time.Second)
			if got := mustAttempt(t, j, a.ID); got.Outcome != ledger.Sent {
				t.Errorf("it is unresolved too early: %+v", got)
			}
			time.Sleep(time.Second)
			if got := unfinished(t, j); len(got) != 1 || got[0] != a.ID {
				t.Error(got)
			}
			got := mustAttempt(t, j, a.ID)
			if !got.IsUnresolved() || got.AnsweredAt.IsZero() {
				t.Errorf("%+v", got)
			}
			if all, n, err := j.Attempts(t.Context(), journal.Filter{Query: asks(`outcome:unresolved`)}, 0, 5); n != 1 || len(all) != 1 || err != nil {
				t.Error(all, n, err)
			}
			mustEnd(t, j, a.ID, accepted("REF-1", "PENDING")) // the answer came late
			if got := mustAttempt(t, j, a.ID); got.Outcome != ledger.Accepted || got.Reference != "REF-1" {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestWhatAnotherConsoleStillSendsIsNotUnresolved(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	one, two := mustOpen(t, dir, c), mustOpen(t, dir, c)
	a := mustBegin(t, one, initiation(t, 1250))
	if got := unfinished(t, two); got != nil {
		t.Error(got)
	}
	if got := mustAttempt(t, two, a.ID); got.Outcome != ledger.Sent {
		t.Errorf("%+v", got)
	}
}

func TestADuplicateMatchesInEveryPart(t *testing.T) {
	t.Parallel()
	const ago = time.Minute
	base := func(a ledger.Attempt) ledger.Attempt { return a }
	for name, c := range map[string]struct {
		change func(ledger.Attempt) ledger.Attempt
		answer ledger.Result
		after  time.Duration
		alike  bool
	}{
		"the same, under way":      {base, ledger.Result{}, ago, true},
		"the same, taken":          {base, accepted("R", "PENDING"), ago, true},
		"the same, successful":     {base, accepted("R", "SUCCESSFUL"), ago, true},
		"the same, failed":         {base, accepted("R", "FAILED"), ago, false},
		"the same, refused":        {base, ledger.Result{Outcome: ledger.Refused}, ago, false},
		"the same, not sent":       {base, ledger.Result{Outcome: ledger.NotSent}, ago, false},
		"the same, unresolved":     {base, ledger.Result{Outcome: ledger.Unresolved}, ago, true},
		"long ago, unresolved":     {base, ledger.Result{Outcome: ledger.Unresolved}, 1000 * time.Hour, true},
		"ten minutes ago":          {base, accepted("R", "PENDING"), ledger.DuplicateWithin, true},
		"more than that":           {base, accepted("R", "PENDING"), ledger.DuplicateWithin + 1, false},
		"another amount":           {func(a ledger.Attempt) ledger.Attempt { a.Amount.Minor++; return a }, accepted("R", "PENDING"), ago, false},
		"another amount, unknown":  {func(a ledger.Attempt) ledger.Attempt { a.Amount.Minor++; return a }, ledger.Result{Outcome: ledger.Unresolved}, ago, false},
		"another profile":          {func(a ledger.Attempt) ledger.Attempt { a.Profile = "other"; return a }, accepted("R", "PENDING"), ago, true},
		"another environment":      {func(a ledger.Attempt) ledger.Attempt { a.Environment = "LIVE"; return a }, accepted("R", "PENDING"), ago, false},
		"another host":             {func(a ledger.Attempt) ledger.Attempt { a.Host = "x.example.com"; return a }, accepted("R", "PENDING"), ago, false},
		"another link":             {func(a ledger.Attempt) ledger.Attempt { a.Link = "autumn"; return a }, accepted("R", "PENDING"), ago, false},
		"no link":                  {func(a ledger.Attempt) ledger.Attempt { a.Link = ""; return a }, accepted("R", "PENDING"), ago, false},
		"another link, unknown":    {func(a ledger.Attempt) ledger.Attempt { a.Link = "autumn"; return a }, ledger.Result{Outcome: ledger.Unresolved}, ago, true},
		"another channel":          {func(a ledger.Attempt) ledger.Attempt { a.Channel = "x"; return a }, accepted("R", "PENDING"), ago, true},
		"a link of the same money": {func(a ledger.Attempt) ledger.Attempt { a.Kind = ledger.CreateLink; return a }, accepted("R", "PENDING"), ago, false},
	} {
		clock := newClock()
		j := mustOpen(t, "", clock)
		first := initiation(t, 1250)
		first.Link = "spring"
		a := mustBegin(t, j, c.change(first))
		if c.answer.Outcome != "" {
			mustEnd(t, j, a.ID, c.answer)
		}
		clock.advance(c.after)
		_, err := j.Begin(t.Context(), first, ledger.Payer{}, nil)
		look, is := errors.AsType[*ledger.Duplicate](err)
		if is != c.alike || err != nil && !is {
			t.Errorf("%s: %v", name, err)
		}
		if is && (len(look.Attempts) != 1 || look.Attempts[0].ID != a.ID) {
			t.Errorf("%s: %+v", name, look.Attempts)
		}
	}
}

func TestEveryDuplicateHasToBeAllowed(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	one := mustBegin(t, j, initiation(t, 1250))
	c.advance(time.Second)
	two, err := j.Begin(t.Context(), initiation(t, 1250), ledger.Payer{}, []ledger.ID{one.ID})
	if err != nil {
		t.Fatal(err)
	}
	_, err = j.Begin(t.Context(), initiation(t, 1250), ledger.Payer{}, []ledger.ID{one.ID})
	look, is := errors.AsType[*ledger.Duplicate](err)
	if !is || len(look.Attempts) != 2 || look.Attempts[0].ID != two.ID {
		t.Errorf("%v", err)
	}
}

func TestPaymentsUnderWayComeAfterUnresolvedAttempts(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	var want [4]ledger.ID
	for n, i := range []int{1, 3, 0, 2} { // the index in the list, in the order of creation
		c.advance(time.Minute)
		a := mustBegin(t, j, initiation(t, int64(100+n)))
		if i < 2 {
			mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Unresolved})
		} else {
			mustEnd(t, j, a.ID, accepted("REF-"+string(a.ID), "PENDING"))
		}
		want[i] = a.ID
	}
	elsewhere := initiation(t, 100)
	elsewhere.Environment = "LIVE"
	unresolved(t, j, elsewhere)
	if diff := cmp.Diff(want[:], unfinished(t, j)); diff != "" {
		t.Error(diff)
	}
}

func TestAnUnresolvedAttemptIsUnresolvedWhateverWentWrong(t *testing.T) {
	t.Parallel()
	odd := errors.New("odd")
	err := fmt.Errorf("sending: %w", &journal.UnresolvedAttempt{ID: "k3f9m2x7qa", Err: odd})
	var lost *journal.UnresolvedAttempt
	if !errors.As(err, &lost) || lost.ID != "k3f9m2x7qa" || !errors.Is(err, odd) || !errors.Is(err, api.ErrUnresolved) {
		t.Errorf("%v is not unresolved with its ID and its reason", err)
	}
	if lost.Error() != "odd" || (&journal.UnresolvedAttempt{}).Error() == "" {
		t.Errorf("its text is %q, and %q without a reason", lost, &journal.UnresolvedAttempt{})
	}
}

func TestOnlyWhatWasShownIsAcknowledged(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	if got := ledger.AllowedDuplicates(ctx); len(got) != 0 {
		t.Errorf("%v is allowed by default", got)
	}
	first := ledger.WithAllowedDuplicates(ctx, "aaaa000000", "bbbb000000")
	second := ledger.WithAllowedDuplicates(first, "cccc000000")
	if diff := cmp.Diff([]ledger.ID{"aaaa000000", "bbbb000000", "cccc000000"}, ledger.AllowedDuplicates(second)); diff != "" {
		t.Error(diff)
	}
	ledger.AllowedDuplicates(first)[0] = "changed"
	if diff := cmp.Diff([]ledger.ID{"aaaa000000", "bbbb000000"}, ledger.AllowedDuplicates(first)); diff != "" {
		t.Error(diff)
	}
}
