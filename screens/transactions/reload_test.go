package transactions

import (
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
)

// walked is a list of which three pages are loaded.
func walked(t *testing.T, l *fakeLister) *console {
	t.Helper()
	c := browse80(t, l)
	return &console{c.Press("]").Sees("Page 2 of 61"), c.screen}
}

func TestReloadingUnderASearchReadsAllPagesThatItCovers(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := walked(t, l)
		c.Press("/").Type("pending").Press("enter", "down", "down").Sees("10 found in 60 loaded rows, 1,204 in all", "Pages 1–3 of 61 · as of 00:00:00")
		selected := c.Marked()
		before := l.count()
		l.respond(l.answer, time.Second)
		c.Wait(time.Minute).Press("r").Sees("Reading page 1, then 2 more…", "10 found in 60 loaded rows").Golden("reload-search")
		c.Wait(time.Second).Sees("Reading page 2, then 1 more…", "10 found").Wait(time.Second).Sees("Reading page 3… at most 20 s")
		c.Wait(time.Second).Sees("10 found in 60 loaded rows", "Pages 1–3 of 61 · as of 00:01:01–00:01:03").WaitsUntilGone("Reading")
		if got, want := l.pages()[before:], []int{1, 2, 3}; !slices.Equal(got, want) {
			t.Errorf("read %v, want %v", got, want)
		}
		if got := c.Marked(); got != selected {
			t.Errorf("selected %q, before the reload %q", got, selected)
		}
		c.Press("esc").Sees("Page 2 of 61 · rows 21–40", "txn_0021")
	})
}

func TestAReloadUnderASearchThatFailsKeepsAllRows(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		c := walked(t, l)
		c.Press("/").Type("pending").Press("enter")
		l.respond(func(page, per int) (api.Page, error) {
			if page == 2 {
				return api.Page{}, &api.Failure{Kind: api.KindTimeout}
			}
			return honestPage(1204, page, per), nil
		}, 0)
		c.Wait(time.Minute).Press("r").Sees("The request timed out.", "Press r to retry", "Showing data from 00:00:00", "10 found in 60 loaded rows")
	})
}

func TestAReloadUnderASearchEndsWhereTheListEndsNow(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		n := 1204
		l := &fakeLister{answer: func(page, per int) (api.Page, error) { return honestPage(n, page, per), nil }}
		c := walked(t, l)
		c.Press("/").Type("txn").Press("enter").Sees("60 found in 60 loaded rows")
		n = 15
		c.Press("r").Sees("Page 1 of 1 · as of", "15 found in 15 loaded rows, 15 in all", "There are fewer transactions now: the last page is 1.")
		c.Press("esc").Sees("Page 1 of 1 · rows 1–15 of 15")
	})
}

// The pages that were loaded are all beyond the end of a list that shrank.
func TestAReloadUnderASearchFindsTheLastPageOfAListThatShrank(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		n := 1204
		l := &fakeLister{answer: func(page, per int) (api.Page, error) { return honestPage(n, page, per), nil }}
		c := browse80(t, l)
		c.Press("#").Type("50").Press("enter").Press("r").Sees("Page 50 of 61")
		c.Press("/").Type("txn").Press("enter").Sees("40 found in 40 loaded rows", "Pages 50–51 of 61")
		n = 90
		c.Press("r").Sees("Page 5 of 5", "10 found in 10 loaded rows, 90 in all", "There are fewer transactions now")
		c.Press("esc").Sees("Page 5 of 5 · rows 81–90 of 90")
	})
}

// While the last page of a shorter list is on its way there is no page to search.
func TestASearchOverNoPageIsDrawn(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		n, l := 1204, listOf(0)
		l.answer = func(page, per int) (api.Page, error) { return honestPage(n, page, per), nil }
		c := browse80(t, l)
		c.Press("}").Sees("Page 61 of 61")
		n = 90
		l.respond(l.answer, time.Second)
		c.Press("r").Wait(time.Second).Press("/").Sees("No page loaded", "0 found in 0 loaded rows").Fits()
		c.Wait(time.Second).Sees("Page 5 of 5", "10 found in 10 loaded rows")
	})
}

func TestAReloadSaysThatItDropsPages(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, listOf(1204))
		c.Press("r").Sees("Page 1 of 61").WaitsUntilGone("dropped") // page 2 is prefetched again
		c.Press("]", "]", "r").Sees("Page 3 of 61", "Reloaded. The other loaded pages were dropped.")
	})
}

func TestTheHeaderOfASearchNamesThePagesThatItCovers(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, listOf(1204))
		c.Press("}").Sees("Page 61 of 61").Press("/").Sees("3 pages loaded of 61").WaitsUntilGone("rows 1,201")
		c.Press("esc").Sees("Page 61 of 61 · rows 1,201–1,204")
	})
}

func TestPageNumbersBeginAtOne(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, listOf(1204))
		for _, zero := range []string{"0", "00", "-1"} {
			c.Press("#").Type(zero).Press("enter").Sees("! Enter a whole number from 1").WaitsUntilGone("This is the first page").Press("esc")
		}
	})
}

func TestTheKeyThatClearsASearchIsNamed(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := browse80(t, listOf(1204))
		clears := func() bool {
			for _, b := range c.screen.Keys() {
				if b.Enabled() && b.Help().Key == "esc" {
					return b.Help().Desc == "clear search"
				}
			}
			return false
		}
		for _, step := range []struct {
			press string
			want  bool
		}{{"/", true}, {"x", true}, {"enter", true}, {"esc", false}} {
			if c.Press(step.press); clears() != step.want {
				t.Errorf("after %s the bar names the key: %v", step.press, !step.want)
			}
		}
	})
}

func TestThePagesWaitShowsItsTimeAndItsEnd(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(1204)
		l.takes = time.Minute
		c := browse80(t, l)
		c.Sees("Reading the transactions… at most 20 s", "esc stops waiting.").Wait(3 * time.Second)
		c.Sees("Reading the transactions… 3 s of at most 20 s").Golden("loading")
		c.Fits().Wait(time.Minute).Sees("rows 1–20").WaitsUntilGone("Reading", "esc stops")
		if strings.Contains(c.Screen(), "◌ Reading") {
			t.Error("it still waits")
		}
	})
}
