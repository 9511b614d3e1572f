package journal_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// word draws letters of either case, of which some have two forms in Unicode or in lower case, and what
// has a meaning in a query.
func word(most int) *rapid.Generator[string] {
	letter := rapid.SampledFrom([]rune(`abAB19-_"'*%()^:+ éÉéİıßſKẞσςΣ日本🙂`))
	return rapid.Map(rapid.SliceOfN(letter, 0, most), func(l []rune) string { return string(l) })
}

// found are the IDs of all attempts with a text, searched step by step.
func found(t *rapid.T, j *journal.Journal, f journal.Filter) (ids []ledger.ID) {
	p, steps := journal.Page[ledger.Attempt]{}, 0
	for !p.Complete {
		var err error
		if p, err = j.Find(context.Background(), f, p.Search, p.Count, 1); err != nil {
			t.Fatal(err)
		}
		if steps++; steps > 100 {
			t.Fatal("the search has no end")
		}
	}
	p, err := j.Find(context.Background(), f, p.Search, 0, p.Count)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range p.Rows {
		ids = append(ids, a.ID)
	}
	return ids
}

func TestASearchGoesOnWhenTheRestWasPurged(t *testing.T) {
	defer journal.SearchInNarrowStrips()()
	c := newClock()
	j := mustOpen(t, newDir(t), c)
	for n := range 6 {
		a := mustBegin(t, j, initiation(t, int64(n+1)))
		mustEnd(t, j, a.ID, accepted(fmt.Sprint("REF-", n), "SUCCESSFUL"))
		c.advance(time.Hour)
	}
	f := journal.Filter{Query: containing("re")} // too short for the index
	begun, err := j.FindSome(t.Context(), f, 2)
	if err != nil || begun.Complete {
		t.Fatal(begun, err)
	}
	_, err = j.Purge(t.Context(), c.at.Add(time.Hour))
	noError(t, err)
	p, err := j.Find(t.Context(), f, begun.Search, 0, 6)
	if err != nil || !p.Complete || len(p.Rows) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestNoTextOfAPurgedAttemptStays(t *testing.T) {
	needsFile(t)
	c := newClock()
	j := mustOpen(t, newDir(t), c)
	for n, ref := range []string{"OLD-xyz", "NEW-abc"} {
		a := mustBegin(t, j, initiation(t, int64(n+1)))
		mustEnd(t, j, a.ID, accepted(ref, "SUCCESSFUL"))
		c.advance(24 * time.Hour)
	}
	_, err := j.Purge(t.Context(), c.at.Add(-30*time.Hour))
	noError(t, err)
	noError(t, j.VerifyDerived(t.Context()))
	file := must(os.ReadFile(j.Path()))
	if log := must(os.ReadFile(j.Path() + "-wal")); bytes.Contains(log, []byte("OLD-xyz")) {
		t.Error("the log has what was purged")
	}
	if text := strings.ToLower(string(file)); strings.Contains(text, "old-xyz") || !strings.Contains(text, "new-abc") {
		t.Error("the file has what was purged, or has lost the rest")
	}
}

func TestLinksAreFoundByWhatIsShownOfThem(t *testing.T) {
	c := newClock()
	j := mustOpen(t, newDir(t), c)
	page, err := api.ParseAddress("https://pay.example/collect/0-abc")
	noError(t, err)
	for n, l := range []api.Link{
		{Alias: "0-abc", Name: api.Clean("École"), Page: page, Amount: pounds(t, 123450), HasAmount: true},
		{Alias: "0-gift", Name: api.Clean("Gift"), AmountType: api.Dynamic},
	} {
		a := mustBegin(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: pounds(t, int64(n+1)), Draft: api.LinkDraft{Name: "asked"}})
		mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Accepted, Link: &l})
		c.advance(24 * time.Hour)
	}
	for text, want := range map[string][]api.Alias{
		"": {"0-gift", "0-abc"}, "éCO": {"0-abc"}, "1,234.5": {"0-abc"}, "/collect/": {"0-abc"}, "ask": {"0-gift", "0-abc"},
		"customer, in gbp": {"0-gift"}, "0-": {"0-gift", "0-abc"}, "gi": {"0-gift"}, "winter": nil, "card": nil,
	} {
		p, err := j.FindLinks(t.Context(), shop, journal.LinkFilter{Query: containing(text)}, journal.Search{}, 0, 9)
		var got []api.Alias
		for _, l := range p.Rows {
			got = append(got, l.Link)
		}
		if !slices.Equal(got, want) || !p.Complete || err != nil {
			t.Errorf("%q finds %q, not %q: %v", text, got, want, err)
		}
	}
	if _, n, err := j.Attempts(t.Context(), journal.Filter{Query: containing("/collect/")}, 0, 9); n != 0 || err != nil {
		t.Errorf("Activity searches %d URLs: %v", n, err)
	}
}

// The totals of a link do not become floating-point numbers, however large.
func TestAHugeTotalIsExact(t *testing.T) {
	j := mustOpen(t, newDir(t), newClock())
	made := mustBegin(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: pounds(t, 1)})
	mustEnd(t, j, made.ID, ledger.Result{Outcome: ledger.Accepted, Link: &api.Link{Alias: "0-abc", Name: api.Clean("Oak")}})
	const huge = 4_611_686_018_427_387_903
	for n := range 2 {
		a := initiation(t, huge-int64(n))
		a.Link = "0-abc"
		mustEnd(t, j, mustBegin(t, j, a).ID, accepted(fmt.Sprint("REF-", n), "SUCCESSFUL"))
	}
	links, err := j.Links(t.Context(), shop)
	if err != nil || len(links) != 1 || links[0].Total[0].Minor != 2*huge-1 {
		t.Errorf("%+v, %v", links, err)
	}
	noError(t, j.VerifyDerived(t.Context()))
}
