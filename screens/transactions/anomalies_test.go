package transactions

import (
	"fmt"
	"testing"
	"time"

	"paydesk/api"
)

// pageWith is a page of n rows, the first being the i-th of the list, with a meta.
func pageWith(m api.Meta, i, n int) api.Page {
	p := api.Page{HasMeta: true, Meta: m}
	for ; n > 0; n-- {
		p.Rows = append(p.Rows, row(i))
		i++
	}
	return p
}

// Whatever a service reports of its pages, a person who goes on to the end gets there with at most one request more than it has
// pages, has the rows that differ, and reads what was strange.
func TestAServiceThatBreaksTheRulesOfPagingEndsIt(t *testing.T) {
	requests := 0
	for name, tc := range map[string]struct {
		respond func(page, per int) api.Page
		most    int // requests
		sees    []string
	}{
		"shrinks": {func(page, per int) api.Page {
			if page > 3 {
				return pageWith(api.Meta{Page: page, PageCount: 3, Total: 300, PerPage: per}, 0, 0)
			}
			return pageWith(api.Meta{Page: page, PageCount: 10, Total: 1000, PerPage: per}, (page-1)*per, per)
		}, 4, []string{"of 300 read", "fewer pages"}},
		"grows": {func(page, per int) api.Page {
			return pageWith(api.Meta{Page: page, PageCount: min(page+1, 5), Total: (page + 1) * per, PerPage: per}, (page-1)*per, per)
		}, 5, []string{"of 500 read"}},
		"repeats itself": {func(page, per int) api.Page {
			return pageWith(api.Meta{Page: page, PageCount: 50, Total: 5000, PerPage: per}, 0, per)
		}, 5, []string{"No page is left: 100 of 5,000 rows", "reading ended at page 5"}},
		"is always on page 0": {func(page, per int) api.Page {
			return pageWith(api.Meta{Page: 0, PageCount: 2, Total: 200, PerPage: per}, (page-1)*per, per)
		}, 2, []string{"of 200 read", "came with the number of"}},
		"returns 500 rows per page": {func(page, _ int) api.Page {
			return pageWith(api.Meta{Page: page, PageCount: 3, Total: 1500, PerPage: 500}, (page-1)*500, 500)
		}, 3, []string{"of 1,500 read", "had more rows than were"}},
		"reports nothing": {func(page, per int) api.Page {
			return pageWith(api.Meta{Page: 1, PageCount: 0, Total: 0, PerPage: per}, 0, 0)
		}, 1, []string{"There are no transactions."}},
		"reports less than it returns": {func(page, per int) api.Page {
			return pageWith(api.Meta{Page: page, PageCount: 1, Total: 3, PerPage: per}, 0, 20)
		}, 1, []string{"of 20 read", "had more rows than the service"}},
		"reports negative numbers": {func(page, per int) api.Page {
			return pageWith(api.Meta{Page: page, PageCount: -4, Total: -80, PerPage: -1}, (page-1)*per, min(per, max(250-(page-1)*per, 0)))
		}, 4, []string{"of 250 read"}},
		"has no meta": {func(page, per int) api.Page {
			p := pageWith(api.Meta{}, (page-1)*per, min(per, max(250-(page-1)*per, 0)))
			p.HasMeta = false
			return p
		}, 4, []string{"of 250 read", "did not say how"}},
		"goes round in circles": {func(page, per int) api.Page {
			return pageWith(api.Meta{Page: page, PageCount: 100, Total: 10_000, PerPage: per}, (page-1)%3*per, per)
		}, 8, []string{"of 300 read", "brought nothing new"}},
		"changes the order": {func(page, per int) api.Page {
			p := pageWith(api.Meta{Page: page, PageCount: 4, Total: 400, PerPage: per}, (page-1)*per, per)
			requests++
			k := requests % len(p.Rows)
			p.Rows = append(p.Rows[k:], p.Rows[:k]...)
			return p
		}, 4, []string{"of 400 read"}},
		"ends with empty pages": {func(page, per int) api.Page {
			if page > 2 {
				return pageWith(api.Meta{Page: page, PageCount: 9, Total: 900, PerPage: per}, 0, 0)
			}
			return pageWith(api.Meta{Page: page, PageCount: 9, Total: 900, PerPage: per}, (page-1)*per, per)
		}, 7, []string{"of 200 read", "reading ended at page 6"}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				l := &fakeLister{answer: func(page, per int) (api.Page, error) { return tc.respond(page, per), nil }}
				c := browse80(t, l)
				for range 20 {
					c.Press("end").Wait(time.Second)
				}
				c.Sees(tc.sees...)
				if n := l.count(); n > tc.most {
					t.Errorf("requested %d times: %v", n, l.pages())
				}
			})
		})
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
