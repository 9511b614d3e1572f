package journal

import (
	"time"

	"paydesk/api/ledger"
	"paydesk/api/query"
)

// A Filter selects attempts. All fields that are set must match; the zero Filter selects all.
type Filter struct {
	// Query is in [AttemptLanguage]. Text anywhere is looked for in ID, reference, alias, link name (asked or
	// answered), channel and the card's last four.
	Query    query.Query
	From, To time.Time          // when it was sent: at or after From, before To
	Service  ledger.Destination // the same as this one, see [ledger.Destination.IsSameService]; zero for all
	Kind     ledger.Kind
}

// Mismatched is the word of [Filter.Query] for the status of attempts with a [ledger.Mismatch], decided or not.
const Mismatched = "MISMATCH"

// base is the condition of what a filter selects besides the query.
func (f Filter) base() condition {
	c := between(f.From, f.To)
	if f.Service != (ledger.Destination{}) {
		c = c.and("("+atService+")", atArgs(f.Service)...)
	}
	if f.Kind != "" {
		c = c.and("kind = ?", string(f.Kind))
	}
	return c
}

func (f Filter) quest(t *readTx) (quest, error) {
	return t.newQuest(f.base(), f.Query, attemptColumns(t.key))
}

// undecided is the condition of an unresolved attempt that nobody has decided about; it has an index.
const undecided = "outcome = 'unresolved' AND verdict = ''"

// Choices are the values that occur in the journal, for filters to offer; each sorted.
type Choices struct{ Statuses, Outcomes, Currencies, Users []string }
