package journal_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/servicetest"
)

var finalizeOne = ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: "REF-1"}

// Two consoles finalize the same payment at the same moment, again and again: one request goes out.
func TestOfTwoConsolesThatFinalizeAtOnceOneSends(t *testing.T) {
	t.Parallel()
	for range repeats(20, 200) {
		finalizeTwiceAtOnce(t)
	}
}

func finalizeTwiceAtOnce(t *testing.T) {
	t.Helper()
	dir := newDir(t)
	service := &servicetest.Counter{}
	var failed [2]error
	var group sync.WaitGroup
	start := make(chan struct{})
	for i := range failed {
		j, err := openJournal(t.Context(), journal.Options{Dir: dir})
		noError(t, err)
		defer j.Close()
		console := journal.NewRecorder(service, j, shop, nil, false)
		group.Go(func() {
			<-start
			_, failed[i] = console.Finalize(context.Background(), "REF-1")
			if errors.Is(failed[i], api.ErrNotSent) && console.Trouble() != nil {
				t.Errorf("sending is disabled: %v", console.Trouble())
			}
		})
	}
	close(start)
	group.Wait()
	if n := service.Calls(api.OpFinalize); n != 1 || errors.Is(failed[0], api.ErrNotSent) == errors.Is(failed[1], api.ErrNotSent) {
		t.Fatalf("sent %d times: %v, %v", n, failed[0], failed[1])
	}
}

func TestAFinalizeWaitsForTheOneBefore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before func(*testing.T, *journal.Journal, *clock, ledger.ID)
		may    bool
	}{
		"being sent": {func(*testing.T, *journal.Journal, *clock, ledger.ID) {}, false},
		"accepted": {func(t *testing.T, j *journal.Journal, c *clock, id ledger.ID) {
			mustEnd(t, j, id, ledger.Result{Outcome: ledger.Accepted})
			c.advance(time.Hour)
		}, false},
		"refused": {func(t *testing.T, j *journal.Journal, _ *clock, id ledger.ID) {
			mustEnd(t, j, id, ledger.Result{Outcome: ledger.Refused})
		}, true},
		"not sent": {func(t *testing.T, j *journal.Journal, _ *clock, id ledger.ID) {
			mustEnd(t, j, id, ledger.Result{Outcome: ledger.NotSent})
		}, true},
		"just lost": {func(t *testing.T, j *journal.Journal, c *clock, id ledger.ID) {
			mustEnd(t, j, id, ledger.Result{Outcome: ledger.Unresolved})
			c.advance(59 * time.Second)
		}, false},
		"lost a minute ago": {func(t *testing.T, j *journal.Journal, c *clock, id ledger.ID) {
			mustEnd(t, j, id, ledger.Result{Outcome: ledger.Unresolved})
			c.advance(time.Minute)
		}, true},
		"just lost and given up": {func(t *testing.T, j *journal.Journal, _ *clock, id ledger.ID) {
			mustEnd(t, j, id, ledger.Result{Outcome: ledger.Unresolved})
			decide(t, j, id, ledger.GaveUp, "")
		}, false},
		"found": {func(t *testing.T, j *journal.Journal, c *clock, id ledger.ID) {
			mustEnd(t, j, id, ledger.Result{Outcome: ledger.Unresolved})
			decide(t, j, id, ledger.Found, "")
			c.advance(time.Hour)
		}, false},
		"not found": {func(t *testing.T, j *journal.Journal, c *clock, id ledger.ID) {
			mustEnd(t, j, id, ledger.Result{Outcome: ledger.Unresolved})
			c.advance(time.Hour)
			decide(t, j, id, ledger.NotFound, "")
		}, true},
		"of a console that ended": {func(_ *testing.T, _ *journal.Journal, c *clock, _ ledger.ID) { c.advance(3 * time.Minute) }, true},
	} {
		clock := newClock()
		j := mustOpen(t, "", clock)
		first := mustBegin(t, j, finalizeOne)
		c.before(t, j, clock, first.ID)
		_, err := j.Begin(t.Context(), finalizeOne, ledger.Payer{}, nil)
		conflict, is := errors.AsType[*ledger.FinalizeConflict](err)
		if (err == nil) != c.may || is == c.may {
			t.Errorf("%s: %v", name, err)
		}
		if is && (conflict.Other.ID != first.ID || !errors.Is(err, api.ErrNotSent) || !strings.HasPrefix(err.Error(), "Nothing was sent")) {
			t.Errorf("%s: %v", name, err)
		}
		other := finalizeOne
		other.Reference = "REF-2"
		mustBegin(t, j, other)
	}
}

// One console has learnt of a mismatch, the other still shows the payment as it was: its finalize would
// move funds that nobody has decided about.
func TestAPaymentWithAnUndecidedMismatchIsNotFinalized(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	one, two := mustOpen(t, dir, c), mustOpen(t, dir, c)
	p := mustBegin(t, one, initiation(t, 1250))
	mustEnd(t, one, p.ID, accepted("REF-1", "PENDING"))
	noError(t, one.RecordTransaction(t.Context(), shop, answer("PENDING", pounds(t, 2000))))
	service := &servicetest.Counter{}
	console := journal.NewRecorder(service, two, shop, nil, false)
	_, err := console.Finalize(t.Context(), "REF-1")
	if conflict, is := errors.AsType[*ledger.FinalizeConflict](err); !is || conflict.Other.ID != p.ID || !errors.Is(err, api.ErrNotSent) {
		t.Error(err)
	}
	if n := service.Calls(api.OpFinalize); n != 0 {
		t.Errorf("sent %d times", n)
	}
	decide(t, one, p.ID, ledger.AnswerRight, "")
	if _, err := console.Finalize(t.Context(), "REF-1"); err != nil || service.Calls(api.OpFinalize) != 1 {
		t.Error(err)
	}
}

// A reference that was typed, or named by the list alone, may look like a card number, and is recorded as a line without.
func TestAFinalizeOfAnUnknownReferenceIsSentOnce(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	f := ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: "4242424242424242"}
	mustBegin(t, j, f)
	if _, err := j.Begin(t.Context(), f, ledger.Payer{}, nil); err == nil {
		t.Error("it is sent again")
	}
}
