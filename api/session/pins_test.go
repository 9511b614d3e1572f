package session_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/servicetest"
	"paydesk/api/session"
	"paydesk/api/timely"
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

var noError = timely.Must

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
	noError(t, second.Unpin(t.Context(), "THEIRS"))
	noError(t, first.Reload(t.Context()))
	mustEqual(t, pinned(first.Tracker), "ref-1 FAILED after PENDING")
	noError(t, second.Unpin(t.Context(), "ref-1"))
	for i := range 20 { // as many as are read because they are the latest
		s.payment.Reference = api.Reference(fmt.Sprint("NEW", i))
		in := initiation(t, "")
		in.Amount.Minor += int64(i) + 1
		_, err = first.Initiate(t.Context(), in)
		noError(t, err)
	}
	noError(t, second.Reload(t.Context()))
	if all := second.All(); len(all) != 21 || all[20].Reference != "THEIRS" {
		t.Errorf("not the latest payments, and then one that was looked up: %+v", all)
	}
	_, err = first.Finalize(t.Context(), "THEIRS")
	noError(t, err)
	for _, console := range []*session.Session{first, second} {
		noError(t, console.Reload(t.Context()))
		if e, _ := console.Find("THEIRS"); !e.Finalized {
			t.Errorf("what was finalized is not known once it is one of the latest: %+v", e)
		}
	}
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

// open is a live session in front of a counter, with a journal in memory. Sending is locked.
func open(t *testing.T) (*session.Session, *servicetest.Counter) {
	t.Helper()
	j := journal.New(journal.Options{})
	t.Cleanup(func() { j.Close() })
	c := &servicetest.Counter{}
	s := session.Open(t.Context(), session.Options{
		Client: c, Journal: j, Place: ledger.Destination{Profile: "shop", Environment: "LIVE", Host: "payments.example"},
		Gate: session.GateOptions{Evidence: []session.Evidence{session.WordEvidence(session.ByProfile, "live")}, Unlock: time.Hour, Cards: true},
	})
	return s, c
}

// No method bypasses the gate: each passes once, as the table of operations says.
func TestEachOperationPassesASessionAsItsRuleSays(t *testing.T) {
	abandoned, abandon := context.WithCancel(t.Context())
	abandon() // so that what waits for a key does not wait
	for _, op := range servicetest.Operations() {
		s, c := open(t)
		passes := func(ctx context.Context, want bool, when string) {
			t.Helper()
			before := c.Calls(op)
			err := servicetest.Call(ctx, s, op)
			if passed := c.Calls(op) == before+1; passed != want || passed != (err == nil) || !passed && !errors.Is(err, api.ErrNotSent) {
				t.Errorf("%s %s: %d calls, %v", op, when, c.Calls(op)-before, err)
			}
		}
		allowed := op.Rule().Allowed
		passes(t.Context(), allowed == api.WithKey, "while sending is locked")
		if err := s.Reload(t.Context()); err != nil || op.Rule().Sends() && len(s.All()) != 0 {
			t.Errorf("%s is recorded, which the gate has stopped: %v; %+v", op, err, s.All())
		}
		s.Gate.Suspend(true)
		passes(abandoned, false, "without a key")
		s.Gate.Resume()
		s.Gate.Unlock()
		passes(t.Context(), allowed != 0, "through an open gate")
	}
}

// A replaceableKey is a secret key that a person replaces.
type replaceableKey struct{ text string }

func (k *replaceableKey) Expose() string { return k.text }

// The fingerprint is that of the key that is sent, also after it was replaced.
func TestWhatIsRecordedHasTheFingerprintOfTheKeyOfNow(t *testing.T) {
	j := journal.New(journal.Options{})
	t.Cleanup(func() { j.Close() })
	k := &replaceableKey{"sk_test_first"}
	s := session.Open(t.Context(), session.Options{
		Client: &servicetest.Counter{}, Journal: j, Key: k, Place: ledger.Destination{Profile: "shop", Environment: "TEST", Host: "a"},
	})
	if s.Here().Fingerprint != "" {
		t.Error("it is known before the journal was used")
	}
	var got []string
	for _, replaced := range []string{"", "sk_test_second"} {
		if replaced != "" {
			k.text = replaced
			s.Rekey(session.WordEvidence(session.ByKey, ""))
		}
		if _, err := s.CreateLink(t.Context(), api.LinkDraft{Name: "Chairs " + replaced}); err != nil {
			t.Fatal(err)
		}
		all, _, err := j.Attempts(t.Context(), journal.Filter{}, 0, 1)
		if err != nil || all[0].Fingerprint != s.Here().Fingerprint {
			t.Errorf("%v: recorded %q, here %q", err, all[0].Fingerprint, s.Here().Fingerprint)
		}
		got = append(got, all[0].Fingerprint)
	}
	if got[0] == "" || got[0] == got[1] {
		t.Errorf("%q", got)
	}
}

type key = servicetest.Key

func payment() api.Initiation {
	return api.Initiation{
		Amount: must(money.Parse("12.50", must(money.ParseCurrency("GBP")))), Channel: api.ChannelCard,
		Customer:  api.Customer{FirstName: "Ada", LastName: "Obi", Email: "ada@example.org", Phone: "+442079460000"},
		Card:      &api.CardEntry{PAN: must(card.ParsePAN("4242424242424242")), CVV: must(card.ParseCVV("123")), Expiry: card.Expiry{Month: 12, Year: 2034}},
		ReturnURL: "https://shop.example/done",
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
