package sandbox

import (
	"encoding/json"
	"testing"
)

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
