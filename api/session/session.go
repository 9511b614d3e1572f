// Package session is one open connection to a service, without a screen. A [Session] consists of
// values, so that a screen, a command and a board of payments can drive the same one.
//
// A request passes, from the outside in,
//
//	the tracker    knows how its payment stands, from the journal, keeps the last answers, and asks
//	               the gate, which decides whether it may be sent
//	the recorder   records it before it is sent (package journal)
//	the client     sends it (package api)
//
// so that what the gate blocks is not recorded, and what cannot be recorded is not sent.
//
// A [Scheduler] polls the status of payments until each settles, any number of them:
//
//   - backoff.go: how long to wait between two requests, what a service that is busy postpones, and the slower pace of
//     payments that are watched for hours;
//   - watchstate.go: a payment with its reported amount and statuses, of which a final one never changes back; what an answer
//     changes, and when polling ends;
//   - scheduler.go: which request is next, within the bounds for all of them;
//   - board.go: the payments of a list, and a payment that a webhook names.
//
// A screen with one payment, a board of twenty and a command that prints lines use the same [Watch]
// and differ only in what they draw.
package session

import (
	"context"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/webhook"
)

// Options configure a session.
type Options struct {
	Client api.Service
	// Journal records attempts; nil for one in memory.
	Journal *journal.Journal
	// Place tells where attempts are sent, as the journal records it, without the key's fingerprint.
	Place ledger.Destination
	// Key is the secret key that the client sends, for its fingerprint; nil for none.
	Key  api.Secret
	Gate GateOptions
	// Mirror remembers the list; nil where it is off.
	Mirror *listing.Mirror
	// Events has the webhooks that arrived; nil where none are received.
	Events *webhook.Store
	// Jitter replaces the random part of the wait between two status checks, for tests.
	Jitter func(time.Duration) time.Duration
}

// A Session is one open connection. Its service is the [Tracker]; there is no other way to the
// client.
type Session struct {
	*Tracker
	Gate     *Gate
	Journal  *journal.Journal
	Recorder *journal.Recorder
	// Watches polls payments until they settle.
	Watches *Scheduler
	// Scans reads the list of transactions to its end. What it has read belongs to the connection, not to a screen.
	Scans *listing.Scanner
	// Mirror keeps each of its scans; nil where it is off.
	Mirror *listing.Keeper
	// Events has the webhooks that arrived; nil where none are received.
	Events *webhook.Store
}

// Open builds a session; it does no I/O. Its watches and its scan end with ctx. A scan that reached the end by then is still kept.
func Open(ctx context.Context, o Options) *Session {
	if o.Journal == nil {
		o.Journal = journal.New(journal.Options{})
		context.AfterFunc(ctx, func() { o.Journal.Close() })
	}
	s := &Session{Journal: o.Journal, Events: o.Events}
	if o.Events != nil && o.Key != nil {
		o.Events.Hide(o.Place.Profile, o.Key)
	}
	s.Recorder = journal.NewRecorder(o.Client, o.Journal, o.Place, o.Key)
	s.Gate = NewGate(o.Gate)
	s.Tracker = NewTracker(s.Recorder, s.Recorder, s.Gate)
	s.Watches = NewScheduler(ctx, s.Tracker, o.Jitter)
	s.Scans = listing.NewScanner(ctx, s.Tracker)
	if o.Mirror != nil {
		s.Mirror = listing.NewKeeper(o.Mirror, s.Scans, s.Recorder.Place)
	}
	return s
}

// Here returns where attempts are sent now. It does no I/O: the key's fingerprint is known once the
// journal was used with it.
func (s *Session) Here() ledger.Destination { return s.Recorder.Here() }

// Rekey continues with another key, and with what it says about the environment.
func (s *Session) Rekey(e Evidence) {
	s.Recorder.Rekeyed()
	s.Gate.Rekey(e)
	s.Tracker.KeyReplaced()
	s.Watches.KeyReplaced()
	s.Scans.KeyReplaced()
}
