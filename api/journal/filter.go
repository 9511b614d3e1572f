package journal

import (
	"strings"
	"time"

	"paydesk/api/query"
)

// A Filter selects attempts. All fields that are set must match; the zero Filter selects all.
type Filter struct {
	// Query is in [AttemptLanguage]. Text anywhere is looked for in ID, reference, alias, link name (asked or
	// answered), channel and the card's last four.
	Query    query.Query
	From, To time.Time   // when it was sent: at or after From, before To
	Service  Destination // the same as this one, see [Destination.IsSameService]; zero for all
	Kind     Kind
}

// Mismatched is the word of [Filter.Query] for the status of attempts with a [Mismatch], decided or not.
const Mismatched = "MISMATCH"

// terms returns the conditions besides the query as SQL.
func (f Filter) terms() (terms []string, args []any) {
	add := func(term string, value any) {
		if value != "" && value != int64(0) {
			terms, args = append(terms, term), append(args, value)
		}
	}
	add("at >= ?", unixNano(f.From))
	add("at < ?", unixNano(f.To))
	if f.Service != (Destination{}) {
		terms, args = append(terms, "("+atService+")"), append(args, atArgs(f.Service)...)
	}
	add("kind = ?", string(f.Kind))
	return terms, args
}

// quest is the search for what the filter selects.
func (f Filter) quest(t *readTx) (quest, error) {
	all, err := t.conditionsOf(f.Query, attemptFields())
	if !f.From.IsZero() || !f.To.IsZero() {
		all = append(all, sentBetween(f.From, f.To))
	}
	f.From, f.To = time.Time{}, time.Time{}
	terms, args := f.terms()
	all = append(all, condition{sql: strings.Join(append(terms, "TRUE"), " AND "), args: args})
	return quest{table: "attempts_text", every: true, query: f.Query, conditions: all, amount: attemptAmount}, err
}

// undecided is the condition of an unresolved attempt that nobody has decided about; it has an index.
const undecided = "outcome = 'unresolved' AND verdict = ''"

// Choices are the values that occur in the journal, for filters to offer; each sorted.
type Choices struct{ Statuses, Outcomes, Currencies, Users []string }
