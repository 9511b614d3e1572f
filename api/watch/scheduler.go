package watch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"paydesk/api"
)

// The bounds of all requests of a [Scheduler] together.
const (
	atOnce    = 4  // requests under way
	perSecond = 10 // requests begun in any second
)

// A Service is what a watch requests of the client.
type Service interface {
	Transaction(context.Context, api.Reference) (api.Transaction, error)
}

// Payments says what else is known of a payment. It does no I/O.
type Payments interface {
	Subject(api.Reference) Subject
}

// A Clock is the time of a [Scheduler], which a test may own.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f once d has passed, never on the caller's goroutine.
	AfterFunc(d time.Duration, f func()) Timer
}

// A Timer is a call that is to come, and can be stopped.
type Timer interface{ Stop() bool }

// SystemClock is the clock of the operating system.
type SystemClock struct{}

// Now implements [Clock].
func (SystemClock) Now() time.Time { return time.Now() }

// AfterFunc implements [Clock].
func (SystemClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }

// Options of a scheduler.
type Options struct {
	Service  Service
	Payments Payments
	Jitter   func(d time.Duration) time.Duration // the random part of a wait, in [0, d); nil for a random one
	Clock    Clock                               // nil for [SystemClock]
}

// A Scheduler requests the status of any number of payments, each at its own pace, never more
// than four at once and ten a second in all. Once the service rejects the key, nothing more is
// requested by itself until there is another, since many refusals may lock an account (R76).
//
// It is safe for concurrent use. Only [Scheduler.Next] and [Watch.Next] wait, and none of the
// methods reads a clock or does I/O on the caller's goroutine, so that an event loop may call
// them.
type Scheduler struct {
	ctx context.Context
	o   Options

	mu       sync.Mutex
	watched  []*payment
	underWay int
	begun    []time.Time // when the last requests began, oldest first; at most perSecond
	paused   bool
	keys     int           // counts the keys that replaced another
	timer    Timer         // nil while nothing is due
	version  uint64        // counts the changes of all payments
	changed  chan struct{} // closed at the next change
}

// A payment is one that is watched.
type payment struct {
	state   State
	backoff backoff
	users   []*Watch
	queued  bool // its request waits for its turn
	ctx     context.Context
	stop    context.CancelFunc
}

// polled reports whether the payment's status is requested by itself: it is open, and not
// everybody who watches it has paused.
func (p *payment) polled() bool {
	return p.state.Phase == Polling && slices.ContainsFunc(p.users, func(w *Watch) bool { return !w.paused })
}

// New is a scheduler that watches nothing yet. Its requests end with ctx.
func New(ctx context.Context, o Options) *Scheduler {
	if o.Jitter == nil {
		o.Jitter = rand.N[time.Duration]
	}
	if o.Clock == nil {
		o.Clock = SystemClock{}
	}
	return &Scheduler{ctx: ctx, o: o, changed: make(chan struct{})}
}

// Watch begins to watch a payment, or joins those who do, and requests its status now. Close it
// when it is no longer looked at.
func (s *Scheduler) Watch(r api.Reference) *Watch {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.watched, func(p *payment) bool { return p.state.Reference == r })
	if at < 0 {
		ctx, stop := context.WithCancel(s.ctx)
		s.watched = append(s.watched, &payment{
			state: begin(r, s.o.Payments.Subject(r)), backoff: backoff{jitter: s.o.Jitter}, ctx: ctx, stop: stop,
		})
		at = len(s.watched) - 1
	}
	p := s.watched[at]
	w := &Watch{scheduler: s, payment: p}
	p.users = append(p.users, w)
	s.check(p)
	return w
}

// Pause begins no more requests until [Scheduler.Resume].
func (s *Scheduler) Pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paused = true
}

// Resume goes on after [Scheduler.Pause].
func (s *Scheduler) Resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paused = false
	s.wake(0)
}

// KeyReplaced goes on with what ended because the service rejected the former key.
func (s *Scheduler) KeyReplaced() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys++
	s.keyAccepted()
}

func (s *Scheduler) keyAccepted() {
	for _, p := range s.watched {
		if p.state.Phase == KeyRejected && !s.check(p) {
			p.state.Phase = Polling // once its request is answered
			s.touch(p)
		}
	}
}

// keyRejected ends requesting for all payments, as it did for the one that was answered so.
func (s *Scheduler) keyRejected() {
	for _, p := range s.watched {
		if p.state.Phase == Polling {
			p.state.Phase = KeyRejected
			s.unqueue(p)
		}
	}
}

// Next returns once anything changed after a version, and gives the version by then. Version 0
// is before everything. It ends with an error when ctx does, or the scheduler's own context.
func (s *Scheduler) Next(ctx context.Context, version uint64) (uint64, error) {
	for {
		s.mu.Lock()
		now, changed := s.version, s.changed
		s.mu.Unlock()
		if now > version {
			return now, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return now, ctx.Err()
		case <-s.ctx.Done():
			return now, s.ctx.Err()
		}
	}
}

// touch counts a change of a payment.
func (s *Scheduler) touch(p *payment) {
	s.version++
	p.state.version = s.version
	close(s.changed)
	s.changed = make(chan struct{})
}

// check requests a status as soon as there is a turn for it, before those that are only due.
// One request of a payment is under way at most; false when there is one.
func (s *Scheduler) check(p *payment) bool {
	if p.state.Checking {
		return false
	}
	p.state.restart()
	p.backoff.restart()
	p.state.Due = time.Time{}
	s.queue(p)
	s.wake(0)
	return true
}

func (s *Scheduler) queue(p *payment) {
	p.queued, p.state.Checking = true, true
	s.touch(p)
}

// unqueue takes back a request that has not begun.
func (s *Scheduler) unqueue(p *payment) {
	if p.queued {
		p.queued, p.state.Checking = false, false
	}
	s.touch(p)
}

// wake has [Scheduler.step] run in d, and not before.
func (s *Scheduler) wake(d time.Duration) {
	s.sleep()
	s.timer = s.o.Clock.AfterFunc(d, s.step)
}

func (s *Scheduler) sleep() {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
}

// step does what is due, and sets the timer to what is due next.
func (s *Scheduler) step() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sleep()
	now := s.o.Clock.Now()
	for _, p := range s.watched {
		switch {
		case !p.polled() || p.state.Checking:
		case !now.Before(p.state.Until()):
			p.state.Phase = Expired
			s.touch(p)
		case !now.Before(p.state.Due):
			s.queue(p)
		}
	}
	for s.hasRoom() && !now.Before(s.nextSlot()) {
		p := s.first()
		if p == nil {
			break
		}
		s.start(p, now)
	}
	s.rearm(now)
}

func (s *Scheduler) hasRoom() bool { return s.underWay < atOnce && !s.paused }

// nextSlot is when another request may begin.
func (s *Scheduler) nextSlot() time.Time {
	if len(s.begun) < perSecond {
		return time.Time{}
	}
	return s.begun[0].Add(time.Second)
}

// first is the payment whose request has waited longest for its turn; nil when none does.
func (s *Scheduler) first() (first *payment) {
	for _, p := range s.watched {
		if p.queued && (first == nil || p.state.Due.Before(first.state.Due)) {
			first = p
		}
	}
	return first
}

// rearm sets the timer to the next request or the next end of a watch. Where something waits
// for a request to end, its answer wakes the scheduler.
func (s *Scheduler) rearm(now time.Time) {
	var next time.Time
	sooner := func(t time.Time) {
		if next.IsZero() || t.Before(next) {
			next = t
		}
	}
	for _, p := range s.watched {
		switch {
		case p.queued:
			if s.hasRoom() {
				sooner(s.nextSlot())
			}
		case p.polled() && !p.state.Checking:
			sooner(p.state.Due)
			sooner(p.state.Until())
		}
	}
	if !next.IsZero() {
		s.wake(max(next.Sub(now), 0))
	}
}

func (s *Scheduler) start(p *payment, now time.Time) {
	p.queued = false
	s.underWay++
	if s.begun = append(s.begun, now); len(s.begun) > perSecond {
		s.begun = slices.Delete(s.begun, 0, 1)
	}
	key := s.keys
	go func() {
		t, err := s.request(p)
		s.receive(p, t, err, key)
	}()
}

// request asks the service. A panic is an error that names the type of what was thrown and not
// its value, which may hold what must not be shown.
func (s *Scheduler) request(p *payment) (t api.Transaction, err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("paydesk failed while requesting the status (%T)", thrown)
		}
	}()
	return s.o.Service.Transaction(p.ctx, p.state.Reference)
}

// receive takes an answer, unless nobody watches the payment any more. A key that was rejected
// after it was replaced says nothing of the other.
func (s *Scheduler) receive(p *payment, t api.Transaction, err error, key int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.underWay--
	if len(p.users) > 0 {
		now := s.o.Clock.Now()
		p.state.Checking = false
		p.state.update(s.o.Payments.Subject(p.state.Reference), now)
		p.state.receive(t, err, now, p.backoff.next(api.Backoff(err)))
		s.touch(p)
	}
	switch {
	case api.KeyRejected(err) && key == s.keys:
		s.keyRejected()
	case api.KeyRejected(err) && len(p.users) > 0:
		s.check(p)
	case err == nil:
		s.keyAccepted()
	}
	if s.ctx.Err() == nil {
		s.wake(0)
	}
}
