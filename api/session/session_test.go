package session_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/servicetest"
	"paydesk/api/session"
)

// open is a live session in front of a counter, with a journal in memory.
func open(t *testing.T, unlocked bool) (*session.Session, *servicetest.Counter) {
	t.Helper()
	j := journal.New(journal.Options{})
	t.Cleanup(func() { j.Close() })
	c := &servicetest.Counter{}
	s := session.Open(t.Context(), session.Options{
		Client: c, Journal: j, Place: ledger.Destination{Profile: "shop", Environment: "LIVE", Host: "payments.example"},
		Gate: session.GateOptions{Evidence: []session.Evidence{session.WordEvidence(session.ByProfile, "live")}, Unlock: time.Hour, Cards: true},
	})
	if unlocked {
		s.Gate.Unlock()
	}
	return s, c
}

func TestEachOperationPassesASessionOnceAndOnlyReadsWhileLocked(t *testing.T) {
	for _, op := range servicetest.Operations() {
		s, c := open(t, false)
		if err := servicetest.Call(t.Context(), s, op); op.Rule().Effect == api.Sends && (c.Calls(op) != 0 || !errors.Is(err, api.ErrNotSent)) {
			t.Errorf("%s passed a locked session %d times: %v", op, c.Calls(op), err)
		}
		s, c = open(t, true)
		if err := servicetest.Call(t.Context(), s, op); err != nil || c.Calls(op) != 1 {
			t.Errorf("%s passed %d times: %v", op, c.Calls(op), err)
		}
	}
}

func TestWhatTheGateStopsIsNotRecorded(t *testing.T) {
	s, _ := open(t, false)
	if _, err := s.Initiate(t.Context(), initiation(t, "")); !errors.Is(err, api.ErrNotSent) {
		t.Fatal(err)
	}
	if err := s.Reload(t.Context()); err != nil || len(s.All()) != 0 {
		t.Errorf("%v; %+v", err, s.All())
	}
	s.Gate.Unlock()
	if _, err := s.Initiate(t.Context(), initiation(t, "")); err != nil {
		t.Error(err)
	}
}

func TestAWatchContinuesWithAnotherKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := open(t, true)
		c.Fail(&api.Refusal{HTTP: 401})
		w := s.Watches.Watch("REF")
		defer w.Close()
		time.Sleep(time.Hour)
		n := c.Calls(api.OpTransaction)
		c.Fail(nil)
		s.Rekey(session.WordEvidence(session.ByKey, "live"))
		time.Sleep(time.Second)
		if synctest.Wait(); n != 1 || c.Calls(api.OpTransaction) != 2 || w.State().Phase != session.Polling {
			t.Errorf("%d and then %d requests, %v", n, c.Calls(api.OpTransaction), w.State().Phase)
		}
	})
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
