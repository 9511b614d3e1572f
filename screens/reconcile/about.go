package reconcile

import (
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/ui"
)

// limits are what a comparison cannot know, whatever it finds.
var limits = []string{
	"Rows have no date. Payments of one amount cannot be told apart by when they were made.",
	"The service does not say how far back its list goes, nor how soon a new payment is in it.",
	"The journal has what was sent from consoles that use it. Payments of other consoles and programs, and those that customers made through links by themselves, are in the list alone.",
	"Where the customer chose the amount, no row can be found by it.",
	"A row of the same amount proves nothing, even if it is the only one: ask the provider before you record it.",
}

// aboutLines are what was compared, what was left out, and what that cannot know.
func (m *Model) aboutLines(w int) []string {
	r, t := m.result, m.Theme
	in := w - len(indent)
	put := func(lines []string, words string) []string {
		for i, l := range ui.Wrap(words, max(in-2, 1)) {
			lead := "  "
			if i == 0 {
				lead = t.Text("· ")
			}
			lines = append(lines, indent+lead+l)
		}
		return lines
	}
	lines := []string{t.Rule("Compared", "", w)}
	lines = put(lines, present.Count(r.Payments, "payment", "payments")+" made from here at this service, or that may have been, with "+m.rowsRead(false)+".")
	lines = put(lines, m.referenceWords())
	for s := range listing.Standings {
		if n := r.Count(s); n > 0 {
			lines = append(lines, indent+"  "+ui.Right(present.Thousands(n), 6)+"  "+groupTitle(s, r.Reconciliation))
		}
	}
	if more := r.Rows - r.Claimed; more > 0 {
		lines = put(lines, present.Count(more, "row has", "rows have")+" the ID of no payment made from here.")
	}
	if r.Unreadable > 0 {
		lines = put(lines, present.Count(r.Unreadable, "row has", "rows have")+" an amount that cannot be read, by which no payment can be found.")
	}
	if left := m.leftOut(); len(left) > 0 {
		lines = append(lines, "", t.Rule("Left out", "", w))
		for _, words := range left {
			lines = put(lines, present.Sentence(words))
		}
	}
	lines = append(lines, "", t.Rule("What this cannot know", "", w))
	if !r.Trusted {
		lines = put(lines, "What was read may not be the whole list, or it changed meanwhile. A payment that was not seen may be in it.")
	}
	for _, words := range limits {
		lines = put(lines, words)
	}
	return lines
}

// leftOut are the payments that were not compared.
func (m *Model) leftOut() (all []string) {
	r := m.result
	for _, left := range []struct {
		n         int
		one, many string
	}{
		{r.Later, "payment too recent to be compared", "payments too recent to be compared"},
		{r.OtherKey, "payment made with another key", "payments made with another key"},
		{r.Sending, "payment still being sent", "payments still being sent"},
		{r.Never, "attempt recorded as never made", "attempts recorded as never made"},
		{r.NotOurs, "payment recorded as somebody else's", "payments recorded as somebody else's"},
		{r.Left, "older payment without a row", "older payments without a row"},
	} {
		if left.n > 0 {
			all = append(all, present.Count(left.n, left.one, left.many))
		}
	}
	return all
}
