package session

import (
	"slices"

	"paydesk/api"
	"paydesk/api/journal"
)

// lost adds an attempt of which nobody knows what it did. With a journal that has it.
func (t *Tracker) lost(e Entry) {
	if t.store != nil {
		return
	}
	e.Unresolved = true
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entries = append(t.entries, e)
}

// finalized takes the lost finalizations of a payment off the list: a later one was accepted.
func (t *Tracker) finalized(r api.Reference) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entries = slices.DeleteFunc(t.entries, func(e Entry) bool { return e.Kind == journal.Finalize && e.ID == "" && e.Reference == r })
}

// Drop takes an attempt that no journal has off the list, once a person has decided that it needs no attention.
func (t *Tracker) Drop(e Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entries = slices.DeleteFunc(t.entries, func(o Entry) bool { return o.ID == "" && o.Is(e) })
}

// Unrecorded are the attempts of a session without a journal of which nobody knows what they did: payments, links and
// finalizations.
func (s *Session) Unrecorded() (left []journal.Attempt) {
	for _, e := range s.All() {
		a := journal.Attempt{Kind: e.Kind, At: e.Started, Amount: e.Requested, Reference: e.Reference, Destination: s.Here()}
		if at := e.Flow.FinalizeLostAt(); !at.IsZero() && e.Open() && !e.Unresolved {
			a.Kind, a.At = journal.Finalize, at
		} else if !e.Unresolved {
			continue
		}
		if e.ID == "" {
			left = append(left, a)
		}
	}
	return left
}
