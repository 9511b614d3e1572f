package listing

import (
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// A Standing tells how a payment that was made from here stands to its row.
type Standing uint8

// The standings.
const (
	RowAgrees  Standing = iota // its row says the same
	RowDiffers                 // its row, or an answer that no person decided to be right, has another amount, currency or final status
	RowMoved                   // its row has a status that may follow the last one known here
	RowBehind                  // its row was read before its final status became known here
)

// Judge returns how a payment stands to the row that has its reference, and how that row differs. read is the time at which
// reading the rows began: the row need not have what was learned about the payment after that.
func Judge(p journal.PaymentRecord, row api.Transaction, read time.Time) (Standing, api.Difference) {
	d := row.Compare(p.Asked())
	behind := d.What&api.StatusDiffers != 0 && !row.Status.State.Final() && !p.StatusAt.Before(read)
	if behind {
		d.What, d.Status = d.What&^api.StatusDiffers, api.Text{}
	}
	decided := p.Mismatch.Decision == ledger.AnswerRight && d.What&^p.Mismatch.What == 0 && d.Answered == p.Mismatch.Answered
	switch {
	case !d.IsZero() && !decided:
		return RowDiffers, d
	case behind:
		return RowBehind, api.Difference{}
	case d.What&api.StatusDiffers == 0 && row.Status.State != p.Status.State:
		return RowMoved, api.Difference{}
	}
	return RowAgrees, api.Difference{}
}
