package transactions

import (
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/list"
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

func TestTheWholeListIsReadAtAKey(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := scanning(t, l, time.Second, 80, 24)
		c.Sees("100 of 1,204 rows read at 00:00:00 · space reads all", "space read all").Press("space").Sees("space pause")
		c.Wait(1500*time.Millisecond).Sees("of 13", "txn_0001", "Rows 1–")
		c.Wait(time.Minute).Sees("All 1,204 rows read at 00:00:", "no change seen while it was read.", "of 1,204 read")
		c.Press("end").Sees("txn_1204", "of 1,204 read").Press("j")
		c.Press("#").Sees("Go to row").Type("1205").Press("enter").Sees("The last row is 1,204").Press("backspace", "backspace", "backspace").Press("enter").Sees("txn_0001")
		c.Press("space").Sees("Nothing is left to read. r reads the list again.")
	})
}

func TestThatAPageIsNotKeptHasRoomInASmallWindow(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := scanning(t, listOf(120), 0, 60, 18)
		c.Press("space").Wait(time.Minute).Press("end", "v").Sees("Its page is not kept: enter reads it, then v shows it.")
	})
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

// Whoever reads again has the rows until there is one to take their place.
func TestRowsStayWhileTheFirstPageIsReadAgain(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := scanning(t, l, 0, 80, 24)
		c.Press("space").Wait(time.Minute).Sees("All 1,204 rows read")
		l.respond(l.answer, 10*time.Second)
		c.Press("r").Wait(5*time.Second).Sees("Reading the first page…", "txn_0001", "of 1,204 read")
		c.Wait(time.Hour).Sees("All 1,204 rows read", "txn_0001")
	})
}

func TestWordsAboveAndBelowTheRowsBeginWhereTheseDo(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := scanning(t, listOf(1204), 0, 80, 24)
		c.Sees("   Rows 1–", "   100 of", "   ✓ ").Press("space").Wait(time.Minute).Sees("   Rows 1–", "   All 1,204 rows read", "   * raw minor units")
		c.Press("/").Type("failed").Press("enter").Sees("   “failed”")
	})
}

// The mark under what is wrong was there before enter, which says what it does not do.
func TestEnterOnAWrongSearchSaysWhatToDo(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := scanning(t, listOf(1204), 0, 80, 24)
		c.Press("/").Type("failed").Sees("found in 100 read").Type(" amount:x").Sees(list.Unread).WaitsUntilGone("found in", "correct it").Press("enter").Sees("This search cannot be read: correct it, or clear it with esc.")
		c.Type("y").WaitsUntilGone("correct it")
	})
}

func TestAScanIsPausedAndGoesOn(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := scanning(t, l, time.Second, 80, 24)
		c.Press("space").Wait(2500*time.Millisecond).Press("space").Wait(time.Minute).Sees("Paused at row ", "of 1,204", "space reads on", "space continue")
		n := l.count()
		if c.Wait(time.Hour); l.count() != n {
			t.Error("it reads while it is paused")
		}
		c.Press("space").Wait(time.Second).Sees("space pause").Press("space").Sees("Paused at row ", "txn_0001")
	})
}

func TestTheRowsOfAScanAreThereWhenTheScreenIsOpenedAgain(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c, scans := scanningWith(t, l, time.Second, 80, 24)
		c.Press("space").Wait(2 * time.Second)
		c.Leave()
		time.Sleep(time.Minute)
		m := New(screentest.Theme, l, Options{Scans: scans})
		n := l.count()
		screentest.Open(t, m, 80, 24).Sees("All 1,204 rows read", "txn_0001")
		if l.count() != n {
			t.Error("pages were read again")
		}
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

func TestAMoveDuringAScanWritesLittle(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := scanning(t, listOf(120_400), 200*time.Millisecond, 100, 40)
		c.Press("space").Wait(5 * time.Second)
		most := 0
		for range 40 {
			sent := len(c.Bytes())
			c.Wait(100 * time.Millisecond)
			most = max(most, len(c.Bytes())-sent)
		}
		t.Logf("an update writes at most %d bytes", most)
		if most > 160 {
			t.Errorf("an update writes %d bytes", most)
		}
		sent, writes := len(c.Bytes()), c.Writes()
		c.Wait(10 * time.Second)
		t.Logf("ten seconds write %d bytes in %d writes", len(c.Bytes())-sent, c.Writes()-writes)
		if n := c.Writes() - writes; n > 50 {
			t.Errorf("%d writes in ten seconds", n)
		}
		var moves []int
		for range 12 {
			sent := len(c.Bytes())
			moves = append(moves, len(c.Press("down").Bytes())-sent)
		}
		slices.Sort(moves)
		if moves[2] > 24 { // others come with an update of the scan, or the pane follows
			t.Errorf("bytes of the moves: %v", moves)
		}
	})
}

func TestAScanSaysWhyItStopped(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := scanning(t, l, time.Second, 80, 24)
		c.Press("space").Wait(1500 * time.Millisecond)
		honest := l.answer
		l.respond(func(int, int) (api.Page, error) { return api.Page{}, &api.Refusal{Kind: api.KindHTTP, HTTP: 401} }, 0)
		c.Wait(time.Minute).Sees("! Stopped at page ", "kept; space tries page", "txn_0001")
		l.respond(honest, 0)
		c.Press("space").Wait(time.Minute).Sees("All 1,204 rows read")
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

func TestTheRowsOfAScanAreSearchedAndSorted(t *testing.T) {
	for name, size := range map[string][2]int{"": {80, 24}, "-small": {60, 18}} {
		inBubble(t, func(t *testing.T) {
			c := scanning(t, listOf(1204), 0, size[0], size[1])
			c.Press("space").Wait(time.Minute).Sees("1,204 rows read at 00:00:01, no change seen").Golden("scan-done" + name)
			c.Press("/").Type("failed jpy >1000").Sees("status is FAILED · currency is JPY · amount over 1,000", "201 found in 1,204 read", "txn_0003").Golden("scan-search" + name)
			c.Press("enter").Sees("“failed jpy >1000”", "201 found in 1,204 read").Golden("scan-searched" + name)
			c.Press("down", "down")
			c.Wait(time.Second).Sees("txn_0015")
			c.Press("tab", "right").Sees("‹currency, highest›", "txn_1203").Golden("scan-sorted" + name)
			c.Press("right").Sees("currency, lowest", "txn_0003").Press("enter", "esc").Sees("of 1,204 read · currency, lowest")
			c.Press("tab", "left", "left", "enter").Press("/").Type("status:fialed").Sees("Did you mean FAILED?").Golden("scan-problem-term" + name)
			c.Press("esc").Sees("of 1,204 read")
			c.Press("/").Type("-txn").Sees("No transaction matches.").Press("esc").Sees("of 1,204 read", "txn_0001")
		})
	}
}

func TestASearchHoldsWhileRowsAreRead(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := scanning(t, listOf(1204), time.Second, 80, 24)
		c.Press("/").Type("failed").Sees("space after enter reads all").Press("enter").Sees("· space reads all", "17 found in 100 read")
		c.Press("space").Wait(3*time.Second).Sees("found in", "“failed”").Press("down", "down", "down")
		at := c.Marked()
		c.Wait(time.Minute).Sees("201 found in 1,204 read", "All 1,204 rows read")
		if now := c.Marked(); now != at {
			t.Errorf("the mark was on %q and is on %q", at, now)
		}
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
