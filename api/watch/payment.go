package watch

import (
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// A Subject is what is known of a payment besides what its watch is told. The zero Subject is a
// payment that was made elsewhere.
type Subject struct {
	Ours      bool         // it was made from here
	Requested money.Amount // what it was made for
	Started   time.Time
	Initiated api.Payment // the answer to the initiation
	Status    api.Status  // reported last before this watch
	SeenAt    time.Time   // when it was
	Finalized bool        // a finalize was accepted
}

// A Phase says whether a payment's status is requested, or why not.
type Phase uint8

// The phases.
const (
	Polling     Phase = iota
	Paused            // by who watches it
	Settled           // the status is final
	Expired           // still not final at the end of the watch
	KeyRejected       // the service rejects the key
	NotFound          // the service has no payment of this reference
)

// A State is how the watch of one payment stands: a value of its own, that nothing changes.
type State struct {
	Reference      api.Reference
	Subject        Subject
	History        History
	Amount         Amount
	OtherReference api.Text // the reference that the last answer named, when it is another

	Phase      Phase
	Checking   bool          // a request is under way, or waits for its turn
	Begun      time.Time     // of this watch; zero until the first answer
	AnsweredAt time.Time     // of the last answer, an error too; zero before the first
	ReportedAt time.Time     // of the last answer that reported a status; zero when there was none
	Due        time.Time     // when the next request is due
	Wait       time.Duration // chosen between the last request and the next
	Err        error         // of the last request; nil when it was answered
	// SettledHere is whether the status turned final after this watch had seen it open, so that
	// somebody who looks may be told.
	SettledHere bool

	version  uint64
	seenOpen bool // this watch was told a status that is not final
}

// Until is when requesting ends by itself: after 15 minutes, and for a transfer 10 minutes after
// its account expired.
func (s State) Until() time.Time {
	end := s.Begun.Add(watchLimit)
	if t := s.Subject.Initiated.Transfer; s.Subject.Ours && t != nil && !t.Expiration.Time.IsZero() {
		if late := t.Expiration.Time.Add(afterExpiry); late.After(s.Begun) {
			return late
		}
	}
	return end
}

// Stale reports whether what is shown may have been overtaken: the last request was not
// answered, or it was answered too long ago.
func (s State) Stale(now time.Time) bool {
	return s.Err != nil || s.Wait > 0 && Age(s.ReportedAt, now) >= 2*s.Wait
}

// Age is how long ago t was. A machine that slept counts the time it slept, which the monotonic
// clock does not.
func Age(t, now time.Time) time.Duration {
	return max(now.Sub(t), now.Round(0).Sub(t.Round(0)), 0)
}

// begin is the state of a payment before its first request.
func begin(r api.Reference, subject Subject) State {
	s := State{Reference: r, Subject: subject}
	if !subject.Ours {
		return s
	}
	s.History.report(subject.Started, subject.Initiated.Status, FromInitiation)
	if subject.SeenAt.After(subject.Started) {
		s.History.report(subject.SeenAt, subject.Status, FromStatus)
	}
	if subject.Finalized {
		s.History.finalized(time.Time{})
	}
	s.Amount.begin(subject.Initiated)
	s.ReportedAt = subject.SeenAt
	return s
}

// update takes what is known of the payment by now, and notes a finalize that was accepted since.
func (s *State) update(subject Subject, now time.Time) (changed bool) {
	was := s.Subject
	s.Subject = subject
	if !subject.Finalized || was.Finalized || now.IsZero() {
		return subject.Finalized != was.Finalized || subject.Ours != was.Ours
	}
	s.History.finalized(now)
	return true
}

// Newer reports whether the state came after another of the same payment. A key may have shown
// a newer state than one that is still on its way.
func (s State) Newer(than State) bool { return s.version > than.version }

// restart begins another watch, from the next answer.
func (s *State) restart() {
	if s.Phase != Settled {
		s.Phase = Polling
	}
	s.Begun = time.Time{}
}

// receive takes the answer to a request, and decides whether to go on (R47). wait is how long to
// wait then. Of a payment that was made from here the service may only not know yet.
func (s *State) receive(t api.Transaction, err error, now time.Time, wait time.Duration) {
	s.AnsweredAt, s.Err, s.Wait, s.Due = now, err, wait, now.Add(wait)
	if s.Begun.IsZero() {
		s.Begun = now
	}
	if err == nil {
		s.report(t, now)
	}
	switch {
	case s.History.Settled():
		s.Phase = Settled
	case api.KeyRejected(err):
		s.Phase = KeyRejected
	case !s.Subject.Ours && api.Definite(err):
		s.Phase = NotFound
	}
}

// report takes what the service said.
func (s *State) report(t api.Transaction, now time.Time) {
	s.ReportedAt, s.OtherReference = now, t.OtherReference
	s.Amount.receive(t, s.Subject.Requested, s.Subject.Ours)
	if s.History.report(now, t.Status, FromStatus) {
		s.SettledHere = s.seenOpen
	}
	s.seenOpen = s.seenOpen || !t.Status.State.Final()
}
