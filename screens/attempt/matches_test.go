package attempt_test

import (
	"fmt"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/screens/nav"
)

func TestMatchesComeFromTheFirstAndTheLastPages(t *testing.T) {
	for pages, want := range map[int][]string{
		1:  {"1/100"},
		2:  {"1/100", "2/100"},
		3:  {"1/100", "3/100", "2/100"},
		5:  {"1/100", "5/100", "2/100", "4/100", "3/100"},
		42: {"1/100", "42/100", "2/100", "41/100", "3/100"},
	} {
		t.Run(fmt.Sprint(pages), func(t *testing.T) {
			open(t, time.Minute, 80, 24, func(_ *fakeJournal, s *fakeService) { s.list = listed(pages, 1250, 99) }, func(c *fixture) {
				c.Press("m").Sees("NO PROOF", fmt.Sprintf(" of %d pages.", pages), "txn_1_1250").WaitsUntilGone("_99")
				c.requested(want...)
				c.Fits().HelpBarFits()
				c.decided()
				c.Went()
			})
		})
	}
}

func TestTheSearchShowsItsProgressAndEndsWithTheScreen(t *testing.T) {
	open(t, time.Minute, 80, 24, func(_ *fakeJournal, s *fakeService) { s.list, s.pageDelay = listed(42, 1250), time.Second }, func(c *fixture) {
		c.Press("m").Sees("Reading page 1…")
		c.Wait(time.Second).Sees("Reading page 42 of 42 (2 of 5 to search)…", "txn_1_1250")
		c.Wait(time.Second).Sees("(3 of 5 to search)").Golden("matching-80")
		c.requested("1/100", "42/100", "2/100")
		c.Press("esc").Sees("Paid by").Wait(time.Minute)
		c.requested("1/100", "42/100", "2/100")
	})
}

func TestAMatchIsChosenByHandAndConfirmed(t *testing.T) {
	for _, s := range sizes {
		open(t, time.Minute, s.w, s.h, func(_ *fakeJournal, s *fakeService) {
			s.list = listed(3, 1250)
			s.list[1].Rows[0].Status = api.ParseStatus("SUCCESSFUL")
		}, func(c *fixture) {
			c.Press("m").Golden("matches-" + s.name)
			c.Press("down", "s")
			c.Went(nav.Push{To: nav.Payment{Reference: "txn_3_1250"}})
			c.Press("enter").Sees("Found as", "txn_3_1250")
			c.decided()
			c.Press("enter").Sees("Record that it was found as txn_3_1250?").Press("esc", "esc").Sees("NO PROOF", "txn_1_1250")
			c.Press("enter").Sees("txn_3_1250").Press("enter")
			c.Slowly("y")
			c.decided("found txn_3_1250")
			c.Went(nav.Replace{To: nav.Payment{Reference: "txn_3_1250"}})
		})
	}
}

func TestAListWithoutAMatchProvesNothing(t *testing.T) {
	open(t, time.Minute, 80, 24, func(_ *fakeJournal, s *fakeService) { s.list = listed(2, 1251) }, func(c *fixture) {
		c.Press("m").Sees("That does not prove that").Press("enter").Sees("No row is selected")
		c.Fits()
	})
}

func TestAnIDThatCannotBeAReferenceIsRejected(t *testing.T) {
	open(t, time.Minute, 80, 24, func(_ *fakeJournal, s *fakeService) {
		s.list = listed(1, 99)
		s.list[0].Rows = append(s.list[0].Rows, row("../pay\x1b[2J", 1250, "PENDING"))
	}, func(c *fixture) {
		c.Press("m").Press("enter").Sees("cannot be a payment reference")
		c.Press("s")
		c.Went()
	})
}

func TestRowsOfAnotherCurrencyOrAnUnknownOneAreNoMatch(t *testing.T) {
	open(t, time.Minute, 80, 24, func(_ *fakeJournal, s *fakeService) {
		s.list = listed(1, 1250)
		s.list[0].Rows = append(s.list[0].Rows, s.list[0].Rows[0], row("unread", 1250, "PENDING"))
		s.list[0].Rows[2].Known = false
	}, func(c *fixture) {
		c.Press("m").Sees("txn_1_1250").WaitsUntilGone("unread")
		if n := c.matchCount(); n != 1 {
			t.Errorf("%d rows for one", n)
		}
	})
}

func TestAPageThatFailsLeavesWhatWasFound(t *testing.T) {
	open(t, time.Minute, 80, 24, func(_ *fakeJournal, s *fakeService) { s.list, s.failingPage = listed(9, 1250), 2 }, func(c *fixture) {
		c.Press("m").Sees("The request timed out", "txn_1_1250", "txn_9_1250", " on 2 of 9 pages.").WaitsUntilGone("txn_8")
		c.requested("1/100", "9/100", "2/100")
		c.service.failingPage = 0
		c.Press("r").Sees(" on 5 of 9 pages.")
	})
}

// matchCount is the number of matches on the screen.
func (w *fixture) matchCount() int {
	n := 0
	for i := 1; i < 9; i++ {
		if w.Has(fmt.Sprintf("txn_%d_1250", i)) {
			n++
		}
	}
	return n
}
