package journal_test

import (
	"errors"
	"testing"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// colleague opens the journal of another console with the same rows.
func colleague(t *testing.T, dir string, c *clock) *journal.Journal {
	t.Helper()
	j, err := openJournal(t.Context(), journal.Options{Dir: dir, Now: c.now, Operator: ledger.Operator{User: "bo", Host: "desk2"}})
	noError(t, err)
	t.Cleanup(func() { j.Close() })
	return j
}

// A lease ends by itself, by being released, and by a decision that is taken back.
func TestALeaseEnds(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	ada, bo := mustOpen(t, dir, c), colleague(t, dir, c)
	a := unresolved(t, ada, initiation(t, 1250))
	c.advance(time.Hour)
	free := func(after string) {
		t.Helper()
		if l := mustAttempt(t, bo, a.ID).Lease; !l.IsZero() {
			t.Errorf("after %s: %+v", after, l)
		}
	}
	noError(t, ada.Take(t.Context(), a))
	c.advance(ledger.LeaseTime - time.Second)
	if l := mustAttempt(t, bo, a.ID).Lease; !l.ByAnother() || !l.Until().Equal(c.at.Add(time.Second)) {
		t.Errorf("a second before its end: %+v", l)
	}
	c.advance(time.Second)
	free("15 minutes")
	noError(t, ada.Take(t.Context(), a))
	noError(t, ada.Release(t.Context(), a.ID))
	free("its release")
	noError(t, bo.Take(t.Context(), a))
	decide(t, bo, a.ID, ledger.GaveUp, "")
	decide(t, ada, a.ID, ledger.Undecided, "")
	free("a decision that was taken back")
	noError(t, ada.Decide(t.Context(), mustAttempt(t, ada, a.ID), ledger.NotFound, ""))
}

// Two people take one attempt at the same moment: one of them has it.
func TestOnlyOneOfTwoTakesAnAttempt(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	ada, bo := mustOpen(t, dir, c), colleague(t, dir, c)
	for i := range int64(5) {
		a := unresolved(t, ada, initiation(t, 1250+i))
		results := make(chan error, 2)
		for _, j := range []*journal.Journal{ada, bo} {
			go func() { results <- j.Take(t.Context(), a) }()
		}
		first, second := <-results, <-results
		if (first == nil) == (second == nil) {
			t.Errorf("%v and %v", first, second)
		}
		decide(t, map[bool]*journal.Journal{true: ada, false: bo}[mustAttempt(t, ada, a.ID).Lease.Mine], a.ID, ledger.GaveUp, "")
	}
}

func isTakenBy(err error, user string) bool {
	taken, is := errors.AsType[*ledger.TakenError](err)
	return is && taken.By.User == user
}

// Two people look at one unresolved attempt. Who takes it decides, the other does once it was taken over.
func TestWhoTakesAnAttemptDecidesAboutIt(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	ada, bo := mustOpen(t, dir, c), colleague(t, dir, c)
	a := unresolved(t, ada, initiation(t, 1250))
	noError(t, ada.Take(t.Context(), a))
	mine, theirs := mustAttempt(t, ada, a.ID), mustAttempt(t, bo, a.ID)
	if err := bo.Decide(t.Context(), theirs, ledger.GaveUp, ""); !isTakenBy(err, "ada") {
		t.Errorf("bo decides: %v", err)
	}
	if err := bo.Take(t.Context(), a); !isTakenBy(err, "ada") {
		t.Errorf("bo takes what he saw free: %v", err)
	}
	noError(t, bo.Release(t.Context(), a.ID)) // not his
	noError(t, bo.Take(t.Context(), theirs))  // over, as he saw it
	if err := ada.Decide(t.Context(), mine, ledger.GaveUp, ""); !isTakenBy(err, "bo") {
		t.Errorf("ada decides: %v", err)
	}
	noError(t, bo.Decide(t.Context(), mustAttempt(t, bo, a.ID), ledger.GaveUp, ""))
	if err := ada.Take(t.Context(), mustAttempt(t, ada, a.ID)); !errors.Is(err, ledger.ErrChanged) {
		t.Errorf("ada takes what is decided: %v", err)
	}
}
