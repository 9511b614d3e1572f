package watch

import (
	"paydesk/api"
	"paydesk/api/money"
)

// An Amount is what the service says a payment is about, compared with what was requested
// (R32).
type Amount struct {
	Reported     money.Amount
	Has          bool     // the service named an amount that can be read
	Text         api.Text // what it wrote, when that cannot be read
	Mismatch     string   // how it differs from what was requested, "" when it does not
	acknowledged string   // the mismatch that somebody has acknowledged
}

// begin is what the answer to the initiation said.
func (a *Amount) begin(p api.Payment) {
	*a = Amount{Reported: p.Amount, Has: p.HasAmount, Mismatch: p.Mismatch.Line(0)}
}

// receive compares what the service says with what was requested; known is false for a payment of
// which nobody here knows that. A mismatch that nobody has acknowledged stays, whatever is
// reported later.
func (a *Amount) receive(t api.Transaction, requested money.Amount, known bool) {
	a.Reported, a.Has, a.Text = t.Amount, t.HasAmount, t.AmountText
	if !t.HasAmount || !known {
		return
	}
	if wrong := api.Mismatch(requested, t.Amount).Line(0); wrong != "" || !a.Unacknowledged() {
		a.Mismatch = wrong
	}
}

// Unacknowledged reports whether a mismatch waits to be acknowledged.
func (a *Amount) Unacknowledged() bool { return a.Mismatch != "" && a.Mismatch != a.acknowledged }
