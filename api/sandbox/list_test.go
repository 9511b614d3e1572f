package sandbox

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// Reading the list page by page returns every transaction once and in order, for any page
// size.
func TestEveryTransactionIsOnOnePageExactly(t *testing.T) {
	s := serve(t, Options{})
	for range 3 {
		s.pay(charge("approve"))
	}
	rapid.Check(t, func(r *rapid.T) {
		s.rows.count = rapid.IntRange(0, 350).Draw(r, "seeded")
		perPage := rapid.IntRange(1, 100).Draw(r, "perPage")
		total := 3 + s.rows.count
		seen := map[string]int{}
		for page := 1; ; page++ {
			var got ListPage
			if err := json.Unmarshal(ask(s.Sandbox, "GET", fmt.Sprintf("%s?page=%d&perPage=%d", listPath, page, perPage), "").Body.Bytes(), &got); err != nil {
				r.Fatal(err)
			}
			want := ListMeta{page, (total + perPage - 1) / perPage, total, perPage, (page - 1) * perPage}
			if got.Meta != want || !got.Status {
				r.Fatalf("meta is %+v, want %+v", got.Meta, want)
			}
			if len(got.Data) != min(perPage, max(total-want.Skipped, 0)) {
				r.Fatalf("page %d has %d rows", page, len(got.Data))
			}
			for i, row := range got.Data {
				if _, twice := seen[row.ID]; twice {
					r.Fatalf("%s is listed twice", row.ID)
				}
				seen[row.ID] = want.Skipped + i
			}
			if page >= got.Meta.PageCount {
				break
			}
		}
		if len(seen) != total {
			r.Fatalf("%d rows were seen, want %d", len(seen), total)
		}
	})
}

func TestAPageThatCannotBeIsRefused(t *testing.T) {
	s := serve(t, Options{Transactions: 30})
	for _, query := range []string{
		"page=0", "page=one", "page=1&page=2", "page=99999999999999999999", "page=1000000001", "perPage=0", "perPage=101", "perPage=1e1", "page=%zz",
	} {
		a := s.get(listPath + "?" + query)
		if a.http != 400 || a.at("status") != false || a.str("message") == "" || len(a.body) != 2 {
			t.Errorf("%s: %d %s", query, a.http, a.text)
		}
	}
	for query, rows := range map[string]int{"": 20, "?page=2": 10, "?page=3": 0, "?page=1000000000&perPage=100": 0, "?perPage=100": 30, "?sort=id": 20} {
		if a := s.get(listPath + query); a.http != 200 || len(a.at("data").([]any)) != rows {
			t.Errorf("%s: %d %s", query, a.http, a.text)
		}
	}
	if a := serve(t, Options{}).get(listPath); a.at("meta.pageCount") != json.Number("0") || len(a.at("data").([]any)) != 0 {
		t.Errorf("an empty list is %s", a.text)
	}
}
