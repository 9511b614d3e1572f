package ledger

import (
	"time"

	"paydesk/api"
)

// An Entry is an attempt as it stands, with what only the rules ask for.
type Entry struct {
	Attempt
	Sender Process `json:"sender,omitzero"` // that sent it
	Payer  Marks   `json:"payer,omitzero"`

	// Who last took an unresolved attempt, and when: see [Lease].
	TakenBy Operator  `json:"taken_by,omitzero"`
	TakenAt time.Time `json:"taken_at,omitzero"`
	// Who pinned a [Known] payment, and when; zero while it is not pinned.
	PinnedBy Operator  `json:"pinned_by,omitzero"`
	PinnedAt time.Time `json:"pinned_at,omitzero"`
}

// A Process identifies a console process, so that another console can distinguish an attempt
// that is being sent from one whose console has ended.
type Process struct {
	Machine string `json:"machine,omitzero"` // process numbers can be compared when it is the same
	PID     int64  `json:"pid,omitzero"`
	Started int64  `json:"started,omitzero"` // in ticks since the machine booted; 0 when not known
}

// A Console tells a rule about the console that asks.
type Console struct {
	Now      time.Time
	Operator Operator
	Process  Process
	Senders  Senders
}

// Senders tells what a console can find out about the processes that send.
type Senders interface {
	// HasEnded reports whether a process has certainly ended.
	HasEnded(Process) bool
	// Lives reports whether another process of the same machine certainly lives.
	Lives(Process) bool
	// StartedWithin reports whether another process was certainly started less than so long ago, whatever the wall
	// clock says: it may have been set.
	StartedWithin(Process, time.Duration) bool
}

// SendTime limits how long after it was recorded an attempt may still be answered: the 90
// second limit of a POST, and a margin.
const SendTime = 100 * time.Second

const consoleEnded = "the console ended before the answer came"

// IsLost reports whether no console waits for the answer to an attempt any more.
func (c Console) IsLost(e Entry) bool {
	return e.Outcome == Sent && (c.Now.Sub(e.At) > SendTime || c.Senders.HasEnded(e.Sender))
}

// Lost is the fact that no console waits for the answer to an attempt any more. A late answer may still replace it.
func (c Console) Lost(e Entry) Fact {
	return c.Fact(e.ID, Answered{Result{Outcome: Unresolved, Why: consoleEnded}, FromConsole})
}

// AsSeen returns an entry as a console sees it: one that is lost is unresolved, even where that cannot be recorded, and
// one that a person has taken has a lease.
func (c Console) AsSeen(e Entry) Entry {
	if c.IsLost(e) {
		c.Lost(e).fold(&e)
	}
	e.Lease = c.lease(e)
	return e
}

// mayStillSend reports whether an attempt may leave yet: no answer and no person said what became of it, and the process
// that recorded it, which may be stopped, lives. It is not known of a process of another machine. The asking process
// ends within [SendTime] what it sends.
func (c Console) mayStillSend(e Entry) bool {
	return (e.Outcome == Sent || e.Outcome == Unresolved && e.Why == consoleEnded) && c.Senders.Lives(e.Sender)
}

// setPayment notes what the service returned for an initiation that it accepted.
func (e *Entry) setPayment(p *api.Payment) {
	if e.Reference != "" && e.Reference != p.Reference {
		// The operator had found another payment, whose status is not that of this one.
		asked := e.Challenged
		e.forgetPayment()
		e.Challenged = asked
	}
	e.Fees, e.Total = p.Fees.Minor, p.Total.Minor
	e.Reference, e.BankAuth, e.Account, e.BankAuthRefused = p.Reference, p.BankAuth, p.Transfer, p.BankAuthRefused.Line(0)
	e.Challenged = e.Challenged || !p.BankAuth.IsZero() || !p.BankAuthRefused.Empty()
}

// forgetPayment removes all that is known of the payment of a reference. The events stay.
func (e *Entry) forgetPayment() {
	e.Reference, e.Status, e.StatusAt, e.StatusLogin, e.Changed = "", api.Status{}, time.Time{}, "", Change{}
	e.BankAuth, e.BankAuthRefused, e.Challenged, e.Account = api.Address{}, "", false, nil
	e.CustomerDone, e.Finalized, e.FinalizeUnresolvedAt = false, false, time.Time{}
	e.Mismatch, e.Fees, e.Total, e.AmountUnstated, e.Received = Mismatch{}, 0, 0, false, api.Reported{}
}

// keepStatus replaces the status that was seen before by the next, unless it is final and stays.
func (e *Entry) keepStatus(s api.Status, f Fact) {
	if s.State == api.ActionRequired || s.State == api.BankAuthRequired {
		e.Challenged = true
	}
	kept := e.Status.Next(s)
	if kept.State == s.State && kept.Text.Stored() == s.Text.Stored() {
		e.Status, e.StatusAt, e.StatusLogin = kept, f.At, f.By.Login
	}
	e.Changed = e.Changed.After(s, f.At)
}

// concerns reports whether an entry belongs to the payment with a reference, at the same service.
func (e Entry) concerns(d Destination, r api.Reference) bool {
	return r != "" && e.Reference == r && e.IsSameService(d)
}

// WasFound reports whether a person has found what the attempt did.
func (e Entry) WasFound() bool {
	return e.Decision == Found || e.Decision == NotFollowed && e.Outcome == Unresolved
}

// found is the reference or the alias that an attempt was found as.
func (e Entry) found() string {
	if !e.WasFound() {
		return ""
	}
	return kinds[e.Kind].found(e)
}
