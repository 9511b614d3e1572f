// Package session is one opened connection to a service, without a screen: the client behind
// everything that stands in front of it. A [Session] is made of values, so that a screen, a
// command and a board of payments can drive the same one.
//
// A request passes, from the outside in,
//
//	the tracker    keeps at hand what still needs attention
//	the gate       decides whether it may leave (package gate)
//	the recorder   writes down what is sent, before it is (package journal)
//	the client     package api
//
// so that what the gate stops is not recorded, and what cannot be recorded is not sent.
package session

import (
	"context"
	"time"

	"paydesk/api"
	"paydesk/api/gate"
	"paydesk/api/journal"
	"paydesk/api/watch"
)

// Options are what a session is made of.
type Options struct {
	Client api.Service
	// Journal is where attempts are written down; nil where the profile has none.
	Journal *journal.Journal
	// Place is what the journal says of where they were sent.
	Place journal.Destination
	// SendReference is whether the client sends our own references.
	SendReference bool
	Gate          gate.Options
	// Jitter is the random part of the waits between two status requests; nil for a random one.
	Jitter func(time.Duration) time.Duration
	Clock  watch.Clock // of the tracker and the watches; nil for that of the system
}

// A Session is one opened connection. Its service is the [Tracker], and there is no other way
// to the client.
type Session struct {
	*Tracker
	Gate     *gate.Control
	Place    journal.Destination
	Journal  *journal.Journal  // nil when it is off
	recorder *journal.Recorder // likewise
	// Watches are the payments whose status is requested until they settle.
	Watches *watch.Scheduler
}

// Open puts a session together; it does no I/O. What it watches ends with ctx.
func Open(ctx context.Context, o Options) *Session {
	s := &Session{Place: o.Place, Journal: o.Journal}
	if o.Clock == nil {
		o.Clock = watch.SystemClock{}
	}
	next, store := o.Client, Store(nil)
	if o.Journal != nil {
		s.recorder = journal.NewRecorder(o.Client, o.Journal, o.Place, o.SendReference)
		next, store = s.recorder, s.recorder
	}
	g := gate.New(next, o.Gate)
	s.Gate = g.Control
	s.Tracker = NewTracker(g, store, o.Clock.Now)
	s.Watches = watch.New(ctx, watch.Options{Service: s.Tracker, Payments: s.Tracker, Jitter: o.Jitter, Clock: o.Clock})
	return s
}

// RecordingError is what is wrong where something could last not be recorded, so that nothing
// can be sent: see [journal.Recorder.Trouble]. It is nil where nothing is recorded.
func (s *Session) RecordingError() error {
	if s.recorder == nil {
		return nil
	}
	return s.recorder.Trouble()
}

// Links are the links that were created at this place; none where nothing is recorded.
func (s *Session) Links(ctx context.Context) ([]journal.LinkRecord, error) {
	if s.recorder == nil {
		return nil, nil
	}
	return s.recorder.Links(ctx)
}

// Unfinished are the attempts at this place that still need attention, as
// [journal.Recorder.Unfinished]; none where nothing is recorded.
func (s *Session) Unfinished(ctx context.Context) ([]journal.Attempt, error) {
	if s.recorder == nil {
		return nil, nil
	}
	return s.recorder.Unfinished(ctx)
}

// Rekey goes on with another key; word is the environment that the key tells of itself, "" for
// none.
func (s *Session) Rekey(word string) {
	s.Gate.Rekey(word)
	s.Tracker.KeyReplaced()
	s.Watches.KeyReplaced()
}
