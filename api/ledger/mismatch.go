package ledger

import (
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// A Mismatch is that the service answered something else about a payment than was asked: another
// amount, currency or reference, or another status after a final one. It stays, whatever is answered
// later, and needs attention until a person decides about it. The zero Mismatch is none.
type Mismatch struct {
	api.Difference
	At       time.Time `json:"at,omitzero"`        // of the first answer that differed
	AgreesAt time.Time `json:"agrees_at,omitzero"` // of the last answer when that agrees again; zero while it differs

	Decision  Decision  `json:"decision,omitzero"`   // [AnswerRight], [AsAsked] or [NotOurs]
	DecidedBy Operator  `json:"decided_by,omitzero"` // the last to decide, or to take a decision back
	DecidedAt time.Time `json:"decided_at,omitzero"`
}

// The decisions about a mismatch.
const (
	AnswerRight Decision = "answer is right"
	AsAsked     Decision = "charged as asked" // the answer that differed was wrong
	NotOurs     Decision = "not our payment"
	AskAgain    Decision = "undecided again" // takes back any of them; the mismatch is then undecided
)

// mismatchDecisions are the decisions that are possible about a mismatch, and what is stored.
var mismatchDecisions = map[Decision]Decision{AnswerRight: AnswerRight, AsAsked: AsAsked, NotOurs: NotOurs, AskAgain: Undecided}

// IsCharged reports that a person found out what was charged, whatever the service answered.
func (d Decision) IsCharged() bool { return d == AnswerRight || d == AsAsked }

// Undecided reports whether there is a mismatch without a decision.
func (m Mismatch) Undecided() bool { return !m.IsZero() && m.Decision == Undecided }

// InDoubt reports a mismatch for which no person has recorded yet what was charged.
func (m Mismatch) InDoubt() bool { return !m.IsZero() && !m.Decision.IsCharged() }

// compared notes how an answer differs from what was asked, and returns what that adds to the history: that it differs, or agrees
// again after one that differed. answered is the amount in it; zero where it has none: only a status can agree again then. A
// difference that was not known before needs a decision of its own.
func (e *Entry) compared(d api.Difference, answered money.Amount, source string, at time.Time) []Event {
	m, line := &e.Mismatch, Event{At: at, Until: at, Times: 1, Source: source}
	if d.IsZero() {
		agrees, first := !answered.Currency.IsZero(), m.AgreesAt.IsZero()
		if m.IsZero() || !agrees && m.What != api.StatusDiffers {
			return nil
		}
		if m.AgreesAt = at; !agrees || !first {
			return nil
		}
		line.What, line.Detail = Agreed, answered.String()
		return []Event{line}
	}
	known := m.Then(d)
	switch {
	case m.IsZero():
		m.At = at
	case known != m.Difference:
		m.Decision, m.DecidedBy, m.DecidedAt = Undecided, Operator{}, time.Time{}
	}
	m.Difference, m.AgreesAt = known, time.Time{}
	line.What, line.Detail = Differed, d.Words(e.Asked())
	return []Event{line}
}
