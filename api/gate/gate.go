// Package gate decides whether a request may be sent. A [Gate] stands in front of the journal and
// the client, so that no screen and no command can send while
//
//   - the evidence about the environment is contradictory, until a person has acknowledged it: see
//     [Evidence];
//   - real money may move, and sending is not unlocked or the unlock has expired;
//   - a card would be charged for real, and the profile does not allow that on this host;
//   - the session is suspended; without a key, reads wait as well.
//
// One table, [api.Operation.Rule], says which operation is subject to what. An operation missing
// from the table is never let through. What the gate blocks was not sent, and is not recorded as an
// attempt.
package gate

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// A Reason is why the gate is closed. The zero Reason is that an operation has no rule.
type Reason uint8

// The reasons.
const (
	Unlisted      Reason = iota
	Suspended            // the session is suspended
	Contradictory        // the evidence is contradictory, and nobody has acknowledged that
	Locked               // real money may move, and sending is not unlocked
	CardsDisabled        // cards may not be charged for real here
)

// A Closed is the error of a request that the gate blocked: nothing was sent.
type Closed struct{ Reason Reason }

// Error is a sentence.
func (c *Closed) Error() string {
	switch c.Reason {
	case Suspended:
		return "The session is suspended."
	case Contradictory:
		return "It is unclear whether this is test or live."
	case Locked:
		return "Sending is locked."
	case CardsDisabled:
		return "Live card charges are not allowed here."
	}
	return "This operation is not allowed."
}

// Is reports that nothing was sent ([api.ErrNotSent]).
func (c *Closed) Is(target error) bool { return target == api.ErrNotSent }

// Options of a gate.
type Options struct {
	Evidence []Evidence
	Unlock   time.Duration // how long an unlock lasts
	Cards    bool          // cards may be charged for real
}

// A Gate is a service that sends only what its [Control] allows. It is safe for concurrent use.
type Gate struct {
	next api.Service
	*Control
}

// A Control opens and closes a gate and reports its state. It cannot send anything.
type Control struct {
	o         Options
	mu        sync.Mutex
	evidence  []Evidence
	seen      int           // how much of the evidence a person has acknowledged
	until     time.Time     // sending is unlocked; zero when it is locked
	suspended chan struct{} // closed when the session resumes; nil while it is not suspended
	keyless   bool          // reads wait for the resume, too
}

var _ api.Service = (*Gate)(nil)

// New puts a gate in front of a service.
func New(next api.Service, o Options) *Gate {
	return &Gate{next, &Control{o: o, evidence: slices.Clone(o.Evidence)}}
}

// Evidence is everything known about the environment, in the order in which it became known.
func (c *Control) Evidence() []Evidence {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.evidence)
}

// Contradictory reports whether the evidence contradicts itself, acknowledged or not.
func (c *Control) Contradictory() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return contradictory(c.evidence)
}

// Unacknowledged reports whether the evidence is contradictory and nobody has acknowledged that
// yet.
func (c *Control) Unacknowledged() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unacknowledged()
}

func (c *Control) unacknowledged() bool {
	return contradictory(c.evidence) && c.seen < len(c.evidence)
}

// Acknowledge records that a person has seen the first n pieces of evidence. Later evidence has to
// be acknowledged again.
func (c *Control) Acknowledge(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = n
}

// Live reports whether real money may move: any evidence indicates it.
func (c *Control) Live() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.live()
}

func (c *Control) live() bool {
	return slices.ContainsFunc(c.evidence, func(e Evidence) bool { return e.Says == Live })
}

// Unlock allows sending from now on, for the time in the options.
func (c *Control) Unlock() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = time.Now().Add(c.o.Unlock)
}

// Lock ends an unlock.
func (c *Control) Lock() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = time.Time{}
}

// Left is how long sending stays unlocked; 0 when it is locked. It takes the shorter of two times:
// by the monotonic clock, so that setting the clock back gains nothing, and by the wall clock,
// because the monotonic clock does not advance while the machine sleeps.
func (c *Control) Left(now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left(now)
}

func (c *Control) left(now time.Time) time.Duration {
	if c.until.IsZero() {
		return 0
	}
	return max(min(c.until.Sub(now), c.until.Round(0).Sub(now.Round(0))), 0)
}

// Suspend closes the gate while the console is hidden, and locks sending. Without a key, reads wait
// for [Control.Resume].
func (c *Control) Suspend(keyless bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = time.Time{}
	if c.suspended == nil {
		c.suspended, c.keyless = make(chan struct{}), keyless
	}
}

// Resume ends a suspension: waiting reads continue. Sending stays locked.
func (c *Control) Resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.suspended != nil {
		close(c.suspended)
		c.suspended = nil
	}
}

// waitForKey returns once there is a key, or with the error of ctx.
func (c *Control) waitForKey(ctx context.Context) error {
	c.mu.Lock()
	resumed := c.suspended
	if !c.keyless {
		resumed = nil
	}
	c.mu.Unlock()
	if resumed == nil {
		return nil
	}
	select {
	case <-resumed:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", api.ErrNotSent, ctx.Err())
	}
}

// Check reports whether a request that changes something could be sent now: nil, or a [*Closed]
// with the first reason against it.
func (c *Control) Check() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.suspended != nil:
		return &Closed{Suspended}
	case c.unacknowledged():
		return &Closed{Contradictory}
	case c.live() && c.left(time.Now()) == 0:
		return &Closed{Locked}
	}
	return nil
}

// Rekey replaces the evidence of the key. If it differs, all evidence has to be acknowledged again.
func (c *Control) Rekey(word string) {
	e := Word(ByKey, word)
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.Contains(c.evidence, e) {
		return
	}
	c.evidence = slices.DeleteFunc(c.evidence, func(e Evidence) bool { return e.By == ByKey })
	c.evidence = append(c.evidence, e)
	c.seen = 0
}

// observe adds the environment that a link reports. The same word is added once.
func (c *Control) observe(l api.Link) {
	e := Word(ByLink, l.Environment.Line(20))
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.Says != Unknown && !slices.Contains(c.evidence, e) {
		c.evidence = append(c.evidence, e)
	}
}

// admit returns nil once the rule of an operation lets it through.
func (g *Gate) admit(ctx context.Context, op api.Operation) error {
	switch op.Rule().Allowed {
	case api.Always:
		return nil
	case api.WithKey:
		return g.waitForKey(ctx)
	case api.WhenUnlocked:
		return g.Check()
	}
	return &Closed{Unlisted}
}

// through calls the next service once the gate admits the operation.
func through[T any](ctx context.Context, g *Gate, op api.Operation, call func() (T, error)) (v T, err error) {
	if err := g.admit(ctx, op); err != nil {
		return v, err
	}
	return call()
}

// Initiate implements [api.Service]. A card is charged for real only where the options allow it.
func (g *Gate) Initiate(ctx context.Context, in api.Initiation) (api.Payment, error) {
	if in.Card != nil && g.Live() && !g.o.Cards {
		return api.Payment{}, &Closed{CardsDisabled}
	}
	return through(ctx, g, api.OpInitiate, func() (api.Payment, error) { return g.next.Initiate(ctx, in) })
}

// CreateLink implements [api.Service]. The environment in the response becomes evidence.
func (g *Gate) CreateLink(ctx context.Context, d api.LinkDraft) (api.Link, error) {
	l, err := through(ctx, g, api.OpCreateLink, func() (api.Link, error) { return g.next.CreateLink(ctx, d) })
	if err == nil {
		g.observe(l)
	}
	return l, err
}

// ValidateChannels implements [api.Service].
func (g *Gate) ValidateChannels(ctx context.Context, a money.Amount, names ...string) (api.Channels, error) {
	return through(ctx, g, api.OpValidateChannels, func() (api.Channels, error) { return g.next.ValidateChannels(ctx, a, names...) })
}

// Authenticate implements [api.Service].
func (g *Gate) Authenticate(ctx context.Context, r api.Reference) (api.Authentication, error) {
	return through(ctx, g, api.OpAuthenticate, func() (api.Authentication, error) { return g.next.Authenticate(ctx, r) })
}

// Finalize implements [api.Service].
func (g *Gate) Finalize(ctx context.Context, r api.Reference) (api.Finalization, error) {
	return through(ctx, g, api.OpFinalize, func() (api.Finalization, error) { return g.next.Finalize(ctx, r) })
}

// Transaction implements [api.Service].
func (g *Gate) Transaction(ctx context.Context, r api.Reference) (api.Transaction, error) {
	return through(ctx, g, api.OpTransaction, func() (api.Transaction, error) { return g.next.Transaction(ctx, r) })
}

// Transactions implements [api.Service].
func (g *Gate) Transactions(ctx context.Context, page, perPage int) (api.Page, error) {
	return through(ctx, g, api.OpTransactions, func() (api.Page, error) { return g.next.Transactions(ctx, page, perPage) })
}

// InitiationBody implements [api.Service].
func (g *Gate) InitiationBody(in api.Initiation) string { return g.next.InitiationBody(in) }

// LinkBody implements [api.Service].
func (g *Gate) LinkBody(d api.LinkDraft) string { return g.next.LinkBody(d) }
