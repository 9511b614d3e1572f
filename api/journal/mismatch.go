package journal

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
	At       time.Time // of the first answer that differed
	AgreesAt time.Time // of the last answer when that agrees again; zero while it differs

	Decision  Decision // [AnswerRight] or [NotOurs]
	DecidedBy Operator // the last to decide, or to take a decision back
	DecidedAt time.Time
}

// The decisions about a mismatch.
const (
	AnswerRight Decision = "answer is right"
	NotOurs     Decision = "not our payment"
	AskAgain    Decision = "undecided again" // takes back either; the mismatch is then undecided
)

// mismatchDecisions are the decisions that are possible about a mismatch, and what is stored.
var mismatchDecisions = map[Decision]Decision{AnswerRight: AnswerRight, NotOurs: NotOurs, AskAgain: Undecided}

// Undecided reports whether there is a mismatch that nobody has decided about.
func (m Mismatch) Undecided() bool { return !m.IsZero() && m.Decision == Undecided }

// InDoubt reports whether there is a mismatch whose answer nobody has decided to be right.
func (m Mismatch) InDoubt() bool { return !m.IsZero() && m.Decision != AnswerRight }

// After is the mismatch after an answer at a time: d is how that differs, and agrees whether it
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

// addMismatch adds the event of an answer that differs, or of one that agrees again.
func (t *writeTx) addMismatch(r *row, was Mismatch, d api.Difference, answered money.Amount, source string) error {
	if e, is := MismatchEvent(was, r.Mismatch, d, r.Asked(), answered, source, t.now); is {
		return t.addAnswerEvent(r, e)
	}
	return nil
}

// decideMismatch records a decision about a mismatch. It may replace an earlier one.
func (t *writeTx) decideMismatch(a *row, v Decision) error {
	if a.Mismatch.IsZero() {
		return rejected("There is nothing to decide: no answer about this attempt differs from what was asked.")
	}
	kept := mismatchDecisions[v]
	a.Mismatch.Decision, a.Mismatch.DecidedBy, a.Mismatch.DecidedAt = kept, t.j.opts.Operator, t.now
	if err := t.update(a); err != nil {
		return err
	}
	return t.addEvent(a, Event{What: Decided, Detail: string(v), Source: FromPerson})
}

// Asked is what the answers about the attempt's payment are compared with.
func (a Attempt) Asked() api.Asked {
	asked := api.Asked{
		Reference: a.Reference, OwnReference: a.OwnReference, Amount: a.Amount,
		Fees: a.Amount, Total: a.Amount, Status: a.Status,
	}
	asked.Fees.Minor, asked.Total.Minor = a.Fees, a.Total
	return asked
}
