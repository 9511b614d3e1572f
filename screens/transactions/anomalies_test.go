package transactions

import (
	"fmt"
	"testing"

	"paydesk/api"
)

// pageOf is a page of n rows, the first being the i-th of the list, with a meta.
func pageOf(m api.Meta, i, n int) api.Page {
	p := api.Page{HasMeta: true, Meta: m}
	for ; n > 0; n-- {
		p.Rows = append(p.Rows, row(i))
		i++
	}
	return p
}

// A person presses n against services that break the rules of paging. Whatever those report,
// there is at most one request more than there are pages.
func TestAServiceThatBreaksTheRulesOfPagingEndsIt(t *testing.T) {
	requests := 0
	for _, tc := range []struct {
		name    string
		respond func(page, per int) api.Page
		pages   int      // that differ
		ends    []string // what is on the screen at the end
	}{
		{"shrinks", func(page, per int) api.Page {
			if page > 3 {
				return pageOf(api.Meta{Page: page, PageCount: 3, Total: 60, PerPage: per}, 0, 0)
			}
			return pageOf(api.Meta{Page: page, PageCount: 10, Total: 200, PerPage: per}, (page-1)*per, per)
		}, 3, []string{"Page 3 of 3", "The last page is 3."}},
		{"grows", func(page, per int) api.Page {
			return pageOf(api.Meta{Page: page, PageCount: min(page+1, 7), Total: (page + 1) * per, PerPage: per}, (page-1)*per, per)
		}, 7, []string{"Page 7 of 7"}},
		{"repeats itself", func(page, per int) api.Page {
			return pageOf(api.Meta{Page: page, PageCount: 50, Total: 1000, PerPage: per}, 0, per)
		}, 1, []string{"Page 1 of 50", "Page 2 has the same rows as page 1"}},
		{"is always on page 0", func(page, per int) api.Page {
			return pageOf(api.Meta{Page: 0, PageCount: 50, Total: 1000, PerPage: per}, (page-1)*per, per)
		}, 1, []string{"txn_0001", "Requested page 1; the service returned page 0."}},
		{"returns 500 rows per page", func(page, _ int) api.Page {
			return pageOf(api.Meta{Page: page, PageCount: 3, Total: 1500, PerPage: 500}, (page-1)*500, 500)
		}, 3, []string{"Page 3 of 3 · rows 1,001–1,500 of 1,500"}},
		{"reports nothing", func(page, per int) api.Page {
			return pageOf(api.Meta{Page: 1, PageCount: 0, Total: 0, PerPage: per}, 0, 0)
		}, 1, []string{"There are no transactions."}},
		{"reports less than it returns", func(page, per int) api.Page {
			return pageOf(api.Meta{Page: page, PageCount: 1, Total: 3, PerPage: per}, 0, 20)
		}, 1, []string{"rows 1–20, 3 reported", "The service reports 3 transactions but returned 20."}},
		{"reports negative numbers", func(page, per int) api.Page {
			return pageOf(api.Meta{Page: page, PageCount: -4, Total: -80, PerPage: -1}, (page-1)*per, per)
		}, 1, []string{"Page 1, page count unknown · rows 1–20 of an unknown total"}},
		{"has no meta", func(page, per int) api.Page {
			p := pageOf(api.Meta{}, (page-1)*per, per)
			p.HasMeta = false
			return p
		}, 1, []string{"Page 1, page count unknown", "The service did not report the number of pages"}},
		{"goes round in circles", func(page, per int) api.Page {
			return pageOf(api.Meta{Page: page, PageCount: 100, Total: 2000, PerPage: per}, (page-1)%3*per, per)
		}, 3, []string{"Page 3 of 100", "Page 4 has the same rows as page 1"}},
		{"has every id twice", func(page, per int) api.Page {
			p := pageOf(api.Meta{Page: page, PageCount: 4, Total: 80, PerPage: per}, (page-1)*per/2, per/2)
			p.Rows = append(p.Rows, p.Rows...)
			return p
		}, 4, []string{"Page 4 of 4 · rows 61–80 of 80"}},
		{"changes the order", func(page, per int) api.Page {
			p := pageOf(api.Meta{Page: page, PageCount: 4, Total: 80, PerPage: per}, (page-1)*per, per)
			requests++
			k := requests % len(p.Rows)
			p.Rows = append(p.Rows[k:], p.Rows[:k]...)
			return p
		}, 4, []string{"Page 4 of 4 · rows 61–80 of 80"}},
		{"reports 0 pages with rows", func(page, per int) api.Page {
			return pageOf(api.Meta{Page: page, PageCount: 0, Total: 47, PerPage: per}, (page-1)*per, per)
		}, 1, []string{"Page 1, page count unknown · rows 1–20 of 47"}},
		{"ends with empty pages", func(page, per int) api.Page {
			if page > 2 {
				return pageOf(api.Meta{Page: page, PageCount: 9, Total: 180, PerPage: per}, 0, 0)
			}
			return pageOf(api.Meta{Page: page, PageCount: 9, Total: 180, PerPage: per}, (page-1)*per, per)
		}, 2, []string{"Page 2 of 9", "Page 3 is empty"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				l := &fakeLister{answer: func(page, per int) (api.Page, error) { return tc.respond(page, per), nil }}
				c := browse80(t, l)
				for range 20 {
					c.Press("]")
				}
				c.Sees(tc.ends...)
				if n := l.count(); n > tc.pages+1 {
					t.Errorf("requested %d times (%v) for %d pages", n, l.asked, tc.pages)
				}
				// The other keys keep within bounds too.
				c.Press("}", "{", "]", "r", "}")
				if n := l.count(); n > 2*(tc.pages+1)+4 {
					t.Errorf("requested %d times in all: %v", n, l.asked)
				}
			})
		})
	}
}

func TestAListThatShrankIsShownAtItsLastPage(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		n := 1204
		l := &fakeLister{answer: func(page, per int) (api.Page, error) { return honestPage(n, page, per), nil }}
		c := browse80(t, l)
		c.Press("#").Type("50").Press("enter").Sees("Page 50 of 61")
		n = 90 // for the requests from here on
		c.Press("r").Sees("Page 5 of 5 · rows 81–90 of 90", "There are fewer transactions now: the last page is 5.")
	})
}

// A service whose list is one page shorter at every request is not followed for ever.
func TestAListThatShrinksAtEveryRequestIsNotFollowed(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		pages := 61
		l := &fakeLister{answer: func(page, per int) (api.Page, error) {
			pages--
			return pageOf(api.Meta{Page: page, PageCount: pages, Total: pages * per, PerPage: per}, (page-1)*per, per), nil
		}}
		c := browse80(t, l)
		before := l.count()
		c.Press("}")
		if n := l.count() - before; n > 4 {
			t.Errorf("requested %d times: %v", n, l.asked)
		}
		c.Sees("There are fewer transactions now")
	})
}

func TestMoreThanAThousandPagesAreReadOnceSomebodySaysSo(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(30_000)
		c := browse80(t, l)
		if c.screen.cache.limit != 1000 {
			t.Errorf("it asks after %d pages", c.screen.cache.limit)
		}
		c.screen.cache.limit = 40 // as a thousand, but sooner
		for range 45 {
			c.Press("]")
		}
		c.Sees("Read more than 40 pages?", "Page 41 is next. After another 1,000 pages this question comes again.", "Stay here")
		if n := l.count(); n > 40 {
			t.Errorf("requested %d times", n)
		}
		c.Press("esc").Sees("Page 40 of 1,500").Press("end", "j").Yes("Read on")
		c.Sees("Page 41 of 1,500")
		for range 20 {
			c.Press("]")
		}
		c.Sees("Page 61 of 1,500")
	})
}

func TestTwoRowsWithOneIdAreBothThere(t *testing.T) {
	b := newPageCache(20)
	p := api.Page{HasMeta: true, Meta: api.Meta{Page: 1, PageCount: 1, Total: 3, PerPage: 20}}
	p.Rows = []api.Transaction{rowOf("x", 100, "GBP", "PENDING"), rowOf("x", 100, "GBP", "PENDING"), rowOf("x", 900, "GBP", "FAILED")}
	b.receivePage(response{page: p, number: 1})
	if rows, _ := b.loaded(); len(rows) != 2 {
		t.Errorf("%d rows, want the two that differ", len(rows))
	}
}

func TestTheSpoofOfARowStaysInItsCell(t *testing.T) {
	spoofs := []string{
		"Ada\nref-999 SUCCESSFUL", "x\r\n✓ SUCCESSFUL", "\x1b[2K\x1b[1A✓ SUCCESSFUL", "a\tb", "\u2028✓ SUCCESSFUL",
		"\u202e✓ SUCCESSFUL", "\x1b]0;x\x07", "\u0085✓ SUCCESSFUL", "x\x0b✓", "\x9b31mx",
	}
	inBubble(t, func(t *testing.T) {
		l := &fakeLister{answer: func(page, per int) (api.Page, error) {
			p := api.Page{HasMeta: true, Meta: api.Meta{Page: 1, PageCount: 1, Total: len(spoofs), PerPage: per}}
			for i, s := range spoofs {
				r := rowOf(s, int64(100+i), "GBP", "FAILED")
				r.Currency = api.Clean(s)
				p.Rows = append(p.Rows, r)
			}
			return p, nil
		}}
		c := browse80(t, l)
		for i := range spoofs {
			if cell := c.Cell(2, 3+i).Content; cell != "✗" {
				t.Errorf("row %d begins with %q", i, cell)
			}
			if line := c.Line(fmt.Sprintf("1.%02d ", i)); line == "" {
				t.Errorf("row %d is gone", i)
			}
		}
	})
}
