package journal

import (
	"strings"
	"time"
)

// A Filter selects attempts. All fields that are set must match; the zero Filter selects all.
type Filter struct {
	Text     string      // in ID, reference, alias, link name (asked or answered), channel or the card's last four; case is ignored
	State    string      // an [Outcome], a [Decision], [Mismatched], or a status word such as "SUCCESSFUL"
	Currency string      // code
	From, To time.Time   // when it was sent: at or after From, before To
	User     string      // the operator's
	Service  Destination // the same as this one, see [Destination.IsSameService]; zero for all
	Kind     Kind
}

// Mismatched is the [Filter.State] of attempts with a [Mismatch], decided or not.
const Mismatched = "MISMATCH"

// where returns the filter as SQL, or "". The partial indexes leave out empty values, and
// SQLite uses them only for a condition that does so too.
func (f Filter) where() (string, []any) {
	var terms []string
	var args []any
	add := func(term string, value any) {
		if value != "" && value != int64(0) {
			terms, args = append(terms, term), append(args, value)
		}
	}
	column := stateColumn(f.State)
	add("instr(words, ?) > 0", strings.ToLower(strings.TrimSpace(f.Text)))
	switch {
	case f.State == Mismatched:
		terms = append(terms, "mismatch <> 0")
	case column == "status": // of a mismatch it is not believed
		add("status = ? AND status <> '' AND mismatch = 0", f.State)
	default:
		add(column+" = ? AND "+column+" <> ''", f.State)
	}
	add("currency = ? AND currency <> ''", f.Currency)
	add("at >= ?", unixNano(f.From))
	add("at < ?", unixNano(f.To))
	add("user = ? AND user <> ''", sanitize(f.User))
	if f.Service != (Destination{}) {
		terms, args = append(terms, "("+atService+")"), append(args, f.Service.args()...)
	}
	add("kind = ?", string(f.Kind))
	if terms == nil {
		return "", nil
	}
	return "WHERE " + strings.Join(terms, " AND "), args
}

// stateColumn is the column of a [Filter.State]. A condition on one column can use its index;
// an OR over three cannot.
func stateColumn(word string) string {
	switch word {
	case string(Sent), string(Accepted), string(Refused), string(NotSent), string(Unresolved):
		return "outcome"
	case string(Found), string(NotFound), string(GaveUp), string(DifferenceRead):
		return "verdict"
	}
	return "status"
}

// Choices are the values that occur in the journal, for filters to offer; each sorted.
type Choices struct{ States, Currencies, Users []string }
