// Package desk keeps at hand what needs attention, so that home can list it and a payment
// goes on where it was. It is a decorator of the client: no screen can forget to tell
// it. What earlier runs and other consoles left comes from the journal, when asked.
package desk

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/journal"
	"paydesk/api/money"
)

// A Service is the client, or the journal around it.
type Service = journal.Service

// A Memory is what outlasts this run: the journal, as far as it is about the same service.
type Memory interface {
	Unfinished(context.Context) ([]journal.Attempt, error)
	Payment(context.Context, api.Reference) (journal.Attempt, error)
	CustomerDone(context.Context, api.Reference) error
}

// An Entry is one attempt that was made from here.
type Entry struct {
	ID        journal.ID // "" where there is no journal, or the payment was taken in this run
	Kind      journal.Kind
	Started   time.Time
	Asked     money.Amount
	Channel   string
	Link      api.Alias
	Masked    string        // the card, masked; "" for other channels
	Reference api.Reference // "" while nobody knows whether there is a payment
	Flow      flow.Flow
	Payment   api.Payment // the answer to the initiation
	Status    api.Status  // the last one told, or the final one
	SeenAt    time.Time   // when the service last told a status
	// Unresolved is set when nobody knows whether the payment was made.
	Unresolved bool
}

// Open reports whether the entry still needs somebody's attention.
func (e Entry) Open() bool { return e.Unresolved || !e.Flow.State().Final() }

// is reports whether the entry is the payment with a reference.
func (e Entry) is(r api.Reference) bool {
	return e.Kind == journal.Initiate && r != "" && e.Reference == r
}

// A Desk holds the entries of one connection. It is safe for concurrent use,
// since it is told from the client's calls.
type Desk struct {
	next    Service
	memory  Memory // nil where the journal is off
	mu      sync.Mutex
	entries []Entry
	others  map[api.Reference]flow.Flow // payments that were not made from here
	// said are payments whose customer is said to be done, and which the journal has not
	// heard of yet.
	said map[api.Reference]bool
	// refused is set while the service's last word was that the key is not taken.
	refused atomic.Bool
}

// Keep is a desk in front of a service. memory is nil where nothing outlasts the run.
func Keep(next Service, memory Memory) *Desk {
	return &Desk{next: next, memory: memory, others: map[api.Reference]flow.Flow{}, said: map[api.Reference]bool{}}
}

// All lists the entries, newest first.
func (d *Desk) All() []Entry {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := slices.Clone(d.entries)
	slices.Reverse(all)
	return all
}

// Of finds the payment with a reference.
func (d *Desk) Of(r api.Reference) (Entry, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.entries {
		if e.is(r) {
			return e, true
		}
	}
	return Entry{}, false
}

// Flow is what this run knows to have happened to a payment, whoever made it.
func (d *Desk) Flow(r api.Reference) flow.Flow {
	if e, ours := d.Of(r); ours {
		return e.Flow
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.other(r)
}

func (d *Desk) other(r api.Reference) flow.Flow {
	if f, asked := d.others[r]; asked {
		return f
	}
	return flow.Known()
}

// CustomerDone records that a person said the customer did their part. The journal hears of
// it with the next question about the payment, which follows at once: nothing is
// written here.
func (d *Desk) CustomerDone(r api.Reference) {
	d.change(r, func(e *Entry) { e.Flow = e.Flow.CustomerDone() })
	d.mu.Lock()
	defer d.mu.Unlock()
	d.said[r] = true
}

// change changes what is known of a payment; of one that was not made from here that is
// the flow alone, which makes no entry.
func (d *Desk) change(r api.Reference, f func(*Entry)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ours := false
	for i := range d.entries {
		if d.entries[i].is(r) {
			f(&d.entries[i])
			ours = true
		}
	}
	if !ours {
		e := Entry{Flow: d.other(r)}
		f(&e)
		d.others[r] = e.Flow
	}
}

// Initiate implements [Service]. What was refused or never sent is no payment
// and leaves no entry; whatever else becomes of it, a panic of the console too, leaves
// one.
func (d *Desk) Initiate(ctx context.Context, in api.Initiation) (p api.Payment, err error) {
	e := Entry{
		Kind: journal.Initiate, Started: time.Now(), Asked: in.Amount, Channel: in.Channel, Link: in.Link,
		Flow: flow.Begin(in.Channel, in.Link), Unresolved: true,
	}
	if in.Card != nil {
		e.Masked = in.Card.PAN.Masked()
	}
	defer func() {
		if e.Unresolved || e.Reference != "" {
			d.add(e)
		}
	}()
	p, err = d.next.Initiate(ctx, in)
	d.heard(err)
	e.Unresolved, e.ID = api.OutcomeOf(err) == api.OutcomeUnresolved, lostID(err)
	if err == nil {
		e.Reference, e.Payment, e.Status, e.SeenAt = p.Reference, p, p.Status, time.Now()
		e.Flow = e.Flow.Initiated(p)
	}
	return p, err
}

func (d *Desk) add(e Entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.entries = append(d.entries, e)
}

// Transaction implements [Service]. A final status is kept whatever is told after it.
func (d *Desk) Transaction(ctx context.Context, r api.Reference) (api.Transaction, error) {
	d.pass(ctx, r)
	t, err := d.next.Transaction(ctx, r)
	d.heard(err)
	if err == nil {
		d.change(r, func(e *Entry) {
			e.SeenAt = time.Now()
			e.Status, e.Flow = e.Status.Next(t.Status), e.Flow.Seen(t.Status.State)
		})
	}
	return t, err
}

// Authenticate implements [Service].
func (d *Desk) Authenticate(ctx context.Context, r api.Reference) (api.Authentication, error) {
	a, err := d.next.Authenticate(ctx, r)
	d.heard(err)
	if err == nil {
		d.change(r, func(e *Entry) { e.Flow = e.Flow.Authenticated(a) })
	}
	return a, err
}

// Finalize implements [Service].
func (d *Desk) Finalize(ctx context.Context, r api.Reference) (z api.Finalization, err error) {
	d.pass(ctx, r)
	lost := true // until it is known, so that a panic counts too
	defer func() {
		switch {
		case lost:
			d.change(r, func(e *Entry) { e.Flow = e.Flow.FinalizeUnanswered(time.Now()) })
		case err == nil:
			d.change(r, func(e *Entry) { e.Flow = e.Flow.Finalized() })
		}
	}()
	z, err = d.next.Finalize(ctx, r)
	d.heard(err)
	lost = api.OutcomeOf(err) == api.OutcomeUnresolved
	return z, err
}

// CreateLink implements [Service].
func (d *Desk) CreateLink(ctx context.Context, l api.LinkDraft) (api.Link, error) {
	link, err := d.next.CreateLink(ctx, l)
	d.heard(err)
	return link, err
}

// ValidateChannels implements [Service].
func (d *Desk) ValidateChannels(ctx context.Context, a money.Amount, names ...string) (api.Channels, error) {
	c, err := d.next.ValidateChannels(ctx, a, names...)
	d.heard(err)
	return c, err
}

// Transactions implements [Service].
func (d *Desk) Transactions(ctx context.Context, page, perPage int) (api.Page, error) {
	p, err := d.next.Transactions(ctx, page, perPage)
	d.heard(err)
	return p, err
}

// InitiationBody implements [Service].
func (d *Desk) InitiationBody(in api.Initiation) string { return d.next.InitiationBody(in) }

// LinkBody implements [Service].
func (d *Desk) LinkBody(l api.LinkDraft) string { return d.next.LinkBody(l) }
