package guard_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/money"
	"paydesk/screens/guard"
)

// A service counts what would move money, and answers whatever a link says of itself.
type service struct {
	journal.Service
	sent, asked int
	says        string
}

func (s *service) Initiate(context.Context, api.Initiation) (api.Payment, error) {
	s.sent++
	return api.Payment{}, nil
}

func (s *service) CreateLink(context.Context, api.LinkDraft) (api.Link, error) {
	s.sent++
	return api.Link{Environment: api.Clean(s.says)}, nil
}

func (s *service) Finalize(context.Context, api.Reference) (api.Finalization, error) {
	s.sent++
	return api.Finalization{}, nil
}

func (s *service) ValidateChannels(context.Context, money.Amount, ...string) (api.Channels, error) {
	s.sent++
	return api.Channels{}, nil
}

func (s *service) Transaction(context.Context, api.Reference) (api.Transaction, error) {
	s.asked++
	return api.Transaction{}, nil
}

// tries is what sending by each road comes to.
func tries(g *guard.Gate) []error {
	_, initiate := g.Initiate(context.Background(), api.Initiation{Channel: api.ChannelTransfer})
	_, link := g.CreateLink(context.Background(), api.LinkDraft{})
	_, finalize := g.Finalize(context.Background(), "ref-1")
	_, validate := g.ValidateChannels(context.Background(), money.Amount{})
	return []error{initiate, link, finalize, validate}
}

// closed fails unless nothing can be sent, for the reason given, and looking is free.
func closed(t *testing.T, g *guard.Gate, s *service, why string) {
	t.Helper()
	before := s.sent
	for i, err := range tries(g) {
		var c *guard.Closed
		if !errors.As(err, &c) || c.Error() != why || c.Why == "" || c.Next == "" {
			t.Errorf("road %d: %v", i, err)
		}
	}
	if s.sent != before || g.Why() != why {
		t.Errorf("%d were sent, and it says %q", s.sent-before, g.Why())
	}
	asked := s.asked
	if _, err := g.Transaction(context.Background(), "ref-1"); err != nil || s.asked != asked+1 {
		t.Errorf("looking is not free: %v", err)
	}
}

// open fails unless everything can be sent.
func open(t *testing.T, g *guard.Gate, s *service) {
	t.Helper()
	before := s.sent
	for i, err := range tries(g) {
		if err != nil {
			t.Errorf("road %d: %v", i, err)
		}
	}
	if s.sent != before+4 || g.Why() != "" {
		t.Errorf("%d were sent, and it says %q", s.sent-before, g.Why())
	}
}

const (
	locked  = "Sending is locked. Unlock it (ctrl+l)."
	doubted = "The environment is in doubt. See what disagrees (ctrl+l)."
)

func claim(by, word string) guard.Claim {
	return guard.Claim{By: by, Word: word, Says: guard.Read(word)}
}

func TestWhereNoRealMoneyMovesNothingIsLocked(t *testing.T) {
	for _, claims := range [][]guard.Claim{
		{claim(guard.ByProfile, "test")}, {claim(guard.ByProfile, "sandbox"), claim(guard.ByKey, "test")}, {claim(guard.ByProfile, "test"), claim(guard.ByKey, "")},
	} {
		s := &service{says: "Test"}
		open(t, guard.Keep(s, guard.Options{Claims: claims}), s)
	}
}

func TestLiveIsLockedUntilItIsUnlockedAndAgainAfterwards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{says: "Live"}
		g := guard.Keep(s, guard.Options{Claims: []guard.Claim{claim(guard.ByProfile, "live")}, Unlock: 15 * time.Minute})
		closed(t, g, s, locked)
		g.Unlock()
		open(t, g, s)
		time.Sleep(15*time.Minute - time.Nanosecond)
		open(t, g, s)
		time.Sleep(time.Nanosecond)
		closed(t, g, s, locked)
		g.Unlock()
		g.Lock()
		closed(t, g, s, locked)
		if g.Left(time.Now()) != 0 {
			t.Errorf("%v are left", g.Left(time.Now()))
		}
	})
}

func TestWhileTheConsoleIsHiddenNothingIsSentAndReadsWaitWhereThereIsNoKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, silently := range []bool{false, true} {
			s := &service{}
			g := guard.Keep(s, guard.Options{Claims: []guard.Claim{claim(guard.ByProfile, "live")}, Unlock: time.Hour})
			g.Unlock()
			g.Leave(silently)
			g.Leave(silently) // once more is the same
			for _, err := range tries(g) {
				if err == nil {
					t.Error("it was sent")
				}
			}
			go g.Transaction(t.Context(), "ref-1")
			if synctest.Wait(); (s.asked == 0) != silently {
				t.Errorf("silently %v, %d were asked", silently, s.asked)
			}
			gone, leave := context.WithCancel(t.Context())
			leave()
			if _, err := g.Transaction(gone, "ref-1"); silently && !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
			g.Return()
			g.Return()
			if synctest.Wait(); s.asked == 0 {
				t.Error("what waited was not asked")
			}
			closed(t, g, s, locked) // what was unlocked is not any more
		}
	})
}

func TestAMachineThatSleptHasNoMoreTimeLeft(t *testing.T) {
	g := guard.Keep(&service{}, guard.Options{Claims: []guard.Claim{claim(guard.ByProfile, "live")}, Unlock: 15 * time.Minute})
	g.Unlock()
	wall := time.Now().Round(0) // without the monotonic clock, as after a sleep
	if left := g.Left(wall.Add(16 * time.Minute)); left != 0 {
		t.Errorf("%v are left", left)
	}
	if left := g.Left(time.Now()); left <= 0 || left > 15*time.Minute {
		t.Errorf("%v are left", left)
	}
}

func TestADisagreementStopsEverythingUntilItWasSeen(t *testing.T) {
	for name, claims := range map[string][]guard.Claim{
		"declared against the key":  {claim(guard.ByProfile, "test"), claim(guard.ByKey, "live")},
		"declared live, a test key": {claim(guard.ByProfile, "live"), claim(guard.ByKey, "test")},
		"declared against the host": {claim(guard.ByProfile, "live"), guard.Host(guard.ByHost, "https://sandbox.payments.example")},
	} {
		t.Run(name, func(t *testing.T) {
			s := &service{}
			g := guard.Keep(s, guard.Options{Claims: claims, Unlock: time.Minute})
			g.Unlock() // does not help
			closed(t, g, s, doubted)
			g.Acknowledge(len(g.Claims()))
			open(t, g, s)
			g.Lock() // and what is live for anybody is locked for everybody
			closed(t, g, s, locked)
		})
	}
}

func TestWhatALinkSaysStopsWhatComesAfterIt(t *testing.T) {
	s := &service{says: "Live"}
	g := guard.Keep(s, guard.Options{Claims: []guard.Claim{claim(guard.ByProfile, "test")}, Unlock: time.Minute})
	if _, err := g.CreateLink(t.Context(), api.LinkDraft{}); err != nil {
		t.Fatal(err)
	}
	closed(t, g, s, doubted)
	if all := g.Claims(); !slices.Contains(all, claim(guard.ByLink, "Live")) {
		t.Errorf("%+v", all)
	}
	n := len(g.Claims())
	g.Acknowledge(n)
	g.Unlock()
	open(t, g, s) // saying the same again is nothing new
	if len(g.Claims()) != n {
		t.Errorf("%+v", g.Claims())
	}
	g.Acknowledge(n - 1) // a screen that had shown fewer
	closed(t, g, s, doubted)
}

func TestAWordNobodyKnowsProvesNothing(t *testing.T) {
	s := &service{says: "Blue\x1b[2J"}
	g := guard.Keep(s, guard.Options{Claims: []guard.Claim{claim(guard.ByProfile, "test")}})
	open(t, g, s)
	open(t, g, s)
}

func TestACardIsNotChargedInLiveWhereTheProfileDoesNotAllowIt(t *testing.T) {
	for _, c := range []struct {
		word    string
		allowed bool
		sent    int
	}{{"live", false, 0}, {"live", true, 1}, {"test", false, 1}} {
		s := &service{}
		g := guard.Keep(s, guard.Options{Claims: []guard.Claim{claim(guard.ByProfile, c.word)}, Unlock: time.Minute, Cards: c.allowed})
		g.Unlock()
		_, err := g.Initiate(t.Context(), api.Initiation{Channel: api.ChannelCard, Card: &api.CardEntry{}})
		if s.sent != c.sent || (err == nil) != (c.sent == 1) {
			t.Errorf("%+v: sent %d, %v", c, s.sent, err)
		}
	}
}

func TestHostsClaimWhatTheyAreCalled(t *testing.T) {
	for address, want := range map[string]guard.Money{
		"https://payments.example": guard.Unsaid, "https://sandbox.payments.example": guard.Play, "https://api-test.example:8443/v1": guard.Play,
		"https://latest.example": guard.Unsaid, "https://live.payments.example": guard.Live, "https://alive.example": guard.Unsaid,
		"http://127.0.0.1:8099": guard.Unsaid, "": guard.Unsaid, "https://SANDBOX.example/live": guard.Play,
	} {
		if c := guard.Host(guard.ByHost, address); c.Says != want {
			t.Errorf("%s: %+v", address, c)
		}
	}
}

func TestWhatAnotherKeySaysTakesThePlaceOfTheFormer(t *testing.T) {
	s := &service{}
	g := guard.Keep(s, guard.Options{Claims: []guard.Claim{{By: guard.ByProfile, Word: "test", Says: guard.Play}, {By: guard.ByKey, Word: "live", Says: guard.Live}}})
	g.Acknowledge(2)
	g.Rekey("live") // the same is no news
	if g.Unseen() {
		t.Error("what was seen has to be seen again")
	}
	g.Rekey("test")
	if g.Disagrees() || g.Live() {
		t.Error("the former key still counts")
	}
	g.Acknowledge(2)
	g.Rekey("live")
	if !g.Unseen() {
		t.Error("a live key for a test profile is not asked about")
	}
	closed(t, g, s, "The environment is in doubt. See what disagrees (ctrl+l).")
	g.Rekey("") // one without a prefix claims nothing
	if g.Disagrees() || len(g.Claims()) != 2 {
		t.Errorf("known is %v", g.Claims())
	}
}
