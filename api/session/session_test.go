package session_test

import (
	"errors"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/gate"
	"paydesk/api/journal"
	"paydesk/api/servicetest"
	"paydesk/api/session"
)

// open is a session in front of a counter, live, with a journal in memory.
func open(t *testing.T, unlocked bool) (*session.Session, *servicetest.Counter) {
	t.Helper()
	j := journal.New(journal.Options{})
	t.Cleanup(func() { j.Close() })
	c := &servicetest.Counter{}
	s := session.Open(t.Context(), session.Options{
		Client: c, Journal: j, Place: journal.Place{Profile: "shop", Environment: "LIVE", Host: "payments.example"},
		Gate: gate.Options{Evidence: []gate.Evidence{gate.Word(gate.ByProfile, "live")}, Unlock: time.Hour, Cards: true},
	})
	if unlocked {
		s.Gate.Unlock()
	}
	return s, c
}

func TestEachOperationPassesASessionOnceAndNothingThatChangesSomethingWhileItIsLocked(t *testing.T) {
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
	if _, err := s.Initiate(t.Context(), ask(t, "")); !errors.Is(err, api.ErrNotSent) {
		t.Fatal(err)
	}
	if left, err := s.Recorder.Unfinished(t.Context()); err != nil || len(left) != 0 || len(s.All()) != 0 {
		t.Errorf("%+v, %v; %+v", left, err, s.All())
	}
	s.Gate.Unlock()
	if _, err := s.Initiate(t.Context(), ask(t, "")); err != nil {
		t.Error(err)
	}
}

func TestAnotherKeyIsJudgedAgain(t *testing.T) {
	s, _ := open(t, true)
	s.Rekey("test")
	if !s.Gate.Unacknowledged() || s.KeyRejected() {
		t.Error("a test key for a live profile is not noticed")
	}
}
