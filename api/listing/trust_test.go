package listing_test

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/api/sandbox"
	"paydesk/api/sandbox/faulttest"
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

// said returns what a scan said, in short.
func said(st listing.State) string {
	v := st.Verdict
	words := []string{fmt.Sprintf("%d rows", st.Rows.Len())}
	for _, w := range []struct {
		is    bool
		words string
	}{
		{v.Trusted, "trusted"}, {!v.Counted, "not counted"}, {v.Before != v.After, fmt.Sprintf("total %d, then %d", v.Before, v.After)},
		{v.Counted && v.Unique != v.After, fmt.Sprintf("%d ids", v.Unique)}, {v.Repeated > 0, fmt.Sprintf("%d repeated", v.Repeated)},
		{v.Differing > 0, fmt.Sprintf("%d differing", v.Differing)}, {v.Nameless > 0, fmt.Sprintf("%d nameless", v.Nameless)},
		{v.FirstDiffers, "first page differs"},
	} {
		if w.is {
			words = append(words, w.words)
		}
	}
	names := map[listing.Strange]string{
		listing.WrongNumber: "wrong number", listing.EmptyPage: "empty", listing.NothingNew: "nothing new", listing.MorePages: "more pages",
		listing.FewerPages: "fewer pages", listing.NoCount: "no count", listing.FewTotal: "few total", listing.LargePage: "large", listing.OtherTotal: "other total", listing.KeepsGrowing: "keeps growing", listing.NeverEnds: "never ends",
	}
	for _, o := range v.Odd {
		words = append(words, fmt.Sprintf("%s at %d ×%d", names[o.What], o.Page, o.Pages))
	}
	return strings.Join(words, ", ")
}

// Every list that the sandbox can give wrongly is read with a few requests more than it has pages, and what was
// wrong with it is said.
func TestAWrongListIsReadAndSaysWhatIsWrong(t *testing.T) {
	const pages = 13
	wants := map[string]string{ // as patterns, where it depends on which page comes first
		"":              "1205 rows, trusted",
		"page-0":        "1205 rows, wrong number at 1 ×13",
		"per-page-500":  "1205 rows, trusted, large at 1 ×3",
		"repeat":        "100 rows, 100 ids, [0-9]+ repeated, nothing new at 2 ×[0-9]+, never ends at [56] ×1",
		"loop":          "1205 rows, [0-9]+ repeated, nothing new at 14 ×[0-9]+, more pages at 2 ×[0-9]+, never ends at 1[678] ×1",
		"shrink":        "[0-9]+ rows, total 1205, then [0-9]+, [0-9]+ ids, (first page differs, )?(more pages at . ×., )?fewer pages at 2 ×[0-9]+, other total at 2 ×[0-9]+",
		"grow":          "[0-9]+ rows, total 1205, then [0-9]+, [0-9]+ ids, [0-9]+ repeated, first page differs, nothing new .*, more pages at 2 .*, (keeps growing|never ends) .*",
		"total-0":       "1205 rows, 1205 ids, no count at 1 ×13, few total at 1 ×13",
		"total-less":    "1205 rows, 1205 ids, few total at 1 ×13, other total at 13 ×1",
		"negative":      "1205 rows, not counted, no count at 1 ×13",
		"no-meta":       "1205 rows, not counted, no count at 1 ×13",
		"duplicate-ids": "1205 rows, 13 ids, 1192 differing",
		"reorder":       "[0-9]+ rows, [0-9]+ ids, [0-9]+ repeated, first page differs(, nothing new.*)?",
	}
	for fault, want := range wants {
		t.Run(fault, func(t *testing.T) {
			box := sandbox.New(sandbox.Options{Key: benchKey, Seed: 1, Transactions: 1205, Faults: faulttest.All()})
			var asked atomic.Int32
			c := clientOf(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				box.ServeHTTP(w, r)
			}))
			if fault != "" {
				noError(t, box.Arm("transactions", fault, 0))
			}
			s := listing.NewScanner(t.Context(), c)
			s.Start()
			st := done(t, s)
			if got := said(st); st.Phase != listing.Done || !regexp.MustCompile("^"+want+"$").MatchString(got) {
				t.Errorf("%s: %s\nwant %s", fault, got, want)
			}
			if n := asked.Load(); n > pages+8 {
				t.Errorf("%s: %d requests", fault, n)
			}
		})
	}
	for _, f := range faulttest.Lists() {
		if _, is := wants[f.Name]; !is {
			t.Errorf("nobody reads %s", f.Name)
		}
	}
}

// IDs that differ only in what the console replaces, cuts or hides are different rows, though they look alike.
func TestRowsWhoseIDsOnlyLookAlikeAreDifferentRows(t *testing.T) {
	long := strings.Repeat("x", 5_000)
	ids := []string{"a b", `a\u00a0b`, `a\u2003b`, `a\ufe0f b`, `\u001b`, "^[", long + "1", long + "2", benchKey, "[key]", "a\\tb"}
	var objects []string
	for _, id := range ids {
		objects = append(objects, `{"id":"`+id+`","amount":1,"currency":"GBP","status":"FAILED"}`)
	}
	page := fmt.Sprintf(`{"status":true,"data":[%s],"meta":{"page":1,"pageCount":1,"total":%d,"perPage":100}}`, strings.Join(objects, ","), len(ids))
	c := clientOf(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, page)
	}))
	s := listing.NewScanner(t.Context(), c)
	s.Start()
	st := done(t, s)
	if got, want := said(st), fmt.Sprintf("%d rows, trusted", len(ids)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	alike := func(a, b api.Transaction) bool { return a.ID.Line(80) == b.ID.Line(80) && a.IDHash == b.IDHash }
	if came, err := c.Transactions(t.Context(), 1, api.MaxPerPage); err != nil || !slices.EqualFunc(kept(t, st), came.Rows, alike) {
		t.Error("the rows that are kept have other IDs than those that came")
	}
}

// whatFaultsLeave is what a scan says of a list with a fault in two of its answers, as patterns; of those that are
// not here, nothing but that it has all rows and trusts them. What comes before a semicolon is why it was paused.
var whatFaultsLeave = map[string]string{
	"exponents":          "730 rows, not counted, total 0, then 730, first page differs, more pages at [2-5] ×[0-9]+, no count at 1 ×2", // the numbers are not read
	"strings-as-numbers": "730 rows, 531 ids, 199 differing, first page differs",                                                        // the ids are
	"result-in-array":    "730 rows, not counted, total 0, then 730, more pages at [2-5] ×[0-9]+, no count at 1 ×2",                     // the meta is not
	"unauthorized":       "page 1: .*HTTP 401.*The key may have been rotated.*; 730 rows, trusted",
	"http-403":           "page 1: .*HTTP 403.*The key may have been rotated.*; 730 rows, trusted",
	"http-404":           "page 1: .*HTTP 404.*; 730 rows, trusted",
	"refused":            "page 1: .*HTTP 422.*; 730 rows, trusted",
}

// A scan that meets a fault of the service, of whichever class, reads on or says what is wrong; and once the fault is gone it
// has every row.
func TestAScanSurvivesEveryFault(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it waits, as a scan does")
	}
	slow := []string{"silent", "no-answer", "no-last-chunk", "drip", "rate-limited"} // until the client's limit of time, or as long as Retry-After says
	var all sync.WaitGroup
	for _, f := range faulttest.Classes() {
		if slices.Contains(slow, f.Name) {
			continue
		}
		all.Go(func() { survives(t, f) })
	}
	all.Wait()
}

func survives(t *testing.T, f sandbox.Fault) {
	box := sandbox.New(sandbox.Options{Key: benchKey, Seed: 1, Transactions: 730, Faults: faulttest.All()})
	s := listing.NewScanner(t.Context(), clientOf(t, box))
	if err := box.Arm("transactions", f.Name, 2); err != nil {
		t.Error(err)
		return
	}
	s.Start()
	st, paused := done(t, s), ""
	if st.Phase == listing.Paused {
		if st.Why != listing.ByProblem || st.Err == nil {
			t.Errorf("%s: %+v", f.Does, st)
			return
		}
		paused = fmt.Sprintf("page %d: %v; ", st.Page, st.Err)
		box.ClearFaults()
		s.Resume()
		st = done(t, s)
	}
	want := cmp.Or(whatFaultsLeave[f.Name], "730 rows, trusted")
	if got := paused + said(st); st.Phase != listing.Done || !regexp.MustCompile("^"+want+"$").MatchString(got) {
		t.Errorf("%s, %s: %s\nwant %s", f.Name, f.Does, got, want)
	}
}

// heap returns how much of the heap is in use, without garbage.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// held returns how much of the system's memory the process holds.
func held() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys - m.HeapReleased
}

// Twenty thousand rows, and a million with PAYDESK_LONG, take no more than 2 or 10 MB of the heap, and 20 or 78 MB of
// the system's memory on the way there, which the sandbox beside it adds to.
func TestManyRowsTakeLittleMemory(t *testing.T) {
	n, mostHeap, most := 20_000, int64(2<<20), uint64(20e6)
	if os.Getenv("PAYDESK_LONG") != "" {
		n, mostHeap, most = 1_000_000, 10<<20, 78e6
	} else if testing.Short() {
		t.Skip("reads 200 pages")
	}
	c := clientOf(t, sandbox.New(sandbox.Options{Key: benchKey, Seed: 1, Transactions: n}))
	s := listing.NewScanner(t.Context(), c)
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // as in the console
	empty := heap()
	debug.FreeOSMemory()
	before, began := held(), time.Now()
	s.Start()
	highest := uint64(0)
	st := done(t, s, func() { highest = max(highest, held()) })
	took, rows := time.Since(began), int64(heap())-int64(empty)
	if !st.Verdict.Trusted || st.Rows.Len() != n {
		t.Fatalf("%+v", st)
	}
	t.Logf("%d rows in %v: %.1f MB for the rows, %.1f MB more held at most than before, the sandbox's in it", n, took.Round(time.Millisecond), float64(rows)/1e6, float64(highest-min(highest, before))/1e6)
	if rows > mostHeap {
		t.Errorf("%d bytes for %d rows", rows, n)
	}
	if highest > before+most {
		t.Errorf("%d bytes held at most, %d before", highest, before)
	}
	began = time.Now()
	q, _ := listing.Language().Parse("failed gbp >100")
	found, err := st.Rows.Find(t.Context(), listing.Search{Query: q, Order: listing.ByHighest})
	t.Logf("%d of them found and ordered in %v: %v", len(found), time.Since(began).Round(time.Microsecond), err)
	runtime.KeepAlive(st)
}
