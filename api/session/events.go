package session

import (
	"context"
	"time"

	"paydesk/api"
	"paydesk/api/watch"
	"paydesk/api/webhook"
)

// VerifyEvents asks about the payments of the webhooks that arrive, through the one scheduler, until ctx ends. A payment that
// is watched is asked about for its watch too, when another program has asked about it for its event.
func (s *Session) VerifyEvents(ctx context.Context) error {
	go s.checkWatched(ctx)
	return webhook.Verify(ctx, s.Events, s.place.Profile, eventAsker{s})
}

// watchedPace is how long a watched payment has to be asked about for its event, before it is for its watch.
const watchedPace = 5 * time.Second

// checkWatched checks the payments that are watched and have not been asked about since their last event.
func (s *Session) checkWatched(ctx context.Context) {
	last, _ := s.Events.Newest(ctx, s.place.Profile) // of a file that cannot be read it begins at the first event
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
		arrived, _ := s.Events.After(ctx, s.place.Profile, last, 1000) // tried again with the next change
		for _, d := range arrived {
			last = d.Number
			s.Watches.CheckSince(d.Reference, d.At)
		}
	}
}

// An eventAsker implements [webhook.Asker].
type eventAsker struct{ s *Session }

// Ready implements [webhook.Asker]. Once the service rejects the key, nothing is asked until there is another.
func (a eventAsker) Ready() bool { return !a.s.KeyRejected() }

// Known implements [webhook.Asker].
func (a eventAsker) Known(ctx context.Context, all []api.Reference) (map[api.Reference]bool, error) {
	known := map[api.Reference]bool{}
	if a.s.Recorder != nil {
		stored, err := a.s.Recorder.KnownPayments(ctx, all)
		if err != nil {
			return nil, err
		}
		known = stored
	}
	for _, r := range all {
		_, made := a.s.Find(r)
		known[r] = known[r] || made || a.s.IsPinned(r) || a.s.Watches.Watched(r)
	}
	return known, nil
}

// Ask implements [webhook.Asker].
func (a eventAsker) Ask(ctx context.Context, r api.Reference, known bool) webhook.Answer {
	if a.s.KeyRejected() {
		return webhook.Answer{Problem: "The service rejects the key."}
	}
	state, err := a.check(ctx, r, known)
	switch {
	case err != nil:
		return webhook.Answer{Problem: "The service was not asked in time."}
	case api.Definite(state.Err) && !api.KeyRejected(state.Err):
		return webhook.Answer{At: time.Now(), NotFound: true}
	case state.Err != nil:
		return webhook.Answer{Problem: api.Clean(state.Err.Error()).Prose(0)}
	case !state.History.Any, !state.OtherStatus.Text.Empty():
		return webhook.Answer{Problem: "The answer is about another payment: " + state.OtherReference.Line(0) + "."}
	}
	return webhook.Answer{At: time.Now(), Status: state.History.Last, Amount: state.Amount.Reported, HasAmount: state.Amount.Has}
}

func (a eventAsker) check(ctx context.Context, r api.Reference, known bool) (watch.State, error) {
	if !known {
		return a.s.Watches.CheckUnrecorded(ctx, r)
	}
	states, err := a.s.Watches.CheckOnce(ctx, []api.Reference{r})
	if err != nil {
		return watch.State{}, err
	}
	return states[0], nil
}
