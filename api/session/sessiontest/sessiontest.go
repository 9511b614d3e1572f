// Package sessiontest makes entries as a session has them, for tests of what shows them.
package sessiontest

import (
	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
)

// Made is a payment that was sent and accepted at the time of an attempt, as a session has it.
func Made(a ledger.Attempt, p api.Payment) session.Entry {
	a.Kind, a.Outcome = ledger.Initiate, ledger.Sent
	e, history := ledger.Fold([]ledger.Fact{
		{Of: a.ID, At: a.At, What: ledger.Sending{Attempt: a}},
		{Of: a.ID, At: a.At, What: ledger.Answered{Result: ledger.Result{Outcome: ledger.Accepted, Payment: &p}, Source: ledger.FromConsole}},
	})
	return session.Entry{Entry: e, History: history, Answer: p}
}

// Lost is an attempt whose answer was lost.
func Lost(a ledger.Attempt) session.Entry {
	a.Outcome = ledger.Unresolved
	return session.Entry{Entry: ledger.Entry{Attempt: a}}
}
