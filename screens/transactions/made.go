package transactions

import (
	"context"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/listing"
	"paydesk/screens/list"
)

// A made holds what the journal knows of the payment whose reference is the ID of the row in the pane.
type made struct {
	of     api.Reference
	record journal.PaymentRecord
	some   bool
}

// more reads what the journal knows of a row.
func (m *Model) more(l listing.Listed) list.Background {
	r, is := reference(l.Transaction)
	read := m.options.Made
	return func(ctx context.Context) (func(), error) {
		now := made{of: r}
		if read != nil && is {
			a, err := read(ctx, r)
			if now.some = err == nil; now.some {
				now.record = journal.PaymentRecord{Attempt: a}
			}
		}
		return func() { m.made = now }, nil
	}
}

// madeHere is the attempt that made the payment of a row from here; nil for none.
func (m *Model) madeHere(row api.Transaction) *journal.PaymentRecord {
	if r, is := reference(row); is && m.made.some && m.made.of == r {
		return &m.made.record
	}
	return nil
}
