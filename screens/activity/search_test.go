package activity

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api/journal"
	"paydesk/screens/screentest"
)

// A steppedJournal finds the attempts with a text in two steps. The second takes a second.
type steppedJournal struct {
	*fakeJournal
	last journal.Page[journal.Attempt] // its Count and Complete are those after the second step
}

func (b steppedJournal) Find(ctx context.Context, f journal.Filter, s journal.Search, from, n int) (journal.Page[journal.Attempt], error) {
	text := f.Text
	f.Text = ""
	p, err := b.fakeJournal.Find(ctx, f, s, from, n)
	switch {
	case text == "" || err != nil:
	case b.fakeJournal.requests == 2:
		p.Rows, p.Count, p.Complete, p.Searching = p.Rows[:3], 3, false, true
	default:
		<-time.After(time.Second) // of the bubble
		p.Count, p.Complete = b.last.Count, b.last.Complete
	}
	return p, err
}

func TestASearchShowsWhatItHasFoundSoFarAndWhereItRests(t *testing.T) {
	for words, last := range map[string]journal.Page[journal.Attempt]{
		"1,000 or more attempts": {Count: 1000},
		"200 attempts":           {Count: 200, Complete: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := steppedJournal{rows(300), last}
			m := New(screentest.Theme, Options{Journal: b, Here: func() journal.Destination { return here }})
			c := screentest.Open(t, m, 60, 18)
			c.Sees("300 attempts").Press("/").Type("r").Sees("Searching… 3 attempts of this service so far").Fits()
			c.Wait(2 * time.Second).Sees(words + " of this service").SeesNot("Searching").Fits()
		})
	}
}
