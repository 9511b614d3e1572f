package present

import (
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/mirror"
)

// kindWords are the kinds of changes: in a column, counted, and what they mean.
var kindWords = map[mirror.Kind]struct{ word, counted, means string }{
	mirror.Added:  {"new", "new", "In the list now, and not before."},
	mirror.Moved:  {"moved", "with another status", "Another status than before."},
	mirror.Amount: {"amount", "with another amount", "Another amount or currency than before, and the same status."},
	mirror.Gone:   {"gone", "gone", "In the list before, and not now."},
	mirror.Passed: {"came, went", "came and went", "Neither in the list before nor now, but in between."},
	mirror.Back:   {"back", "changed and back", "Something else in between, and now as before."},
}

// ChangeWord is a kind of change in a column.
func ChangeWord(k mirror.Kind) string { return kindWords[k].word }

// ChangeMeans is what a kind of change means, in a sentence.
func ChangeMeans(k mirror.Kind) string { return kindWords[k].means }

// ChangeCounts are how many rows changed in which way; "" where none did.
func ChangeCounts(h mirror.History) string {
	var parts []string
	for _, k := range []mirror.Kind{mirror.Added, mirror.Moved, mirror.Amount, mirror.Gone, mirror.Passed, mirror.Back} {
		if n := h.Count(k); n > 0 {
			parts = append(parts, Thousands(n)+" "+kindWords[k].counted)
		}
	}
	return strings.Join(parts, " · ")
}

// ChangesCompared says which scans are compared, how many rows changed, and between when that was seen; nil where there are
// not two scans.
func ChangesCompared(h mirror.History, now time.Time) []string {
	if h.From.N == 0 {
		return nil
	}
	what := "Read at " + When(h.From.Ended, now) + " (" + Count(h.From.Rows, "row", "rows") + ") and at " +
		When(h.To.Ended, now) + " (" + Count(h.To.Rows, "row", "rows") + ")"
	if h.Between > 0 {
		what += ", with " + Count(h.Between, "scan", "scans") + " in between"
	}
	lines := []string{what + "."}
	if counts := ChangeCounts(h); counts != "" {
		lines = append(lines, counts)
	}
	if h.From.Trusted { // another one may have missed rows that were there before
		lines = append(lines, "The list has no dates: what changed did so between "+When(h.From.Began, now)+" and "+When(h.To.Ended, now)+".")
	}
	return lines
}

// ChangesDoubts are what a history cannot say.
func ChangesDoubts(h mirror.History, now time.Time) (all []string) {
	if h.Short {
		all = append(all, "The mirror goes back to "+When(h.From.Ended, now)+" only: what changed before is not known here.")
	}
	if !h.From.Trusted && h.Count(mirror.Added) > 0 {
		all = append(all, "The scan of "+When(h.From.Ended, now)+" may have missed rows, which are called new here.")
	}
	if h.Doubtful > 0 {
		all = append(all, Count(h.Doubtful, "scan may be incomplete", "scans may be incomplete")+", or the list changed meanwhile: no row is called gone by that.")
	}
	if !h.To.Trusted && h.Kept > h.To.Rows {
		all = append(all, "The last scan read "+Count(h.To.Rows, "row", "rows")+" of the "+Thousands(h.Kept)+
			" that are kept: the others may have changed, or be gone.")
	}
	if h.OtherKey {
		all = append(all, "It was read with another key than that of now.")
	}
	return all
}

// NoChanges says why a history of two scans has none.
func NoChanges(h mirror.History, now time.Time) string {
	switch {
	case h.From.N == h.To.N:
		return "The list has not been read to its end since then: the last time was at " + When(h.To.Ended, now) + "."
	case !h.To.Trusted:
		return Unchanged(h.To) + "."
	}
	return "Nothing changed in between."
}

// ChangeSeen is when a row was seen to change: between two scans.
func ChangeSeen(c mirror.Change, now time.Time) string {
	if c.After.IsZero() {
		return "by " + When(c.Before, now) + "; since when is not known"
	}
	return "between " + When(c.After, now) + " and " + When(c.Before, now)
}

// RowIsIn reports whether a row of a change is in the list.
func RowIsIn(r api.Row) bool { return !r.Currency.Empty() || r.Status != (api.Status{}) }
