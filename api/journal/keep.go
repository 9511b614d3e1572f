package journal

import (
	"context"
	"errors"
	"slices"
	"strings"
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

// A Service is the client. What the journal need not hear of passes through.
type Service interface {
	Initiate(context.Context, api.Initiation) (api.Payment, error)
	CreateLink(context.Context, api.LinkDraft) (api.Link, error)
	ValidateChannels(context.Context, money.Amount, ...string) (api.Channels, error)
	Authenticate(context.Context, api.Reference) (api.Authentication, error)
	Finalize(context.Context, api.Reference) (api.Finalization, error)
	Transaction(context.Context, api.Reference) (api.Transaction, error)
	Transactions(ctx context.Context, page, perPage int) (api.Page, error)
	// InitiationBody and LinkBody are the JSON that would be sent, masked.
	InitiationBody(api.Initiation) string
	LinkBody(api.LinkDraft) string
}

// A Book is what is written to and read from: a [Journal].
type Book interface {
	Check(context.Context) error
	Begin(ctx context.Context, a Attempt, who Payer, despite []ID) (Attempt, error)
	End(context.Context, ID, Answer) error
	Saw(ctx context.Context, p Place, r api.Reference, s api.Status, source string) error
	Asked(context.Context, Place, api.Reference) error
	CustomerDone(context.Context, Place, api.Reference) error
	Unfinished(context.Context, Place) ([]Attempt, error)
	Payment(context.Context, Place, api.Reference) (Attempt, error)
	Links(ctx context.Context, p Place, text string) ([]LinkRecord, error)
}

// A Kept is a service nobody can send through without its being written down first. It
// is safe for concurrent use.
type Kept struct {
	Service
	book  Book
	place Place
	// sends is whether the client sends our own reference.
	sends bool

	mu      sync.Mutex
	trouble error // of the last writing; nil when it worked
}

// Keep puts the book in front of a service at a place. sends says whether our own
// references are sent there.
func Keep(next Service, b Book, p Place, sends bool) *Kept {
	return &Kept{Service: next, book: b, place: p, sends: sends}
}

// Trouble is what was wrong when something could last not be written; nil when it could.
// While it stands nothing is sent: each sending tries to write again first.
func (k *Kept) Trouble() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.trouble
}

// write writes what has happened already: leaving a screen does not stop it.
func (k *Kept) write(ctx context.Context, do func(context.Context) error) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), writing)
	defer stop()
	err := do(ctx)
	k.wrote(err)
	return err
}

// wrote remembers how the last writing went.
func (k *Kept) wrote(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trouble = err
}

// begin writes the intent. What cannot be written may not be sent (R40).
func (k *Kept) begin(ctx context.Context, a Attempt, who Payer) (Attempt, error) {
	a.Place = k.place
	a, err := k.book.Begin(ctx, a, who, Acknowledged(ctx))
	if look := (*LookAlike)(nil); !errors.As(err, &look) {
		k.wrote(err)
	}
	return a, err
}

// end writes what came of an attempt, and returns err as the caller shall see it.
func (k *Kept) end(ctx context.Context, id ID, done Answer, err error) error {
	if err != nil {
		done = Answer{Outcome: api.OutcomeOf(err), Why: reason(err)}
	}
	_ = k.write(ctx, func(ctx context.Context) error { return k.book.End(ctx, id, done) })
	if done.Outcome == Unresolved {
		return &Lost{ID: id, Err: err}
	}
	return err
}

// reason is an error in words that hold nothing of what was typed: those of the service
// and the network are cleaned already. The outcome says what it means.
func reason(err error) string {
	words := strings.TrimPrefix(err.Error(), "Nobody knows whether this was done. ")
	return api.Clean(words).Line(200)
}

// errBroke is what an attempt ends with when the console itself failed under way.
var errBroke = errors.New("the console broke off while it was sending")

// sent runs a call between begin and end. A panic of the call is an attempt without an
// answer, and goes on.
func sent[T any](ctx context.Context, k *Kept, id ID, call func() (T, error), accepted func(T) Answer) (v T, err error) {
	ended := false
	defer func() {
		if !ended {
			_ = k.end(ctx, id, Answer{}, errBroke)
		}
	}()
	v, err = call()
	ended = true
	return v, k.end(ctx, id, accepted(v), err)
}

// Initiate sends a payment once it is written down and has no look-alike (R40, R44). Its
// errors are those of the client, with [*Lost] around one that leaves the outcome open, and
// [*Blocked] and [*LookAlike], which both mean that nothing was sent.
func (k *Kept) Initiate(ctx context.Context, in api.Initiation) (api.Payment, error) {
	a := Attempt{Kind: Initiate, Amount: in.Amount, Channel: in.Channel, Link: in.Link}
	if in.Card != nil {
		a.Card = in.Card.PAN.LastFour()
	}
	if k.sends {
		a.OwnReference = in.OwnReference
	}
	a, err := k.begin(ctx, a, Payer{in.Customer.Email, in.Customer.Phone})
	if err != nil {
		return api.Payment{}, err
	}
	in = marked(in, string(a.ID))
	return sent(ctx, k, a.ID,
		func() (api.Payment, error) { return k.Service.Initiate(ctx, in) },
		func(p api.Payment) Answer { return Answer{Outcome: Accepted, Payment: &p} })
}

// marked is in with the attempt named in its metaData.
func marked(in api.Initiation, id string) api.Initiation {
	in.MetaData = append(slices.Clip(in.MetaData), api.Pair{Key: AttemptKey, Value: id})
	return in
}

// CreateLink creates a link once it is written down. Its errors are as those of
// [Kept.Initiate].
func (k *Kept) CreateLink(ctx context.Context, d api.LinkDraft) (api.Link, error) {
	a, err := k.begin(ctx, Attempt{Kind: CreateLink, Amount: d.Amount}, Payer{})
	if err != nil {
		return api.Link{}, err
	}
	return sent(ctx, k, a.ID,
		func() (api.Link, error) { return k.Service.CreateLink(ctx, d) },
		func(l api.Link) Answer { return Answer{Outcome: Accepted, Link: &l} })
}

// Finalize finalizes a payment once that is written down. Its errors are as those of
// [Kept.Initiate].
func (k *Kept) Finalize(ctx context.Context, r api.Reference) (api.Finalization, error) {
	a, err := k.begin(ctx, Attempt{Kind: Finalize, Reference: r}, Payer{})
	if err != nil {
		return api.Finalization{}, err
	}
	return sent(ctx, k, a.ID,
		func() (api.Finalization, error) { return k.Service.Finalize(ctx, r) },
		func(api.Finalization) Answer { return Answer{Outcome: Accepted} })
}

// Authenticate asks, and writes down when the customer has to authorise.
func (k *Kept) Authenticate(ctx context.Context, r api.Reference) (api.Authentication, error) {
	a, err := k.Service.Authenticate(ctx, r)
	if err == nil && (a.Enabled || !a.Page.IsZero()) {
		_ = k.write(ctx, func(ctx context.Context) error { return k.book.Asked(ctx, k.place, r) })
	}
	return a, err
}

// Transaction asks, and writes the status down.
func (k *Kept) Transaction(ctx context.Context, r api.Reference) (api.Transaction, error) {
	t, err := k.Service.Transaction(ctx, r)
	if err == nil {
		_ = k.write(ctx, func(ctx context.Context) error { return k.book.Saw(ctx, k.place, r, t.Status, "status") })
	}
	return t, err
}

// CustomerDone writes down that a person said the customer did their part.
func (k *Kept) CustomerDone(ctx context.Context, r api.Reference) error {
	return k.write(ctx, func(ctx context.Context) error { return k.book.CustomerDone(ctx, k.place, r) })
}

// Unfinished are the attempts at this place that nobody knows about, and the payments
// under way, as [Journal.Unfinished]. Whether the journal can be written shows here, too:
// see [Kept.Trouble].
func (k *Kept) Unfinished(ctx context.Context) ([]Attempt, error) {
	_ = k.write(ctx, k.book.Check)
	return k.book.Unfinished(ctx, k.place)
}

// Payment is the attempt that made a payment, as [Journal.Payment].
func (k *Kept) Payment(ctx context.Context, r api.Reference) (Attempt, error) {
	return k.book.Payment(ctx, k.place, r)
}

// InitiationBody is the body that would be sent, with a place for the attempt's id.
func (k *Kept) InitiationBody(in api.Initiation) string {
	return k.Service.InitiationBody(marked(in, "given when it is sent"))
}

// Links are the links that were created at this place, as [Journal.Links].
func (k *Kept) Links(ctx context.Context) ([]LinkRecord, error) {
	return k.book.Links(ctx, k.place, "")
}
