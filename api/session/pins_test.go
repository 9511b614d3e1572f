package session_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/servicetest"
	"paydesk/api/session"
)

// pinned formats what is pinned.
func pinned(s *session.Tracker) (all []string) {
	for _, e := range s.Pinned() {
		words := string(e.Reference)
		if !e.StatusAt.IsZero() {
			words += " " + e.Status.State.String()
		}
		if !e.Changed.At.IsZero() {
			words += " after " + e.Changed.Was.State.String()
		}
		all = append(all, words)
	}
	return all
}

func mustEqual(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// connected is a session of a console that keeps a journal, in front of a service.
func connected(t *testing.T, j *journal.Journal, s api.Service) *session.Session {
	return session.Open(t.Context(), session.Options{
		Client: s, Journal: j, Place: ledger.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example"},
	})
}

// What one console pins, the next one has, and another that runs meanwhile once it reads the journal.
func TestPinsOutlastTheConsole(t *testing.T) {
	j := journal.New(journal.Options{})
	t.Cleanup(func() { j.Close() })
	s := &service{payment: initiated, status: "PENDING"}
	first, second := connected(t, j, s), connected(t, j, s)
	_, err := first.Initiate(t.Context(), initiation(t, ""))
	noError(t, err)
	noError(t, first.Pin(t.Context(), "THEIRS", "ref-1"))
	for _, s.status = range []string{"PENDING", "FAILED"} {
		for _, r := range []api.Reference{"THEIRS", "ref-1"} {
			_, err = first.Transaction(t.Context(), r)
			noError(t, err)
		}
	}
	noError(t, second.Reload(t.Context()))
	mustEqual(t, pinned(second.Tracker), "THEIRS FAILED after PENDING", "ref-1 FAILED after PENDING")
	if all := second.All(); len(all) != 2 || all[0].IsElsewhere() || !all[0].IsPinned() { // it is final, and listed because it is pinned
		t.Errorf("%+v", all)
	}
	recent, err := second.Recent(t.Context())
	if err != nil || len(recent) != 2 || !recent[0].IsPinned() || !recent[1].IsPinned() {
		t.Errorf("%+v, %v", recent, err)
	}
	noError(t, second.Unpin(t.Context(), "THEIRS"))
	noError(t, first.Reload(t.Context()))
	mustEqual(t, pinned(first.Tracker), "ref-1 FAILED after PENDING")
}

func TestNoMoreThanTwoHundredAndNoCardNumberIsPinned(t *testing.T) {
	j := journal.New(journal.Options{})
	t.Cleanup(func() { j.Close() })
	kept := connected(t, j, &servicetest.Counter{})
	if err := kept.Pin(t.Context(), "REF-1", "4242424242424242"); err == nil || len(kept.Pinned()) != 0 {
		t.Errorf("a card number is pinned: %v", err)
	}
	var some []api.Reference
	for i := range ledger.MaxPins {
		some = append(some, api.Reference(fmt.Sprint("REF", i)))
	}
	noError(t, kept.Pin(t.Context(), some...))
	if err := kept.Pin(t.Context(), "ONE-MORE"); !errors.Is(err, ledger.ErrTooManyPins) || len(kept.Pinned()) != ledger.MaxPins {
		t.Error(err)
	}
	if err := kept.Recorder.Trouble(); err != nil { // that was no failure of the journal
		t.Error(err)
	}
}
