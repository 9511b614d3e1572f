package screens_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
)

// unlocked types the profile's name, as somebody does who means it.
func unlocked(c *consoletest.Console) {
	c.T.Helper()
	c.Press("ctrl+l").Sees("Unlock sending for").Slowly("shop").Press("right").Wait(time.Second)
	c.Press("enter").Wait(time.Second)
	c.Sees("Unlocked for")
}

func TestALiveProfileOpensLockedAndItsNameUnlocksIt(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("▐▲ LIVE▌", "Sending is locked", "ctrl+l unlocks").Golden("lock/locked")
		c.Press("c").Sees("Sending is locked: press ctrl+l first.").Golden("lock/collect")
		c.Press("ctrl+l").Sees("Unlock sending for 15 minutes?", "LIVE · 127.0.0.1:8099", "Type shop").Golden("lock/unlocking")
		c.Slowly("shop").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		c.Sees("Collect", "Unlocked for 15 min", "ctrl+l locks").WaitsUntilGone("Nothing can be sent").Golden("lock/unlocked")
		c.Wait(14*time.Minute + 10*time.Second).Sees("Unlocked for 0:4").Golden("lock/last-minute")
		c.Wait(time.Minute).Sees("Sending is locked", "Sending is locked: press ctrl+l first")
	}, consoletest.Live())
}

// Whoever works with real money finds the way to the other rooms as before.
func TestTheRoomsAreNumberedWhileLiveIsUnlocked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		unlocked(c)
		for i, want := range []string{"▪ 1", "▪ 2", "▪ 3", "▪ 4"} {
			rule := strings.Split(c.Press(strconv.Itoa(i+1)).Wait(time.Second).Screen(), "\n")[1]
			if !strings.Contains(rule, want) || !strings.Contains(rule, "Unlocked for") || !strings.Contains(rule, "5") {
				t.Errorf("%q, want %s of 5 rooms", rule, want)
			}
		}
	}, consoletest.Live(), consoletest.Inbox(), consoletest.Size(60, 18))
}

func TestTheCountdownWritesAtMostOnceAMinuteUntilItsLast(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		quiet := func(d time.Duration) {
			t.Helper()
			before := len(c.Bytes())
			if c.Wait(d); len(c.Bytes()) != before {
				t.Errorf("%d bytes were written", len(c.Bytes())-before)
			}
		}
		quiet(time.Hour) // locked, nothing changes
		unlocked(c)
		before := c.Writes()
		if c.Wait(13 * time.Minute); c.Writes() != before+13 {
			t.Errorf("it was written %d times in 13 minutes", c.Writes()-before)
		}
		c.Wait(time.Minute).Sees("Unlocked for 0:").Wait(time.Minute)
		c.Sees("Sending is locked")
		quiet(time.Hour)
	}, consoletest.Live())
}

func TestItLocksAgainByKeyAndWhenTheConsoleWasStopped(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		unlocked(c)
		c.Press("ctrl+l").Sees("Sending is locked")
		unlocked(c)
		c.Send(tea.ResumeMsg{})
		c.Wait(0)
		c.Sees("Sending is locked")
		unlocked(c) // and a tick of an earlier time does not count
		c.Wait(14 * time.Minute).Sees("Unlocked for")
	}, consoletest.Live())
}

func TestNothingButTheNameUnlocks(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		for _, typed := range []string{"", "SHOP", "shop ", "live", "shopp"} {
			c.Press("ctrl+l").Slowly(typed).Press("right").Wait(time.Second)
			c.Press("enter").Wait(time.Second).Sees("Type shop exactly as shown", "Sending is locked")
			c.Paste("shop").Press("right").Wait(time.Second).Press("enter").Wait(time.Second).Sees("Sending is locked")
			c.Press("esc").Sees("Home", "Sending is locked")
		}
	}, consoletest.Live(), consoletest.Size(60, 18))
}

func TestNoOtherScreenSaysThatItIsOpen(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		shut := func(says string) {
			for _, msg := range []tea.Msg{nav.Unlocked{}, nav.Acknowledged{Evidence: 99}, nav.Back{}} {
				c.Send(msg)
				c.Wait(0).Sees(says)
			}
		}
		shut("Sending is locked")
		c.Wait(61 * time.Second).Sees("Locked:")
		shut("Locked:")
	}, consoletest.Live(), idleAfter(1))
}

// linked fills in a link, up to the question.
func linked(c *consoletest.Console) {
	c.T.Helper()
	c.Press("n").Fill("Name", "Chairs").Fill("Description", "six oak chairs").Choose("Currency", "GBP").Fill("Amount", "120.00").Press("ctrl+s")
}

func TestALockedConfirmationRefusesAndAnUnlockedOneSendsOnce(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		linked(c)
		answer := func() {
			c.Sees("Create the link", "LIVE · 127.0.0.1:8099").Slowly("120.00").Press("right").Wait(time.Second)
			c.Press("enter").Wait(time.Second)
		}
		answer()
		c.Sees("Sending is locked. Press ctrl+l to unlock it.").Golden("lock/refused")
		if n := len(c.Wire.Posts()); n != 0 {
			t.Fatalf("%d were posted", n)
		}
		unlocked(c)
		c.Sees("Create the link").Wait(time.Second).Press("enter").Wait(time.Second) // what was typed before counts no more
		if n := len(c.Wire.Posts()); n != 0 {
			t.Fatalf("%d were posted", n)
		}
		c.Press("left").Slowly("120.00").Press("right").Wait(16 * time.Minute) // the lock falls while the question is open
		c.Press("enter").Wait(time.Second).Sees("Sending is locked", "Create the link")
		if n := len(c.Wire.Posts()); n != 0 {
			t.Fatalf("%d were posted", n)
		}
		unlocked(c)
		c.Press("left")
		answer()
		c.Sees("0-").Sees("collect payment")
		if n := len(c.Wire.Posts()); n != 1 {
			t.Errorf("%d were posted", n)
		}
	}, consoletest.Live())
}

func TestCardsAreNotTypedInLiveUnlessTheProfileSaysSo(t *testing.T) {
	toChannels := func(c *consoletest.Console) {
		c.Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter")
	}
	consoletest.Run(t, func(c *consoletest.Console) {
		toChannels(c)
		c.Sees("! Sending is locked.", "Press ctrl+l to unlock it.", "Card entry is disabled").Golden("lock/channels-locked")
		unlocked(c)
		c.Sees("These channels accept", "by transfer").WaitsUntilGone("▌ Card", "  Card ").Golden("lock/channels")
		c.Press("n").Sees("New link")
	}, consoletest.Live())
	consoletest.Run(t, func(c *consoletest.Console) {
		unlocked(c)
		toChannels(c)
		c.Sees("▌ Card").WaitsUntilGone("Create a payment link")
	}, consoletest.Live(), consoletest.As(func(p *keystore.Profile) { p.AllowCardEntry = true }))
}
