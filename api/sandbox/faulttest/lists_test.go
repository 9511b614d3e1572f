package faulttest_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"testing"

	"paydesk/api/sandbox"
	"paydesk/api/sandbox/faulttest"

	"github.com/google/go-cmp/cmp"
)

// list requests a page.
func list(s *sandbox.Sandbox, query string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "/v1/api/transactions?"+query, nil)
	r.Header.Set(sandbox.KeyHeader, s.Key())
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// fetchPages requests pages of 10 of a list of 35, one after another.
func fetchPages(t *testing.T, fault string, pages ...int) []sandbox.ListPage {
	t.Helper()
	s := sandbox.New(sandbox.Options{Seed: 1, Transactions: 35, Faults: faulttest.All()})
	if fault != "" {
		if err := s.Arm("transactions", fault, 0); err != nil {
			t.Fatal(err)
		}
	}
	out := make([]sandbox.ListPage, len(pages))
	for i, page := range pages {
		w := list(s, fmt.Sprintf("perPage=10&page=%d", page))
		if err := json.Unmarshal(w.Body.Bytes(), &out[i]); err != nil || !out[i].Status {
			t.Fatal(err, w.Body)
		}
	}
	return out
}

// rowNumbers returns the pages' rows as indexes into the true list; -1 for others.
func rowNumbers(t *testing.T, pages []sandbox.ListPage) [][]int {
	known := map[string]int{}
	for i, e := range fetchPages(t, "", 1, 2, 3, 4) {
		for j, r := range e.Data {
			known[r.ID] = i*10 + j
		}
	}
	out := make([][]int, len(pages))
	for i, e := range pages {
		out[i] = []int{}
		for _, r := range e.Data {
			n, is := known[r.ID]
			if !is {
				n = -1
			}
			out[i] = append(out[i], n)
		}
	}
	return out
}

func numbersFrom(from, to int) []int {
	out := []int{}
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

var strangers = slices.Repeat([]int{-1}, 10)

func whole(page, pageCount, total, perPage, skipped int) sandbox.ListMeta {
	return sandbox.ListMeta{Page: page, PageCount: pageCount, Total: total, PerPage: perPage, Skipped: skipped}
}

func meta(page, pageCount, total int) sandbox.ListMeta {
	return whole(page, pageCount, total, 10, (page-1)*10)
}

// For each wrong list, the rows and meta of its pages.
func TestEachListIsWrongInItsOwnWay(t *testing.T) {
	backwards := func(from, to int) []int { // from, from-1 … to
		b := numbersFrom(to, from+1)
		slices.Reverse(b)
		return b
	}
	for fault, c := range map[string]struct {
		pages []int
		rows  [][]int
		meta  []sandbox.ListMeta
	}{
		"": {[]int{1, 4}, [][]int{numbersFrom(0, 10), numbersFrom(30, 35)}, []sandbox.ListMeta{meta(1, 4, 35), meta(4, 4, 35)}},
		"shrink": {[]int{1, 2, 3, 4}, [][]int{numbersFrom(0, 10), numbersFrom(10, 20), {}, {}},
			[]sandbox.ListMeta{meta(1, 4, 35), meta(2, 3, 25), meta(3, 2, 15), meta(4, 1, 5)}},
		"grow": {[]int{1, 2, 3, 1}, [][]int{numbersFrom(0, 10), numbersFrom(0, 10), numbersFrom(0, 10), strangers},
			[]sandbox.ListMeta{meta(1, 4, 35), meta(2, 5, 45), meta(3, 6, 55), meta(1, 7, 65)}},
		"repeat":       {[]int{1, 2, 4}, [][]int{numbersFrom(0, 10), numbersFrom(0, 10), numbersFrom(0, 10)}, []sandbox.ListMeta{meta(1, 4, 35), meta(2, 4, 35), meta(4, 4, 35)}},
		"page-0":       {[]int{2}, [][]int{numbersFrom(10, 20)}, []sandbox.ListMeta{whole(0, 4, 35, 10, 10)}},
		"per-page-500": {[]int{1, 2}, [][]int{numbersFrom(0, 35), {}}, []sandbox.ListMeta{whole(1, 1, 35, 500, 0), whole(2, 1, 35, 500, 500)}},
		"total-0":      {[]int{1}, [][]int{numbersFrom(0, 10)}, []sandbox.ListMeta{meta(1, 0, 0)}},
		"total-less":   {[]int{1, 4}, [][]int{numbersFrom(0, 10), numbersFrom(30, 35)}, []sandbox.ListMeta{meta(1, 4, 9), meta(4, 4, 4)}},
		"negative":     {[]int{1, 2}, [][]int{numbersFrom(0, 10), numbersFrom(10, 20)}, []sandbox.ListMeta{whole(-1, -5, -36, -10, -1), whole(-2, -5, -36, -10, -11)}},
		"no-meta":      {[]int{2}, [][]int{numbersFrom(10, 20)}, []sandbox.ListMeta{{}}},
		"loop": {[]int{1, 4, 5, 6}, [][]int{numbersFrom(0, 10), numbersFrom(30, 35), numbersFrom(0, 10), numbersFrom(10, 20)},
			[]sandbox.ListMeta{meta(1, 2, 35), meta(4, 5, 35), meta(5, 6, 35), meta(6, 7, 35)}},
		"duplicate-ids": {[]int{1, 4}, [][]int{slices.Repeat([]int{0}, 10), slices.Repeat([]int{30}, 5)}, []sandbox.ListMeta{meta(1, 4, 35), meta(4, 4, 35)}},
		"reorder": {[]int{1, 2, 3, 4}, [][]int{numbersFrom(0, 10), backwards(24, 15), numbersFrom(20, 30), backwards(4, 0)},
			[]sandbox.ListMeta{meta(1, 4, 35), meta(2, 4, 35), meta(3, 4, 35), meta(4, 4, 35)}},
	} {
		got := fetchPages(t, fault, c.pages...)
		var metas []sandbox.ListMeta
		for _, e := range got {
			metas = append(metas, e.Meta)
		}
		if diff := cmp.Diff(c.rows, rowNumbers(t, got)); diff != "" {
			t.Errorf("%s: rows (-want +got):\n%s", fault, diff)
		}
		if diff := cmp.Diff(c.meta, metas); diff != "" {
			t.Errorf("%s: meta (-want +got):\n%s", fault, diff)
		}
	}
}

// Rows added at the front of a growing list stay there and move back with the rest.
func TestAListThatGrowsKeepsItsNewRows(t *testing.T) {
	pages := fetchPages(t, "grow", 1, 1, 2)
	if diff := cmp.Diff(pages[1].Data, pages[2].Data); diff != "" {
		t.Error(diff)
	}
	ids := map[string]bool{}
	for _, r := range pages[1].Data {
		ids[r.ID] = true
	}
	if len(ids) != 10 {
		t.Error("new rows share ids")
	}
}

func TestEmptyListsCanBeWrongToo(t *testing.T) {
	for _, f := range faulttest.Lists() {
		s := sandbox.New(sandbox.Options{Faults: faulttest.All()})
		s.Arm("all", f.Name, 0)
		for page := range 3 {
			if w := list(s, fmt.Sprintf("page=%d", page+1)); w.Code != 200 {
				t.Errorf("%s: %d %s", f.Name, w.Code, w.Body)
			}
		}
	}
}
