package webhook

import (
	"context"
	"errors"
	"sync"
	"time"

	"paydesk/api"
)

// An Asker asks the service about payments. Its methods are called from several goroutines.
type Asker interface {
	// Ready reports whether requests are of any use now. While they are not, another process may ask.
	Ready() bool
	// Known are those of the references that the journal or a pin has, or that are watched.
	Known(ctx context.Context, references []api.Reference) (map[api.Reference]bool, error)
	// Ask requests the status of a payment. known repeats what [Asker.Known] said: of one that is not known nothing
	// but the answer is kept.
	Ask(ctx context.Context, r api.Reference, known bool) Answer
}

// Bounds of a verifier.
const (
	asking     = 16                     // questions at once; the scheduler has bounds of its own
	pause      = 100 * time.Millisecond // between two looks at the file, so that a flood does not wake it for each event
	afterError = 5 * time.Second
)

// A verifier asks about the payments of the events of a profile.
type verifier struct {
	store   *Store
	profile string
	asker   Asker

	mu    sync.Mutex
	asked map[api.Reference]bool // under way
	done  sync.WaitGroup
}

// Verify asks about the payments of the events of a profile until ctx ends, and stores the answers. Of several
// processes that verify the same file, one asks about each payment. Its only error is that of ctx: a file that
// cannot be used is tried again.
func Verify(ctx context.Context, s *Store, profile string, a Asker) error {
	v := &verifier{store: s, profile: profile, asker: a, asked: map[api.Reference]bool{}}
	defer v.done.Wait()
	for {
		version, _ := s.changes.at()
		next, err := v.round(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			next = time.Now().Add(afterError)
			version, _ = s.changes.at()
		}
		if err := v.wait(ctx, version, next); err != nil {
			return err
		}
	}
}

// wait waits until a payment is due or something changed; zero means that nothing is due.
func (v *verifier) wait(ctx context.Context, version uint64, next time.Time) error {
	select {
	case <-time.After(pause):
	case <-ctx.Done():
		return ctx.Err()
	}
	if !next.IsZero() {
		deadline, cancel := context.WithDeadline(ctx, next)
		defer cancel()
		_, err := v.store.Wait(deadline, version)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			return nil
		}
		return err
	}
	_, err := v.store.Wait(ctx, version)
	return err
}

// round asks about what is due, and returns when the next payment is.
func (v *verifier) round(ctx context.Context) (next time.Time, err error) {
	if err := v.classify(ctx); err != nil {
		return next, err
	}
	next, err = v.store.nextDue(ctx, v.profile)
	if err != nil || next.IsZero() || next.After(v.store.opts.Now()) {
		return next, err
	}
	if !v.asker.Ready() {
		return v.store.opts.Now().Add(afterError), nil
	}
	free := v.free()
	if free == 0 { // an answer wakes it
		return time.Time{}, nil
	}
	questions, err := v.store.claim(ctx, v.profile, free)
	if err != nil {
		return next, err
	}
	for _, q := range questions {
		v.ask(ctx, q)
	}
	return v.store.nextDue(ctx, v.profile)
}

// classify looks which payments are known here, of all that arrived: one of them may be behind a flood of others.
func (v *verifier) classify(ctx context.Context) error {
	for {
		all, err := v.store.unclassified(ctx, v.profile)
		if err != nil || len(all) == 0 {
			return err
		}
		known, err := v.asker.Known(ctx, all)
		if err != nil {
			return err
		}
		if err := v.store.classify(ctx, v.profile, all, known); err != nil {
			return err
		}
	}
}

func (v *verifier) free() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return asking - len(v.asked)
}

// ask asks about a payment on a goroutine of its own, unless it is asked about already: then it is due again once
// that is answered.
func (v *verifier) ask(ctx context.Context, q question) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.asked[q.reference] {
		return
	}
	v.asked[q.reference] = true
	began := v.store.opts.Now()
	v.done.Go(func() {
		limited, cancel := context.WithTimeout(ctx, claimed-spacing)
		defer cancel()
		a := v.asker.Ask(limited, q.reference, q.known)
		v.mu.Lock()
		delete(v.asked, q.reference)
		v.mu.Unlock()
		if ctx.Err() == nil { // else somebody asks once the claim is over
			_ = v.store.storeAnswer(ctx, v.profile, q.reference, began, a)
		}
	})
}
