package session

import (
	"context"
	"sync"
	"sync/atomic"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// A Tracker is a service that knows how the payments stand that pass through it: it is a view of the journal, where other
// consoles write too, and lists what needs attention there ([Tracker.Reload]). It is safe for concurrent use.
type Tracker struct {
	next    api.Service
	rec     *journal.Recorder
	gate    *Gate
	reading sync.Mutex // of two readings of the journal at once, the later counts
	mu      sync.Mutex
	entries []Entry // what was read, sent or asked about in this run; the oldest first

	lastCustomer api.Customer // of the last payment that was to be sent
	initiations  []initiation // the payments that were recorded in this run, each without its card, oldest first
	// keyRejected is set while the service's last answer was a rejection of the key.
	keyRejected atomic.Bool
	answered    atomic.Bool // the service has answered since the session was opened
	answers     answers
}

var _ api.Service = (*Tracker)(nil)

// NewTracker puts a tracker in front of a service whose requests rec records. Each passes the gate first.
func NewTracker(next api.Service, rec *journal.Recorder, gate *Gate) *Tracker {
	rec.Journal().SetAhead(0) // of the service of another session
	return &Tracker{next: next, rec: rec, gate: gate}
}

// CustomerDone records that a person reported the customer as done. It does no I/O: the journal is
// written with the next request about the payment, which follows at once.
func (t *Tracker) CustomerDone(r api.Reference) {
	t.change(r, func(e *Entry) {
		e.done = true
		e.see(ledger.CustomerDone{})
	})
}

// Initiate implements [api.Service]. A payment that was rejected or never sent leaves no entry;
// every other outcome leaves one, including a panic. A card is charged for real only where the gate's options allow it.
func (t *Tracker) Initiate(ctx context.Context, in api.Initiation) (p api.Payment, err error) {
	t.mu.Lock()
	t.lastCustomer = in.Customer // before the answer: another payment may be filled in meanwhile
	t.mu.Unlock()
	if in.Card != nil && t.gate.forbidsCards() {
		return p, &GateClosed{CardsDisabled}
	}
	var id ledger.ID
	outcome := api.OutcomeUnresolved // until it is known, so that a panic leaves an entry too
	defer func() {
		t.keepInitiation(id, in)
		if outcome == api.OutcomeAccepted || outcome == api.OutcomeUnresolved {
			t.sent(ctx, id, in, p)
		}
	}()
	p, err = ask(ledger.WithNotedID(ctx, &id), t, api.OpInitiate,
		func(ctx context.Context) (api.Payment, error) {
			if in.Card != nil && t.gate.DoubtsCard(in.Card.PAN) {
				return api.Payment{}, &GateClosed{CardDoubted}
			}
			return t.next.Initiate(ctx, in)
		},
		func(p api.Payment) (Subject, api.Text) { return Subject{Reference: p.Reference}, p.Message })
	outcome = api.OutcomeOf(err)
	return p, err
}

// Transaction implements [api.Service]. A final status is kept whatever is reported after it. Of an unrecorded check
// only an answer that knows the payment is kept, which a person can read.
func (t *Tracker) Transaction(ctx context.Context, r api.Reference) (api.PaymentStatus, error) {
	recorded := !api.IsUnrecorded(ctx)
	if recorded {
		t.flushCustomerDone(ctx, r)
		if _, known := t.find(r); !known {
			_ = t.Recall(ctx, r)
		}
	}
	got, err := ask(ctx, t, api.OpTransaction,
		func(ctx context.Context) (api.PaymentStatus, error) { return t.next.Transaction(ctx, r) },
		func(got api.PaymentStatus) (Subject, api.Text) { return Subject{Reference: r}, got.Message })
	if err == nil && recorded {
		t.said(ctx, r, ledger.Checked{PaymentStatus: got})
	}
	return got, err
}

// Authenticate implements [api.Service].
func (t *Tracker) Authenticate(ctx context.Context, r api.Reference) (api.Authentication, error) {
	a, err := ask(ctx, t, api.OpAuthenticate,
		func(ctx context.Context) (api.Authentication, error) { return t.next.Authenticate(ctx, r) },
		func(a api.Authentication) (Subject, api.Text) { return Subject{Reference: r}, a.Message })
	if err == nil && a.AsksCustomer() {
		t.said(ctx, r, ledger.Challenged{})
	}
	return a, err
}

// Finalize implements [api.Service].
func (t *Tracker) Finalize(ctx context.Context, r api.Reference) (api.Finalization, error) {
	t.flushCustomerDone(ctx, r)
	defer func() { _ = t.recall(context.WithoutCancel(ctx), r) }()
	return ask(ctx, t, api.OpFinalize,
		func(ctx context.Context) (api.Finalization, error) { return t.next.Finalize(ctx, r) },
		func(z api.Finalization) (Subject, api.Text) { return Subject{Reference: r}, z.Message })
}

// CreateLink implements [api.Service]. The environment in the response becomes evidence.
func (t *Tracker) CreateLink(ctx context.Context, d api.LinkDraft) (api.Link, error) {
	l, err := ask(ctx, t, api.OpCreateLink,
		func(ctx context.Context) (api.Link, error) { return t.next.CreateLink(ctx, d) },
		func(l api.Link) (Subject, api.Text) { return Subject{Link: l.Alias}, l.Message })
	if err == nil {
		t.gate.observe(l)
	}
	return l, err
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
