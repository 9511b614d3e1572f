package listing_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/api/sandbox"
	"paydesk/api/sandbox/faulttest"
)

// said is what a scan said, in short.
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
			c := clientOf(t, box)
			if fault != "" {
				noError(t, box.Arm("transactions", fault, 0))
			}
			l := &counted{Source: c}
			s := listing.NewScanner(t.Context(), l)
			s.Start()
			st := done(t, s)
			if got := said(st); st.Phase != listing.Done || !regexp.MustCompile("^"+want+"$").MatchString(got) {
				t.Errorf("%s: %s\nwant %s", fault, got, want)
			}
			if n := len(l.asked); n > pages+8 {
				t.Errorf("%s: %d requests: %v", fault, n, l.asked)
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
