package home_test

import (
	"context"
	"errors"
	"fmt"
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
func led(t *testing.T, w, h int, list func() payments, tell func(*screentest.Console, *guide, *home.Model)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g, p := newGuide(), list()
		m := home.New(screentest.Theme, &p, home.Options{Journal: true, Sandbox: func() bool { return true }, Tour: &g.Tour})
		tell(screentest.Open(t, m, w, h), g, m)
	})
}

func nothing() payments { return nil }

var sizes = map[string][2]int{"": {80, 24}, "-small": {60, 18}, "-wide": {120, 40}}

func TestTheFourLinesOpenWhereTheyBegin(t *testing.T) {
	for name, size := range sizes {
		led(t, size[0], size[1], nothing, func(c *screentest.Console, g *guide, m *home.Model) {
			c.Sees("Try these", "0 of 4 done", "▌ ○ to do  Pay by card", "Pay a link", "Lose an answer", "See a webhook", "Ticked").Golden("tour" + name)
			c.Fits().HelpBarFits().Idle(time.Minute)
			c.Press("enter").Went(nav.Push{To: nav.Collect{Sample: "challenge"}})
			c.Press("down", "enter").Went(nav.Push{To: nav.NewLink{Sample: "approve"}})
			c.Press("down", "enter").Went(nav.Push{To: nav.Collect{Sample: "approve"}})
			c.Press("down", "enter").Went(nav.Push{To: nav.Inbox{}})
			c.Press("down").Sees("Collect a payment").Press("enter").Went(nav.Push{To: nav.Collect{}}).WaitsUntilGone("✓")
			if g.armed != 1 || g.kept != 0 || g.sent != 1 {
				t.Errorf("armed %d times, taken back %d times, sent %d webhooks", g.armed, g.kept, g.sent)
			}
			c.OnLoop(func() { m.Resume() })
			if c.Wait(0); g.kept != 0 { // its command was not run here
				t.Errorf("taken back %d times", g.kept)
			}
		})
	}
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
	for name, size := range sizes {
		led(t, size[0], size[1], seven("PENDING"), func(c *screentest.Console, _ *guide, _ *home.Model) {
			c.Sees("Under way", "REF4", "Try these", "Pay by card", "Collect a payment").Golden("tour-busy" + name)
			c.Fits()
			for range 7 + 4 { // the line with the mark is among those that are shown
				c.Press("down").Sees("▌ ")
			}
		})
		led(t, size[0], size[1], seven("SUCCESSFUL"), func(c *screentest.Console, _ *guide, _ *home.Model) {
			c.Sees("Settled today", "REF1", "Pay by card", "Pay a link", "Collect a payment").Fits()
		})
	}
}

func TestASandboxThatCannotLoseAnAnswerLeadsToItsScreen(t *testing.T) {
	led(t, 80, 24, nothing, func(c *screentest.Console, g *guide, _ *home.Model) {
		g.err = errors.New("no sandbox")
		c.Press("down", "down", "enter").Sees("Open its screen (f3)").Went()
	})
}

func TestWhatWasMadeTodayStaysLegibleBesideTheFourLines(t *testing.T) {
	many := func() (all payments) {
		for i := range 12 {
			e := paid(api.Reference(fmt.Sprint("REF", i)), api.ChannelCard, "", api.Payment{}, "SUCCESSFUL")
			e.Amount = amount([]string{"GBP", "NGN", "CAD"}[i%3], "12.50")
			all = append(all, e)
		}
		return all
	}
	for name, size := range sizes {
		led(t, size[0], size[1], many, func(c *screentest.Console, _ *guide, _ *home.Model) {
			c.Sees("Settled today", "Made from here today", "50.00 secured", "Pay by card").Golden("tour-made" + name).Fits()
			c.Press("tab", "down", "down").Wait(time.Second).Sees("50.00 secured", "▌ ○ to do  Lose an answer", "(d).").Fits()
		})
	}
}
