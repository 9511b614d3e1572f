package session

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/journal"
	"paydesk/api/money"
	"paydesk/api/watch"
)

// An Entry is one attempt that was made here.
type Entry struct {
	ID        journal.ID // "" without a journal, or for a payment accepted in this run
	Kind      journal.Kind
	Started   time.Time
	Place     journal.Destination // where the journal says it was sent; zero when it was in this run
	Requested money.Amount
	// CustomerChooses is set for a link whose customer was to choose the amount.
	CustomerChooses bool
	Channel         string
	Link            api.Alias
	Masked          string        // the card, masked; "" for other channels
	Reference       api.Reference // "" while it is not known whether there is a payment
	Flow            flow.Flow
	Payment         api.Payment // the response to the initiation
	Status          api.Status  // the last one reported, or the final one
	SeenAt          time.Time   // when the service last reported a status
	// Unresolved is set while it is not known whether the payment was made.
	Unresolved bool
	// Mismatch is how the service answered something else than was asked.
	Mismatch     journal.Mismatch
	OwnReference string // "" when none was sent
	// Unread is set while nobody has read how a link that was created differs from what was asked.
	Unread bool
	// LookedUp is set for a payment that was made elsewhere, or before the journal: Started is when it was first found.
	LookedUp bool
	// NotFollowed is set once a person has decided that nobody needs to see how it ends.
	NotFollowed bool
	// Sent is the payment as it was sent, without its card; of another run only what the journal has.
	Sent api.Initiation
	// recalled is set for a payment of an earlier run that was opened here.
	recalled bool
}

// Open reports whether the entry still needs attention.
func (e Entry) Open() bool {
	switch {
	case e.Unresolved, e.Unread, e.Mismatch.Undecided():
		return true
	case e.Mismatch.Decision == journal.NotOurs, e.LookedUp, e.NotFollowed:
		return false
	}
	return !e.Flow.State().Final()
}

// Asked is what answers about the payment are compared with.
func (e Entry) Asked() api.Asked {
	return api.Asked{
		Reference: e.Reference, OwnReference: e.OwnReference, Amount: e.Requested,
		Fees: e.Payment.Fees, Total: e.Payment.Total, Status: e.Status,
	}
}

// Circumstances are what the meaning of its status depends on.
func (e Entry) Circumstances(now time.Time) api.Circumstances {
	return api.Circumstances{Channel: e.Channel, Account: e.Payment.Transfer, Now: now}
}

// answered changes the entry by an answer about its payment. One about another payment says nothing
// about the status of this one.
func (e *Entry) answered(got api.Transaction) {
	now, differs := time.Now(), got.Compare(e.Asked())
	e.Mismatch = e.Mismatch.After(differs, got.HasAmount, now)
	if differs.What&api.ReferenceDiffers != 0 {
		return
	}
	e.SeenAt = now
	e.Status, e.Flow = e.Status.Next(got.Status), e.Flow.Reported(got.Status.State)
}

// is reports whether the entry is the payment with a reference.
func (e Entry) is(r api.Reference) bool {
	return e.Kind == journal.Initiate && r != "" && e.Reference == r
}

// Subject is the entry as its watch needs it; the zero subject is that of a payment made elsewhere.
func (e Entry) Subject() watch.Subject {
	if e.Reference == "" {
		return watch.Subject{}
	}
	return watch.Subject{
		Ours: true, Asked: e.Asked(), Difference: e.Mismatch.Difference, Started: e.Started, Initiated: e.Payment,
		Status: e.Status, SeenAt: e.SeenAt, Finalized: e.Flow.IsFinalized(),
	}
}

// A Store outlasts this run: the part of the journal that is about the same service.
type Store interface {
	Unfinished(context.Context) ([]journal.Attempt, error)
	Recent(ctx context.Context, n int) ([]journal.Attempt, error)
	Lookups(ctx context.Context, n int) ([]journal.Lookup, error)
	Payment(context.Context, api.Reference) (journal.Attempt, error)
	CustomerDone(context.Context, api.Reference) error
	CardLike(context.Context) ([]api.Reference, error)
	Respelled(context.Context, api.Reference) (api.Reference, error)
}

// A Tracker is a service that remembers the payments that pass through it and still need attention,
// so that they can be listed and each continues at its step. Those of earlier runs and other
// consoles come from the store: see [Tracker.Reload]. It is safe for concurrent use.
type Tracker struct {
	next    api.Service
	store   Store // nil where the journal is off
	mu      sync.Mutex
	entries []Entry
	others  map[api.Reference]flow.Flow // payments made elsewhere
	// customerDone are payments whose customer is reported to be done, not yet stored.
	customerDone map[api.Reference]bool
	lastCustomer api.Customer // of the last payment that was sent
	// keyRejected is set while the service's last answer was a rejection of the key.
	keyRejected atomic.Bool
	answered    atomic.Bool // the service has answered since the session was opened
	answers     answers
}

var _ api.Service = (*Tracker)(nil)

// NewTracker puts a tracker in front of a service. store is nil without a journal.
func NewTracker(next api.Service, store Store) *Tracker {
	return &Tracker{next: next, store: store, others: map[api.Reference]flow.Flow{}, customerDone: map[api.Reference]bool{}}
}

// All lists the entries, newest first.
func (t *Tracker) All() []Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := slices.DeleteFunc(slices.Clone(t.entries), func(e Entry) bool { return e.recalled && !e.Open() })
	slices.Reverse(all)
	return all
}

// Find returns the payment with a reference.
func (t *Tracker) Find(r api.Reference) (Entry, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.entries {
		if e.is(r) {
			return e, true
		}
	}
	return Entry{}, false
}

// CardLike returns the references of payments made from here that look like card numbers: those of
// this run, and of the journal where it can be read.
func (t *Tracker) CardLike(ctx context.Context) (all []api.Reference, err error) {
	if t.store != nil {
		all, err = t.store.CardLike(ctx)
	}
	for _, e := range t.All() {
		if e.Reference.LooksLikeCard() {
			all = append(all, e.Reference)
		}
	}
	return all, err
}

// Respelled returns the reference of a payment made from here that differs from r in the case of letters
// alone, "" for none.
func (t *Tracker) Respelled(ctx context.Context, r api.Reference) (api.Reference, error) {
	for _, e := range t.All() {
		if e.Reference != r && strings.EqualFold(string(e.Reference), string(r)) {
			return e.Reference, nil
		}
	}
	if t.store == nil {
		return "", nil
	}
	return t.store.Respelled(ctx, r)
}

// Subject implements [watch.Payments].
func (t *Tracker) Subject(r api.Reference) watch.Subject {
	e, _ := t.Find(r)
	return e.Subject()
}

// Flow is what this run knows about a payment, wherever it was made.
func (t *Tracker) Flow(r api.Reference) flow.Flow {
	if e, ours := t.Find(r); ours {
		return e.Flow
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.other(r)
}

func (t *Tracker) other(r api.Reference) flow.Flow {
	if f, known := t.others[r]; known {
		return f
	}
	return flow.InitiatedElsewhere()
}

// CustomerDone records that a person reported the customer as done. It does no I/O: the store is
// updated with the next request about the payment, which follows at once.
func (t *Tracker) CustomerDone(r api.Reference) {
	t.change(r, func(e *Entry) { e.Flow = e.Flow.CustomerDone() })
	t.mu.Lock()
	defer t.mu.Unlock()
	t.customerDone[r] = true
}

// change updates what is known about a payment. For one made elsewhere that is only the flow, and
// no entry is added.
func (t *Tracker) change(r api.Reference, f func(*Entry)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ours := false
	for i := range t.entries {
		if t.entries[i].is(r) {
			f(&t.entries[i])
			ours = true
		}
	}
	if !ours {
		e := Entry{Reference: r, Flow: t.other(r)}
		f(&e)
		t.others[r] = e.Flow
	}
}

// Initiate implements [api.Service]. A payment that was rejected or never sent leaves no entry;
// every other outcome leaves one, including a panic.
func (t *Tracker) Initiate(ctx context.Context, in api.Initiation) (p api.Payment, err error) {
	e := Entry{
		Kind: journal.Initiate, Started: time.Now(), Requested: in.Amount, Channel: in.Channel, Link: in.Link,
		Flow: flow.Begin(in.Channel, in.Link), Unresolved: true, Sent: withoutCard(in),
	}
	e.OwnReference = in.OwnReference
	if in.Card != nil {
		e.Masked = in.Card.PAN.Masked()
	}
	defer func() {
		if e.Unresolved || e.Reference != "" {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.entries = append(t.entries, e)
		}
	}()
	t.mu.Lock()
	t.lastCustomer = in.Customer
	t.mu.Unlock()
	p, err = ask(ctx, t, api.OpInitiate, func(ctx context.Context) (api.Payment, error) { return t.next.Initiate(ctx, in) },
		func(p api.Payment) (Subject, api.Text) { return Subject{Reference: p.Reference}, p.Message })
	if _, taken := t.Find(p.Reference); err == nil && taken { // with a journal, that has noticed
		p, err = api.Payment{}, &api.Unresolved{Kind: api.KindSchema, Named: api.Clean(string(p.Reference)), Detail: api.Clean(
			"The answer has the reference " + string(p.Reference) + ", which another payment has already.")}
	}
	e.Unresolved = api.OutcomeOf(err) == api.OutcomeUnresolved
	if lost, recorded := errors.AsType[*journal.UnresolvedAttempt](err); recorded {
		e.ID = lost.ID
	}
	if err == nil {
		e.Reference, e.Payment, e.Status, e.SeenAt = p.Reference, p, p.Status, time.Now()
		e.Flow = e.Flow.Initiated(p)
		e.Mismatch = e.Mismatch.After(p.Difference, false, e.SeenAt)
	}
	return p, err
}

// Transaction implements [api.Service]. A final status is kept whatever is reported after it.
func (t *Tracker) Transaction(ctx context.Context, r api.Reference) (api.Transaction, error) {
	t.flushCustomerDone(ctx, r)
	if _, known := t.Find(r); !known {
		t.recall(ctx, r)
	}
	got, err := ask(ctx, t, api.OpTransaction,
		func(ctx context.Context) (api.Transaction, error) { return t.next.Transaction(ctx, r) },
		func(got api.Transaction) (Subject, api.Text) { return Subject{Reference: r}, got.Message })
	if err == nil {
		t.change(r, func(e *Entry) { e.answered(got) })
	}
	if e, ours := t.Find(r); ours && !e.Mismatch.IsZero() {
		t.recall(ctx, r) // the attempt that a person decides about, and what was decided
	}
	return got, err
}

// Authenticate implements [api.Service].
func (t *Tracker) Authenticate(ctx context.Context, r api.Reference) (api.Authentication, error) {
	a, err := ask(ctx, t, api.OpAuthenticate,
		func(ctx context.Context) (api.Authentication, error) { return t.next.Authenticate(ctx, r) },
		func(a api.Authentication) (Subject, api.Text) { return Subject{Reference: r}, a.Message })
	if err == nil {
		t.change(r, func(e *Entry) { e.Flow = e.Flow.Authenticated(a) })
	}
	return a, err
}

// Finalize implements [api.Service].
func (t *Tracker) Finalize(ctx context.Context, r api.Reference) (z api.Finalization, err error) {
	t.flushCustomerDone(ctx, r)
	lost := true // until the outcome is known, so that a panic counts as lost
	defer func() {
		switch {
		case lost:
			t.change(r, func(e *Entry) { e.Flow = e.Flow.FinalizeUnresolved(time.Now()) })
			if _, ours := t.Find(r); !ours {
				t.lost(Entry{Kind: journal.Finalize, Started: time.Now(), Reference: r})
			}
		case err == nil:
			t.change(r, func(e *Entry) { e.Flow = e.Flow.Finalized() })
			t.finalized(r)
		}
	}()
	z, err = ask(ctx, t, api.OpFinalize,
		func(ctx context.Context) (api.Finalization, error) { return t.next.Finalize(ctx, r) },
		func(z api.Finalization) (Subject, api.Text) { return Subject{Reference: r}, z.Message })
	lost = api.OutcomeOf(err) == api.OutcomeUnresolved
	return z, err
}

// CreateLink implements [api.Service].
func (t *Tracker) CreateLink(ctx context.Context, l api.LinkDraft) (api.Link, error) {
	lost := true // until the outcome is known, so that a panic counts as lost
	defer func() {
		if lost {
			t.lost(Entry{Kind: journal.CreateLink, Started: time.Now(), Requested: l.Amount})
		}
	}()
	link, err := ask(ctx, t, api.OpCreateLink,
		func(ctx context.Context) (api.Link, error) { return t.next.CreateLink(ctx, l) },
		func(l api.Link) (Subject, api.Text) { return Subject{Link: l.Alias}, l.Message })
	lost = api.OutcomeOf(err) == api.OutcomeUnresolved
	return link, err
}

// ValidateChannels implements [api.Service].
func (t *Tracker) ValidateChannels(ctx context.Context, a money.Amount, names ...string) (api.Channels, error) {
	return ask(ctx, t, api.OpValidateChannels,
		func(ctx context.Context) (api.Channels, error) { return t.next.ValidateChannels(ctx, a, names...) },
		func(c api.Channels) (Subject, api.Text) { return Subject{}, c.Message })
}

// Transactions implements [api.Service].
func (t *Tracker) Transactions(ctx context.Context, page, perPage int) (api.Page, error) {
	return ask(ctx, t, api.OpTransactions,
		func(ctx context.Context) (api.Page, error) { return t.next.Transactions(ctx, page, perPage) },
		func(api.Page) (Subject, api.Text) { return Subject{Page: page}, api.Text{} })
}

// InitiationBody implements [api.Service].
func (t *Tracker) InitiationBody(in api.Initiation) string { return t.next.InitiationBody(in) }

// KeyRejected reports whether the service's last answer was a rejection of the key.
func (t *Tracker) KeyRejected() bool { return t.keyRejected.Load() }

// KeyReplaced clears [Tracker.KeyRejected] after the key was replaced.
func (t *Tracker) KeyReplaced() { t.keyRejected.Store(false) }

// noteKey derives from a call's error whether the key was rejected. A call without an answer tells
// nothing about the key.
func (t *Tracker) noteKey(err error) {
	switch api.OutcomeOf(err) {
	case api.OutcomeAccepted, api.OutcomeRefused:
		t.keyRejected.Store(api.KeyRejected(err))
		t.answered.Store(true)
	}
}

// Answered reports whether the service has answered anything since the session was opened.
func (t *Tracker) Answered() bool { return t.answered.Load() }
