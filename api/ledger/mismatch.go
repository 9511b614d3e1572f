package ledger

import (
	"time"

	"paydesk/api"
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

// After returns the mismatch after an answer at a time: d tells how that differs, and agrees whether it
// states the amount that was asked, without which only a status can agree again. A difference that was not known before needs a decision of its
// own.
func (m Mismatch) After(d api.Difference, agrees bool, at time.Time) Mismatch {
	switch known := m.Then(d); {
	case d.IsZero() && m.IsZero():
		return m
	case d.IsZero():
		if agrees || m.What == api.StatusDiffers {
			m.AgreesAt = at
		}
		return m
	case m.IsZero():
		m.At = at
	case known != m.Difference:
		m.Decision, m.DecidedBy, m.DecidedAt = Undecided, Operator{}, time.Time{}
	}
	m.Difference, m.AgreesAt = m.Then(d), time.Time{}
	return m
}
