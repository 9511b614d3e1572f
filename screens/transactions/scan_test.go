package transactions

import (
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/screentest"
)

// scanning is the screen over a list whose pages take some time, with a scanner of that list.
func scanning(t *testing.T, l *fakeLister, takes time.Duration, w, h int) *console {
	t.Helper()
	c, _ := scanningWith(t, l, takes, w, h)
	return c
}

func scanningWith(t *testing.T, l *fakeLister, takes time.Duration, w, h int) (*console, *listing.Scanner) {
	t.Helper()
	scans := listing.NewScanner(t.Context(), l)
	m := New(screentest.Theme, l, Options{Scans: scans})
	c := &console{screentest.Open(t, m, w, h), m}
	c.settle()
	l.respond(l.answer, takes)
	return c, scans
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
	inBubble(t, func(t *testing.T) {
		c := scanning(t, listOf(1204), time.Second, 80, 24)
		readAgain := func() {
			t.Helper()
			was := strings.TrimRight(c.Marked(), " █│")
			if c.Press("r").Wait(time.Minute).Sees("All 1,204 rows read"); strings.TrimRight(c.Marked(), " █│") != was {
				t.Errorf("%q is marked, want %q", c.Marked(), was)
			}
		}
		c.Press("space").Wait(time.Minute).Press("down", "down", "down", "down", "down")
		c.standsOn(t, "txn_0006")
		readAgain()
		c.Press("#").Type("730").Press("enter").Wait(time.Second)
		readAgain()
		c.Press("tab", "right", "enter").Wait(time.Second).Press("down", "down", "down", "pgdown").Wait(time.Second)
		readAgain()
		c.Press("r").Wait(500 * time.Millisecond).Press("down").Wait(time.Minute).Sees("All 1,204 rows read")
	})
}

func TestARowOfAScanIsReadAgainWhenItIsOpened(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := scanning(t, l, 0, 80, 24)
		c.Press("space").Wait(time.Minute).Press("#").Type("250").Press("enter")
		c.standsOn(t, "txn_0250")
		before := l.count()
		l.respond(l.answer, time.Second)
		c.Press("enter").Sees("Reading its page again", "txn_0250").Wait(time.Minute).Sees(`"id": "txn_0250"`).WaitsUntilGone("Reading its page")
		if got := l.pages()[before:]; len(got) != 1 || got[0] != 3 {
			t.Errorf("read pages %v", got)
		}
		c.Press("esc").Sees("of 1,204 read").Press("v").Sees("Its page is not kept: enter reads it, then v shows it.")
		l.respond(func(page, per int) (api.Page, error) { return honestPage(100, page, per), nil }, 0)
		c.Press("enter").Wait(time.Minute).Sees("This row is no longer on page 3 of the list").Press("Y").Sees("The raw object of this row is not kept").Press("down", "enter").Sees("The JSON was sent")
	})
}

func TestMoreThanAThousandPagesAreScannedOnceSomebodySaysSo(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) { // each page has one row
			return pageWith(api.Meta{Page: page, PageCount: 1101, Total: 1101, PerPage: per}, page-1, 1), nil
		}}
		c := scanning(t, l, 0, 80, 24)
		c.Press("space").Wait(time.Minute).Sees("Read more than 1,000 pages?", "The service reports 101 more pages.")
		n := l.count()
		c.Press("esc").Sees("Paused at row ", "space asks to read on")
		c.Press("space").Yes("Read on").Wait(time.Minute).Sees("All 1,101 rows read")
		if n > 1010 {
			t.Errorf("%d pages were read before the question", n)
		}
		c.Press("r").Sees("Read 1,101 rows again?").Yes("Read again").Sees("Read more than 1,000 pages?").Press("esc")
	})
}

func TestASuccessIsNotShownBeforeItIsKnownWhetherItDiffers(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		l.differ(map[api.Reference]ledger.Mismatch{"txn_0004": {Difference: api.Difference{What: api.AmountDiffers}}}, 2*time.Second)
		c := scanning(t, l, 0, 80, 24) // a second later
		c.WaitsUntilGone("✓ SUCCESSFUL").Press("space")
		c.Wait(time.Minute).Sees("✓ SUCCESSFUL")
		if line := c.Line("txn_0004"); strings.Contains(line, "✓") || !strings.Contains(line, "≠") {
			t.Errorf("a row that differs: %q", line)
		}
		c.Press("pgdown", "pgdown", "pgdown").Wait(time.Minute).WaitsUntilGone("  …")
	})
}

func TestRowsReadWithAnotherKeyAreNotCurrentAndAreReadAgainOnceSomebodySaysSo(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) { // each page has one row
			return pageWith(api.Meta{Page: page, PageCount: 150, Total: 150, PerPage: per}, page-1, 1), nil
		}}
		c, scans := scanningWith(t, l, 0, 80, 24)
		c.Press("space").Wait(time.Minute).Sees("All 150 rows read")
		c.OnLoop(scans.KeyReplaced)
		c.Wait(time.Second).Sees("▲ Read before the key was entered · space reads again", "space read again").WaitsUntilGone("list unchanged", "continue").Fits()
		n := l.count()
		c.Press("space").Sees("Read 150 rows again?").Press("esc").Wait(time.Second).Sees("Read before the key", "txn_0001")
		if l.count() != n {
			t.Error("it read before somebody said so")
		}
		c.Press("space").Yes("Read again").Wait(time.Minute).Sees("All 150 rows read").WaitsUntilGone("before the key")
	})
}
