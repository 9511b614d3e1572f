package journal_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// decisions are the decisions in the timeline of an attempt, oldest first.
func decisions(t *testing.T, j *journal.Journal, id ledger.ID) (all []string) {
	t.Helper()
	events, err := j.Timeline(t.Context(), id)
	noError(t, err)
	for _, e := range events {
		if e.What == ledger.Decided {
			all = append(all, e.Detail)
			if e.By.User == "" || e.At.IsZero() {
				t.Errorf("nobody decided %+v", e)
			}
		}
	}
	return all
}

// "Not found" released the guard by mistake. It is taken back, and the guard is there again.
func TestADecisionIsTakenBackAndReplaced(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, newDir(t), c)
	a := unresolved(t, j, initiation(t, 1250))
	c.advance(time.Hour)
	guarded := func(after string, want bool) {
		t.Helper()
		again := initiation(t, 1250)
		again.Link = "another"
		b, err := j.Begin(t.Context(), again, ledger.Payer{}, nil)
		if isDuplicate(err) != want {
			t.Errorf("after %s: %v", after, err)
		}
		if err == nil {
			mustEnd(t, j, b.ID, ledger.Result{Outcome: ledger.NotSent})
		}
		left, err := j.Unfinished(t.Context(), shop)
		noError(t, err)
		if is := slices.ContainsFunc(left, func(l ledger.Attempt) bool { return l.ID == a.ID && l.IsUnresolved() }); is != want {
			t.Errorf("after %s, home lists it as unresolved: %v", after, is)
		}
	}
	unavailableText(t, j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.Undecided, "")) // nothing to take back
	decide(t, j, a.ID, ledger.NotFound, "")
	guarded("not found", false)
	unavailableText(t, j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.NotFound, ""))
	decide(t, j, a.ID, ledger.Undecided, "")
	guarded("taking it back", true)
	decide(t, j, a.ID, ledger.GaveUp, "")
	guarded("giving up", false)
	decide(t, j, a.ID, ledger.Found, "REF-1")
	noError(t, j.RecordStatus(t.Context(), shop, "REF-1", api.ParseStatus("SUCCESSFUL")))
	if got := mustAttempt(t, j, a.ID); got.Reference != "REF-1" || got.Status.State != api.Successful {
		t.Errorf("%+v", got)
	}
	decide(t, j, a.ID, ledger.Found, "REF-2")
	if got := mustAttempt(t, j, a.ID); got.Reference != "REF-2" || !got.StatusAt.IsZero() || !got.UnderWay() {
		t.Errorf("%+v", got)
	}
	decide(t, j, a.ID, ledger.NotFound, "")
	guarded("not found", false)
	decide(t, j, a.ID, ledger.Undecided, "")
	guarded("taking that back", true)
	want := []string{"not found", "taken back", "gave up", "found as REF-1", "found as REF-2", "not found", "taken back"}
	if got := decisions(t, j, a.ID); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	at := " at 2026-03-01T10:00:00Z by " + ada()
	if got := mustAttempt(t, j, a.ID).DecidedBefore; !strings.HasPrefix(got, "not found"+at+"; found as REF-2"+at+"; found as REF-1"+at+"; gave up"+at+"; taken back") {
		t.Errorf("%q", got)
	}
	if got := mustAttempt(t, j, a.ID); got.DecidedBy.User != "ada" || !got.DecidedAt.Equal(c.at) {
		t.Errorf("taken back by %v at %v", got.DecidedBy, got.DecidedAt)
	}
}

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

func TestALinkThatWasFoundCanBeAnother(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	l := unresolved(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: pounds(t, 500), Draft: api.LinkDraft{Name: "Chairs"}})
	noError(t, j.FoundLink(t.Context(), mustAttempt(t, j, l.ID), "0-abc", api.Address{}))
	noError(t, j.FoundLink(t.Context(), mustAttempt(t, j, l.ID), "0-def", api.Address{}))
	unavailableText(t, j.FoundLink(t.Context(), mustAttempt(t, j, l.ID), "0-def", api.Address{}))
	if got := mustAttempt(t, j, l.ID); got.Link != "0-def" || got.CreatedLink == nil {
		t.Errorf("%+v", got)
	}
	decide(t, j, l.ID, ledger.Undecided, "")
	if got := mustAttempt(t, j, l.ID); got.Link != "" || got.CreatedLink != nil || !got.IsUnresolved() {
		t.Errorf("%+v", got)
	}
	if links, err := j.Links(t.Context(), shop); err != nil || len(links) != 0 {
		t.Errorf("%d %v", len(links), err)
	}
}

// Two consoles show the same mismatch, or the same lost payment, and decide differently: the second
// hears of the first's decision before it replaces it.
func TestADecisionIsAboutWhatWasSeen(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, newDir(t), c)
	differs := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, differs.ID, accepted("REF-1", "PENDING"))
	answers := func(minor int64) {
		t.Helper()
		noError(t, j.RecordTransaction(t.Context(), shop, answer("SUCCESSFUL", pounds(t, minor))))
	}
	changed := func(seen ledger.Attempt, v ledger.Decision, r api.Reference) {
		t.Helper()
		before := mustAttempt(t, j, seen.ID)
		if err := j.Decide(t.Context(), seen, v, r); !errors.Is(err, ledger.ErrChanged) {
			t.Errorf("%s: %v", v, err)
		}
		if got := mustAttempt(t, j, seen.ID); got.Mismatch != before.Mismatch || got.Decision != before.Decision {
			t.Errorf("%s was recorded: %+v", v, got)
		}
	}
	answers(2000)
	seen := mustAttempt(t, j, differs.ID)
	answers(2000) // the same again is no other answer
	noError(t, j.Decide(t.Context(), seen, ledger.AnswerRight, ""))
	c.advance(time.Second)
	changed(seen, ledger.NotOurs, "")
	changed(seen, ledger.AskAgain, "")
	seen = mustAttempt(t, j, differs.ID)
	answers(200000)
	changed(seen, ledger.NotOurs, "")
	seen = mustAttempt(t, j, differs.ID)
	answers(1250)
	changed(seen, ledger.NotOurs, "") // it agrees by now

	lost := unresolved(t, j, initiation(t, 1300))
	seen = mustAttempt(t, j, lost.ID)
	noError(t, j.Decide(t.Context(), seen, ledger.GaveUp, ""))
	changed(seen, ledger.Found, "REF-2")
	link := unresolved(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: pounds(t, 500), Draft: api.LinkDraft{Name: "Chairs"}})
	seen = mustAttempt(t, j, link.ID)
	noError(t, j.Decide(t.Context(), seen, ledger.GaveUp, ""))
	if err := j.FoundLink(t.Context(), seen, "0-abc", api.Address{}); !errors.Is(err, ledger.ErrChanged) {
		t.Error(err)
	}
}

// A payment in progress that nobody waits for any more needs no attention. What was found stays found, and whoever takes
// the decision back follows it again.
func TestAPaymentInProgressIsNoLongerFollowed(t *testing.T) {
	t.Parallel()
	for name, found := range map[string]bool{"accepted": false, "found": true} {
		t.Run(name, func(t *testing.T) {
			j := mustOpen(t, newDir(t), newClock())
			a := mustBegin(t, j, initiation(t, 1250))
			if found {
				mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Unresolved})
				decide(t, j, a.ID, ledger.Found, "REF-1")
			} else {
				mustEnd(t, j, a.ID, accepted("REF-1", "PENDING"))
			}
			before := mustAttempt(t, j, a.ID)
			decide(t, j, a.ID, ledger.NotFollowed, "")
			got := mustAttempt(t, j, a.ID)
			if got.Reference != "REF-1" || got.UnderWay() || got.IsUnresolved() || len(unfinished(t, j)) != 0 {
				t.Errorf("%+v", got)
			}
			if err := j.Decide(t.Context(), got, ledger.NotFollowed, ""); err == nil {
				t.Error("the same was decided twice")
			}
			decide(t, j, a.ID, ledger.Undecided, "")
			got = mustAttempt(t, j, a.ID)
			if got.Decision != before.Decision || got.Reference != "REF-1" || !got.UnderWay() || len(unfinished(t, j)) != 1 {
				t.Errorf("%+v", got)
			}
			decide(t, j, a.ID, ledger.NotFollowed, "")
			noError(t, j.RecordTransaction(t.Context(), shop, api.PaymentStatus{Reference: "REF-1", Status: api.ParseStatus("SUCCESSFUL")}))
			if got := mustAttempt(t, j, a.ID); got.Status.State != api.Successful {
				t.Errorf("the end is not recorded: %+v", got)
			}
			if found { // it was another payment after all
				decide(t, j, a.ID, ledger.GaveUp, "")
				if got := mustAttempt(t, j, a.ID); got.Reference != "" || got.Status.State.Final() {
					t.Errorf("%+v", got)
				}
			}
		})
	}
	j := mustOpen(t, newDir(t), newClock())
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("REF-1", "SUCCESSFUL"))
	if err := j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.NotFollowed, ""); err == nil {
		t.Error("a payment that is final was no longer followed")
	}
}
