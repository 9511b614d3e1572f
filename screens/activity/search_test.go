package activity

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/query"
	"paydesk/screens/screentest"
)

// A steppedJournal finds the attempts with a text in two steps. The second takes a second.
type steppedJournal struct {
	*fakeJournal
	begun journal.Search
	last  journal.Page[ledger.Attempt] // its Count and Complete are those after the second step
}

func (b steppedJournal) Find(ctx context.Context, f journal.Filter, s journal.Search, from, n int) (journal.Page[ledger.Attempt], error) {
	text := ""
	for _, t := range f.Query.Terms {
		if t.Field == "" {
			text = t.Values[0].Text
		}
	}
	f.Query = query.Query{}
	p, err := b.fakeJournal.Find(ctx, f, s, from, n)
	switch {
	case text == "" || err != nil:
	case s.IsZero():
		p.Rows, p.Count, p.Complete, p.Searching, p.Search = p.Rows[:min(3, n)], 3, false, true, b.begun
	default:
		<-time.After(time.Second) // of the bubble
		p.Count, p.Complete = b.last.Count, b.last.Complete
	}
	return p, err
}

// begun is a search after its first step.
func begun(t *testing.T) journal.Search {
	j, err := filled(0, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	p, err := j.Find(t.Context(), journal.Filter{Query: query.Query{Terms: []query.Term{{Values: []query.Value{{Text: "r"}}}}}}, journal.Search{}, 0, 1)
	if err != nil || p.Search.IsZero() {
		t.Fatal(p, err)
	}
	return p.Search
}

func TestASearchShowsWhatItHasFoundSoFarAndWhereItRests(t *testing.T) {
	after := begun(t)
	for words, last := range map[string]journal.Page[ledger.Attempt]{
		"1,000 or more attempts": {Count: 1000},
		"200 attempts":           {Count: 200, Complete: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := steppedJournal{fakeJournal: rows(300), last: last, begun: after}
			m := New(screentest.Theme, Options{Journal: b, Here: func() ledger.Destination { return here }})
			c := screentest.Open(t, m, 60, 18)
			c.Sees("300 attempts").Press("/").Type("r").Sees("Searching… 3 attempts of this service so far").Fits()
			c.Wait(2 * time.Second).Sees(words + " of this service").WaitsUntilGone("Searching").Fits()
		})
	}
}
