package present

import (
	"strings"

	"paydesk/api"
	"paydesk/api/ledger"
)

// LinkMismatch is the sentence beside [Mismatch] for a link.
const LinkMismatch = "The link was created, but not as it was asked for."

// NotAnswered says what the answer about a created link does not name; "" when it names all that is
// compared.
func NotAnswered(l *api.Link) string {
	if l == nil || len(l.Lacks) == 0 {
		return ""
	}
	var parts []string
	for _, p := range l.Lacks {
		parts = append(parts, p.Line(0))
	}
	last := len(parts) - 1
	if last > 0 {
		parts = []string{strings.Join(parts[:last], ", "), parts[last]}
	}
	return "the answer does not name the " + strings.Join(parts, " and ")
}

// ReadFirst says why nothing can be done with a link that must be read.
const ReadFirst = "Read first how this link differs: press enter."

// LinkFacts returns what was asked of a link, with their labels; none where that was not recorded.
func LinkFacts(a ledger.Attempt) [][2]string {
	d := a.Draft
	if d.Name == "" {
		return nil
	}
	return [][2]string{
		{"Name", Plain(d.Name)}, {"Description", Plain(d.Description)},
		{"Can be paid", d.Type.String() + " · the amount is " + d.AmountType.String()},
	}
}
