package transactions

import (
	"strings"

	"paydesk/api/listing"
	"paydesk/screens/present"
)

// verdictWords say what a scan that has reached the end found out about the list: how it changed meanwhile, or why the
// rows may not be all there are.
func verdictWords(s listing.State) string { return verdictOf(s, len(present.VerdictFacts(s))) }

// verdictOf is that with as many of the facts as are asked for.
func verdictOf(s listing.State, facts int) string {
	all := present.VerdictFacts(s)
	words := present.Count(s.Read, "row", "rows") + " read at " + present.Clock(s.Ended) + present.Verdict(s.Verdict) + ": "
	words += strings.Join(all[:facts], "; ")
	if facts < len(all) {
		words += "; ? has more"
	}
	return words + ". r reads it again."
}
