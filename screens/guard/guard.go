// Package guard keeps a service from sending. A [Gate] stands in front of the journal and
// the client, so that no screen can send through it, whatever its keys do, while
//
//   - what is known of the environment disagrees, until a person has said that they have
//     seen it (R77): see [Claim];
//   - real money may move and it was not unlocked, or its time has run out (R77);
//   - a card would be typed for real money on a host where the profile does not allow it
//     (R29);
//   - the console is hidden and has no key (R78): then reads wait, too.
//
// What it stops was not sent, and is not written down as an attempt.
package guard

import (
	"context"
	"slices"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/money"
)

// A Closed says why nothing was sent, and the key that leads on.
type Closed struct{ Why, Next string }

func (c *Closed) Error() string { return c.Why + " " + c.Next }

// Is reports that nothing was sent ([api.ErrNotSent]).
func (c *Closed) Is(target error) bool { return target == api.ErrNotSent }

// The reasons. Each names its key: see [Key].
var (
	errMismatch = &Closed{"The environment is in doubt.", "See what disagrees (" + Key + ")."}
	errLocked   = &Closed{"Sending is locked.", "Unlock it (" + Key + ")."}
	errAway     = &Closed{"The console is locked.", "Open it again."}
	errCards    = &Closed{"Cards are not typed on this host for live payments.", "Make a payment link: the customer types the card there."}
)

// Key opens the way to send, on every screen of the console.
const Key = "ctrl+l"

// Options of a gate.
type Options struct {
	Claims []Claim
	Unlock time.Duration // how long one unlocking lasts
	Cards  bool          // cards may be typed for real money
}

// A Gate is a service that sends only while it is open. It is safe for concurrent use.
type Gate struct {
	journal.Service
	o Options

	mu     sync.Mutex
	claims []Claim
	seen   int           // how many of the claims a person said they had seen
	until  time.Time     // sending is unlocked; zero when it is locked
	away   chan struct{} // closed when the console is back; nil while it is there
	silent bool          // reads wait for that, too
}

// Keep puts a gate in front of a service.
func Keep(next journal.Service, o Options) *Gate {
	return &Gate{Service: next, o: o, claims: slices.Clone(o.Claims)}
}

// Claims is all that is known of the environment, in the order in which it became known.
func (g *Gate) Claims() []Claim {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.claims)
}

// Disagrees reports whether the claims do.
func (g *Gate) Disagrees() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return disagree(g.claims)
}

// Unseen reports whether the claims disagree and nobody said yet that they had seen it.
func (g *Gate) Unseen() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.unseen()
}

func (g *Gate) unseen() bool { return disagree(g.claims) && g.seen < len(g.claims) }

// Acknowledge says that a person has seen n claims. What becomes known after that has to be
// seen anew.
func (g *Gate) Acknowledge(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen = n
}

// Live reports whether real money may move: anything that is known says so.
func (g *Gate) Live() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.live()
}

func (g *Gate) live() bool {
	return slices.ContainsFunc(g.claims, func(c Claim) bool { return c.Says == Live })
}

// Unlock opens the sending for as long as the options say, from now.
func (g *Gate) Unlock() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.until = time.Now().Add(g.o.Unlock)
}

// Lock closes it.
func (g *Gate) Lock() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.until = time.Time{}
}

// Left is for how long sending stays unlocked from now on; 0 when it is locked. The monotonic
// clock counts, so that setting the clock back gains nothing, and the clock on the wall
// too, because the other one stands still while the machine sleeps.
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

// Leave closes the gate while the console is hidden (R78). Silently, what would only be read
// waits, since there is no key to ask with.
func (g *Gate) Leave(silently bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.until = time.Time{}
	if g.away == nil {
		g.away, g.silent = make(chan struct{}), silently
	}
}

// Return lets everything go on that waited. What was unlocked is not any more.
func (g *Gate) Return() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.away != nil {
		close(g.away)
		g.away = nil
	}
}

// wait returns when there is a key to ask with, or with the error of ctx.
func (g *Gate) wait(ctx context.Context) error {
	g.mu.Lock()
	away := g.away
	if !g.silent {
		away = nil
	}
	g.mu.Unlock()
	if away == nil {
		return nil
	}
	select {
	case <-away:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Transaction asks, once the console is there.
func (g *Gate) Transaction(ctx context.Context, r api.Reference) (api.Transaction, error) {
	if err := g.wait(ctx); err != nil {
		return api.Transaction{}, err
	}
	return g.Service.Transaction(ctx, r)
}

// Transactions asks, once the console is there.
func (g *Gate) Transactions(ctx context.Context, page, perPage int) (api.Page, error) {
	if err := g.wait(ctx); err != nil {
		return api.Page{}, err
	}
	return g.Service.Transactions(ctx, page, perPage)
}

// Authenticate asks, once the console is there.
func (g *Gate) Authenticate(ctx context.Context, r api.Reference) (api.Authentication, error) {
	if err := g.wait(ctx); err != nil {
		return api.Authentication{}, err
	}
	return g.Service.Authenticate(ctx, r)
}

// Why says why nothing can be sent now, and the key that leads on; "" when it can.
func (g *Gate) Why() string {
	if err := g.closed(); err != nil {
		return api.Clean(err.Error()).Line(0)
	}
	return ""
}

// closed is the first reason there is; a nil error, of no type, when there is none.
func (g *Gate) closed() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.away != nil:
		return errAway
	case g.unseen():
		return errMismatch
	case g.live() && g.left(time.Now()) == 0:
		return errLocked
	}
	return nil
}

// Initiate sends a payment if nothing is against it; else the error is a [*Closed].
func (g *Gate) Initiate(ctx context.Context, in api.Initiation) (api.Payment, error) {
	if in.Card != nil && g.Live() && !g.o.Cards {
		return api.Payment{}, errCards
	}
	if err := g.closed(); err != nil {
		return api.Payment{}, err
	}
	return g.Service.Initiate(ctx, in)
}

// CreateLink creates a link if nothing is against it; else the error is a [*Closed]. The
// environment that the answer names is a claim from then on.
func (g *Gate) CreateLink(ctx context.Context, d api.LinkDraft) (api.Link, error) {
	if err := g.closed(); err != nil {
		return api.Link{}, err
	}
	l, err := g.Service.CreateLink(ctx, d)
	if err == nil {
		g.observe(l)
	}
	return l, err
}

// Finalize finalizes a payment if nothing is against it; else the error is a [*Closed].
func (g *Gate) Finalize(ctx context.Context, r api.Reference) (api.Finalization, error) {
	if err := g.closed(); err != nil {
		return api.Finalization{}, err
	}
	return g.Service.Finalize(ctx, r)
}

// ValidateChannels changes nothing at the service. It is a POST of what will be sent all the
// same, and the first thing that taking a payment asks: where nothing can be sent it says
// so, before a form is filled in for nothing.
func (g *Gate) ValidateChannels(ctx context.Context, a money.Amount, names ...string) (api.Channels, error) {
	if err := g.closed(); err != nil {
		return api.Channels{}, err
	}
	return g.Service.ValidateChannels(ctx, a, names...)
}

// Rekey takes what another key says in the place of what the former said. When that is
// something else, everything has to be seen anew.
func (g *Gate) Rekey(word string) {
	c := Claim{By: ByKey, Word: word, Says: Read(word)}
	g.mu.Lock()
	defer g.mu.Unlock()
	if slices.Contains(g.claims, c) {
		return
	}
	g.claims = slices.DeleteFunc(g.claims, func(c Claim) bool { return c.By == ByKey })
	g.claims = append(g.claims, c)
	g.seen = 0
}

// observe takes what a link says of its environment. The same word is one claim.
func (g *Gate) observe(l api.Link) {
	c := Claim{By: ByLink, Word: l.Environment.Line(20)}
	c.Says = Read(c.Word)
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.Says != Unsaid && !slices.Contains(g.claims, c) {
		g.claims = append(g.claims, c)
	}
}
