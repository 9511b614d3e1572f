package activity

import (
	"context"
	"slices"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/query"
	"paydesk/screens/list"
	"paydesk/screens/present"
)

// A dayCount counts the attempts of a day that the search shows, and those of them that are unresolved.
type dayCount struct{ all, unresolved int }

// dayOf is the day on which an attempt was sent, in the local time zone.
func dayOf(a ledger.Attempt) time.Time { return list.Midnight(a.At.Local(), 0) }

// countByDay counts the attempts of the days on a page. Those of the first and of the last may be on others too, and
// are counted by the journal, unless that takes a search of more than a step: then they are not known.
func countByDay(ctx context.Context, j Journal, f journal.Filter, page *journal.Page[ledger.Attempt]) (map[time.Time]dayCount, error) {
	counts := map[time.Time]dayCount{}
	n := len(page.Rows)
	for _, a := range page.Rows {
		c := counts[dayOf(a)]
		c.all++
		if a.IsUnresolved() {
			c.unresolved++
		}
		counts[dayOf(a)] = c
	}
	if n == 0 {
		return counts, nil
	}
	var split []time.Time
	if page.From > 0 {
		split = append(split, dayOf(page.Rows[0]))
	}
	if !page.Complete || page.From+n < page.Count {
		split = append(split, dayOf(page.Rows[n-1]))
	}
	for _, day := range split {
		delete(counts, day)
		c, known, err := countDay(ctx, j, f, day)
		if err != nil {
			return nil, err
		}
		if known {
			counts[day] = c
		}
	}
	return counts, nil
}

// countDay counts those of one day in the whole journal.
func countDay(ctx context.Context, j Journal, f journal.Filter, day time.Time) (c dayCount, known bool, err error) {
	f.From, f.To = day, list.Midnight(day, -1)
	all, err := j.Find(ctx, f, journal.Search{}, 0, 0)
	if err != nil || !all.Complete {
		return c, false, err
	}
	f.Query.Terms = append(slices.Clip(f.Query.Terms), unresolved)
	open, err := j.Find(ctx, f, journal.Search{}, 0, 0)
	return dayCount{all.Count, open.Count}, open.Complete, err
}

// unresolved is the term for attempts that no person has decided about.
var unresolved = query.Term{Field: "outcome", Kind: query.Words, Values: []query.Value{{Text: string(ledger.Unresolved), How: query.Known}}}

// String is the note in the rule of a day; "" before its attempts are counted.
func (c dayCount) String() string {
	words := ""
	if c.all > 0 {
		words = present.Thousands(c.all)
	}
	if c.unresolved > 0 {
		words += " · " + present.Thousands(c.unresolved) + " unresolved"
	}
	return words
}
