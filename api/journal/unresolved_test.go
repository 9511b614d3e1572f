package journal_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

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
	noError(t, j.Decide(t.Context(), mustAttempt(t, j, id), v, r))
}

func unfinished(t testing.TB, j *journal.Journal) (ids []ledger.ID) {
	t.Helper()
	all, err := j.Unfinished(t.Context(), shop)
	noError(t, err)
	for _, a := range all {
		ids = append(ids, a.ID)
	}
	return ids
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

// The synctest bubble also proves that a journal leaves no goroutine behind and uses the clock
// of its options.
func TestAnUnansweredAttemptIsUnresolvedAfterAHundredSeconds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, where := range []string{"", dir + "/paydesk"} {
		synctest.Test(t, func(t *testing.T) {
			j, err := openJournal(t.Context(), journal.Options{Dir: where, Now: time.Now})
			noError(t, err)
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
	noError(t, err)
	_, err = j.Begin(t.Context(), initiation(t, 1250), ledger.Payer{}, []ledger.ID{one.ID})
	look, is := errors.AsType[*ledger.Duplicate](err)
	if !is || len(look.Attempts) != 2 || look.Attempts[0].ID != two.ID {
		t.Errorf("%v", err)
	}
}
