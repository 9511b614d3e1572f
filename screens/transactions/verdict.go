package transactions

import (
	"fmt"
	"strings"

	"paydesk/api/listing"
	"paydesk/screens/present"
)

// verdictWords say what a scan that has reached the end found out about the list: how it changed meanwhile, or why the
// rows may not be all there are.
func verdictWords(s listing.State) string { return verdictOf(s, len(verdictFacts(s))) }

// verdictOf is that with as many of the facts as are asked for.
func verdictOf(s listing.State, facts int) string {
	all := verdictFacts(s)
	words := present.Count(s.Read, "row", "rows") + " read at " + present.Clock(s.Ended) + present.Verdict(s.Verdict) + ": "
	words += strings.Join(all[:facts], "; ")
	if facts < len(all) {
		words += "; ? has more"
	}
	return words + ". r reads it again."
}

func verdictFacts(s listing.State) []string { return append(changes(s.Verdict), oddities(s)...) }

// changes are how the list differed from itself while it was read.
func changes(v listing.Verdict) (all []string) {
	if v.Counted && v.Before != v.After {
		all = append(all, present.Thousands(v.Before)+" rows became "+present.Thousands(v.After))
	}
	if v.FirstDiffers {
		all = append(all, "the first page differs now")
	}
	if v.Repeated > 0 {
		all = append(all, present.Count(v.Repeated, "row", "rows")+" came twice, listed once")
	}
	if v.Differing > 0 {
		all = append(all, present.Count(v.Differing, "row", "rows")+" came again with other values, listed too")
	}
	return all
}

// strange words what was strange about some pages, which %s names.
var strange = map[listing.Strange]string{
	listing.WrongNumber: "%s came with the number of another",
	listing.EmptyPage:   "%s was empty before the end",
	listing.NothingNew:  "%s repeated rows of others",
	listing.MorePages:   "pages were added after %s",
	listing.FewerPages:  "there were fewer pages after %s",
	listing.NoCount:     "%s did not say how many there are",
	listing.FewTotal:    "%s had more rows than the service reports in all",
	listing.LargePage:   "%s had more rows than were asked for",
	listing.OtherTotal:  "%s reported another total than the first",
	listing.NeverEnds:   "reading ended at %s, after pages that brought nothing new",
}

// oddities are what was strange about the pages and the rows.
func oddities(s listing.State) (all []string) {
	v := s.Verdict
	switch {
	case !v.Counted:
		all = append(all, "the service does not say how many there are")
	case v.Unique != v.After:
		all = append(all, present.Count(v.Unique, "different ID", "different IDs")+" for "+present.Count(v.After, "row", "rows")+" reported")
	}
	if v.Nameless > 0 {
		all = append(all, present.Count(v.Nameless, "row", "rows")+" without an ID")
	}
	for _, o := range v.Odd {
		pages := "page " + present.Thousands(o.Page)
		if o.Pages > 1 {
			pages += " and " + present.Thousands(o.Pages-1) + " more"
		}
		all = append(all, fmt.Sprintf(strange[o.What], pages))
	}
	return all
}
