package home_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/screens/home"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

// A guide is a tour of which a test says what has happened.
type guide struct {
	home.Tour
	done        home.Toured
	armed, kept int
	sent        int
	err         error // of arming
}

func newGuide() *guide {
	g := &guide{}
	g.Tour = home.Tour{
		Read:        func(context.Context) (home.Toured, error) { return g.done, nil },
		LoseAnswer:  func(context.Context) error { g.armed++; return g.err },
		KeepAnswers: func(context.Context) error { g.kept++; return nil },
		SendEvent:   func(context.Context) error { g.sent++; return g.err },
	}
	return g
}

// led opens home with a tour, over payments of its time.
func led(t *testing.T, w, h int, list func() payments, tell func(*screentest.Console, *guide)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g, p := newGuide(), list()
		m := home.New(screentest.Theme, &p, home.Options{Journal: true, Sandbox: func() bool { return true }, Tour: &g.Tour})
		tell(screentest.Open(t, m, w, h), g)
	})
}

func nothing() payments { return nil }

func TestTheFourLinesOpenWhereTheyBegin(t *testing.T) {
	led(t, 80, 24, nothing, func(c *screentest.Console, g *guide) {
		c.Sees("Try these", "0 of 4 done", "▌ ○ to do  Pay by card", "Pay a link", "Lose an answer", "See a webhook", "Ticked").Golden("tour")
		c.Fits().HelpBarFits().Idle(time.Minute)
		c.Press("enter").Went(nav.Push{To: nav.Collect{Sample: "challenge"}})
		c.Press("down", "enter").Went(nav.Push{To: nav.NewLink{Sample: "approve"}})
		c.Press("down", "enter").Went(nav.Push{To: nav.Collect{Sample: "approve"}})
		c.Press("down", "enter").Went(nav.Push{To: nav.Inbox{}})
		c.Press("down").Sees("Collect a payment").Press("enter").Went(nav.Push{To: nav.Collect{}}).WaitsUntilGone("✓")
		if g.armed != 1 || g.kept != 0 || g.sent != 1 {
			t.Errorf("armed %d times, taken back %d times, sent %d webhooks", g.armed, g.kept, g.sent)
		}
	})
}

func TestWhatNeedsAPersonComesBeforeTheFourLines(t *testing.T) {
	seven := func(status string) func() payments {
		return func() (all payments) {
			for _, ref := range []api.Reference{"REF1", "REF2", "REF3", "REF4", "REF5", "REF6", "REF7"} {
				all = append(all, paid(ref, api.ChannelCard, "", api.Payment{}, status))
			}
			return all
		}
	}
	led(t, 60, 18, seven("PENDING"), func(c *screentest.Console, _ *guide) {
		c.Sees("Under way", "REF4", "Try these", "Pay by card", "Collect a payment").Fits()
		for range 7 + 4 { // the line with the mark is among those that are shown
			c.Press("down").Sees("▌ ")
		}
	})
	led(t, 60, 18, seven("SUCCESSFUL"), func(c *screentest.Console, _ *guide) {
		c.Sees("Settled today", "REF1", "Pay by card", "Pay a link", "Collect a payment").Fits()
	})
}
