package session

import (
	"context"
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

// A Store outlasts this run: the part of the journal that is about the same service.
type Store interface {
	Unfinished(context.Context) ([]journal.Attempt, error)
	Recent(ctx context.Context, n int) ([]journal.Attempt, error)
	Lookups(ctx context.Context, n int) ([]journal.Lookup, error)
	Lookup(context.Context, api.Reference) (journal.Lookup, error)
	Made(ctx context.Context, from, to time.Time) ([]journal.Made, error)
	Mismatches(context.Context, []api.Reference) (map[api.Reference]journal.Mismatch, error)
	Differing(context.Context) ([]api.Reference, error)
	Payment(context.Context, api.Reference) (journal.Attempt, error)
	Timeline(context.Context, api.Reference) ([]journal.Event, error)
	CustomerDone(context.Context, api.Reference) error
	Pins(context.Context) ([]journal.Pin, error)
	Pin(context.Context, ...api.Reference) error
	Unpin(context.Context, ...api.Reference) error
	KnownPayments(context.Context, []api.Reference) (map[api.Reference]bool, error)
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
	// pins are the pinned payments, the last pinned first. Where an entry is kept of one, that is newer.
	pins        []Entry
	readingPins sync.Mutex
	// differed is how answers of this run about payments made elsewhere differed.
	differed map[api.Reference]api.Difference
	// reported are the amounts in the last answers about payments made elsewhere.
	reported map[api.Reference]money.Amount
	// timelines are the events of payments that were opened or changed in this run.
	timelines map[api.Reference][]journal.Event
	// refused are why the bank's URL of an earlier run cannot be used.
	refused map[api.Reference]api.Text
	// customerDone are payments whose customer is reported to be done, not yet stored.
	customerDone map[api.Reference]bool
	lastCustomer api.Customer // of the last payment that was sent
	// keyRejected is set while the service's last answer was a rejection of the key.
	keyRejected atomic.Bool
	answered    atomic.Bool // the service has answered since the session was opened
	answers     answers
	sending     sending
}

var _ api.Service = (*Tracker)(nil)

// NewTracker puts a tracker in front of a service. store is nil without a journal.
func NewTracker(next api.Service, store Store) *Tracker {
	return &Tracker{
		next: next, store: store, others: map[api.Reference]flow.Flow{}, differed: map[api.Reference]api.Difference{}, reported: map[api.Reference]money.Amount{}, customerDone: map[api.Reference]bool{},
		timelines: map[api.Reference][]journal.Event{}, refused: map[api.Reference]api.Text{},
	}
}

// All lists the entries, newest first, and then the other payments that are pinned.
func (t *Tracker) All() (all []Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range slices.Backward(t.entries) {
		e = t.marked(e)
		if !e.recalled || e.Open() || e.Pinned {
			all = append(all, e)
		}
	}
	for _, p := range t.pins {
		if t.find(p.Reference) == nil {
			all = append(all, p)
		}
	}
	return all
}

// Find returns the payment with a reference.
func (t *Tracker) Find(r api.Reference) (Entry, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ours := t.find(r); ours != nil {
		return t.marked(*ours), true
	}
	return Entry{}, false
}

func (t *Tracker) find(r api.Reference) *Entry {
	for i := range t.entries {
		if t.entries[i].is(r) {
			return &t.entries[i]
		}
	}
	return nil
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
		if !e.LookedUp && e.Reference != r && strings.EqualFold(string(e.Reference), string(r)) {
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
	t.timelines[r] = journal.WithEvents(t.timelines[r], journal.AnswerEvent(journal.Done, journal.FromPerson, time.Now()))
}

// change updates what is known about a payment. For one made elsewhere that is only the flow, and
// no entry is added.
func (t *Tracker) change(r api.Reference, f func(*Entry)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ours := t.find(r); ours != nil {
		f(ours)
		return
	}
	e := Entry{Reference: r, Flow: t.other(r)}
	f(&e)
	t.others[r] = e.Flow
}

// Initiate implements [api.Service]. A payment that was rejected or never sent leaves no entry;
// every other outcome leaves one, including a panic.
func (t *Tracker) Initiate(ctx context.Context, in api.Initiation) (api.Payment, error) {
	defer t.sending.begin()()
	started := time.Now()
	p, err := t.initiate(ctx, in)
	if err == nil {
		t.recall(ctx, p.Reference) // its ID
		e, _ := t.Find(p.Reference)
		t.note(ctx, p.Reference, initiationEvents(started, e)...)
	}
	return p, err
}

func (t *Tracker) initiate(ctx context.Context, in api.Initiation) (p api.Payment, err error) {
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
	ctx = journal.WithNotedID(ctx, &e.ID)
	p, err = ask(ctx, t, api.OpInitiate, func(ctx context.Context) (api.Payment, error) { return t.next.Initiate(ctx, in) },
		func(p api.Payment) (Subject, api.Text) { return Subject{Reference: p.Reference}, p.Message })
	if _, taken := t.Find(p.Reference); err == nil && taken { // with a journal, that has noticed
		p, err = api.Payment{}, &api.Unresolved{Kind: api.KindSchema, Named: api.Clean(string(p.Reference)), Detail: api.Clean(
			"The answer has the reference " + string(p.Reference) + ", which another payment has already.")}
	}
	e.Unresolved = api.OutcomeOf(err) == api.OutcomeUnresolved
	if err == nil {
		e.Reference, e.Payment, e.Status, e.SeenAt = p.Reference, p, p.Status, time.Now()
		e.Flow = e.Flow.Initiated(p)
		e.Mismatch = e.Mismatch.After(p.Difference, false, e.SeenAt)
	}
	return p, err
}

// Transaction implements [api.Service]. A final status is kept whatever is reported after it.
func (t *Tracker) Transaction(ctx context.Context, r api.Reference) (api.Transaction, error) {
	if api.IsUnrecorded(ctx) {
		got, err := t.next.Transaction(ctx, r)
		t.noteKey(err)
		return got, err
	}
	t.flushCustomerDone(ctx, r)
	if _, known := t.Find(r); !known && !t.wasRead(r) {
		_ = t.Recall(ctx, r)
	}
	was, ours := t.Find(r)
	got, err := ask(ctx, t, api.OpTransaction,
		func(ctx context.Context) (api.Transaction, error) { return t.next.Transaction(ctx, r) },
		func(got api.Transaction) (Subject, api.Text) { return Subject{Reference: r}, got.Message })
	if err == nil {
		if !ours {
			t.noteDifference(r, got)
			t.answeredElsewhere(r, got)
		}
		t.change(r, func(e *Entry) { e.answered(got) })
		seen := t.answerEvents(r, was, ours, got)
		if !ours {
			t.keepAmount(t.askedElsewhere(r), got)
		}
		t.note(ctx, r, seen...)
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
	if err == nil && a.AsksCustomer() {
		t.note(ctx, r, journal.AnswerEvent(journal.AskedToCheck, journal.FromBankCheck, time.Now()))
	}
	return a, err
}

// Finalize implements [api.Service].
func (t *Tracker) Finalize(ctx context.Context, r api.Reference) (z api.Finalization, err error) {
	defer t.sending.begin()()
	t.flushCustomerDone(ctx, r)
	began := time.Now()
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
		t.note(ctx, r, finalizeEvents(began, lost, err)...)
	}()
	z, err = ask(ctx, t, api.OpFinalize,
		func(ctx context.Context) (api.Finalization, error) { return t.next.Finalize(ctx, r) },
		func(z api.Finalization) (Subject, api.Text) { return Subject{Reference: r}, z.Message })
	lost = api.OutcomeOf(err) == api.OutcomeUnresolved
	return z, err
}

// CreateLink implements [api.Service].
func (t *Tracker) CreateLink(ctx context.Context, l api.LinkDraft) (api.Link, error) {
	defer t.sending.begin()()
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
		func(api.Page) (Subject, api.Text) {
			if api.IsBulk(ctx) { // of a scan in trouble, the last answer is enough
				return Subject{}, api.Text{}
			}
			return Subject{Page: page}, api.Text{}
		})
}

// Connect implements [api.Service].
func (t *Tracker) Connect(ctx context.Context) error { return t.next.Connect(ctx) }

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
