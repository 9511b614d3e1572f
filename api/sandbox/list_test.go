package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
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

// readPage requests a page of the list.
func readPage(t testing.TB, s *Sandbox, page, perPage int) ListPage {
	t.Helper()
	var e ListPage
	w := ask(s, "GET", fmt.Sprintf("%s?page=%d&perPage=%d", listPath, page, perPage), "")
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || !e.Status {
		t.Fatal(err, w.Body)
	}
	return e
}

// changing is a sandbox whose list changes.
func changing(t testing.TB, rows int, how string) *Sandbox {
	t.Helper()
	s := New(Options{Key: testKey, Seed: 5, Transactions: rows, Now: stoppedClock})
	must(t, s.SetSwitch("list.changes", how))
	return s
}

func TestAListGrowsByARowBeforeEachPage(t *testing.T) {
	still, s := New(Options{Key: testKey, Seed: 5, Transactions: 35}), changing(t, 35, "grows")
	before := readPage(t, still, 1, 35).Data
	for page := 1; page <= 4; page++ {
		got := readPage(t, s, page, 10)
		if want := 35 + page; got.Meta.Total != want || got.Meta.PageCount != 4 {
			t.Errorf("page %d: %+v, want a total of %d", page, got.Meta, want)
		}
		if from := (page-1)*10 - page; page > 1 && !slices.Equal(got.Data, before[from:min(from+10, 35)]) {
			t.Errorf("page %d does not have the rows from %d on", page, from)
		}
	}
	must(t, s.SetSwitch("list.changes", "off"))
	for range 2 {
		got := readPage(t, s, 1, 100)
		if got.Meta.Total != 39 || !slices.Equal(got.Data[4:], before) {
			t.Errorf("stopped, it has %d rows, or others than before", got.Meta.Total)
		}
	}
	s.Reset()
	if got := readPage(t, s, 1, 100); !slices.Equal(got.Data, before) {
		t.Error("reset, the list is not as it was at the start")
	}
}

// Only what the life of a payment allows happens to a status, one row at a time.
func TestStatusesMoveAsPaymentsDo(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rows := rapid.IntRange(0, 60).Draw(r, "rows")
		s := changing(t, rows, rapid.SampledFrom([]string{"moves", "both"}).Draw(r, "how"))
		was := map[string]Row{}
		for range rapid.IntRange(1, 60).Draw(r, "pages") {
			moved, page := 0, 1
			for _, now := range readRows(s) {
				before, known := was[now.ID]
				was[now.ID] = now
				if !known || before == now {
					continue
				}
				moved++
				if !slices.Contains(lives[before.Status], now.Status) || before.Amount != now.Amount || before.Currency != now.Currency {
					r.Fatalf("%+v became %+v", before, now)
				}
			}
			if moved > 1 {
				r.Fatalf("%d rows moved before one page", moved)
			}
			readPage(t, s, page, 1)
		}
	})
}

// readRows is the whole list as it is, without a request that changes it.
func readRows(s *Sandbox) []Row {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Row, s.listed())
	for i := range all {
		all[i] = s.row(i, call{})
	}
	return all
}

// kinds is the shape of a response: what stands at each path, and the class of its HTTP status.
func kinds(document string) map[string]string {
	out := map[string]string{}
	for path, written := range leaves(document) {
		var all []string
		for _, text := range written {
			switch n := leaf(text); {
			case path == "http":
				text = text[:1]
			case n.isNumber():
				text = "number"
			case n.isString():
				text = "string"
			case text == "true" || text == "false":
				text = "boolean"
			}
			all = append(all, text)
		}
		slices.Sort(all)
		out[path] = strings.Join(slices.Compact(all), " or ")
	}
	return out
}

// The samples the client is tested with and the sandbox's responses have the same shape, compared by operation and success.
func TestTheSandboxAnswersAsTheClientsSamplesSay(t *testing.T) {
	s := New(Options{Key: testKey, Transactions: 5})
	answers := runScript(s)
	empty := ask(s, "GET", listPath+"?page=9", "")
	answers["transactions empty"] = whole(empty.Code, empty.Body.Bytes())
	card := ask(s, "POST", validatePath, `{"amount":{"currencyCode":"NGN","amount":5},"channels":["Card"]}`)
	answers["validate card"] = whole(card.Code, card.Body.Bytes())
	names, err := filepath.Glob(filepath.Join("..", "testdata", "wire", "*.json"))
	must(t, err)
	held := 0
	for _, name := range names {
		var sample struct {
			Operation string
			HTTP      int
			Body      json.RawMessage
			Sandbox   bool
		}
		must(t, json.Unmarshal([]byte(read(t, name)), &sample))
		if !sample.Sandbox {
			continue
		}
		held++
		agrees := false
		for call, answer := range answers {
			operation, _, _ := strings.Cut(call, " ")
			agrees = agrees || operation == sample.Operation && maps.Equal(kinds(answer), kinds(whole(sample.HTTP, sample.Body)))
		}
		if !agrees {
			t.Errorf("no response to %s has the shape of %s: %d %s", sample.Operation, filepath.Base(name), sample.HTTP, sample.Body)
		}
	}
	if held == 0 {
		t.Errorf("none of %d samples is for the sandbox", len(names))
	}
}
