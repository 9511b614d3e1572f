package journal_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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

// linear reports whether an attempt has a text, as the filter did when it read each row.
func linear(a ledger.Attempt, text string) bool {
	made := ""
	if a.CreatedLink != nil {
		made = a.CreatedLink.Name.Line(0)
	}
	words := strings.Join([]string{string(a.ID), string(a.Reference), a.Named, string(a.Link), made, a.Draft.Name, a.Channel, a.Card}, "\n")
	return strings.Contains(strings.ToLower(words), strings.ToLower(strings.TrimSpace(text)))
}

// record records an attempt with random texts.
func record(t *rapid.T, j *journal.Journal, n int) {
	a := ledger.Attempt{Kind: ledger.Initiate, Destination: shop, Channel: api.ChannelCard, Card: fmt.Sprintf("%04d", n*7)}
	a.Draft.Name, a.Channel = word(9).Draw(t, "name"), rapid.SampledFrom([]string{"Card", "transfer"}).Draw(t, "channel")
	a.Amount.Minor = int64(n + 1)
	result := accepted(fmt.Sprintf("Ref-%d%s", n, rapid.SampledFrom([]string{"ab", "AB-9", ""}).Draw(t, "reference")), "SUCCESSFUL")
	if rapid.Bool().Draw(t, "link") {
		a.Kind = ledger.CreateLink
		result = ledger.Result{Outcome: ledger.Accepted, Link: &api.Link{
			Alias: api.Alias(fmt.Sprint("0-", n)), Name: api.Clean(word(9).Draw(t, "answered")), Amount: a.Amount, HasAmount: true,
		}}
	}
	begun, err := j.Begin(context.Background(), a, ledger.Payer{Email: fmt.Sprint(n, "@example.org")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.End(context.Background(), begun.ID, result); err != nil {
		t.Fatal(err)
	}
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

func TestTheTextFilterFindsWhatReadingEachRowFinds(t *testing.T) {
	defer journal.SearchInNarrowStrips()()
	rapid.Check(t, func(t *rapid.T) {
		c := newClock()
		quick := rapid.Bool().Draw(t, "each step ends at its first strip")
		j := newJournal(journal.Options{Now: func() time.Time {
			if quick {
				c.advance(time.Second)
			}
			return c.now()
		}})
		defer j.Close()
		for n := range rapid.IntRange(1, 14).Draw(t, "attempts") {
			c.advance(time.Duration(rapid.IntRange(-3, 9).Draw(t, "the clock goes on by")) * time.Minute)
			record(t, j, n)
		}
		all, _, err := j.Attempts(context.Background(), journal.Filter{}, 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			text := word(5).Draw(t, "text")
			if a := rapid.SampledFrom(all).Draw(t, "of"); rapid.Bool().Draw(t, "part of an attempt") {
				whole := []rune(strings.ToUpper(a.Draft.Name) + string(a.Reference) + string(a.Link))
				from := rapid.IntRange(0, len(whole)).Draw(t, "from")
				text = string(whole[from:rapid.IntRange(from, min(from+6, len(whole))).Draw(t, "to")])
			}
			f := journal.Filter{Query: containing(text), Kind: rapid.SampledFrom([]ledger.Kind{"", ledger.Initiate}).Draw(t, "kind")}
			var want []ledger.ID
			for _, a := range all {
				if linear(a, text) && (f.Kind == "" || a.Kind == f.Kind) {
					want = append(want, a.ID)
				}
			}
			if diff := cmp.Diff(want, found(t, j, f)); diff != "" {
				t.Fatalf("%q: %s", text, diff)
			}
		}
		if err := j.VerifyDerived(context.Background()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestASearchRestsOnceItHasFoundEnough(t *testing.T) {
	needsFile(t)
	dir := newDir(t)
	noError(t, journal.Fill(dir, 2500, largeNow))
	j, err := openJournal(t.Context(), journal.Options{Dir: dir, Now: func() time.Time { return largeNow }, Retention: 1000 * 24 * time.Hour})
	noError(t, err)
	defer j.Close()
	p, err := j.Find(t.Context(), journal.Filter{Query: containing("car")}, journal.Search{}, 0, 200)
	for err == nil && p.Searching {
		p, err = j.Find(t.Context(), journal.Filter{Query: containing("car")}, p.Search, 0, 200)
	}
	if err != nil || p.Complete || len(p.Rows) != 200 || p.Count < 1000 || p.Count > 3000 {
		t.Fatalf("%d rows of %d, complete %t: %v", len(p.Rows), p.Count, p.Complete, err)
	}
	newest, _, err := j.Attempts(t.Context(), journal.Filter{Kind: ledger.Initiate}, 0, 200)
	noError(t, err)
	for i, a := range newest {
		if p.Rows[i].ID != a.ID {
			t.Fatalf("row %d is not the next newest", i)
		}
	}
}

func TestWhatWasDeletedSinceIsNoLongerAmongTheFound(t *testing.T) {
	c := newClock()
	j := mustOpen(t, newDir(t), c)
	for n := range 4 {
		a := mustBegin(t, j, initiation(t, int64(n+1)))
		mustEnd(t, j, a.ID, accepted(fmt.Sprint("REF-", n), "SUCCESSFUL"))
		c.advance(time.Hour)
	}
	f := journal.Filter{Query: containing("ref-")}
	p, err := j.Find(t.Context(), f, journal.Search{}, 0, 2)
	if err != nil || p.Count != 4 {
		t.Fatal(p, err)
	}
	_, err = j.Purge(t.Context(), c.at.Add(-150*time.Minute))
	noError(t, err)
	noError(t, j.VerifyDerived(t.Context()))
	p, err = j.Find(t.Context(), f, p.Search, 1, 3)
	if err != nil || p.Count != 2 || len(p.Rows) != 1 || p.Rows[0].Reference != "REF-2" || !p.Covers(1, 2) || p.Covers(0, 2) {
		t.Errorf("%+v, %v", p, err)
	}
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
	noError(t, j.Close())
	file := must(os.ReadFile(j.Path()))
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
