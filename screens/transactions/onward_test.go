package transactions

import (
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
)

func (c *console) hold(key string, n int) *console {
	for range n {
		c.Press(key)
	}
	return c
}

func (c *console) standsOn(t *testing.T, row string) {
	t.Helper()
	if line := c.Marked(); !strings.Contains(line, row) {
		t.Errorf("selected: %q, want %s", line, row)
	}
}

func TestAHeldKeyAsksForOnePageAtATime(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := browse80(t, l)
		l.respond(l.answer, time.Minute)
		c.hold("j", 100).Sees("Page 2 of 61", "Reading page 3…")
		c.standsOn(t, "txn_0040")
		if want := []int{1, 2, 3}; !slices.Equal(l.pages(), want) {
			t.Errorf("requested %v, want %v", l.pages(), want)
		}
		c.Wait(time.Minute).Sees("Page 3 of 61", "txn_0041")
		c.standsOn(t, "txn_0041")
	})
}

func TestAHeldKeyDoesNotAskAgainForAPageThatFailed(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := browse80(t, l)
		honest := l.answer
		l.respond(func(int, int) (api.Page, error) { return api.Page{}, &api.Failure{Kind: api.KindTimeout} }, 0)
		c.hold("j", 40).Sees("Page 2 of 61", "The request timed out.")
		c.standsOn(t, "txn_0040")
		before := l.count()
		if c.hold("j", 40); l.count() != before {
			t.Errorf("requested %v", l.pages()[before:])
		}
		l.respond(honest, 0)
		c.Press("r").Sees("Page 2 of 61").WaitsUntilGone("timed out")
		c.standsOn(t, "txn_0040")
		c.Press("j").Sees("Page 3 of 61")
		c.standsOn(t, "txn_0041")
	})
}

func TestAnotherPageChosenMeanwhileIsShownFromItsFirstRow(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := browse80(t, l)
		c.Press("#").Type("30").Press("enter").Sees("Page 30 of 61")
		l.respond(l.answer, time.Second)
		c.Press("k").Sees("Reading page 29").Press("[", "[").Wait(5 * time.Second).Sees("Page 27 of 61")
		c.standsOn(t, "txn_0521")
	})
}

func TestUnderASearchTheKeyAddsTheNextPage(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, listOf(1204))
		c.Press("#").Type("30").Press("enter", "{").Sees("Page 1 of 61")
		c.Press("r").Press("]", "]").Press("/").Type("kwd").Press("enter").Sees("13 found in 80 loaded rows").Press("end")
		c.standsOn(t, "txn_0076")
		c.Press("j").Sees("17 found in 100 loaded rows", "Pages 1–5 of 61", "kwd")
		c.standsOn(t, "txn_0082")
		c.Press("g", "k").Sees("This is the first page.", "17 found in 100 loaded rows")
		c.Press("esc").Press("#").Type("40").Press("enter", "r", "/").Type("txn_08").Press("enter")
		c.Sees("21 found in 40 loaded rows", "Pages 40–41 of 61")
		c.standsOn(t, "txn_0800")
		c.Press("k").Sees("21 found in 60 loaded rows", "Pages 39–41")
	})
}

func TestASearchGoesOnToNoMorePagesThanAreKept(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(30_000)
		c := browse80(t, l)
		c.Press("/").Type("txn_0001").Press("enter").Sees("1 found in 40 loaded rows")
		c.hold("j", 100).Sees("1 found in 1,000 loaded rows", "A search covers at most 50 pages.")
		if n := l.count(); n != maxCached {
			t.Errorf("requested %d times", n)
		}
	})
}
