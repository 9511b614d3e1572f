package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

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
