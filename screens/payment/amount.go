package payment

import (
	"paydesk/api"
	"paydesk/api/money"
)

// An amount is what the service says the payment is about, compared with what was
// asked for (R32).
type amount struct {
	said     money.Amount
	has      bool     // the service named an amount that can be read
	asItCame api.Text // what it wrote, when that cannot be read
	wrong    string   // how it differs from what was asked, "" when it does not
	seen     string   // the difference somebody has acknowledged
}

// take compares what the service says with what was asked; known is false for a
// payment of which nobody here knows what was asked. A difference that nobody has
// acknowledged stays, whatever is said later.
func (a *amount) take(t api.Transaction, asked money.Amount, known bool) {
	a.said, a.has, a.asItCame = t.Amount, t.HasAmount, t.AmountText
	if !t.HasAmount || !known {
		return
	}
	if wrong := api.Mismatch(asked, t.Amount).Line(0); wrong != "" || !a.open() {
		a.wrong = wrong
	}
}

// begin is what the answer to the initiation said.
func (a *amount) begin(p api.Payment) {
	a.said, a.has = p.Amount, p.HasAmount
	a.wrong = p.Mismatch.Line(0)
}

// open reports whether a difference waits to be acknowledged.
func (a *amount) open() bool { return a.wrong != "" && a.wrong != a.seen }

func (a *amount) acknowledge() { a.seen = a.wrong }
