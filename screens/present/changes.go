package present

import (
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
)

// changeWords count the ways in which rows change.
var changeWords = []struct{ how, counted string }{
	{listing.New, "new"}, {listing.Moved, "with another status"}, {listing.Amount, "with another amount"}, {listing.Gone, "gone"},
	{listing.Passed, "came and went"}, {listing.Back, "changed and back"},
}

// changeCounts returns how many rows changed in which way; "" where none did.
func changeCounts(h listing.History) string {
	var parts []string
	for _, c := range changeWords {
		if n := h.Counts[c.how]; n > 0 {
			parts = append(parts, Thousands(n)+" "+c.counted)
		}
	}
	return strings.Join(parts, " · ")
}

// ChangesCompared says which scans are compared, how many rows changed, and between when that was seen, or why none did, and what that
// cannot tell.
func ChangesCompared(h listing.History, now time.Time) (says, doubts []string) {
	what := "Read at " + When(h.From.Ended, now) + " (" + Count(h.From.Rows, "row", "rows") + ") and at " +
		When(h.To.Ended, now) + " (" + Count(h.To.Rows, "row", "rows") + ")"
	if h.Between > 0 {
		what += ", with " + Count(h.Between, "scan", "scans") + " in between"
	}
	counts := changeCounts(h)
	if counts != "" {
		says = append(says, counts)
	}
	says = append(says, what+".")
	switch {
	case counts == "":
		says = append(says, noChanges(h, now))
	case h.From.Trusted: // another one may have missed rows that were there before
		says = append(says, "The list has no dates: each change happened between "+When(h.From.Began, now)+" and "+When(h.To.Ended, now)+".")
	}
	return says, changesDoubts(h, now)
}

// changesDoubts returns what a history cannot say.
func changesDoubts(h listing.History, now time.Time) (all []string) {
	if h.Short {
		all = append(all, "The saved list goes back to "+When(h.From.Ended, now)+" only: what changed before is not known here.")
	}
	if !h.From.Trusted && h.Counts[listing.New] > 0 {
		all = append(all, "The scan of "+When(h.From.Ended, now)+" may have missed rows, which are called new here.")
	}
	if h.Doubtful > 0 {
		all = append(all, Count(h.Doubtful, "scan may be incomplete", "scans may be incomplete")+", or the list changed meanwhile: rows that they lack are not called gone.")
	}
	if !h.To.Trusted && h.Kept > h.To.Rows {
		all = append(all, "The last scan read "+Count(h.To.Rows, "row", "rows")+" of the "+Thousands(h.Kept)+
			" that are saved: the others may have changed or gone.")
	}
	if h.OtherKey {
		all = append(all, "The saved list was read with a different key.")
	}
	return all
}

// noChanges says why a history of two scans has none.
func noChanges(h listing.History, now time.Time) string {
	switch {
	case h.From.N == h.To.N:
		return "The list has not been read to its end since then: the last time was at " + When(h.To.Ended, now) + "."
	case !h.To.Trusted:
		return unchanged(h.To) + "."
	}
	return "Nothing changed in between."
}

// LedgerCompared says which payments were compared with the rows that were read, and what that cannot tell.
func LedgerCompared(l listing.Ledger, trusted bool) (says, doubts []string) {
	words := Count(l.Payments, "payment", "payments") + " made from here, or that may have been"
	if l.LeftOut > 0 {
		words += ", and " + Thousands(l.LeftOut) + " left out: too recent, made with another key, or not made"
	}
	says = append(says, words+".")
	switch {
	case l.References == 0:
		return says, append(doubts, "No payment made from here has a reference to look for.")
	case l.Joined > 0:
		says = append(says, Thousands(l.Joined)+" of "+Count(l.References, "reference matches", "references match")+" a list ID.")
	default:
		return says, append(doubts, "No reference matches a list ID: IDs may not be references here, so no row can be matched with a payment made from here.")
	}
	if !trusted {
		doubts = append(doubts, "None is called absent, since this may not be the whole list.")
	}
	if l.Older > 0 {
		doubts = append(doubts, "The oldest "+Thousands(l.Older)+" absent ones are not listed.")
	}
	return says, doubts
}

// ChangedFrom returns what a row was in an earlier scan, in a column: its status, or how it changed where that says more.
func ChangedFrom(how, was string) string {
	switch how {
	case "", listing.New:
		return how
	case listing.Amount:
		return "other amount"
	case listing.Back:
		return "in between"
	}
	return ShortStatus(api.ParseStatus(was))
}
