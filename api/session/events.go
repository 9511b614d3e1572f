package session

import (
	"context"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/webhook"
)

// VerifyEvents asks about the payments of the webhooks that arrive, through the one scheduler, until ctx ends. A payment that
// is watched is asked about for its watch too, when another program has asked about it for its event.
func (s *Session) VerifyEvents(ctx context.Context) error {
	var watched sync.WaitGroup
	watched.Go(func() { s.checkWatched(ctx) })
	defer watched.Wait()
	return webhook.Verify(ctx, s.Events, s.Here().Profile, &eventAsker{s: s})
}

// watchedPace sets how long after an event its payment is asked about for its watch, unless that was done for the event.
const watchedPace = 5 * time.Second

// readAtOnce limits how many deliveries are read at once for that.
const readAtOnce = 100

// rejectedPace sets how often a question is asked all the same while the service rejects the key: it may have been a mistake.
const rejectedPace = 10 * time.Minute

// checkWatched checks the payments that are watched and have not been asked about since their last event.
func (s *Session) checkWatched(ctx context.Context) {
	last, _ := s.Events.Newest(ctx, s.Here().Profile) // of a file that cannot be read it begins at the first event
	for version := uint64(0); ; {
		var err error
		if version, err = s.Events.Wait(ctx, version); err != nil {
			return
		}
		select {
		case <-time.After(watchedPace):
		case <-ctx.Done():
			return
		}
		for {
			arrived, _ := s.Events.After(ctx, s.Here().Profile, last, readAtOnce) // tried again with the next change
			for _, d := range arrived {
				last = d.Number
				s.Watches.CheckSince(d.Reference, d.At)
			}
			if len(arrived) < readAtOnce {
				break
			}
		}
	}
}

// An eventAsker implements [webhook.Asker].
type eventAsker struct {
	s     *Session
	mu    sync.Mutex
	tried time.Time // when a question was last asked although the key is rejected, or when that was noticed
}

// Ready implements [webhook.Asker].
func (a *eventAsker) Ready() bool { return a.mayAsk(false) }

// mayAsk reports whether a question may be asked now, and counts one that is. Once the service rejects the key, there is one
// question in ten minutes until it accepts one.
func (a *eventAsker) mayAsk(asks bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	switch {
	case !a.s.KeyRejected():
		a.tried = time.Time{}
		return true
	case a.tried.IsZero():
		a.tried = now
	}
	may := now.Sub(a.tried) >= rejectedPace
	if may && asks {
		a.tried = now
	}
	return may
}

// Known implements [webhook.Asker].
func (a *eventAsker) Known(ctx context.Context, all []api.Reference) (map[api.Reference]bool, error) {
	standing, err := a.s.Journal.Standing(ctx, a.s.Recorder.Place(ctx), all)
	if err != nil {
		return nil, err
	}
	known := map[api.Reference]bool{}
	for _, r := range all {
		_, made := a.s.Find(r)
		_, watched := a.s.Watches.State(r)
		e := standing[r]
		known[r] = made || e.Kind == ledger.Initiate || e.IsPinned() || !e.AnsweredAt.IsZero() || a.s.IsPinned(r) || watched
	}
	return known, nil
}

// Ask implements [webhook.Asker].
func (a *eventAsker) Ask(ctx context.Context, r api.Reference, known bool) webhook.Answer {
	if !a.mayAsk(true) {
		return webhook.Answer{Problem: "The service rejects the key."}
	}
	asked := time.Now()
	state, err := a.s.Watches.CheckInPassing(ctx, r, known)
	switch {
	case err != nil, state.AnsweredAt.Before(asked): // its request left the queue, because the service asked to wait
		return webhook.Answer{Problem: "The service was not asked in time."}
	case api.Definite(state.Err) && !api.KeyRejected(state.Err):
		return webhook.Answer{At: time.Now(), NotFound: true}
	case state.Err != nil:
		return webhook.Answer{Problem: api.Clean(state.Err.Error()).Prose(0)}
	case !state.History.Any, !state.Other.OtherReference.Empty():
		return webhook.Answer{Problem: "The answer has another reference: " + state.Other.OtherReference.Line(0) + "."}
	}
	return webhook.Answer{At: time.Now(), Status: state.Said.Status, Amount: state.Said.Amount, HasAmount: state.Said.HasAmount}
}
