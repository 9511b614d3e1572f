// Package gate decides whether a request may leave. A [Gate] stands in front of the journal and
// the client, so that nothing, whatever its keys or flags do, sends while
//
//   - the evidence about the environment is contradictory, until a person has acknowledged it
//     (R77): see [Evidence];
//   - real money may move, and sending was not unlocked or its time has run out (R77);
//   - a card would be charged for real on a host where the profile does not allow it (R29);
//   - the session is suspended and has no key (R78): then reads wait, too.
//
// Which operation is held to what stands in one table, [api.Operation.Rule]. An operation that
// is not in the table is never let through. What the gate stops was not sent, and is not
// recorded as an attempt.
package gate

import (
	"context"
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
	Contradictory        // the evidence contradicts itself, and nobody has acknowledged it
	Locked               // real money may move, and sending is not unlocked
	CardsDisabled        // cards are not charged for real here
)

// A Closed is the error of what the gate stopped: nothing was sent.
type Closed struct{ Reason Reason }

// Error is a sentence.
func (c *Closed) Error() string {
	switch c.Reason {
	case Suspended:
		return "The console is locked."
	case Contradictory:
		return "The environment is in doubt."
	case Locked:
		return "Sending is locked."
	case CardsDisabled:
		return "Cards are not typed on this host for live payments."
	}
	return "This operation is not allowed."
}

// Is reports that nothing was sent ([api.ErrNotSent]).
func (c *Closed) Is(target error) bool { return target == api.ErrNotSent }

// Options of a gate.
type Options struct {
	Evidence []Evidence
	Unlock   time.Duration // how long one unlocking lasts
	Cards    bool          // cards may be charged for real
}

// A Gate is a service that sends only while it is open. It is safe for concurrent use.
type Gate struct {
	next api.Service
	o    Options

	mu        sync.Mutex
	evidence  []Evidence
	seen      int           // how much of the evidence a person has acknowledged
	until     time.Time     // sending is unlocked; zero when it is locked
	suspended chan struct{} // closed when the session resumes; nil while it goes on
	keyless   bool          // reads wait for that, too
}

var _ api.Service = (*Gate)(nil)

// New puts a gate in front of a service.
func New(next api.Service, o Options) *Gate {
	return &Gate{next: next, o: o, evidence: slices.Clone(o.Evidence)}
}

// Evidence is all that is known of the environment, in the order in which it became known.
func (g *Gate) Evidence() []Evidence {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.evidence)
}

// Contradictory reports whether the evidence contradicts itself, acknowledged or not.
func (g *Gate) Contradictory() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return contradictory(g.evidence)
}

// Unacknowledged reports whether it does and nobody has acknowledged that yet.
func (g *Gate) Unacknowledged() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.unacknowledged()
}

func (g *Gate) unacknowledged() bool {
	return contradictory(g.evidence) && g.seen < len(g.evidence)
}

// Acknowledge records that a person has seen the first n pieces of evidence. What becomes known
// later has to be acknowledged again.
func (g *Gate) Acknowledge(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen = n
}

// Live reports whether real money may move: any evidence says so.
func (g *Gate) Live() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.live()
}

func (g *Gate) live() bool {
	return slices.ContainsFunc(g.evidence, func(e Evidence) bool { return e.Says == Live })
}

// Unlock allows sending for as long as the options say, from now.
func (g *Gate) Unlock() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.until = time.Now().Add(g.o.Unlock)
}

// Lock ends that.
func (g *Gate) Lock() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.until = time.Time{}
}

// Left is for how long sending stays unlocked; 0 when it is locked. The monotonic clock counts,
// so that setting the clock back gains nothing, and the wall clock too, because the other one
// stands still while the machine sleeps.
func (g *Gate) Left(now time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.left(now)
}

func (g *Gate) left(now time.Time) time.Duration {
	if g.until.IsZero() {
		return 0
	}
	return max(min(g.until.Sub(now), g.until.Round(0).Sub(now.Round(0))), 0)
}

// Suspend closes the gate while the console is hidden (R78), and locks sending. Without a key,
// reads wait until [Gate.Resume].
func (g *Gate) Suspend(keyless bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.until = time.Time{}
	if g.suspended == nil {
		g.suspended, g.keyless = make(chan struct{}), keyless
	}
}

// Resume lets everything go on that waited. Sending stays locked.
func (g *Gate) Resume() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.suspended != nil {
		close(g.suspended)
		g.suspended = nil
	}
}

// waitForKey returns once there is a key, or with the error of ctx.
func (g *Gate) waitForKey(ctx context.Context) error {
	g.mu.Lock()
	resumed := g.suspended
	if !g.keyless {
		resumed = nil
	}
	g.mu.Unlock()
	if resumed == nil {
		return nil
	}
	select {
	case <-resumed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Check says whether something could be sent now: nil, or a [*Closed] with the first reason
// against it.
func (g *Gate) Check() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.suspended != nil:
		return &Closed{Suspended}
	case g.unacknowledged():
		return &Closed{Contradictory}
	case g.live() && g.left(time.Now()) == 0:
		return &Closed{Locked}
	}
	return nil
}

// Rekey replaces the evidence of the key. When it says something else, everything has to be
// acknowledged again.
func (g *Gate) Rekey(word string) {
	e := Word(ByKey, word)
	g.mu.Lock()
	defer g.mu.Unlock()
	if slices.Contains(g.evidence, e) {
		return
	}
	g.evidence = slices.DeleteFunc(g.evidence, func(e Evidence) bool { return e.By == ByKey })
	g.evidence = append(g.evidence, e)
	g.seen = 0
}

// observe takes what a link says of its environment. The same word is one piece of evidence.
func (g *Gate) observe(l api.Link) {
	e := Word(ByLink, l.Environment.Line(20))
	g.mu.Lock()
	defer g.mu.Unlock()
	if e.Says != Unknown && !slices.Contains(g.evidence, e) {
		g.evidence = append(g.evidence, e)
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

// Initiate implements [api.Service]. A card is charged for real only where the options say so.
func (g *Gate) Initiate(ctx context.Context, in api.Initiation) (api.Payment, error) {
	if in.Card != nil && g.Live() && !g.o.Cards {
		return api.Payment{}, &Closed{CardsDisabled}
	}
	return through(ctx, g, api.OpInitiate, func() (api.Payment, error) { return g.next.Initiate(ctx, in) })
}

// CreateLink implements [api.Service]. The environment that the answer names is evidence from
// then on.
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
