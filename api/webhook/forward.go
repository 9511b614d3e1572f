package webhook

import (
	"context"
	"errors"
	"time"
)

const (
	passAtOnce = 16               // deliveries that are read at once for a target
	readPause  = time.Second      // between two attempts to read a file that cannot be read
	readTries  = 30               // of them, before that is said
	storeLimit = 10 * time.Second // for the result of a sending, also after the end
)

// Pass sends each delivery after one to a target, if it wants it, in order, until ctx ends, stores the results and reports each.
// A sending that fails is not repeated. While the file cannot be read, as when others write for long, it tries again, and calls
// unread from time to time. For several targets it runs several times: one that is slow holds up no other.
func Pass(ctx context.Context, s *Store, profile string, after int64, to Target, report func(Delivered, Forward), unread func(error)) {
	var version uint64 // which precedes what is read, so that nothing is missed
	for failed := 0; ctx.Err() == nil; {
		some, err := s.After(ctx, profile, after, passAtOnce)
		for _, d := range some {
			met := false
			if met, err = s.Meets(ctx, profile, d.ID, to.Where); err != nil || ctx.Err() != nil {
				break
			}
			after = d.Number
			if met {
				report(d, send(ctx, s, to, d.Detail, false))
			}
		}
		if err != nil {
			if failed++; failed%readTries == 0 {
				unread(err)
			}
			select {
			case <-time.After(readPause):
			case <-ctx.Done():
			}
			continue
		}
		if failed = 0; len(some) == 0 {
			version, _ = s.Wait(ctx, version) // its only error is that of ctx
		}
	}
}

// send sends an event and stores the result, also when ctx ended meanwhile. A result that cannot be stored, as when
// the disk is full, is reported nevertheless, and the next event is sent.
func send(ctx context.Context, s *Store, t Target, d Detail, replay bool) Forward {
	f := t.Send(ctx, d)
	f.Replay = replay
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeLimit)
	defer cancel()
	s.AddForward(ctx, d.ID, f)
	return f
}

// Replay sends stored events to a target again, in the order given and one at a time, and stores and reports the results.
// An event that is not there any more is reported with that problem. It ends early with ctx, with its error.
func Replay(ctx context.Context, s *Store, profile string, t Target, ids []int64, report func(Record, Forward)) error {
	for _, id := range ids {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		d, err := s.Get(ctx, profile, id)
		switch {
		case errors.Is(err, ErrNotFound):
			report(Record{ID: id}, Forward{Target: t.String(), Replay: true, Problem: ErrNotFound.Error()})
		case err != nil:
			return err
		default:
			report(d.Record, send(ctx, s, t, d, true))
		}
	}
	return ctx.Err()
}
