package session

import (
	"paydesk/api"
	"paydesk/api/ledger"
)

// An Entry is an attempt that was made here, or a payment that was made elsewhere ([Entry.IsElsewhere]), as it stands: what
// the journal has of it, with what this run knows besides.
type Entry struct {
	ledger.Entry
	// History tells what happened to a payment, oldest first, as far as it was read or seen in this run. It is replaced, and never
	// changed. [Tracker.Recall] reads what the journal has.
	History []ledger.Event
	// Answer is the response to the initiation in this run; zero for a payment of an earlier one.
	Answer api.Payment
	// Sent is the payment as it was sent, without its card; of another run only what the journal has.
	Sent api.Initiation

	listed    bool          // it was sent in this run, or was open when the journal was read
	latest    bool          // it was among the latest payments when those were last read
	unwritten []ledger.Fact // seen in this run, and in no journal
	done      bool          // a person has reported the customer as done, which is not recorded yet
}

// IsElsewhere reports whether it is a payment that was made elsewhere, or before the journal.
func (e Entry) IsElsewhere() bool { return e.Kind == ledger.Known }

// IsPayment reports whether it is a payment, wherever it was made.
func (e Entry) IsPayment() bool { return e.IsElsewhere() || e.Kind == ledger.Initiate }

// NotFollowed reports whether a person has decided that the end of the payment need not be seen.
func (e Entry) NotFollowed() bool { return e.Decision == ledger.NotFollowed }

// Open reports whether the entry still needs attention.
func (e Entry) Open() bool {
	return !e.IsElsewhere() && (e.IsUnresolved() || e.MustBeRead() || e.Mismatch.Undecided() || e.UnderWay())
}

// Payment is the response to the initiation; of an earlier run what the journal has of it.
func (e Entry) Payment() api.Payment {
	if e.Answer.Reference == e.Reference {
		p := e.Answer
		if p.Transfer != nil && e.Account != nil { // which has the service's clock as it was last compared with ours
			account := *p.Transfer
			account.Ahead, p.Transfer = e.Account.Ahead, &account
		}
		return p
	}
	asked := e.Attempt.Asked()
	p := api.Payment{Reference: e.Reference, BankAuth: e.BankAuth, Transfer: e.Account, Fees: asked.Fees, Total: asked.Total}
	if e.BankAuthRefused != "" { // for every row of a list it is not cleaned again
		p.BankAuthRefused = api.Clean(e.BankAuthRefused)
	}
	return p
}

// Is reports whether two entries concern the same attempt, or the same payment.
func (e Entry) Is(o Entry) bool {
	return e.ID != "" && e.ID == o.ID || e.IsPayment() && o.IsPayment() && e.Reference != "" && e.Reference == o.Reference
}

// Asks reports whether the service can be asked how the payment stands, and its answer may change that.
func (e Entry) Asks() bool {
	if e.Kind == ledger.Finalize { // of a payment that was made elsewhere: its final status settles it
		return e.IsUnresolved() && e.Reference != ""
	}
	return e.UnderWay() && !e.IsUnresolved() || e.IsElsewhere() && e.Reference != "" && !e.Status.State.Final()
}
