package listing

import (
	"context"
	"errors"

	"paydesk/api"
	"paydesk/api/ledger"
)

// Listed is a row as a list shows it, prints it and writes it to a file: with what is known of it elsewhere.
type Listed struct {
	api.Transaction
	Position int             // in the list, from 1; 0 for a row that is not in it
	Place    int             // in [Rows]
	Since    Known           // what is known since the scan that a query asks about
	Differs  bool            // an answer about its payment differed
	Mismatch ledger.Mismatch // how, where that is known
	// Unchecked is set where the journal could not be read: there may be a mismatch.
	Unchecked bool
}

// Gone reports whether the row was in an earlier scan, and is not in the last.
func (l Listed) Gone() bool { return l.Since.How == Gone }

// listed is the row of a place with its position in a list of which the first row that was received has one; 0 where rows have
// none.
func (r *Rows) listed(row api.Transaction, k Known, first, place int) Listed {
	l := Listed{Transaction: row, Place: place, Since: k}
	if first > 0 && InList(place) {
		l.Position = first + r.received(place)
	}
	return l
}

// Differing has the payments about which an answer differed.
type Differing interface {
	Differing(context.Context) ([]api.Reference, error)
	Mismatches(context.Context, []api.Reference) (map[api.Reference]ledger.Mismatch, error)
}

// Mismatches holds those of all payments: few have one.
type Mismatches struct {
	of  map[api.Reference]ledger.Mismatch // without saying how, where that could not be read
	Err error                             // the journal could not be read
}

// MismatchesOf reads them.
func MismatchesOf(ctx context.Context, payments Differing) (m Mismatches) {
	all, err := payments.Differing(ctx)
	var known map[api.Reference]ledger.Mismatch
	if len(all) > 0 {
		var failed error
		known, failed = payments.Mismatches(ctx, all)
		err = errors.Join(err, failed)
	}
	m.of, m.Err = map[api.Reference]ledger.Mismatch{}, err
	for _, r := range all {
		m.of[r] = known[r]
	}
	return m
}

// Mark notes the mismatch of the payment that a row is of.
func (m Mismatches) Mark(l *Listed) {
	if len(m.of) == 0 && m.Err == nil {
		return
	}
	if payment, err := api.ParseReference(l.ID.Line(0)); err == nil && payment != "" {
		l.Mismatch, l.Differs = m.of[payment]
		l.Unchecked = m.Err != nil && !l.Differs
	}
}
