package screentest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/screens/screentest"
	"paydesk/screens/transactions"
)

// A page is read when the list is opened, and one more before each end of what was read is reached.
func TestTheListIsReadAsItIsLookedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listOf(1204)
		c := browse(t, l)
		c.Sees("Rows 1–14 · 100 of 1,204 read at 00:00:00", "txn_0001").Golden("transactions/first")
		if c.Wait(time.Hour); fmt.Sprint(l.pages()) != "[1]" {
			t.Errorf("read pages %v while nothing happened", l.pages())
		}
		for n := 2; n <= 13; n++ {
			c.Press("end").Wait(time.Second).Sees(map[bool]string{true: present.Thousands(n*100) + " of 1,204 read", false: "all 1,204 read"}[n < 13])
			if fmt.Sprint(l.pages()) != fmt.Sprint([]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}[:n]) {
				t.Errorf("read pages %v", l.pages())
			}
		}
		c.Press("end").Wait(time.Minute).Sees("txn_1204", "all 1,204 read at ").Golden("transactions/last")
		if l.count() != 13 {
			t.Errorf("read pages %v", l.pages())
		}
		c.Press("space").Wait(time.Minute).Sees("no change seen")
	})
}

// What a service counts and does not give is not called all of the list, and a service that does not answer is not waited for in silence.
func TestWhatDoesNotComeIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) {
			p := honestPage(900, page, per)
			p.Meta.PageCount = 2
			return p, nil
		}}
		c := browse(t, l)
		c.Press("end").Wait(time.Second).Press("end").Wait(time.Second).Sees("▲ No page is left: 200 of 900 read").WaitsUntilGone("all 200")
		l.respond(listOf(900).answer, time.Minute)
		c.Press("r").Wait(5*time.Second).Sees("Reading the first page… · no answer for 5 s", "Rows 187–200")
		l.respond(func(int, int) (api.Page, error) { return api.Page{}, &api.Refusal{Kind: api.KindHTTP, HTTP: 401} }, 0)
		c.Wait(time.Minute).Press("r").Wait(time.Second).Sees("Stopped at page 1.", "are kept;", "txn_0001", "Rows 1–11")
	})
}

// standsOn checks that a row is the marked one.
func (c *console) standsOn(t *testing.T, id string) {
	t.Helper()
	if line := c.Marked(); !strings.Contains(line, id) && !(strings.HasPrefix(line, "▌") && c.Has(id)) {
		t.Errorf("%q is marked, want %s", line, id)
	}
}

func TestARowIsOpenedWithItsWholeObject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := browse(t, listOf(30))
		c.Press("down", "enter").Sees(`"amount": 5049`, "50.49 NGN", "PENDING", `"id": "txn_0002"`).Golden("transactions/detail")
		c.Press("y").Sees("sent to your terminal's clipboard")
		if got := c.Copied(); got != "txn_0002" {
			t.Errorf("copied %q", got)
		}
		c.Press("Y").Sees("The row was sent")
		if got := c.Copied(); got != `{"id":"txn_0002","status":"PENDING","currency":"NGN","amount":5049}` {
			t.Errorf("copied %q", got)
		}
		c.Sees("it may not be a payment reference").Press("l")
		c.Went(nav.Push{To: nav.Payment{Reference: "txn_0002", Ask: true}})
		c.Press("esc").Sees("all 30 read at ")
	})
}

func TestAnUnsafeIDIsNeitherCopiedNorChecked(t *testing.T) {
	for _, id := range []string{"", "a b", "x\x1b]52;c;eA==\x07", "../up", strings.Repeat("a", 65) + "/", "\u202eevil"} {
		synctest.Test(t, func(t *testing.T) {
			l := &fakeLister{answer: func(page, per int) (api.Page, error) {
				return api.Page{Rows: []api.Transaction{rowOf(id, 100, "GBP", "PENDING")}, HasMeta: true, Meta: api.Meta{Page: 1, PageCount: 1, Total: 1, PerPage: per}}, nil
			}}
			c := browse(t, l)
			c.Press("p", "enter", "y", "l", "a").Went()
			if got := c.Copied(); got != "" {
				t.Errorf("%q: copied %q", id, got)
			}
		})
	}
}

func TestALargeAmountIsShownWholeOrNotAtAll(t *testing.T) {
	for _, minor := range []int64{1, 99_999_999, 999_999_999_999, 99_999_999_999_999, 1<<63 - 1, -1 << 63} {
		r := rowOf("x", minor, "GBP", "PENDING")
		got := strings.TrimSuffix(report.RowAmount(r), " GBP")
		if got != r.Amount.Grouped() && got != r.Amount.Major() && got != "see details" {
			t.Errorf("%d is shown as %q", minor, got)
		}
		if len(got) > 14 {
			t.Errorf("%q is too wide", got)
		}
	}
}

func TestARowIsPinned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listOf(30)
		pinned := map[api.Reference]bool{"txn_0002": true}
		m := transactions.New(screentest.Theme, l, transactions.Options{Scans: listing.NewScanner(t.Context(), l), Pinned: func(r api.Reference) bool { return pinned[r] }})
		c := screentest.Open(t, m, 160, 24)
		c.Sees("p pin").Press("p").Went(nav.Pin{Payments: []api.Reference{"txn_0001"}})
		c.Press("down").Wait(time.Second).Sees("p unpin").Press("p").Went(nav.Pin{Payments: []api.Reference{"txn_0002"}, Remove: true})
		c.Press("enter", "p").Went(nav.Pin{Payments: []api.Reference{"txn_0002"}, Remove: true})
	})
}

// pageWith is a page of n rows, the first being the i-th of the list, with a meta.
func pageWith(m api.Meta, i, n int) api.Page {
	p := api.Page{HasMeta: true, Meta: m}
	for ; n > 0; n-- {
		p.Rows = append(p.Rows, row(i))
		i++
	}
	return p
}

func TestTheMarkedRowStaysMarkedWhenTheListIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listOf(1204)
		c := scanning(t, l, 80, 24)
		l.respond(l.answer, time.Second)
		readAgain := func() {
			t.Helper()
			was := strings.TrimRight(c.Marked(), " █│")
			if c.Press("r").Wait(time.Minute).Sees("all 1,204 read"); strings.TrimRight(c.Marked(), " █│") != was {
				t.Errorf("%q is marked, want %q", c.Marked(), was)
			}
		}
		c.Press("space").Wait(time.Minute).Press("down", "down", "down", "down", "down")
		c.standsOn(t, "txn_0006")
		readAgain()
		c.Press("end", "pgup").Wait(time.Second)
		readAgain()
		c.Press("tab", "right", "enter").Wait(time.Second).Press("down", "down", "down", "pgdown").Wait(time.Second)
		readAgain()
		c.Press("r").Wait(500 * time.Millisecond).Press("down").Wait(time.Minute).Sees("all 1,204 read")
	})
}

func TestARowOfAScanIsReadAgainWhenItIsOpened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listOf(1204)
		c := scanning(t, l, 80, 24)
		c.Press("space").Wait(time.Minute).Press("end").Wait(time.Second)
		c.standsOn(t, "txn_1204")
		before := l.count()
		l.respond(l.answer, time.Second)
		c.Press("enter").Sees("Reading its page again", "txn_1204").Wait(time.Minute).Sees(`"id": "txn_1204"`).WaitsUntilGone("Reading its page")
		if got := l.pages()[before:]; len(got) != 1 || got[0] != 13 {
			t.Errorf("read pages %v", got)
		}
		c.Press("esc").Sees("all 1,204 read").Press("v").Sees("Its page is not kept: enter reads it, then v shows it.")
		l.respond(func(page, per int) (api.Page, error) { return honestPage(100, page, per), nil }, 0)
		c.Press("enter").Wait(time.Minute).Sees("This row is no longer on page 13 of the list").Press("Y").Sees("The row was sent")
	})
}

func TestMoreThanAThousandPagesAreScannedOnceSomebodySaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) { // each page has one row
			return pageWith(api.Meta{Page: page, PageCount: 1101, Total: 1101, PerPage: per}, page-1, 1), nil
		}}
		c := scanning(t, l, 80, 24)
		c.Press("space").Wait(time.Minute).Sees("Read more than 1,000 pages?", "The service reports 101 more pages.")
		n := l.count()
		c.Press("esc").Sees("paused at row ", "space continue")
		c.Press("space").Yes("Read on").Wait(time.Minute).Sees("all 1,101 read")
		if n > 1010 {
			t.Errorf("%d pages were read before the question", n)
		}
		c.Press("r").Sees("Read 1,101 rows again?").Yes("Read again").Sees("Read more than 1,000 pages?").Press("esc")
	})
}

func TestASuccessIsNotShownBeforeItIsKnownWhetherItDiffers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listOf(1204)
		l.differ(map[api.Reference]ledger.Mismatch{"txn_0004": {Difference: api.Difference{What: api.AmountDiffers}}}, 2*time.Second)
		c := scanning(t, l, 80, 24) // a second later
		c.WaitsUntilGone("✓ SUCCESSFUL").Press("space")
		c.Wait(time.Minute).Sees("✓ SUCCESSFUL")
		if line := c.Line("txn_0004"); strings.Contains(line, "✓") || !strings.Contains(line, "≠") {
			t.Errorf("a row that differs: %q", line)
		}
		c.Press("pgdown", "pgdown", "pgdown").Wait(time.Minute).WaitsUntilGone("  …")
	})
}

func TestRowsReadWithAnotherKeyAreNotCurrentAndAreReadAgainOnceSomebodySaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) { // each page has one row
			return pageWith(api.Meta{Page: page, PageCount: 150, Total: 150, PerPage: per}, page-1, 1), nil
		}}
		c := scanning(t, l, 80, 24)
		c.Press("space").Wait(time.Minute).Sees("all 150 read")
		c.OnLoop(c.scans.KeyReplaced)
		c.Wait(time.Second).Sees("▲ Read before the key was entered · space reads again", "space read again").WaitsUntilGone("list unchanged", "continue").Fits()
		n := l.count()
		c.Press("space").Sees("Read 150 rows again?").Press("esc").Wait(time.Second).Sees("Read before the key", "txn_0001")
		if l.count() != n {
			t.Error("it read before somebody said so")
		}
		c.Press("space").Yes("Read again").Wait(time.Minute).Sees("all 150 read").WaitsUntilGone("before the key")
	})
}

// A fixedScanner is a scan that stays in one state.
type fixedScanner struct{ state listing.State }

func (f fixedScanner) Start()               {}
func (f fixedScanner) Pause()               {}
func (f fixedScanner) Resume()              {}
func (f fixedScanner) Read(int)             {}
func (f fixedScanner) Again(int)            {}
func (f fixedScanner) State() listing.State { return f.state }

func (f fixedScanner) Changed(ctx context.Context, _ int) (listing.State, error) {
	<-ctx.Done()
	return f.state, ctx.Err()
}

func TestEachStateOfAScanHasItsWords(t *testing.T) {
	at := time.Date(2026, 11, 23, 21, 2, 10, 0, time.UTC)
	rows := listing.Of(honestPage(500, 1, 500).Rows...)
	partly := listing.State{Rows: rows, Read: 500, More: true, Pages: 5, Of: 13, Total: 1204, Counted: true}
	in := func(change func(*listing.State)) listing.State {
		s := partly
		change(&s)
		return s
	}
	whole := in(func(s *listing.State) {
		s.Phase, s.Pages, s.Of, s.Total, s.Ended, s.More = listing.Done, 5, 5, 500, at, false
		s.Verdict = listing.Verdict{Counted: true, Before: 500, After: 500, Unique: 500}
	})
	verdict := func(change func(*listing.Verdict)) listing.State {
		s := whole
		change(&s.Verdict)
		return s
	}
	for name, tc := range map[string]struct {
		state listing.State
		words string
	}{
		"reading": {in(func(s *listing.State) { s.Phase, s.Rate, s.Left = listing.Reading, 1840, 3*time.Minute }), "page 5 of 13 · 1,840 rows/s · 3 min left"},
		"looked-at": {in(func(s *listing.State) {
			s.Phase, s.Why, s.To, s.Began, s.Ended = listing.Paused, listing.Enough, 500, at, at.Add(time.Hour)
		}), "500 of 1,204 read at 21:02:10–22:02:10"},
		"strange": {in(func(s *listing.State) {
			s.Phase, s.Why, s.To, s.Began, s.Ended, s.Verdict.Odd = listing.Paused, listing.Enough, 500, at, at, []listing.Oddity{{What: listing.WrongNumber, Page: 3, Pages: 2}}
		}), "Page 3 and 1 more"},
		"full": {in(func(s *listing.State) { s.Phase, s.Why = listing.Paused, listing.ByFull }), "stopped at row 500 of 1,204: no room for more"},
		"waiting": {in(func(s *listing.State) {
			s.Phase, s.Until, s.Err = listing.Waiting, at, &api.Refusal{Kind: api.KindHTTP, HTTP: 429}
		}), "Waiting until 21:02:10: The service"},
		"changed": {verdict(func(v *listing.Verdict) {
			v.After, v.FirstDiffers, v.Repeated, v.Differing, v.Unique = 503, true, 12, 2, 499
			v.Odd = []listing.Oddity{{What: listing.MorePages, Page: 4, Pages: 1}}
		}), "the list"},
		"odd": {verdict(func(v *listing.Verdict) {
			v.Nameless, v.Odd = 3, []listing.Oddity{{What: listing.WrongNumber, Page: 3, Pages: 2}, {What: listing.NeverEnds, Page: 70, Pages: 1}}
		}), "which may not be all:"},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := transactions.New(screentest.Theme, listOf(1204), transactions.Options{Scans: fixedScanner{tc.state}})
			c := screentest.Open(t, m, 80, 24)
			c.Fits().Sees(tc.words, "txn_0001").Golden("transactions/scan-" + name)
		})
	}
}
