package journal

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// AttemptKey is the name under which an attempt's [ID] travels in metaData (specification
// 2.2), so that a person can find it at the provider.
const AttemptKey = "paydesk_attempt"

// writing is how long the outcome of an attempt may take to be written, whatever became of
// the time the attempt itself had.
const writing = 10 * time.Second

// A Store is where a [Recorder] writes and reads: a [Journal].
type Store interface {
	Check(context.Context) error
	Begin(ctx context.Context, a Attempt, who Payer, despite []ID) (Attempt, error)
	End(context.Context, ID, Answer) error
	RecordStatus(ctx context.Context, p Destination, r api.Reference, s api.Status, source string) error
	RecordChallenge(context.Context, Destination, api.Reference) error
	CustomerDone(context.Context, Destination, api.Reference) error
	Unfinished(context.Context, Destination) ([]Attempt, error)
	Payment(context.Context, Destination, api.Reference) (Attempt, error)
	Links(ctx context.Context, p Destination, text string) ([]LinkRecord, error)
}

// A Recorder is a service nobody can send through without its being written down first. It is
// safe for concurrent use.
type Recorder struct {
	next        api.Service
	store       Store
	destination Destination
	// sends is whether the client sends our own reference.
	sends bool

	mu      sync.Mutex
	trouble error // of the last writing; nil when it worked
}

var _ api.Service = (*Recorder)(nil)

// NewRecorder puts the store in front of a service at a place. sends says whether our own
// references are sent there.
func NewRecorder(next api.Service, s Store, p Destination, sends bool) *Recorder {
	return &Recorder{next: next, store: s, destination: p, sends: sends}
}

// Trouble is what was wrong when something could last not be written; nil when it could.
// While it stands nothing is sent: each sending tries to write again first.
func (k *Recorder) Trouble() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.trouble
}

// write writes what has happened already: leaving a screen does not stop it.
func (k *Recorder) write(ctx context.Context, do func(context.Context) error) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), writing)
	defer stop()
	err := do(ctx)
	k.wrote(err)
	return err
}

// wrote remembers how the last writing went.
func (k *Recorder) wrote(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trouble = err
}

// errUnlisted is in the way of an operation that [api.Operation.Rule] does not record.
var errUnlisted = refused("This operation cannot be recorded, so it is not sent.")

// begin writes the intent of an operation. What cannot be written may not be sent (R40).
func (k *Recorder) begin(ctx context.Context, op api.Operation, a Attempt, who Payer) (Attempt, error) {
	rule := op.Rule()
	if rule.Effect != api.Sends || rule.Records == "" {
		return Attempt{}, errUnlisted
	}
	a.Kind, a.Destination = Kind(rule.Records), k.destination
	a, err := k.store.Begin(ctx, a, who, AllowedDuplicates(ctx))
	if look := (*Duplicate)(nil); !errors.As(err, &look) {
		k.wrote(err)
	}
	return a, err
}

// end writes what came of an attempt, and returns err as the caller shall see it.
func (k *Recorder) end(ctx context.Context, id ID, done Answer, err error) error {
	if err != nil {
		done = Answer{Outcome: api.OutcomeOf(err), Why: reason(err)}
	}
	_ = k.write(ctx, func(ctx context.Context) error { return k.store.End(ctx, id, done) })
	if done.Outcome == Unresolved {
		return &UnresolvedAttempt{ID: id, Err: err}
	}
	return err
}

// reason is an error in words that hold nothing of what was typed: those of the service
// and the network are cleaned already. The outcome says what it means.
func reason(err error) string {
	words := err.Error()
	if u, ok := errors.AsType[*api.Unresolved](err); ok {
		words = u.Cause()
	}
	return api.Clean(words).Line(200)
}

// errBroke is what an attempt ends with when the console itself failed under way.
var errBroke = errors.New("the console broke off while it was sending")

// record writes the intent of an operation, calls the next service with the attempt's id, and
// writes what came of it. A panic of the call is an attempt without an answer, and goes on.
// Its errors are those of the call, with [*Lost] around one that leaves the outcome open, and
// [*Blocked] and [*LookAlike], which both mean that nothing was sent.
func record[T any](ctx context.Context, k *Recorder, op api.Operation, a Attempt, who Payer, call func(ID) (T, error), accepted func(T) Answer) (v T, err error) {
	a, err = k.begin(ctx, op, a, who)
	if err != nil {
		return v, err
	}
	ended := false
	defer func() {
		if !ended {
			_ = k.end(ctx, a.ID, Answer{}, errBroke)
		}
	}()
	v, err = call(a.ID)
	ended = true
	return v, k.end(ctx, a.ID, accepted(v), err)
}

// Initiate implements [api.Service]. It sends a payment once it is written down and has no
// look-alike (R40, R44).
func (k *Recorder) Initiate(ctx context.Context, in api.Initiation) (api.Payment, error) {
	a := Attempt{Amount: in.Amount, Channel: in.Channel, Link: in.Link}
	if in.Card != nil {
		a.Card = in.Card.PAN.LastFour()
	}
	if k.sends {
		a.OwnReference = in.OwnReference
	}
	return record(ctx, k, api.OpInitiate, a, Payer{in.Customer.Email, in.Customer.Phone},
		func(id ID) (api.Payment, error) { return k.next.Initiate(ctx, marked(in, string(id))) },
		func(p api.Payment) Answer { return Answer{Outcome: Accepted, Payment: &p} })
}

// marked is in with the attempt named in its metaData.
func marked(in api.Initiation, id string) api.Initiation {
	in.MetaData = append(slices.Clip(in.MetaData), api.Pair{Key: AttemptKey, Value: id})
	return in
}

// CreateLink implements [api.Service]. It creates a link once it is written down.
func (k *Recorder) CreateLink(ctx context.Context, d api.LinkDraft) (api.Link, error) {
	return record(ctx, k, api.OpCreateLink, Attempt{Amount: d.Amount}, Payer{},
		func(ID) (api.Link, error) { return k.next.CreateLink(ctx, d) },
		func(l api.Link) Answer { return Answer{Outcome: Accepted, Link: &l} })
}

// Finalize implements [api.Service]. It finalizes a payment once that is written down.
func (k *Recorder) Finalize(ctx context.Context, r api.Reference) (api.Finalization, error) {
	return record(ctx, k, api.OpFinalize, Attempt{Reference: r}, Payer{},
		func(ID) (api.Finalization, error) { return k.next.Finalize(ctx, r) },
		func(api.Finalization) Answer { return Answer{Outcome: Accepted} })
}

// Authenticate implements [api.Service]. It writes down when the customer has to authorise.
func (k *Recorder) Authenticate(ctx context.Context, r api.Reference) (api.Authentication, error) {
	a, err := k.next.Authenticate(ctx, r)
	if err == nil && (a.Enabled || !a.Page.IsZero()) {
		_ = k.write(ctx, func(ctx context.Context) error { return k.store.RecordChallenge(ctx, k.destination, r) })
	}
	return a, err
}

// Transaction implements [api.Service]. It writes the status down.
func (k *Recorder) Transaction(ctx context.Context, r api.Reference) (api.Transaction, error) {
	t, err := k.next.Transaction(ctx, r)
	if err == nil {
		_ = k.write(ctx, func(ctx context.Context) error {
			return k.store.RecordStatus(ctx, k.destination, r, t.Status, "status")
		})
	}
	return t, err
}

// ValidateChannels implements [api.Service]. It changes nothing, so nothing is written down.
func (k *Recorder) ValidateChannels(ctx context.Context, a money.Amount, names ...string) (api.Channels, error) {
	return k.next.ValidateChannels(ctx, a, names...)
}

// Transactions implements [api.Service]. A page of the list is not about our attempts.
func (k *Recorder) Transactions(ctx context.Context, page, perPage int) (api.Page, error) {
	return k.next.Transactions(ctx, page, perPage)
}

// InitiationBody implements [api.Service], with a place for the attempt's id.
func (k *Recorder) InitiationBody(in api.Initiation) string {
	return k.next.InitiationBody(marked(in, "given when it is sent"))
}

// LinkBody implements [api.Service].
func (k *Recorder) LinkBody(d api.LinkDraft) string { return k.next.LinkBody(d) }

// CustomerDone writes down that a person said the customer did their part.
func (k *Recorder) CustomerDone(ctx context.Context, r api.Reference) error {
	return k.write(ctx, func(ctx context.Context) error { return k.store.CustomerDone(ctx, k.destination, r) })
}

// Unfinished are the attempts at this place that nobody knows about, and the payments
// under way, as [Journal.Unfinished]. Whether the journal can be written shows here, too:
// see [Recorder.Trouble].
func (k *Recorder) Unfinished(ctx context.Context) ([]Attempt, error) {
	_ = k.write(ctx, k.store.Check)
	return k.store.Unfinished(ctx, k.destination)
}

// Payment is the attempt that made a payment, as [Journal.Payment].
func (k *Recorder) Payment(ctx context.Context, r api.Reference) (Attempt, error) {
	return k.store.Payment(ctx, k.destination, r)
}

// Links are the links that were created at this place, as [Journal.Links].
func (k *Recorder) Links(ctx context.Context) ([]LinkRecord, error) {
	return k.store.Links(ctx, k.destination, "")
}
