package session_test

import (
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/session"
)

func TestWhatWasMadeComesFromTheJournalAndWithoutOneFromThisRun(t *testing.T) {
	now := time.Now()
	from, to := now.Add(-time.Hour), now.Add(time.Hour)
	kept := session.NewTracker(&service{}, &fakeStore{})
	if made, err := kept.Made(t.Context(), from, to); err != nil || len(made) != 1 || made[0].Open.Payments != 2 {
		t.Errorf("with a journal: %+v, %v", made, err)
	}

	s := &service{payment: initiated, status: "SUCCESSFUL"}
	tracker := session.NewTracker(s, nil)
	for _, lost := range []bool{false, true} {
		if s.err = nil; lost {
			s.err = &api.Unresolved{Kind: api.KindTimeout}
		}
		_, err := tracker.Initiate(t.Context(), api.Initiation{Amount: gbp(t, "12.50"), Channel: api.ChannelCard})
		if (err != nil) != lost {
			t.Fatal(err)
		}
	}
	s.err = nil
	if _, err := tracker.Transaction(t.Context(), "ref-1"); err != nil {
		t.Fatal(err)
	}
	made, err := tracker.Made(t.Context(), from, to)
	if err != nil || len(made) != 1 || made[0].Secured.Minor != 1250 || made[0].Unresolved.Minor != 1250 || made[0].Payments() != 2 {
		t.Errorf("without one: %+v, %v", made, err)
	}
	if made, err = tracker.Made(t.Context(), to, to.Add(time.Hour)); err != nil || made != nil {
		t.Errorf("tomorrow: %+v, %v", made, err)
	}
}
