package watch

import (
	"paydesk/api"
	"paydesk/api/money"
)

// An Amount is the amount that the service reports for a payment, compared with the requested one.
type Amount struct {
	Reported     money.Amount
	Has          bool     // the service reported a readable amount
	Text         api.Text // the reported amount, when it cannot be read
	Mismatch     string   // how it differs from the requested amount, "" when it does not
	acknowledged string   // the mismatch that a person has acknowledged
}

// receive compares a reported amount with the requested one; known is false when that is not known.
// An unacknowledged mismatch stays, whatever is reported later.
func (a *Amount) receive(t api.Transaction, requested money.Amount, known bool) {
	a.Reported, a.Has, a.Text = t.Amount, t.HasAmount, t.AmountText
	if !t.HasAmount || !known {
		return
	}
	if wrong := api.Mismatch(requested, t.Amount).Line(0); wrong != "" || !a.Unacknowledged() {
		a.Mismatch = wrong
	}
}

// Unacknowledged reports whether there is a mismatch that nobody has acknowledged.
func (a *Amount) Unacknowledged() bool { return a.Mismatch != "" && a.Mismatch != a.acknowledged }
