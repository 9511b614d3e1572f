package session

import (
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
)

// A WatchPhase tells whether a payment is polled, or why not.
type WatchPhase uint8

// The phases.
const (
	Polling     WatchPhase = iota
	Paused                 // by a person
	Settled                // the status is final
	Expired                // not final at the end of the watch
	KeyRejected            // the service rejects the key
	NotFound               // the service has no payment with this reference
)

// A WatchState is the state of one payment's watch: an immutable value.
type WatchState struct {
	Reference  api.Reference
	Entry      Entry // the payment as this run knows it apart from the watch; zero where it does not
	History    StatusHistory
	Said       api.PaymentStatus // the last answer about it; before the first, the amount in the answer to its initiation
	Other      api.PaymentStatus // the last answer, where that concerns another payment; else zero
	Difference api.Difference    // how answers differ from what was asked; it stays

	Phase      WatchPhase
	Checking   bool          // a request is under way or queued
	CheckingAt time.Time     // since when
	Begun      time.Time     // start of this watch; zero until the first answer
	AnsweredAt time.Time     // of the last answer, errors included; zero before the first
	ReportedAt time.Time     // of the last answer with a status; zero before the first
	Due        time.Time     // when the next request is due
	Wait       time.Duration // between the last request and the next
	Err        error         // of the last request; nil when it succeeded
	// SettledHere reports whether this watch saw the status change to a final one, which is worth a
	// notification.
	SettledHere bool

	version  uint64
	seenOpen bool // this watch saw a status that is not final
}

// Until returns when polling ends: after 15 minutes, or for a transfer 10 minutes after its account
// expired.
func (s WatchState) Until() time.Time {
	if t := s.Entry.Payment().Transfer; s.isOurs() && t != nil && !t.Expiration.Time.IsZero() {
		if late := t.Expiration.Time.Add(afterExpiry - t.Ahead); late.After(s.Begun) {
			return late
		}
	}
	return s.Begun.Add(watchLimit)
}

// AmountUnstated reports whether the last answer has no amount that can be read, so that it was not compared with the
// requested one.
func (s WatchState) AmountUnstated() bool {
	another := s.Difference.What&api.ReferenceDiffers != 0 // the answer says nothing of this one
	return !s.Said.HasAmount && s.Err == nil && !s.AnsweredAt.IsZero() && !another
}

// Stale reports whether the displayed status may be outdated: the last request failed, or was too
// long ago.
func (s WatchState) Stale(now time.Time) bool {
	return s.Err != nil || s.Wait > 0 && Age(s.ReportedAt, now) >= staleAfter*s.Wait
}

// StaleAt returns when the displayed status becomes stale without another answer. Wait must be above 0.
func (s WatchState) StaleAt() time.Time { return s.ReportedAt.Add(staleAfter * s.Wait) }

// staleAfter sets how many waits after its answer a status may be outdated.
const staleAfter = 2

// Age is the time since t. It includes the time a machine slept, which the monotonic clock does
// not.
func Age(t, now time.Time) time.Duration {
	return max(now.Sub(t), now.Round(0).Sub(t.Round(0)), 0)
}

// isOurs reports whether the payment was made here. Of any other a watch begins with nothing, whatever was answered before:
// that never stands where an answer would.
func (s WatchState) isOurs() bool { return s.Entry.Kind == ledger.Initiate }

// beginWatch is the state of a payment before its first request.
func beginWatch(r api.Reference, known Entry) WatchState {
	s := WatchState{Reference: r}
	s.update(known)
	return s
}

// adopt begins with what is known of a payment that was made here.
func (s *WatchState) adopt() {
	p := s.Entry.Payment()
	switch {
	case s.Entry.StatusAt.After(s.Entry.At):
		s.History = StatusHistory{s.Entry.Status, true}
	case p.Status != (api.Status{}):
		s.History = StatusHistory{p.Status, true}
	}
	s.Said.Amount, s.Said.HasAmount = p.Amount, p.HasAmount
	s.Difference = s.Entry.Mismatch.Difference
	s.ReportedAt = s.Entry.StatusAt
}

// update replaces what is known about the payment, and reports whether that changes the state.
func (s *WatchState) update(known Entry) (changed bool) {
	was := *s
	switch s.Entry = known; {
	case !s.isOurs():
	case !was.isOurs() && !s.History.Any: // the watch begins, or the payment was made in an earlier run
		s.adopt()
		return true
	default:
		s.Difference = s.Difference.Then(known.Mismatch.Difference)
	}
	return known.Finalized != was.Entry.Finalized || s.isOurs() != was.isOurs() || s.Difference != was.Difference
}

// restart begins the watch again with the next answer.
func (s *WatchState) restart() {
	if s.Phase != Settled {
		s.Phase = Polling
	}
	s.Begun = time.Time{}
}

// receive handles the answer to a request and decides whether to continue; wait is the time until
// the next request. For a payment that was made here, "not found" may only be temporary.
func (s *WatchState) receive(t api.PaymentStatus, err error, now time.Time, wait time.Duration) {
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
	case !s.isOurs() && api.Definite(err):
		s.Phase = NotFound
	}
}

// asked returns what an answer is compared with. It may be that only the reference is known.
func (s *WatchState) asked() api.Asked {
	asked := s.Entry.Asked()
	asked.Reference = s.Reference
	if s.History.Settled() {
		asked.Status = s.History.Shown
	}
	return asked
}

// report records a reported status and amount. An answer about another payment says nothing about
// either.
func (s *WatchState) report(t api.PaymentStatus, now time.Time) {
	t = t.For(s.asked())
	differs := t.Compare(s.asked())
	s.Difference = s.Difference.Then(differs)
	s.ReportedAt, s.Other = now, api.PaymentStatus{}
	if differs.What&api.ReferenceDiffers != 0 {
		s.Other = t
		return
	}
	s.Said = t
	settled := s.History.Settled()
	s.History = StatusHistory{s.History.Shown.Next(t.Status), true}
	if s.History.Settled() && !settled {
		s.SettledHere = s.seenOpen
	}
	s.seenOpen = s.seenOpen || !t.Status.State.Final()
}

// A StatusHistory sums up the reported statuses of a payment.
type StatusHistory struct {
	Shown api.Status // the status to display: the final one, if any
	Any   bool       // a status was reported
}

// Settled reports whether there is a final status.
func (h StatusHistory) Settled() bool { return h.Shown.State.Final() }
