package journal

import (
	"strings"
	"time"
)

// A Filter selects attempts. All fields that are set must match; the zero Filter selects all.
type Filter struct {
	Text     string      // in ID, reference, alias, link name (asked or answered), channel or the card's last four; case is ignored
	Status   string      // a documented status word such as "SUCCESSFUL", or [Mismatched]
	Outcome  string      // an [Outcome], or a [Decision] about one that is unresolved: [Unresolved] is without any
	Currency string      // code
	From, To time.Time   // when it was sent: at or after From, before To
	User     string      // the operator's
	Service  Destination // the same as this one, see [Destination.IsSameService]; zero for all
	Kind     Kind
}

// Mismatched is the [Filter.Status] of attempts with a [Mismatch], decided or not.
const Mismatched = "MISMATCH"

// text is what is searched for; "" for any.
func (f Filter) text() string { return strings.ToLower(strings.TrimSpace(f.Text)) }

// terms returns the conditions besides the text as SQL. The partial indexes leave out empty values, and
// SQLite uses them only for a condition that does so too.
func (f Filter) terms() (terms []string, args []any) {
	add := func(term string, value any) {
		if value != "" && value != int64(0) {
			terms, args = append(terms, term), append(args, value)
		}
	}
	if f.Status == Mismatched {
		terms = append(terms, "mismatch <> 0")
	} else { // of a mismatch it is not believed
		add("status = ? AND status <> '' AND mismatch = 0", f.Status)
	}
	switch f.Outcome {
	case string(Sent), string(Accepted), string(Refused), string(NotSent):
		add("outcome = ?", f.Outcome)
	case string(Unresolved):
		terms = append(terms, undecided)
	default: // an answer that arrived after a decision counts more than the decision
		add("verdict = ? AND verdict <> '' AND (outcome = 'unresolved' OR made_differs <> '')", f.Outcome)
	}
	add("currency = ? AND currency <> ''", f.Currency)
	add("at >= ?", unixNano(f.From))
	add("at < ?", unixNano(f.To))
	add("user = ? AND user <> ''", sanitize(f.User))
	if f.Service != (Destination{}) {
		terms, args = append(terms, "("+atService+")"), append(args, f.Service.args()...)
	}
	add("kind = ?", string(f.Kind))
	return terms, args
}

// undecided is the condition of an unresolved attempt that nobody has decided about; it has an index.
const undecided = "outcome = 'unresolved' AND verdict = ''"

// Choices are the values that occur in the journal, for filters to offer; each sorted.
type Choices struct{ Statuses, Outcomes, Currencies, Users []string }
