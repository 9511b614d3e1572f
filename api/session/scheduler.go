package session

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
	requestsAtOnce = 4  // requests under way
	perSecond      = 10 // requests begun in any second
)

// Payments answers what a scheduler asks.
type Payments interface {
	Transaction(context.Context, api.Reference) (api.PaymentStatus, error)
	// Find returns what else is known about a payment, and whether it was made here. It does no I/O.
	Find(api.Reference) (e Entry, ours bool)
}

// A Scheduler polls any number of payments, each at its own pace, with at most four requests at
// once and ten a second in all. Once the service rejects the key, it polls nothing until there is
// another key, since the service may lock the account after many rejections. Once the service answers
// that there are too many requests, or when to retry, it requests nothing before that time.
//
// It is safe for concurrent use. Only [Scheduler.Next] and [Watch.Next] block, and no method reads
// a clock or does I/O on the caller's goroutine, so that an event loop may call them.
type Scheduler struct {
	ctx     context.Context
	service Payments
	jitter  func(time.Duration) time.Duration

	mu       sync.Mutex
	watched  []*watchedPayment
	underWay int
	begun    []time.Time   // when the last requests began, oldest first; at most perSecond
	held     time.Time     // no request begins before it, because the service asked for that
	keys     int           // counts the keys that replaced another
	timer    *time.Timer   // nil while nothing is due
	version  uint64        // counts the changes of all payments
	changed  chan struct{} // closed at the next change
}

// A watchedPayment is a payment with its watches.
type watchedPayment struct {
	state   WatchState
	backoff backoff
	users   []*Watch
	queued  bool      // its request waits for a slot
	turn    time.Time // when the queued request was due; zero for a check that was asked for
	ctx     context.Context
	stop    context.CancelFunc
}

// polled reports whether the payment is requested automatically: it is open, and not every watch of
// it is paused.
func (p *watchedPayment) polled() bool {
	return p.state.Phase == Polling && slices.ContainsFunc(p.users, func(w *Watch) bool { return !w.paused })
}

// NewScheduler returns a scheduler that watches nothing yet. Its requests end with ctx. jitter is the random
// part of a wait, in [0, d) for a wait of d; nil means [rand.N].
func NewScheduler(ctx context.Context, service Payments, jitter func(d time.Duration) time.Duration) *Scheduler {
	if jitter == nil {
		jitter = rand.N[time.Duration]
	}
	return &Scheduler{ctx: ctx, service: service, jitter: jitter, changed: make(chan struct{})}
}

// Watch starts watching a payment, or joins its other watches, and requests its status now. Close
// it when it is no longer needed.
func (s *Scheduler) Watch(r api.Reference) *Watch {
	return s.join(r, Watch{})
}

// join adds a watch to a payment, and requests its status now. w says how it is watched.
func (s *Scheduler) join(r api.Reference, w Watch) *Watch {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.watched, func(p *watchedPayment) bool { return p.state.Reference == r })
	if at < 0 {
		ctx, stop := context.WithCancel(s.ctx)
		s.watched = append(s.watched, &watchedPayment{
			state: beginWatch(r, s.known(r)), backoff: backoff{jitter: s.jitter}, ctx: ctx, stop: stop,
		})
		at = len(s.watched) - 1
	}
	p := s.watched[at]
	w.scheduler, w.payment = s, p
	p.users = append(p.users, &w)
	if s.check(p) && p.passing() {
		p.turn = time.Now() // it is not before what is due
	}
	return &w
}

// known is what the service knows of a payment apart from its watch.
func (s *Scheduler) known(r api.Reference) Entry {
	e, _ := s.service.Find(r)
	return e
}

// KeyReplaced resumes what ended because the service rejected the former key.
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

// keyRejected stops polling all payments. The rejection is also the answer to each request that has not begun: a caller
// waits for one, and what is remembered must not pass for it.
func (s *Scheduler) keyRejected(rejection error, now time.Time) {
	for _, p := range s.watched {
		if p.state.Phase == Polling {
			p.state.Phase = KeyRejected
		}
		if p.queued {
			p.state.AnsweredAt, p.state.Err = now, rejection
			s.unqueue(p)
		}
	}
}

// Next waits for a change after a version and returns the new version. Version 0 precedes every
// change. It fails when ctx or the scheduler's own context ends.
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

// touch counts a change of a payment and wakes everybody in [Scheduler.Next].
func (s *Scheduler) touch(p *watchedPayment) {
	s.version++
	p.state.version = s.version
	close(s.changed)
	s.changed = make(chan struct{})
}

// check queues a status request before those that are only due, also where it was only due itself. A payment has at most one
// request at a time; check returns false when there is one that was asked for, or has begun.
func (s *Scheduler) check(p *watchedPayment) bool {
	if onlyDue := p.queued && !p.turn.IsZero() && !p.passing(); p.state.Checking && !onlyDue {
		return false
	}
	p.state.restart()
	p.backoff.restart()
	p.state.Due = time.Time{}
	s.queue(p)
	s.postpone(p, time.Now())
	s.wake(0)
	return true
}

func (s *Scheduler) queue(p *watchedPayment) {
	p.queued, p.turn = true, p.state.Due
	p.state.Checking, p.state.CheckingAt = true, time.Now()
	s.touch(p)
}

// unqueue withdraws a request that has not begun.
func (s *Scheduler) unqueue(p *watchedPayment) {
	if p.queued {
		p.queued, p.state.Checking = false, false
	}
	s.touch(p)
}

// wake schedules the next [Scheduler.step] in d, replacing an earlier schedule.
func (s *Scheduler) wake(d time.Duration) {
	s.sleep()
	s.timer = time.AfterFunc(d, s.step)
}

func (s *Scheduler) sleep() {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
}

// step starts what is due, and sets the timer for what is due next.
func (s *Scheduler) step() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sleep()
	now := time.Now()
	for _, p := range s.watched {
		switch {
		case !p.polled() || p.state.Checking:
		case !now.Before(p.state.Until()) && !p.standing():
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

func (s *Scheduler) hasRoom() bool { return s.underWay < requestsAtOnce }

// nextSlot returns when the next request may begin.
func (s *Scheduler) nextSlot() time.Time {
	if len(s.begun) < perSecond || s.begun[0].Add(time.Second).Before(s.held) {
		return s.held
	}
	return s.begun[0].Add(time.Second)
}

// first is the payment whose request has been queued longest; nil when none is queued. One that only standing
// watches follow waits until no other is queued.
func (s *Scheduler) first() (first *watchedPayment) {
	for _, p := range s.watched {
		switch {
		case !p.queued:
		case first == nil, first.unattended() && !p.unattended():
			first = p
		case first.unattended() == p.unattended() && p.turn.Before(first.turn):
			first = p
		}
	}
	return first
}

// rearm sets the timer for the next request or the next end of a watch. A queued request without
// room is not due at a time: the answer that makes room wakes the scheduler.
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
			if !p.standing() {
				sooner(p.state.Until())
			}
		}
	}
	if !next.IsZero() {
		s.wake(max(next.Sub(now), 0))
	}
}

func (s *Scheduler) start(p *watchedPayment, now time.Time) {
	p.queued = false
	s.underWay++
	if s.begun = append(s.begun, now); len(s.begun) > perSecond {
		s.begun = slices.Delete(s.begun, 0, 1)
	}
	key, ctx := s.keys, p.requestContext()
	go func() {
		t, err := s.request(ctx, p.state.Reference)
		s.receive(p, t, err, key)
	}()
}

// request requests a status. A panic becomes an error with the type of its value; the value itself
// may contain secrets.
func (s *Scheduler) request(ctx context.Context, r api.Reference) (t api.PaymentStatus, err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("paydesk failed while requesting the status (%T)", thrown)
		}
	}()
	return s.service.Transaction(ctx, r)
}

// receive handles an answer about a payment that a watch still follows. A rejection of the former
// key says nothing about its replacement.
func (s *Scheduler) receive(p *watchedPayment, t api.PaymentStatus, err error, key int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.underWay--
	requested, tooMany := api.Backoff(err)
	now, wait := time.Now(), p.backoff.next(requested, tooMany)
	if requested > 0 || tooMany { // the service counts the requests of an account, not those about one payment
		s.hold(now.Add(wait), now)
	}
	if len(p.users) > 0 {
		p.state.Checking = false
		p.state.update(s.known(p.state.Reference))
		p.state.receive(t, err, now, max(s.pace(p, wait, now), s.held.Sub(now)))
		s.touch(p)
	}
	switch {
	case api.KeyRejected(err) && key == s.keys:
		s.keyRejected(err, now)
	case api.KeyRejected(err) && len(p.users) > 0:
		s.check(p)
	case err == nil:
		s.keyAccepted()
	}
	if s.ctx.Err() == nil {
		s.wake(0)
	}
}
