package changes

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"

	"paydesk/api/mirror"
	"paydesk/screens/present"
	"paydesk/ui"
)

// compared says which scans are compared, and between when all that is listed was seen.
func (m *Model) compared() []string {
	h, now := m.history, m.Scope.Now().Local()
	if h.From.N == 0 {
		return nil
	}
	what := "Read at " + present.When(h.From.Ended, now) + " (" + present.Count(h.From.Rows, "row", "rows") + ") and at " +
		present.When(h.To.Ended, now) + " (" + present.Count(h.To.Rows, "row", "rows") + ")"
	if h.Between > 0 {
		what += ", with " + present.Count(h.Between, "scan", "scans") + " in between"
	}
	lines := []string{what + ".", m.counts()}
	if h.From.Trusted { // another one may have missed rows that were there before
		lines = append(lines, "The list has no dates: what changed did so between "+present.When(h.From.Began, now)+" and "+present.When(h.To.Ended, now)+".")
	}
	return lines
}

// counts are how many rows changed in which way.
func (m *Model) counts() string {
	var parts []string
	for _, c := range []struct {
		kind mirror.Kind
		word string
	}{
		{mirror.Added, "new"}, {mirror.Moved, "with another status"}, {mirror.Amount, "with another amount"}, {mirror.Gone, "gone"},
		{mirror.Passed, "came and went"}, {mirror.Back, "changed and back"},
	} {
		if n := m.history.Count(c.kind); n > 0 {
			parts = append(parts, present.Thousands(n)+" "+c.word)
		}
	}
	return strings.Join(parts, " · ")
}

// doubts are what the groups cannot say.
func (m *Model) doubts() (all []string) {
	h, now := m.history, m.Scope.Now().Local()
	if h.Short {
		all = append(all, "The mirror goes back to "+present.When(h.From.Ended, now)+" only: what changed before is not known here.")
	}
	if !h.From.Trusted && h.Count(mirror.Added) > 0 {
		all = append(all, "The scan of "+present.When(h.From.Ended, now)+" may have missed rows, which are called new here.")
	}
	if h.Doubtful > 0 {
		all = append(all, present.Count(h.Doubtful, "scan may be incomplete", "scans may be incomplete")+", or the list changed meanwhile: no row is called gone by that.")
	}
	if !h.To.Trusted && h.Kept > h.To.Rows {
		all = append(all, "The last scan read "+present.Count(h.To.Rows, "row", "rows")+" of the "+present.Thousands(h.Kept)+
			" that are kept: the others may have changed, or be gone.")
	}
	if h.OtherKey {
		all = append(all, "It was read with another key than that of now.")
	}
	if tone, words := present.Kept(m.kept); tone == ui.ToneAct {
		all = append(all, words)
	}
	return all
}

// empty says why there are no groups.
func (m *Model) empty() string {
	h, now := m.history, m.Scope.Now().Local()
	switch {
	case !m.read || m.problem != "" || m.since.form != nil:
		return ""
	case m.kept.Step == mirror.Keeping || m.kept.Step == mirror.Held:
		_, words := present.Kept(m.kept)
		return words
	case h.To.N == 0:
		return "Nothing is kept of this service's list yet. Read all of it in Transactions with space: the scan after that shows what changed."
	case h.From.N == 0:
		return present.Count(h.To.Rows, "row was", "rows were") + " kept at " + present.When(h.To.Ended, now) +
			". The next scan that reaches the end of the list shows what changed since."
	case h.From.N == h.To.N:
		return "The list has not been read to its end since then: the last time was at " + present.When(h.To.Ended, now) + "."
	}
	if !h.To.Trusted {
		return present.Unchanged(h.To) + "."
	}
	return "Nothing changed in between."
}

// emptyKey is the key that leads to more to see.
func (m *Model) emptyKey() key.Binding { return ui.Bind("2", "transactions") }

// seen is when a row was seen to change: between two scans.
func seen(c mirror.Change, now time.Time) string {
	if c.After.IsZero() {
		return "by " + present.When(c.Before, now) + "; since when is not known"
	}
	return "between " + present.When(c.After, now) + " and " + present.When(c.Before, now)
}
