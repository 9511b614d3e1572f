package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
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
	turnSwitch(t, s, "list.changes", how)
	return s
}

func turnSwitch(t testing.TB, s *Sandbox, name, value string) {
	t.Helper()
	must(t, s.SetSwitch(name, value))
}

func ids(rows []Row) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = r.ID
	}
	return out
}

func TestAListGrowsByARowBeforeEachPage(t *testing.T) {
	still, s := New(Options{Key: testKey, Seed: 5, Transactions: 35}), changing(t, 35, "grows")
	before := readPage(t, still, 1, 35).Data
	for page := 1; page <= 4; page++ {
		got := readPage(t, s, page, 10)
		if want := 35 + page; got.Meta.Total != want || got.Meta.PageCount != 4 {
			t.Errorf("page %d: %+v, want a total of %d", page, got.Meta, want)
		}
		if from := (page-1)*10 - page; page > 1 && !slices.Equal(ids(got.Data), ids(before[from:min(from+10, 35)])) {
			t.Errorf("page %d does not have the rows from %d on", page, from)
		}
	}
	turnSwitch(t, s, "list.changes", "off")
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
			all := readRows(s)
			for _, now := range all {
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

// kinds is the shape of a JSON value: the type behind every path. Elements of an
// array share one path.
func kinds(v any) map[string][]string {
	found := map[string][]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		kind := "null"
		switch v := v.(type) {
		case map[string]any:
			kind = "object"
			for name, inner := range v {
				walk(path+"."+name, inner)
			}
		case []any:
			kind = "array"
			for _, inner := range v {
				walk(path+"[]", inner)
			}
		case string:
			kind = "string"
		case bool:
			kind = "boolean"
		case json.Number, float64:
			kind = "number"
		}
		if !slices.Contains(found[path], kind) {
			found[path] = append(found[path], kind)
			slices.Sort(found[path])
		}
	}
	walk("", v)
	return found
}

// A sample is a response as the client expects it.
type sample struct {
	Operation string          `json:"operation"`
	Name      string          `json:"name"`
	HTTP      int             `json:"http"`
	Body      json.RawMessage `json:"body"`
	Sandbox   bool            `json:"sandbox"`
}

// The samples the client is tested with and the sandbox's responses have the same shape,
// compared by operation, success and HTTP status.
func TestTheSandboxAnswersAsTheClientsSamplesSay(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "testdata", "wire", "*.json"))
	must(t, err)
	given := examples(t)
	held := 0
	for _, name := range names {
		var w sample
		if err := json.Unmarshal([]byte(read(t, name)), &w); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !w.Sandbox {
			continue
		}
		held++
		t.Run(filepath.Base(name), func(t *testing.T) { agree(t, w, given[w.Operation]) })
	}
	if held == 0 {
		t.Errorf("none of %d samples is for the sandbox", len(names))
	}
}

// agree looks for a sandbox response with the shape of a sample.
func agree(t *testing.T, w sample, given []reply) {
	var v any
	must(t, json.Unmarshal(w.Body, &v))
	want := kinds(v)
	for _, a := range given {
		if a.http == w.HTTP && maps.EqualFunc(want, kinds(a.body), slices.Equal) {
			return
		}
	}
	t.Errorf("no response to %s has HTTP %d and the shape of %s", w.Operation, w.HTTP, w.Body)
	for _, a := range given {
		t.Logf("a response is %d %s", a.http, a.text)
	}
}

// examples are responses of every kind, by operation.
func examples(t *testing.T) map[string][]reply {
	s := serve(t, Options{Transactions: 5})
	empty := serve(t, Options{})
	challenged := s.post(initiatePath, charge("challenge"))
	ref := challenged.str("value.paymentItem.reference")
	check := s.get(checkPath + ref)
	unapproved := s.finish(ref)
	s.Approve(ref)
	noKey := func(r *http.Request) { r.Header.Del(KeyHeader) }
	validation := obj{"amount": obj{"currencyCode": "NGN", "amount": 5}}
	return map[string][]reply{
		"initiate": {
			challenged, s.post(initiatePath, charge("approve")), s.post(initiatePath, charge("decline")), s.post(initiatePath, bankTransfer()),
			s.post(initiatePath, with(charge("approve"), "amount", nil)), s.post(initiatePath, with(charge("approve"), "amount", 0.5)),
			s.send("POST", initiatePath, "{}", noKey),
		},
		"link": {
			s.post(makeLinkPath, draft("mug")), s.post(makeLinkPath, draft("mug")), s.post(makeLinkPath, obj{}), s.send("POST", makeLinkPath, "{}", noKey),
		},
		"validate": {
			s.post(validatePath, validation), s.post(validatePath, with(validation, "amount.currencyCode", "USD")), s.post(validatePath, obj{}),
			s.post(validatePath, with(validation, "channels", []string{"Card"})), s.post(validatePath, with(validation, "channels", []string{"PayByTransfer"})),
			s.send("POST", validatePath, "{}", noKey),
		},
		"authenticate": {check, s.get(checkPath + ref), s.get(checkPath + "NONE"), s.get(checkPath), s.send("GET", checkPath, "", noKey)},
		"finalize":     {s.finish(ref), unapproved, s.finish("NONE"), s.finish(""), s.send("POST", finalizePath, "{}", noKey)},
		"transaction":  {s.get(statusPath + ref), s.get(statusPath + "NONE"), s.send("GET", statusPath+ref, "", noKey)},
		"transactions": {s.get(listPath), empty.get(listPath), s.get(listPath + "?page=0"), s.send("GET", listPath, "", noKey)},
	}
}
