package journal_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
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
