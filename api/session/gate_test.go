package session_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/journal"
	"paydesk/api/servicetest"
	"paydesk/api/session"
)

// A linking service counts what reaches it, and returns links of any environment.
type linking struct {
	servicetest.Counter
	says string
}

func (s *linking) CreateLink(ctx context.Context, d api.LinkDraft) (api.Link, error) {
	_, err := s.Counter.CreateLink(ctx, d)
	return api.Link{Environment: api.Clean(s.says)}, err
}

// A gated is a gate, and what asks it before each request.
type gated struct {
	*session.Gate
	*session.Tracker
}

// gate is a gate in front of a service.
func gate(s api.Service, o session.GateOptions) gated {
	g := session.NewGate(o)
	return gated{g, session.NewTracker(s, journal.NewRecorder(s, journal.New(journal.Options{}), desk, nil), g)}
}

// reason is the reason of a closed gate.
func reason(t *testing.T, err error) session.GateReason {
	t.Helper()
	var c *session.GateClosed
	if !errors.As(err, &c) || !errors.Is(err, api.ErrNotSent) || c.Error() == "" {
		t.Errorf("it is stopped with %v", err)
		return session.Unlisted
	}
	return c.Reason
}

// checkClosed fails unless nothing can be sent, for the given reason, and reads pass.
func checkClosed(t *testing.T, g gated, s *linking, why session.GateReason) {
	t.Helper()
	sent, reads := s.Calls(api.OpCreateLink), s.Calls(api.OpTransaction)
	_, err := g.CreateLink(t.Context(), api.LinkDraft{})
	for _, err := range []error{err, g.Check()} {
		if got := reason(t, err); got != why {
			t.Errorf("it is closed for reason %q, want %q", got, why)
		}
	}
	if _, err := g.Transaction(t.Context(), "ref-1"); err != nil || s.Calls(api.OpTransaction) != reads+1 || s.Calls(api.OpCreateLink) != sent {
		t.Errorf("looking is not free, or something was sent: %v", err)
	}
}

var claim = session.WordEvidence

func TestTheWordsForEnvironments(t *testing.T) {
	for word, want := range map[string]api.Mode{
		"Live": api.LiveMode, "PRODUCTION": api.LiveMode, "prod": api.LiveMode,
		"Test": api.TestMode, "sandbox": api.TestMode, "staging": api.TestMode,
		"": api.UnknownMode, "other": api.UnknownMode, " live": api.UnknownMode, "l\u0456ve": api.UnknownMode,
	} {
		if got := api.ModeOf(word); got != want {
			t.Errorf("%q is of mode %d, want %d", word, got, want)
		}
	}
	for address, want := range map[string]api.Mode{
		"https://payments.example": api.UnknownMode, "https://sandbox.payments.example": api.TestMode, "https://api-test.example:8443/v1": api.TestMode,
		"https://latest.example": api.UnknownMode, "https://live.payments.example": api.LiveMode, "https://alive.example": api.UnknownMode,
		"http://127.0.0.1:8099": api.UnknownMode, "": api.UnknownMode, "https://SANDBOX.example/live": api.TestMode,
	} {
		if c := session.HostEvidence(session.ByHost, address); c.Says != want {
			t.Errorf("%s: %+v", address, c)
		}
	}
}

func TestWhileSuspendedNothingIsSentAndReadsWaitWithoutAKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, silently := range []bool{false, true} {
			s := &linking{}
			g := gate(s, session.GateOptions{Evidence: []session.Evidence{claim(session.ByProfile, "live")}, Unlock: time.Hour})
			g.Unlock()
			g.Suspend(silently)
			g.Suspend(silently) // once more is the same
			if _, err := g.CreateLink(t.Context(), api.LinkDraft{}); err == nil {
				t.Error("it was sent")
			}
			go g.Transaction(t.Context(), "ref-1")
			if synctest.Wait(); (s.Calls(api.OpTransaction) == 0) != silently {
				t.Errorf("silently %v, %d were sent", silently, s.Calls(api.OpTransaction))
			}
			gone, leave := context.WithCancel(t.Context())
			leave()
			if _, err := g.Transaction(gone, "ref-1"); silently && !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
			g.Resume()
			g.Resume()
			if synctest.Wait(); s.Calls(api.OpTransaction) == 0 {
				t.Error("the waiting read was not sent")
			}
			checkClosed(t, g, s, session.Locked) // unlocking has ended
		}
	})
}

func TestTheEnvironmentOfALinkBlocksLaterRequests(t *testing.T) {
	s := &linking{says: "Live"}
	g := gate(s, session.GateOptions{Evidence: []session.Evidence{claim(session.ByProfile, "test")}, Unlock: time.Minute})
	if _, err := g.CreateLink(t.Context(), api.LinkDraft{}); err != nil {
		t.Fatal(err)
	}
	checkClosed(t, g, s, session.Contradictory)
	if all := g.Evidence(); !slices.Contains(all, claim(session.ByLink, "Live")) {
		t.Errorf("%+v", all)
	}
	n := len(g.Evidence())
	g.Acknowledge(n)
	checkClosed(t, g, s, session.Locked) // one source says live, so it is locked
	g.Unlock()                           // saying the same again is nothing new
	if _, err := g.CreateLink(t.Context(), api.LinkDraft{}); err != nil || g.Check() != nil || len(g.Evidence()) != n {
		t.Errorf("%v, %+v", err, g.Evidence())
	}
	g.Acknowledge(n - 1) // a screen that had shown fewer
	checkClosed(t, g, s, session.Contradictory)
}

func TestTheEvidenceOfAnotherKeyReplacesTheFormer(t *testing.T) {
	s := &linking{}
	g := gate(s, session.GateOptions{Evidence: []session.Evidence{{By: session.ByProfile, Word: "test", Says: api.TestMode}, {By: session.ByKey, Word: "live", Says: api.LiveMode}}})
	g.Acknowledge(2)
	g.Rekey(session.WordEvidence(session.ByKey, "live")) // the same word changes nothing
	if g.Unacknowledged() {
		t.Error("what was seen has to be seen again")
	}
	g.Rekey(session.WordEvidence(session.ByKey, "test"))
	if g.Contradictory() || g.Live() {
		t.Error("the former key still counts")
	}
	g.Acknowledge(2)
	g.Rekey(session.WordEvidence(session.ByKey, "live"))
	if !g.Unacknowledged() {
		t.Error("a live key for a test profile is not contradictory")
	}
	checkClosed(t, g, s, session.Contradictory)
	g.Rekey(session.WordEvidence(session.ByKey, "")) // one without a prefix claims nothing
	if g.Contradictory() || len(g.Evidence()) != 2 {
		t.Errorf("known is %v", g.Evidence())
	}
}

// While a machine sleeps its monotonic clock stands still, and only the wall clock advances.
func TestAnUnlockExpiresWhileTheMachineSleeps(t *testing.T) {
	g := gate(&linking{}, session.GateOptions{Evidence: []session.Evidence{claim(session.ByProfile, "live")}, Unlock: time.Minute})
	g.Unlock()
	now := time.Now()
	if g.Left(now) <= 0 {
		t.Error("sending is locked at once")
	}
	*(*uint64)(unsafe.Pointer(&now)) += 61 << 30 // the seconds of the wall clock, in a [time.Time] with both
	if left := g.Left(now); left != 0 {
		t.Errorf("after a minute of sleep sending is unlocked for %v", left)
	}
}

func TestInTestACardThatMayBeRealIsSentOnlyOnceConfirmed(t *testing.T) {
	charge := func(g gated, number string) error {
		_, err := g.Initiate(context.Background(), api.Initiation{Channel: api.ChannelCard, Card: &api.CardEntry{PAN: must(card.ParsePAN(number))}})
		return err
	}
	const real, other, published = "4539148803436467", "5425233430109903", "4242424242424242"
	for _, word := range []string{"test", "sandbox", ""} {
		s := &linking{}
		g := gate(s, session.GateOptions{Evidence: []session.Evidence{claim(session.ByProfile, word)}})
		for range 2 {
			if got := reason(t, charge(g, real)); got != session.CardDoubted || s.Calls(api.OpInitiate) != 0 {
				t.Errorf("%q: %s, sent %d", word, got, s.Calls(api.OpInitiate))
			}
		}
		p, _ := card.ParsePAN("4539 1488 0343 6467")
		g.ConfirmCard(p)
		for _, number := range []string{real, real, published} {
			if err := charge(g, number); err != nil {
				t.Errorf("%q: %v", word, err)
			}
		}
		if got := reason(t, charge(g, other)); got != session.CardDoubted || s.Calls(api.OpInitiate) != 3 {
			t.Errorf("%q: one confirmation let another number pass: %s, sent %d", word, got, s.Calls(api.OpInitiate))
		}
		if text := fmt.Sprintf("%+v %#v", g.Gate, g.Gate); strings.Contains(text, real) {
			t.Error("the number is kept")
		}
	}
	for _, allowed := range []bool{true, false} {
		s := &linking{}
		g := gate(s, session.GateOptions{Evidence: []session.Evidence{claim(session.ByProfile, "live")}, Unlock: time.Hour, Cards: allowed})
		g.Unlock()
		err := charge(g, real)
		if sent := s.Calls(api.OpInitiate) > 0; sent != allowed || !allowed && reason(t, err) != session.CardsDisabled {
			t.Errorf("live, and cards are allowed: %t: sent %t, %v", allowed, sent, err)
		}
	}
}
