package attempt_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/attempt"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
	"paydesk/ui"
)

func TestAPaymentThatCameToNothingIsCollectedAgain(t *testing.T) {
	failed := func(b *fakeJournal, _ *fakeService) {
		b.attempt.Outcome, b.attempt.Reference = ledger.Accepted, "ref-7"
		b.attempt.Status, b.attempt.StatusAt = api.ParseStatus("FAILED"), b.attempt.AnsweredAt
	}
	for _, s := range sizes {
		open(t, time.Hour, s.w, s.h, failed, func(c *fixture) {
			c.Sees("▐✗ FAILED▌", "12.50 GBP").Golden("failed-" + s.name).Fits().HelpBarFits()
		})
	}
	open(t, time.Hour, 120, 40, failed, func(c *fixture) {
		c.Sees("c collect again", "s status").Press("c")
		push, _ := c.LastRequest().(nav.Push)
		to, _ := push.To.(nav.Collect)
		if to.Again == nil || to.Again.Amount != gbp(1250) {
			t.Errorf("c leads to %#v", push.To)
		}
		c.Went(push)
		c.Press("s").Went(nav.Push{To: nav.Payment{Reference: "ref-7"}})
	})
	open(t, time.Hour, 120, 40, nil, func(c *fixture) {
		c.WaitsUntilGone("collect again", "s       status").Press("c").Sees("Only a payment that failed, or was never made").Went()
		c.Press("s").Sees("whose reference is known can be opened").Went()
	})
	open(t, time.Hour, 120, 40, func(b *fakeJournal, s *fakeService) {
		failed(b, s)
		b.attempt.Destination.Host = "elsewhere.example"
	}, func(c *fixture) {
		c.WaitsUntilGone("collect again").Press("c").Sees("to another service").Went()
	})
}

// In a wide window the history stands beside the attempt.
func TestAWideWindowHasTheHistoryBesideTheAttempt(t *testing.T) {
	open(t, time.Minute, 120, 40, nil, func(c *fixture) {
		c.Sees("│ ── History ──", "── What happened ──", "── Attempt ──")
	})
	open(t, time.Minute, 109, 40, nil, func(c *fixture) { c.Sees("── What happened ──", "── Attempt ──") })
}

func TestTheHelpOfTheDecisionsSaysWhatEachMeans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &fakeJournal{attempt: lost(time.Hour)}
		m := attempt.New(screentest.Theme, b, &fakeService{}, shop, id, false)
		c := screentest.Open(t, m, 80, 24)
		c.Press("d").Sees("── Decide")
		help := strings.Join(c.Top().(ui.Explainer).Explain(), "\n")
		for _, says := range []string{"Found as…: it was made: enter its reference.", "Not found: it was never made.", "Give up: it is not followed up."} {
			if !strings.Contains(help, says) {
				t.Errorf("the help does not say %q:\n%s", says, help)
			}
		}
	})
}

func TestACaseFileIsWrittenForATicket(t *testing.T) {
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		b := &fakeJournal{attempt: lost(time.Hour)}
		b.events = []ledger.Event{{At: b.attempt.At, What: "sent", By: ada, Times: 1, Source: "this console"}}
		m := attempt.New(screentest.Theme, b, &fakeService{}, shop, id, false).Cases(func() string { return folder })
		c := screentest.Open(t, m, 160, 40)
		c.Press("w").Sees("Case of attempt k3f9m2x7qa", "File              "+filepath.Join(folder, "paydesk-case-k3f9m2x7qa-2000"), "Only you can read").Fits()
		if left, _ := os.ReadDir(folder); len(left) > 0 {
			t.Errorf("written before it was asked: %v", left)
		}
		c.Press("esc").Sees("History").Press("w", "enter").Sees("Written to "+folder, ".md").Fits()
		names, _ := filepath.Glob(filepath.Join(folder, "*.md"))
		if len(names) != 1 {
			t.Fatal(names)
		}
		text, err := os.ReadFile(names[0])
		for _, want := range []string{"# Attempt `k3f9m2x7qa`", "`12.50 GBP`", "by `ada on till-3 from 192.0.2.7`", "## Not known", "## History"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s is not in\n%s (%v)", want, text, err)
			}
		}
		c.Press("down").WaitsUntilGone("Written to")
	})
}

// An attempt of another service is shown, and neither asked about nor decided here.
func TestAnAttemptOfAnotherServiceIsOnlyShown(t *testing.T) {
	open(t, time.Hour, 80, 24, func(b *fakeJournal, _ *fakeService) {
		b.attempt.Destination = ledger.Destination{Profile: "live", Environment: "LIVE", Host: "live.example"}
	}, func(c *fixture) {
		c.Sees("Sent from profile live, to another service (LIVE · live.example).").WaitsUntilGone("d decide", "x give up", "m matches", "r check").Fits()
		for _, k := range []string{"d", "x", "m", "u", "enter", "s", "p", "c"} {
			c.Press(k).Sees("open a profile of that one to continue")
		}
		c.Press("r")
		c.Went()
		c.requested()
		c.decided()
	})
}
