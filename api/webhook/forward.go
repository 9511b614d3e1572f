package webhook

import (
	"context"
	"errors"
	"sync"
	"time"

	"paydesk/api/query"
)

const (
	passAtOnce = 16               // deliveries that are read at once for a target
	readTries  = 30               // how often reading is tried when the file cannot be read, a pause between
	readPause  = time.Second      //
	storeLimit = 10 * time.Second // for the result of a sending, also after the end
)

// A Source has the events that are passed on: a [Store].
type Source interface {
	After(ctx context.Context, profile string, number int64, n int) ([]Delivered, error)
	Get(ctx context.Context, profile string, id int64) (Detail, error)
	Wait(ctx context.Context, version uint64) (uint64, error)
	AddForward(ctx context.Context, id int64, f Forward) error
	Meets(ctx context.Context, profile string, event int64, q query.Query) (bool, error)
}

// Pass sends each delivery after one to all targets that want it, in order, until ctx ends, stores the results and reports each. A sending that
// fails is not repeated. A target that is slow does not hold up the others. report is called by one goroutine at a time. The
// error is nil when ctx ends, and otherwise one of the store that lasts.
func Pass(ctx context.Context, s Source, profile string, after int64, targets []Target, report func(Delivered, Forward)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for _, t := range targets {
		all.Go(func() {
			p := passing{Source: s, profile: profile, target: t, report: func(d Delivered, f Forward) {
				mu.Lock()
				defer mu.Unlock()
				report(d, f)
			}}
			if err := p.run(ctx, after); err != nil {
				stop()
				mu.Lock()
				defer mu.Unlock()
				failed = err
			}
		})
	}
	all.Wait()
	return failed
}

// A passing sends to one target.
type passing struct {
	Source
	profile string
	target  Target
	report  func(Delivered, Forward)
}

// run sends what is stored after a delivery, and then what arrives. The version is taken before the deliveries are read,
// so that none is missed.
func (p passing) run(ctx context.Context, after int64) error {
	var version uint64
	for ctx.Err() == nil {
		var some []Delivered
		var err error
		if err := persist(ctx, func() error {
			some, err = p.After(ctx, p.profile, after, passAtOnce)
			return err
		}); err != nil {
			return err
		}
		for _, d := range some {
			if ctx.Err() != nil {
				return nil
			}
			after = d.Number
			met := false
			if err := persist(ctx, func() error {
				met, err = p.Meets(ctx, p.profile, d.ID, p.target.Where)
				return err
			}); err != nil {
				return err
			}
			if met {
				p.report(d, send(ctx, p.Source, p.target, d.Detail, false))
			}
		}
		if len(some) == 0 {
			version, _ = p.Wait(ctx, version) // its only error is that of ctx
		}
	}
	return nil
}

// persist repeats a reading. A file that cannot be read for a while, as when others write for long, ends nothing.
func persist(ctx context.Context, read func() error) (err error) {
	for range readTries {
		if err = read(); err == nil {
			return nil
		}
		select {
		case <-time.After(readPause):
		case <-ctx.Done():
			return nil
		}
	}
	return err
}

// send sends an event and stores the result, also when ctx ended meanwhile. A result that cannot be stored, as when
// the disk is full, is reported nevertheless, and the next event is sent.
func send(ctx context.Context, s Source, t Target, d Detail, replay bool) Forward {
	f := t.Send(ctx, d)
	f.Replay = replay
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeLimit)
	defer cancel()
	s.AddForward(ctx, d.ID, f)
	return f
}

// Replay sends stored events to a target again, in the order given and one at a time, and stores and reports the results.
// An event that is not there any more is reported with that problem. It ends early with ctx, with its error.
func Replay(ctx context.Context, s Source, profile string, t Target, ids []int64, report func(Record, Forward)) error {
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
