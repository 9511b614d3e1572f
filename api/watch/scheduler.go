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

// The bounds of all requests of a [Scheduler] together, unless its options say otherwise.
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
	// AfterFunc calls f once d has passed, on no goroutine that waits for it.
	AfterFunc(d time.Duration, f func()) Timer
}

// A Timer is a call that is to come, and can be stopped.
type Timer interface{ Stop() bool }

type realClock struct{}

func (realClock) Now() time.Time                            { return time.Now() }
func (realClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }

// Options of a scheduler.
type Options struct {
	Service  Service
	Payments Payments
	Jitter   func(d time.Duration) time.Duration // the random part of a wait, in [0, d); nil for a random one
	Clock    Clock                               // nil for that of the system
	// AtOnce and PerSecond bound the requests of all payments together; 0 for 4 and 10.
	AtOnce, PerSecond int
}

// A Scheduler requests the status of any number of payments, each at its own pace, never more
// than four at once and ten a second in all. Nothing runs while nothing is watched. It is safe
// for concurrent use, and none of its methods but [Scheduler.Next] and [Watch.Next] wait or
// read a clock, so that an event loop may call them.
type Scheduler struct {
	ctx context.Context
	o   Options

	mu       sync.Mutex
	watched  []*payment
	underWay int
	begun    []time.Time // when the last requests began, oldest first; at most PerSecond
	paused   bool
	timer    Timer         // nil while nothing is due
	version  uint64        // counts the changes of all payments
	changed  chan struct{} // closed at the next change
}

// A payment is one that is watched.
type payment struct {
	state   State
	backoff backoff
	users   int
	queued  bool // its request waits for its turn; since Due
	ctx     context.Context
	stop    context.CancelFunc
}

// New is a scheduler that watches nothing yet. Its requests end with ctx.
func New(ctx context.Context, o Options) *Scheduler {
	if o.Jitter == nil {
		o.Jitter = rand.N[time.Duration]
	}
	if o.Clock == nil {
		o.Clock = realClock{}
	}
	if o.AtOnce == 0 {
		o.AtOnce = atOnce
	}
	if o.PerSecond == 0 {
		o.PerSecond = perSecond
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
	p.users++
	s.check(p)
	return &Watch{scheduler: s, payment: p}
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
	for _, p := range s.watched {
		if p.state.Phase == KeyRejected {
			s.check(p)
		}
	}
}

// Next returns once anything changed after a version, and gives the version by then. Version 0
// is before everything.
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

// check requests a status as soon as there is a turn for it. One request of a payment is under
// way at most; false when there is one.
func (s *Scheduler) check(p *payment) bool {
	if p.state.Checking {
		return false
	}
	p.state.restart()
	p.backoff.restart()
	p.state.Due = time.Time{} // before what nobody waits for
	s.queue(p)
	s.wake(0)
	return true
}

func (s *Scheduler) queue(p *payment) {
	p.queued, p.state.Checking = true, true
	s.touch(p)
}

// wake lets the scheduler look at its payments in d, and not before.
func (s *Scheduler) wake(d time.Duration) {
	if s.timer != nil {
		s.timer.Stop()
	}
	s.timer = s.o.Clock.AfterFunc(d, s.step)
}

// step does what is due, and sets the timer to what is due next.
func (s *Scheduler) step() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.o.Clock.Now()
	if s.timer != nil { // another look, for which this one does
		s.timer.Stop()
		s.timer = nil
	}
	for _, p := range s.watched {
		if p.state.Phase != Polling || p.state.Checking {
			continue
		}
		switch {
		case !now.Before(p.state.Until()):
			p.state.Phase = Expired
			s.touch(p)
		case !now.Before(p.state.Due):
			s.queue(p)
		}
	}
	for s.underWay < s.o.AtOnce && !s.paused && !now.Before(s.turn()) {
		p := s.first()
		if p == nil {
			break
		}
		s.start(p, now)
	}
	s.rearm(now)
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

// turn is when another request may begin.
func (s *Scheduler) turn() time.Time {
	if len(s.begun) < s.o.PerSecond {
		return time.Time{}
	}
	return s.begun[0].Add(time.Second)
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
			if s.underWay < s.o.AtOnce && !s.paused {
				sooner(s.turn())
			}
		case p.state.Phase == Polling && !p.state.Checking:
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
	if s.begun = append(s.begun, now); len(s.begun) > s.o.PerSecond {
		s.begun = slices.Delete(s.begun, 0, 1)
	}
	go func() {
		t, err := s.request(p)
		s.receive(p, t, err)
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

// receive takes an answer, unless nobody watches the payment any more.
func (s *Scheduler) receive(p *payment, t api.Transaction, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.underWay--
	if p.ctx.Err() == nil {
		now := s.o.Clock.Now()
		p.state.Checking = false
		p.state.look(s.o.Payments.Subject(p.state.Reference), now)
		p.state.receive(t, err, now, p.backoff.next(api.Backoff(err)))
		s.touch(p)
	}
	s.wake(0)
}

// A Watch is one look at a payment that a [Scheduler] watches. Several may share one payment.
type Watch struct {
	scheduler *Scheduler
	payment   *payment
	once      sync.Once
}

// State is how the watch stands.
func (w *Watch) State() State {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	return w.state()
}

func (w *Watch) state() State {
	state := w.payment.state
	state.History = state.History.clone()
	return state
}

// Next returns the state once it is another than the one that was seen last. It waits for that,
// until ctx ends.
func (w *Watch) Next(ctx context.Context, last State) (State, error) {
	version := last.version
	for {
		if state := w.State(); state.version != last.version {
			return state, nil
		}
		var err error
		if version, err = w.scheduler.Next(ctx, version); err != nil {
			return last, err
		}
	}
}

// Look takes what else is known of the payment by now, without a request; now is for the
// history.
func (w *Watch) Look(now time.Time) State {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	p := w.payment
	if p.state.look(w.scheduler.o.Payments.Subject(p.state.Reference), now) {
		w.scheduler.touch(p)
	}
	return w.state()
}

// Check requests the status now and begins the watch again; false when a request is under way.
func (w *Watch) Check() bool {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	return w.scheduler.check(w.payment)
}

// Pause ends requesting until [Watch.Resume] or [Watch.Check]; false when nothing is requested
// anyway.
func (w *Watch) Pause() bool { return w.turn(Polling, Paused) }

// Resume goes on after [Watch.Pause]; false when it was not paused.
func (w *Watch) Resume() bool {
	if !w.turn(Paused, Polling) {
		return false
	}
	w.Check()
	return true
}

// turn changes the phase from one to another; false when it is neither.
func (w *Watch) turn(from, to Phase) bool {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	p := w.payment
	if p.state.Phase != from {
		return false
	}
	p.state.Phase = to
	w.scheduler.touch(p)
	return true
}

// Acknowledge records that a person has seen that the amount is another (R32).
func (w *Watch) Acknowledge() {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	w.payment.state.Amount.seen = w.payment.state.Amount.Mismatch
	w.scheduler.touch(w.payment)
}

// Close ends this look. The last one ends the watch, and a request that is under way.
func (w *Watch) Close() {
	w.once.Do(func() {
		s, p := w.scheduler, w.payment
		s.mu.Lock()
		defer s.mu.Unlock()
		if p.users--; p.users > 0 {
			return
		}
		p.stop()
		s.watched = slices.DeleteFunc(s.watched, func(q *payment) bool { return q == p })
	})
}
