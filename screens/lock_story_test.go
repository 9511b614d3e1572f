package screens_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/nav"
)

// unlocked types the profile's name, as a person does who means it.
func unlocked(c *consoletest.Console) {
	c.T.Helper()
	c.Press("ctrl+l").Sees("Unlock sending for").Slowly("shop").Press("right").Wait(time.Second)
	c.Press("enter").Wait(time.Second)
	c.Sees("Unlocked ")
}

func TestALiveProfileOpensLockedAndItsNameUnlocksIt(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Sees("▐▲ LIVE▌", "Sending is locked · ctrl+l").Golden("lock/locked")
		c.Press("c").Sees("What the customer pays in.").Golden("lock/collect")
		c.Press("ctrl+l").Sees("Unlock sending for 15 minutes?", "LIVE · 127.0.0.1:8099", "Type shop").Golden("lock/unlocking")
		c.Slowly("shop").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		c.Sees("Collect", "Unlocked 15 min · ctrl+l").WaitsUntilGone("Nothing can be sent").Golden("lock/unlocked")
		c.Wait(14*time.Minute + 10*time.Second).Sees("Unlocked 0:4").Golden("lock/last-minute")
		c.Wait(time.Minute).Sees("Sending is locked · ctrl+l")
	}, consoletest.Live())
}

// A finalize in live is typed: the amount where it is known, else a word.
func TestALiveFinalizeIsTypedFirst(t *testing.T) {
	for ref, typed := range map[api.Reference]string{"MADEHERE01": "12.50", "ELSEWHERE1": "finalize"} {
		consoletest.Run(t, func(c *consoletest.Console) {
			there := ledger.Destination{Profile: "shop", Environment: "LIVE", Host: "127.0.0.1:8099"}
			recorded(c, ledger.Attempt{Kind: ledger.Initiate, Amount: pounds(1250), Channel: api.ChannelCard, Link: "a1", Destination: there}, ledger.Payer{},
				ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: "MADEHERE01"}})
			unlocked(c)
			c.Press("r").Wait(time.Second)
			c.Send(nav.Push{To: nav.Finalize{Reference: ref}})
			c.Wait(time.Second).Sees("Finalize "+string(ref), "Type "+typed, "LIVE").Press("right", "y").Wait(time.Second).Press("enter").Wait(time.Second)
			if n := c.Wire.PostsTo("finalize"); n != 0 {
				t.Errorf("%d were sent", n)
			}
		}, consoletest.Live())
	}
}

// Whoever works with real money finds the way to the other rooms as before.
func TestTheRoomsAreNumberedWhileLiveIsUnlocked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		unlocked(c)
		for i, want := range []string{"▪ 1", "▪ 2", "▪ 3", "▪ 4"} {
			rule := strings.Split(c.Press(strconv.Itoa(i+1)).Wait(time.Second).Screen(), "\n")[1]
			if !strings.Contains(rule, want) || !strings.Contains(rule, "Unlocked ") || !strings.Contains(rule, "5") {
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
		c.Wait(time.Minute).Sees("Unlocked 0:").Wait(time.Minute)
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
		c.Wait(14 * time.Minute).Sees("Unlocked ")
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

func TestLeavingIsNotUnlocking(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Send(nav.Back{})
		c.Wait(0).Sees("Sending is locked").Press(":").Sees("▸ Go to").Wait(61 * time.Second).Sees("▸ Locked").WaitsUntilGone("Go to")
		c.Send(nav.Back{})
		c.Wait(0).Sees("Locked:")
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
		c.Sees("0-").Sees("enter collect")
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
		c.Sees("These channels accept", "Transfer  ", "What will be sent").WaitsUntilGone("▌ Card", "  Card ").Golden("lock/channels")
		c.Press("n").Sees("New link")
	}, consoletest.Live())
	consoletest.Run(t, func(c *consoletest.Console) {
		unlocked(c)
		toChannels(c)
		c.Sees("▌ Card").WaitsUntilGone("Create a payment link")
	}, consoletest.Live(), consoletest.As(func(p *keystore.Profile) { p.AllowCardEntry = true }))
}

// routes is every screen that there is while a service is open. TestEveryRouteIsWalked
// holds it to the list of the console.
func routes(p keystore.Profile) []nav.Route {
	link := api.Link{Alias: "0-abc1234", Name: api.Clean("Dues"), Amount: pounds(1250), HasAmount: true}
	return []nav.Route{
		nav.Home{}, nav.Setup{}, nav.Ready{}, nav.NewLink{}, nav.Share{Link: link}, nav.Collect{}, nav.Collect{Link: &link},
		nav.Challenge{Reference: "ref-1"}, nav.Transfer{Reference: "ref-1"}, nav.Finalize{Reference: "ref-1"}, nav.Payment{}, nav.Payment{Reference: "ref-1"},
		nav.Attempt{ID: "0123456789"}, nav.Links{}, nav.Transactions{}, nav.Raw{Reference: "REF0001"}, nav.Requests{}, nav.Diagnostics{}, nav.Activity{}, nav.IdleLock{}, nav.Unlock{}, nav.EnvCheck{}, nav.Loss{}, nav.Sandbox{}, nav.Inbox{}, nav.Profiles{}, nav.Doctor{Profile: p},
		nav.Key{Profile: p}, // last: it closes the service
	}
}

// framed fails unless the frame on the screen has the word, and the host where there is room
// for it.
func framed(c *consoletest.Console, w, h int, word, where string) {
	c.T.Helper()
	frame := c.Screen()
	if !strings.Contains(frame, word) {
		c.T.Errorf("%s in %d×%d: no frame without %s\n%s", where, w, h, word, c.Boxed())
	}
	if (h > 1 || w >= 60) && w >= 30 && !strings.Contains(frame, "127.0.0.1:8099") {
		c.T.Errorf("%s in %d×%d: no frame without the host\n%s", where, w, h, c.Boxed())
	}
}

// Every screen is looked at in every window, with one of the words, and its help in a third of them; with PAYDESK_LONG with each
// of them. It takes seconds: some hundred frames are drawn and read.
func TestEveryFrameOfEveryScreenSaysWhereItIs(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and one thing after the other: it looks for no races")
	}
	windows := [][2]int{{80, 24}, {60, 18}, {120, 40}, {200, 60}, {59, 18}, {60, 17}, {40, 10}, {30, 2}, {100, 1}, {40, 1}, {12, 3}, {10, 1}}
	profiles := []struct {
		word string
		as   consoletest.Option
	}{
		{"SANDBOX", consoletest.As(func(*keystore.Profile) {})},
		{"TEST", consoletest.As(func(p *keystore.Profile) { p.Environment = keystore.Test })},
		{"LIVE", consoletest.Live()},
		{"▐▲ LIVE▌", consoletest.As(func(p *keystore.Profile) { p.Environment = keystore.Live })}, // with a test key: unclear
	}
	for n, p := range profiles {
		frames := 0
		var profile keystore.Profile
		note := consoletest.As(func(p *keystore.Profile) { profile = *p })
		consoletest.Run(t, func(c *consoletest.Console) {
			for i, r := range routes(profile) {
				c.Resize(80, 24)
				c.Send(nav.Push{To: r})
				c.Wait(2 * time.Second)
				for k, size := range windows {
					if (n+i+k)%len(profiles) > 0 && !long {
						continue
					}
					c.Resize(size[0], size[1])
					framed(c, size[0], size[1], p.word, fmt.Sprintf("%T", r))
					frames++
					if (i+k/len(profiles))%3 > 0 && !long {
						continue
					}
					c.Press("f1")
					framed(c, size[0], size[1], p.word, fmt.Sprintf("help of %T", r))
					c.Press("f1")
					frames++
				}
				c.Send(nav.Back{})
			}
		}, p.as, note)
		if least := 4 * len(windows) / 3 / len(profiles) * len(routes(profile)); frames < least {
			t.Errorf("%s: only %d frames were looked at", p.word, frames)
		}
	}
}

func TestInEveryQuestionThatSendsStandsWhereItGoes(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		linked(c)
		c.Resize(60, 18).Sees("Create the link", "LIVE · 127.0.0.1:8099", "six oak chairs").Resize(80, 24).Press("esc", "esc")
		c.Send(nav.Push{To: nav.Finalize{Reference: "ref-1"}})
		c.Wait(0)
		c.Sees("Finalize ref-1?", "LIVE · 127.0.0.1:8099", "Type finalize").Press("esc")
		unlocked(c)
		c.Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter").Sees("These channels accept").Press("enter")
		customer(c.Person)
		c.Press("ctrl+s").Sees("Request 1,500.00 NGN by transfer?", "LIVE · 127.0.0.1:8099", "Type 1,500.00").Golden("lock/review")
		c.Slowly("1500.00").Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
		if n := c.Wire.PostsTo("/initiate"); n != 1 {
			t.Errorf("%d were sent\n%s", n, c.Boxed())
		}
	}, consoletest.Live())
}

func TestEveryRouteIsWalked(t *testing.T) {
	source, err := os.ReadFile("nav/nav.go")
	must(t, err)
	all := regexp.MustCompile(`(?:func \(|\t)(\w+)(?:\) route\(\)| +struct\{ plain \})`).FindAllStringSubmatch(string(source), -1)
	for _, m := range all {
		if m[1] != "Over" && m[1] != "plain" && !slices.ContainsFunc(routes(keystore.Profile{}), func(r nav.Route) bool { return fmt.Sprintf("%T", r) == "nav."+m[1] }) {
			t.Errorf("nav.%s is not walked", m[1])
		}
	}
	if len(all) < 17 {
		t.Errorf("only %d routes were found", len(all))
	}
}
