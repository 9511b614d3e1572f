package journal

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/query"
)

// AttemptKey is the metaData key that carries an attempt's [ledger.ID] (specification 2.2), so that
// the payment can be found at the provider.
const AttemptKey = "paydesk_attempt"

// writeTimeout limits the recording of an outcome. It does not depend on the deadline of the
// request, which may have passed.
const writeTimeout = 10 * time.Second

// A Recorder is an [api.Service] that records every POST before it sends it, and its outcome
// afterwards. It is safe for concurrent use.
type Recorder struct {
	next    api.Service
	journal *Journal
	place   ledger.Destination // without the fingerprint
	key     api.Secret         // the one that next sends; nil for none
	here    atomic.Pointer[ledger.Destination]

	trouble atomic.Pointer[error] // of the last write; nil before the first
}

var _ api.Service = (*Recorder)(nil)

// NewRecorder returns a Recorder that records into j and sends with next. key is the secret key
// that next sends with each request, which may be replaced.
func NewRecorder(next api.Service, j *Journal, d ledger.Destination, key api.Secret) *Recorder {
	return &Recorder{next: next, journal: j, place: d, key: key}
}

// Journal returns the journal in which it records.
func (rec *Recorder) Journal() *Journal { return rec.journal }

// destination returns where the next request is sent, with the fingerprint of the key of now; after
// an error without it.
func (rec *Recorder) destination(ctx context.Context) (d ledger.Destination, err error) {
	if d = rec.place; rec.key != nil {
		d.Fingerprint, err = rec.journal.Fingerprint(ctx, rec.key)
	}
	rec.here.Store(&d)
	return d, err
}

// Here returns the destination as it was when the journal was last used. It does no I/O.
func (rec *Recorder) Here() ledger.Destination {
	if d := rec.here.Load(); d != nil {
		return *d
	}
	return rec.place
}

// Place is the destination of now, with the fingerprint of the key where the journal can be read: for what is looked up the
// address is enough.
func (rec *Recorder) Place(ctx context.Context) ledger.Destination {
	d, _ := rec.destination(ctx)
	return d
}

// Rekeyed forgets the fingerprint of a key that was replaced.
func (rec *Recorder) Rekeyed() { rec.here.Store(nil) }

// Trouble returns the error of the last write to the journal; nil when it succeeded. Nothing
// is sent while writes fail, and each POST tries to write again first.
func (rec *Recorder) Trouble() error {
	if last := rec.trouble.Load(); last != nil {
		return *last
	}
	return nil
}

// write records something that has happened, even when ctx is already cancelled.
func (rec *Recorder) write(ctx context.Context, do func(context.Context) error) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer stop()
	err := do(ctx)
	rec.note(err)
	return err
}

// note keeps the error of a write. After a rejection the journal itself is sound.
func (rec *Recorder) note(err error) {
	if ledger.IsRejection(err) {
		err = nil
	}
	rec.trouble.Store(&err)
}

// begin records that an operation is about to be sent. One without a kind is rejected.
func (rec *Recorder) begin(ctx context.Context, op api.Operation, a ledger.Attempt, who ledger.Payer) (ledger.Attempt, error) {
	place, err := rec.destination(ctx)
	if err == nil {
		a.Kind, a.Destination = ledger.Kind(op.Rule().Records), place
		a, err = rec.journal.Begin(ctx, a, who, ledger.AllowedDuplicates(ctx))
	}
	rec.note(err)
	return a, err
}

// end records the outcome of an attempt and returns the error for the caller.
func (rec *Recorder) end(ctx context.Context, id ledger.ID, done ledger.Result, err error) error {
	if err != nil {
		done = ledger.Result{Outcome: api.OutcomeOf(err), Why: reason(err)}
	}
	if u, is := errors.AsType[*api.Unresolved](err); is {
		done.Named = u.Named.Line(0)
	}
	_ = rec.write(ctx, func(ctx context.Context) error {
		failed := rec.journal.End(ctx, id, done)
		if taken, is := errors.AsType[*api.Unresolved](failed); is { // it was recorded
			done.Outcome, err, failed = ledger.Unresolved, taken, nil
		}
		return failed
	})
	if done.Outcome == ledger.Unresolved && !errors.Is(err, api.ErrUnresolved) { // such as a context that has expired
		err = errors.Join(err, api.ErrUnresolved)
	}
	return err
}

// reason is the text of an error without the sentence that the outcome is not known, which
// the recorded outcome states already. Errors of the service and the network are cleaned and
// quote nothing that was typed.
func reason(err error) string {
	words := err.Error()
	if u, ok := errors.AsType[*api.Unresolved](err); ok {
		words = u.Cause()
	}
	return api.Clean(words).Line(200)
}

// errCrashed is the error of an attempt during which the console panicked.
var errCrashed = errors.New("the console broke off while it was sending")

// Others may take an attempt that is sent later than [ledger.SendTime] allows for lost, and send it again.
const (
	recordWithin = 10 * time.Second              // of the operator's command
	sendWithin   = recordWithin + 15*time.Second // of it, with the time to connect
)

// wallTime is now by the clock that goes on while the machine sleeps.
func wallTime() time.Time { return time.Now().Round(0) }

var errSuspended = ledger.Rejected("Nothing was sent: this computer was suspended, or took too long to record or to connect. Send it again if it is still wanted.")

// record records an attempt, calls the service with the attempt's ID, and records the
// outcome. When call panics, the attempt is recorded as unresolved and the panic continues.
// The errors are those of call, always with [api.ErrUnresolved] when the outcome is not known, and
// [*ledger.Unavailable] and [*ledger.Duplicate], which both mean that nothing was sent.
func record[T any](
	ctx context.Context, rec *Recorder, op api.Operation, a ledger.Attempt, who ledger.Payer,
	call func(context.Context, ledger.ID) (T, error), accepted func(T) ledger.Result,
) (v T, err error) {
	began := wallTime()
	var late atomic.Bool
	mayLeave := func() error {
		if time.Since(began) > sendWithin {
			late.Store(true)
			return errSuspended
		}
		return nil
	}
	begun, err := rec.begin(ctx, op, a, who)
	if ask, is := errors.AsType[*ledger.AskFirst](err); is {
		before := api.WithAnswers(ctx, func(api.Answer) {}) // they answer another question than the one that is asked
		for _, r := range ask.Payments {
			_, _ = rec.Transaction(before, r) // what it says is recorded, and the rule decides by it
		}
		began = wallTime()
		begun, err = rec.begin(ctx, op, a, who)
	}
	if err != nil {
		return v, err
	}
	a = begun
	ledger.NoteID(ctx, a.ID)
	if time.Since(began) > recordWithin {
		return v, rec.end(ctx, a.ID, ledger.Result{}, errSuspended)
	}
	ended := false
	defer func() {
		if !ended {
			_ = rec.end(ctx, a.ID, ledger.Result{}, errCrashed)
		}
	}()
	v, err = call(api.WithBodyCheck(api.WithAttempt(ctx, string(a.ID)), mayLeave), a.ID)
	ended = true
	if late.Load() && err != nil && api.OutcomeOf(err) == ledger.NotSent {
		err = errSuspended
	}
	return v, rec.end(ctx, a.ID, accepted(v), err)
}

// Initiate implements [api.Service]. It sends a payment once it is recorded and has no
// duplicate.
func (rec *Recorder) Initiate(ctx context.Context, in api.Initiation) (api.Payment, error) {
	a := ledger.Attempt{Amount: in.Amount, Channel: in.Channel, Link: in.Link, OwnReference: in.OwnReference}
	who := ledger.Payer{Email: in.Customer.Email, Phone: in.Customer.Phone}
	if c := in.Card; c != nil {
		a.Card = c.PAN.LastFour()
		who.Card = a.Card + " " + c.PAN.Brand() + " " + c.Expiry.String()
	}
	return record(ctx, rec, api.OpInitiate, a, who,
		func(ctx context.Context, id ledger.ID) (api.Payment, error) {
			return rec.next.Initiate(ctx, withAttemptID(in, string(id)))
		},
		func(p api.Payment) ledger.Result { return ledger.Result{Outcome: ledger.Accepted, Payment: &p} })
}

// withAttemptID returns in with the attempt ID added to its metaData.
func withAttemptID(in api.Initiation, id string) api.Initiation {
	in.MetaData = append(slices.Clip(in.MetaData), api.Pair{Key: AttemptKey, Value: id})
	return in
}

// CreateLink implements [api.Service]. It creates a link once the attempt is recorded and has no
// duplicate.
func (rec *Recorder) CreateLink(ctx context.Context, d api.LinkDraft) (api.Link, error) {
	return record(ctx, rec, api.OpCreateLink, ledger.Attempt{Amount: d.Amount, Draft: d}, ledger.Payer{},
		func(ctx context.Context, _ ledger.ID) (api.Link, error) {
			return rec.next.CreateLink(ctx, d)
		},
		func(l api.Link) ledger.Result { return ledger.Result{Outcome: ledger.Accepted, Link: &l} })
}

// Finalize implements [api.Service]. It finalizes a payment once the attempt is recorded.
func (rec *Recorder) Finalize(ctx context.Context, r api.Reference) (api.Finalization, error) {
	return record(ctx, rec, api.OpFinalize, ledger.Attempt{Reference: r}, ledger.Payer{},
		func(ctx context.Context, _ ledger.ID) (api.Finalization, error) {
			return rec.next.Finalize(rec.vouch(ctx, r), r)
		},
		func(api.Finalization) ledger.Result { return ledger.Result{Outcome: ledger.Accepted} })
}

// Authenticate implements [api.Service]. It records that the customer has to authorise.
func (rec *Recorder) Authenticate(ctx context.Context, r api.Reference) (api.Authentication, error) {
	a, err := rec.next.Authenticate(rec.vouch(ctx, r), r)
	if err == nil && a.AsksCustomer() {
		_ = rec.happened(ctx, r, ledger.Challenged{})
	}
	return a, err
}

// Transaction implements [api.Service]. It records the status.
func (rec *Recorder) Transaction(ctx context.Context, r api.Reference) (api.PaymentStatus, error) {
	t, err := rec.next.Transaction(rec.vouch(ctx, r), r)
	if err == nil && !api.IsUnrecorded(ctx) {
		t.Reference = r
		_ = rec.write(ctx, func(ctx context.Context) error {
			return rec.journal.RecordTransaction(ctx, rec.Place(ctx), t)
		})
	}
	return t, err
}

// ValidateChannels implements [api.Service]. It records nothing.
func (rec *Recorder) ValidateChannels(ctx context.Context, a money.Amount, names ...string) (api.Channels, error) {
	return rec.next.ValidateChannels(ctx, a, names...)
}

// Transactions implements [api.Service]. It records nothing.
func (rec *Recorder) Transactions(ctx context.Context, page, perPage int) (api.Page, error) {
	return rec.next.Transactions(ctx, page, perPage)
}

// Preview is [api.Initiation.Preview] of what a [Recorder] sends, with a placeholder for the attempt's ID.
func Preview(in api.Initiation) string { return withAttemptID(in, "assigned when sent").Preview() }

// vouch allows a request about a reference that looks like a card number, where the journal has it.
func (rec *Recorder) vouch(ctx context.Context, r api.Reference) context.Context {
	if r.LooksLikeCard() {
		if _, err := rec.Payment(ctx, r); err == nil {
			return api.WithKnownReference(ctx, r)
		}
	}
	return ctx
}

// CustomerDone records that the operator confirmed that the customer has done their part.
func (rec *Recorder) CustomerDone(ctx context.Context, r api.Reference) error {
	return rec.happened(ctx, r, ledger.CustomerDone{})
}

func (rec *Recorder) happened(ctx context.Context, r api.Reference, what ledger.Happening) error {
	return rec.write(ctx, func(ctx context.Context) error { return rec.journal.Happened(ctx, rec.Place(ctx), r, what) })
}

// Check checks that the journal can be written, for [Recorder.Trouble].
func (rec *Recorder) Check(ctx context.Context) { _ = rec.write(ctx, rec.journal.Check) }

// Payment returns the attempt that initiated a payment, as [Journal.Payment] does.
func (rec *Recorder) Payment(ctx context.Context, r api.Reference) (ledger.Attempt, error) {
	return rec.journal.Payment(ctx, rec.Place(ctx), r)
}

// DifferenceRead records that the operator has read how a link differs from the request.
func (rec *Recorder) DifferenceRead(ctx context.Context, a api.Alias) error {
	return rec.write(ctx, func(ctx context.Context) error { return rec.journal.DifferenceRead(ctx, rec.Place(ctx), a) })
}

// Link returns a link that was created at this destination, as [Journal.Link] does.
func (rec *Recorder) Link(ctx context.Context, a api.Alias) (LinkRecord, error) {
	return rec.journal.Link(ctx, rec.Place(ctx), a)
}

// FindLinks returns links created at this destination, as [Journal.FindLinks] does. A new search first checks that the
// journal can be written, so that it says so where a person begins.
func (rec *Recorder) FindLinks(ctx context.Context, q query.Query, s Search, from, n int) (Page[LinkRecord], error) {
	if s.IsZero() {
		rec.Check(ctx)
	}
	return rec.journal.FindLinks(ctx, rec.Place(ctx), q, s, from, n)
}
