package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/servicetest"
)

// A fakeStore records its calls, and those of the service, in order, and fails on demand.
type fakeStore struct {
	store
	calls  []string
	begin  error
	first  error // of the first time to begin
	write  error
	seen   []ledger.ID
	who    ledger.Payer
	intent ledger.Attempt
	answer ledger.Result
}

func (p *fakeStore) Begin(_ context.Context, a ledger.Attempt, who ledger.Payer, seen []ledger.ID) (ledger.Attempt, error) {
	p.who, p.seen, p.intent = who, seen, a
	if err := cmp.Or(p.first, p.begin); err != nil {
		p.first = nil
		return a, err
	}
	p.calls = append(p.calls, "begin "+string(a.Kind))
	a.ID = "k7m3qx9wtd"
	return a, nil
}

func (p *fakeStore) End(ctx context.Context, id ledger.ID, a ledger.Result) error {
	p.answer = a
	p.calls = append(p.calls, fmt.Sprintf("end %s %s", id, a.Outcome))
	return errors.Join(p.write, ctx.Err())
}

func (p *fakeStore) RecordTransaction(ctx context.Context, _ ledger.Destination, t api.PaymentStatus) error {
	p.calls = append(p.calls, fmt.Sprintf("status %s %s", t.Reference, t.Status.State))
	return errors.Join(p.write, ctx.Err())
}

func (p *fakeStore) RecordChallenge(context.Context, ledger.Destination, api.Reference) error {
	p.calls = append(p.calls, "challenge")
	return p.write
}

func (p *fakeStore) Check(context.Context) error { return p.write }

func (p *fakeStore) CustomerDone(_ context.Context, _ ledger.Destination, r api.Reference) error {
	p.calls = append(p.calls, "done "+string(r))
	return p.write
}

// A fakeService records its calls in the store's list.
type fakeService struct {
	api.Service
	store  *fakeStore
	err    error
	thrown any
	sent   api.Initiation
	during func()
}

func (s *fakeService) call(what string) error {
	s.store.calls = append(s.store.calls, what)
	if s.during != nil {
		s.during()
	}
	if s.thrown != nil {
		panic(s.thrown)
	}
	return s.err
}

func (s *fakeService) Initiate(_ context.Context, in api.Initiation) (api.Payment, error) {
	s.sent = in
	return api.Payment{Reference: "ref-1"}, s.call("send")
}

func (s *fakeService) CreateLink(context.Context, api.LinkDraft) (api.Link, error) {
	return api.Link{Alias: "0-abc"}, s.call("send")
}

func (s *fakeService) Finalize(context.Context, api.Reference) (api.Finalization, error) {
	return api.Finalization{}, s.call("send")
}

func (s *fakeService) Transaction(context.Context, api.Reference) (api.PaymentStatus, error) {
	return api.PaymentStatus{Status: api.ParseStatus("PENDING")}, s.call("get")
}

func (s *fakeService) Authenticate(context.Context, api.Reference) (api.Authentication, error) {
	return api.Authentication{Enabled: true}, s.call("get")
}

func (s *fakeService) InitiationBody(in api.Initiation) string { return fmt.Sprint(in.MetaData) }

func newTestRecorder() (*Recorder, *fakeService, *fakeStore) {
	b := &fakeStore{}
	s := &fakeService{store: b}
	k := newRecorder(s, b, ledger.Destination{Profile: "test", Environment: "TEST", Host: "payments.example"}, nil, true)
	k.journal = New(Options{})
	return k, s, b
}

func payment(t *testing.T) api.Initiation {
	t.Helper()
	pan, err := card.ParsePAN("4242424242424242")
	if err != nil {
		t.Fatal(err)
	}
	gbp, err := money.ParseCurrency("GBP")
	if err != nil {
		t.Fatal(err)
	}
	return api.Initiation{
		Amount: money.Amount{Minor: 1250, Currency: gbp}, Channel: api.ChannelCard, Link: "0-abc", OwnReference: "OWN1",
		Customer: api.Customer{Email: "ada@example.com", Phone: "+44 1"}, Card: &api.CardEntry{PAN: pan, Expiry: card.Expiry{Month: 12, Year: 2034}},
		MetaData: []api.Pair{{Key: "order", Value: "7"}},
	}
}

func (p *fakeStore) checkCalls(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(p.calls, want) {
		t.Errorf("the calls are %q, want %q", p.calls, want)
	}
	p.calls = nil
}

// No operation that changes something bypasses the recorder.
func TestNoOperationThatChangesSomethingPassesAJournalThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for _, op := range servicetest.Operations() {
		c := &servicetest.Counter{}
		b := &fakeStore{begin: &ledger.Unavailable{Why: "The disk is full."}, write: &ledger.Unavailable{Why: "The disk is full."}}
		err := servicetest.Call(t.Context(), newRecorder(c, b, ledger.Destination{}, nil, false), op)
		if sends := op.Rule().Effect == api.Sends; sends != (c.Calls(op) == 0) || sends != errors.Is(err, api.ErrNotSent) {
			t.Errorf("%s: %d calls, %v", op, c.Calls(op), err)
		}
		b = &fakeStore{}
		if err := servicetest.Call(t.Context(), newRecorder(c, b, ledger.Destination{}, nil, false), op); err != nil || c.Calls(op) == 0 {
			t.Errorf("%s does not pass: %v", op, err)
		}
		if records := op.Rule().Records; op.Rule().Effect == api.Sends && (len(b.calls) != 2 || b.calls[0] != "begin "+records) {
			t.Errorf("%s is recorded as %q, want %s", op, b.calls, records)
		}
	}
}

func TestAnOperationWithoutARuleIsNotSent(t *testing.T) {
	t.Parallel()
	k, s, b := newTestRecorder()
	_, err := record(t.Context(), k, "Unheard", ledger.Attempt{}, ledger.Payer{}, func(context.Context, ledger.ID) (int, error) { return 0, s.call("send") }, func(int) ledger.Result { return ledger.Result{} })
	if !errors.Is(err, api.ErrNotSent) || len(b.calls) != 0 {
		t.Errorf("%v after %q", err, b.calls)
	}
}

func TestNothingIsSentBeforeItIsWrittenDown(t *testing.T) {
	t.Parallel()
	k, s, b := newTestRecorder()
	in := payment(t)
	if p, err := k.Initiate(t.Context(), in); err != nil || p.Reference != "ref-1" {
		t.Fatal(p, err)
	}
	b.checkCalls(t, "begin initiate", "send", "end k7m3qx9wtd accepted")
	if a := b.intent; a.Amount != in.Amount || a.Card != "4242" || a.Link != "0-abc" || a.OwnReference != "OWN1" || a.Host != "payments.example" {
		t.Errorf("%+v", a)
	}
	if b.who != (ledger.Payer{Email: "ada@example.com", Phone: "+44 1", Card: "4242 Visa 12/2034"}) || b.answer.Payment.Reference != "ref-1" {
		t.Errorf("%+v %+v", b.who, b.answer)
	}
	if want := []api.Pair{{Key: "order", Value: "7"}, {Key: AttemptKey, Value: "k7m3qx9wtd"}}; !slices.Equal(s.sent.MetaData, want) {
		t.Errorf("sent %v", s.sent.MetaData)
	}
	if len(in.MetaData) != 1 {
		t.Error("what was reviewed has changed")
	}
	k.CreateLink(t.Context(), api.LinkDraft{})
	b.checkCalls(t, "begin link", "send", "end k7m3qx9wtd accepted")
	k.Finalize(t.Context(), "ref-1")
	b.checkCalls(t, "begin finalize", "send", "end k7m3qx9wtd accepted")
}

func TestWhatCannotBeWrittenDownIsNotSent(t *testing.T) {
	t.Parallel()
	for _, stop := range []error{&ledger.Unavailable{Why: "The disk is full."}, &ledger.Duplicate{}} {
		k, _, b := newTestRecorder()
		b.begin = stop
		for _, send := range []func() error{
			func() error { _, err := k.Initiate(t.Context(), payment(t)); return err },
			func() error { _, err := k.CreateLink(t.Context(), api.LinkDraft{}); return err },
			func() error { _, err := k.Finalize(t.Context(), "ref-1"); return err },
		} {
			if err := send(); !errors.Is(err, stop) {
				t.Errorf("error %v", err)
			}
		}
		b.checkCalls(t)
		if blocked := k.Trouble() != nil; blocked != (stop.Error() == "The disk is full.") {
			t.Errorf("%T: trouble %v", stop, k.Trouble())
		}
		b.begin = nil
		if _, err := k.Initiate(t.Context(), payment(t)); err != nil || k.Trouble() != nil {
			t.Error(err, k.Trouble())
		}
	}
}

func TestTheOutcomeIsWrittenAsTheTableSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want ledger.Outcome
	}{
		{&api.Refusal{HTTP: 422, Text: api.Clean("no\x1b[2J")}, ledger.Refused},
		{&api.Failure{Kind: api.KindDNS}, ledger.NotSent},
		{&api.Unresolved{Kind: api.KindTimeout}, ledger.Unresolved},
		{context.DeadlineExceeded, ledger.Unresolved},
		{errors.New("anything else"), ledger.Unresolved},
	} {
		k, s, b := newTestRecorder()
		s.err = c.err
		_, err := k.Initiate(t.Context(), payment(t))
		if b.answer.Outcome != c.want || b.answer.Why == "" || strings.Contains(b.answer.Why, "\x1b") || !errors.Is(err, c.err) {
			t.Errorf("%v: %+v, error %v", c.err, b.answer, err)
		}
		if c.want == ledger.Unresolved && errors.Is(c.err, api.ErrUnresolved) && b.answer.Why != api.KindTimeout.String() {
			t.Errorf("%v is recorded as %q", c.err, b.answer.Why)
		}
		lost := (*UnresolvedAttempt)(nil)
		if errors.As(err, &lost) != (c.want == ledger.Unresolved) || lost != nil && lost.ID != "k7m3qx9wtd" {
			t.Errorf("%v: error %#v", c.err, err)
		}
	}
}

func TestAPanicWhileSendingIsAnAttemptWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	k, s, b := newTestRecorder()
	s.thrown = "4242424242424242"
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		k.Finalize(t.Context(), "ref-1")
	}()
	b.checkCalls(t, "begin finalize", "send", "end k7m3qx9wtd unresolved")
	if strings.Contains(b.answer.Why, "4242") {
		t.Error(b.answer.Why)
	}
}

// The deadline of a payment has passed when its answer is late; the outcome is recorded
// nevertheless.
func TestTheOutcomeIsWrittenAfterTheTimeForSendingIsOver(t *testing.T) {
	t.Parallel()
	k, s, b := newTestRecorder()
	ctx, stop := context.WithCancel(t.Context())
	s.during, s.err = stop, &api.Unresolved{Kind: api.KindCancelled}
	k.Initiate(ctx, payment(t))
	b.checkCalls(t, "begin initiate", "send", "end k7m3qx9wtd unresolved")
	if k.Trouble() != nil {
		t.Error(k.Trouble())
	}
}

func TestAnAnswerThatCannotBeWrittenDownIsNotLostOnTheScreen(t *testing.T) {
	t.Parallel()
	k, _, b := newTestRecorder()
	b.write = &ledger.Unavailable{Why: "The disk is full."}
	p, err := k.Initiate(t.Context(), payment(t))
	if err != nil || p.Reference != "ref-1" || k.Trouble() == nil {
		t.Error(p, err, k.Trouble())
	}
	k, _, b = newTestRecorder()
	b.write = &ledger.Unavailable{Why: "The disk is full."}
	if tr, err := k.Transaction(t.Context(), "ref-1"); err != nil || tr.Status.State != api.Pending || k.Trouble() == nil {
		t.Error(tr, err, k.Trouble())
	}
}

func TestEveryStatusAndChallengeIsRecorded(t *testing.T) {
	t.Parallel()
	k, s, b := newTestRecorder()
	k.Transaction(t.Context(), "ref-1")
	k.Authenticate(t.Context(), "ref-1")
	k.CustomerDone(t.Context(), "ref-1")
	b.checkCalls(t, "get", "status ref-1 PENDING", "get", "challenge", "done ref-1")
	s.err = &api.Failure{Kind: api.KindDNS}
	k.Transaction(t.Context(), "ref-1")
	k.Authenticate(t.Context(), "ref-1")
	b.checkCalls(t, "get", "get")
}

func TestThatNothingCanBeWrittenShowsBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	k, _, b := newTestRecorder()
	b.write = &ledger.Unavailable{Why: "The disk is full."}
	if _, err := k.Unfinished(t.Context()); err != nil || k.Trouble() == nil {
		t.Error(err, k.Trouble())
	}
	b.write = nil
	if k.Unfinished(t.Context()); k.Trouble() != nil {
		t.Error(k.Trouble())
	}
}

// What a colleague's console says of a payment alone releases nothing.
func TestTheServiceIsAskedAboutAPaymentThatAColleagueSaysHasFailed(t *testing.T) {
	t.Parallel()
	k, _, b := newTestRecorder()
	b.first = &ledger.AskFirst{Payments: []api.Reference{"ref-9"}}
	_, err := k.Initiate(t.Context(), payment(t))
	if err != nil {
		t.Error(err)
	}
	b.checkCalls(t, "get", "status ref-9 PENDING", "begin initiate", "send", "end k7m3qx9wtd accepted")
	b.first, b.begin = &ledger.AskFirst{Payments: []api.Reference{"ref-9"}}, &ledger.AskFirst{Payments: []api.Reference{"ref-9"}}
	if _, err := k.Initiate(t.Context(), payment(t)); !errors.Is(err, api.ErrNotSent) {
		t.Error(err)
	}
	b.checkCalls(t, "get", "status ref-9 PENDING")
}

func TestTheDuplicatesThatAPersonWasShownArePassedToTheStore(t *testing.T) {
	t.Parallel()
	k, _, b := newTestRecorder()
	k.Initiate(ledger.WithAllowedDuplicates(t.Context(), "aaaa", "bbbb"), payment(t))
	if !slices.Equal(b.seen, []ledger.ID{"aaaa", "bbbb"}) {
		t.Error(b.seen)
	}
}

func TestTheShownBodyHasAPlaceholderForTheAttempt(t *testing.T) {
	t.Parallel()
	k, _, _ := newTestRecorder()
	if body := k.InitiationBody(payment(t)); !strings.Contains(body, AttemptKey) || !strings.Contains(body, "order") {
		t.Error(body)
	}
}

// The journal notices that another attempt has the reference; the caller hears what a lost answer would
// have told it.
func TestAReferenceThatAnotherAttemptHasLeavesTheCallerWithAnUnresolvedAttempt(t *testing.T) {
	t.Parallel()
	rec, _, b := newTestRecorder()
	b.write = &api.Unresolved{Kind: api.KindSchema, Detail: api.Clean("another has it")}
	_, err := rec.Initiate(t.Context(), payment(t))
	if u, is := errors.AsType[*UnresolvedAttempt](err); !is || u.ID == "" || !errors.Is(err, api.ErrUnresolved) || !strings.Contains(err.Error(), "another has it") {
		t.Errorf("%v", err)
	}
	if rec.Trouble() != nil {
		t.Errorf("the journal works: %v", rec.Trouble())
	}
}

func TestTheReferenceThatALostAnswerNamesIsRecorded(t *testing.T) {
	t.Parallel()
	rec, s, b := newTestRecorder()
	s.err = &api.Unresolved{Kind: api.KindSchema, Named: api.Clean("REF-9")}
	if _, err := rec.Initiate(t.Context(), payment(t)); !errors.Is(err, api.ErrUnresolved) || b.answer.Named != "REF-9" {
		t.Errorf("%v, %+v", err, b.answer)
	}
}
