package listing_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
)

// Each of the conditions of trust fails alone: the others hold.
func TestEachConditionOfTrustIsNeeded(t *testing.T) {
	type changes map[string]func(l *list, page int, honest api.Page) api.Page
	for name, change := range (changes{
		"trusted": func(_ *list, _ int, honest api.Page) api.Page { return honest },
		"total 729, then 730": func(l *list, page int, honest api.Page) api.Page {
			if len(l.asked) == 1 {
				honest.Meta.Total--
			}
			return honest
		},
		"729 ids": func(l *list, page int, honest api.Page) api.Page {
			if page == 5 {
				honest.Rows = honest.Rows[1:]
			}
			return honest
		},
		"1 differing": func(l *list, page int, honest api.Page) api.Page {
			if page == 5 {
				again := l.rows[50]
				again.Status = api.ParseStatus("MOVED")
				honest.Rows = append(slices.Clone(honest.Rows), again)
			}
			return honest
		},
		"1 nameless": func(_ *list, page int, honest api.Page) api.Page {
			if page == 5 {
				honest.Rows = append(slices.Clone(honest.Rows), rowOf("", 100, "GBP", "FAILED"))
			}
			return honest
		},
		"first page differs": func(l *list, page int, honest api.Page) api.Page {
			if page == 5 { // page 1 was read before
				l.rows[3].Status = api.ParseStatus("MOVED")
			}
			return honest
		},
	}) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &list{rows: rows(730), takes: 10 * time.Millisecond}
				l.answer = func(page int, honest api.Page) (api.Page, error) {
					honest.Rows = slices.Clone(honest.Rows)
					return change(l, page, honest), nil
				}
				s := listing.NewScanner(t.Context(), l)
				s.Start()
				st := done(t, s)
				st.Verdict.Odd = nil // a page with a row more is strange as well, which is another matter
				if _, got, _ := strings.Cut(said(st), ", "); st.Phase != listing.Done || got != name {
					t.Errorf("%s, want %s", said(st), name)
				}
			})
		})
	}
}
