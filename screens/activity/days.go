package activity

import (
	"context"
	"slices"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/query"
	"paydesk/screens/present"
)

// A dayCount is how many attempts of a day the filter shows, and how many of them are unresolved.
type dayCount struct{ all, unresolved int }

// dayOf is the day on which an attempt was sent, in the local time zone.
func dayOf(a ledger.Attempt) time.Time { return midnight(a.At.Local(), 0) }

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
	f.From, f.To = day, midnight(day, -1)
	all, err := j.Find(ctx, f, journal.Search{}, 0, 0)
	if err != nil || !all.Complete {
		return c, false, err
	}
	f.Query.Terms = append(slices.Clip(f.Query.Terms), unresolved)
	open, err := j.Find(ctx, f, journal.Search{}, 0, 0)
	return dayCount{all.Count, open.Count}, open.Complete, err
}

// unresolved is the term for what nobody has decided about.
var unresolved = query.Term{Field: "outcome", Kind: query.Words, Values: []query.Value{{Text: string(ledger.Unresolved), How: query.Known}}}

// group is the day of a row, for the rule above its rows, and how many attempts it has.
func (m *Model) group(i int) (title, note string) {
	w := &m.list.window
	a, read := w.Row(i)
	if !read {
		return "", ""
	}
	day := dayOf(a)
	c, counted := w.days[day]
	if counted {
		note = present.Thousands(c.all)
	}
	if c.unresolved > 0 {
		note += " · " + present.Thousands(c.unresolved) + " unresolved"
	}
	return dayTitle(day, w.at), note
}

// sameGroup reports whether a row is of the day of the one before it.
func (m *Model) sameGroup(i int) bool {
	a, read := m.list.window.Row(i)
	b, before := m.list.window.Row(i - 1)
	return read == before && (!read || dayOf(a).Equal(dayOf(b)))
}

// dayTitle names a day: "21 Nov 2026, today".
func dayTitle(day, now time.Time) string {
	title := day.Format("2 Jan 2006")
	switch today := midnight(now.Local(), 0); {
	case day.Equal(today):
		title += ", today"
	case day.Equal(midnight(today, 1)):
		title += ", yesterday"
	}
	return title
}
