package ledger

import (
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// A Lookup is a payment whose status was requested here and that no recorded attempt made: it
// was made elsewhere, or before the journal.
type Lookup struct {
	Destination               // where it was last found
	Reference   api.Reference // as requested
	At          time.Time     // when the service first answered about it
	By          Operator      // who requested that
	AnsweredAt  time.Time     // when the service last answered about it

	Amount money.Amount // the last one reported; without a currency when none was
	// Status is the last one reported; a final one is never replaced. StatusAt is when it was last
	// reported. Both are zero when the answers were about another payment.
	Status   api.Status
	StatusAt time.Time
	// Mismatch is that an answer differed, in the words of the history. Nobody decides about it, as nothing was asked here.
	Mismatch Mismatch
}

// Checked notes what the status endpoint answered, and returns what that adds to the history.
func (l *Lookup) Checked(got api.Transaction, at time.Time) (all []Event) {
	l.AnsweredAt = at
	asked := api.Asked{Reference: l.Reference, Earlier: l.Amount, Status: l.Status}
	differs := got.Compare(asked)
	if e, is := MismatchEvent(Mismatch{}, Mismatch{}, differs, asked, got.Amount, FromLookup, at); is {
		all = append(all, e)
	}
	if differs.What&api.ReferenceDiffers != 0 {
		return all
	}
	if got.HasAmount {
		l.Amount = got.Amount
	}
	keepStatus(&l.Status, &l.StatusAt, got.Status, at)
	return append(all, StatusEvent(got.Status, FromLookup, at))
}
