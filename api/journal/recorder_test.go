package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/money"
	"paydesk/api/servicetest"
)

// A page is a book that says in order what was done to it, and fails where a test wants.
type page struct {
	Store
	lines  []string
	begin  error
	write  error
	seen   []ID
	who    Payer
	intent Attempt
	answer Answer
}

func (p *page) Begin(_ context.Context, a Attempt, who Payer, seen []ID) (Attempt, error) {
	p.who, p.seen, p.intent = who, seen, a
	if p.begin != nil {
		return a, p.begin
	}
	p.lines = append(p.lines, "begin "+string(a.Kind))
	a.ID = "k7m3qx9wtd"
	return a, nil
}

func (p *page) End(ctx context.Context, id ID, a Answer) error {
	p.answer = a
	p.lines = append(p.lines, fmt.Sprintf("end %s %s", id, a.Outcome))
	return errors.Join(p.write, ctx.Err())
}

func (p *page) RecordStatus(ctx context.Context, _ Destination, r api.Reference, s api.Status, source string) error {
	p.lines = append(p.lines, fmt.Sprintf("saw %s %s by %s", r, s.State, source))
	return errors.Join(p.write, ctx.Err())
}

func (p *page) RecordChallenge(context.Context, Destination, api.Reference) error {
	p.lines = append(p.lines, "asked")
	return p.write
}

func (p *page) Check(context.Context) error { return p.write }

func (p *page) Unfinished(context.Context, Destination) ([]Attempt, error) {
	return []Attempt{p.intent}, nil
}

func (p *page) CustomerDone(_ context.Context, _ Destination, r api.Reference) error {
	p.lines = append(p.lines, "done "+string(r))
	return p.write
}

// A till is a service that says in the book's own lines when something is sent.
type till struct {
	api.Service
	book   *page
	err    error
	thrown any
	sent   api.Initiation
	during func()
}

func (s *till) call(what string) error {
	s.book.lines = append(s.book.lines, what)
	if s.during != nil {
		s.during()
	}
	if s.thrown != nil {
		panic(s.thrown)
	}
	return s.err
}

func (s *till) Initiate(_ context.Context, in api.Initiation) (api.Payment, error) {
	s.sent = in
	return api.Payment{Reference: "ref-1"}, s.call("send")
}

func (s *till) CreateLink(context.Context, api.LinkDraft) (api.Link, error) {
	return api.Link{Alias: "0-abc"}, s.call("send")
}

func (s *till) Finalize(context.Context, api.Reference) (api.Finalization, error) {
	return api.Finalization{}, s.call("send")
}

func (s *till) Transaction(context.Context, api.Reference) (api.Transaction, error) {
	return api.Transaction{Status: api.ParseStatus("PENDING")}, s.call("ask")
}

func (s *till) Authenticate(context.Context, api.Reference) (api.Authentication, error) {
	return api.Authentication{Enabled: true}, s.call("ask")
}

func (s *till) InitiationBody(in api.Initiation) string { return fmt.Sprint(in.MetaData) }

func kept() (*Recorder, *till, *page) {
	b := &page{}
	s := &till{book: b}
	return NewRecorder(s, b, Destination{"test", "TEST", "payments.example"}, true), s, b
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
		Customer: api.Customer{Email: "ada@example.com", Phone: "+44 1"}, Card: &api.CardEntry{PAN: pan},
		MetaData: []api.Pair{{Key: "order", Value: "7"}},
	}
}

func (p *page) said(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(p.lines, want) {
		t.Errorf("the order is %q, want %q", p.lines, want)
	}
	p.lines = nil
}

// No method of the recorder is a plain way through for what changes something.
func TestNoOperationThatChangesSomethingPassesAJournalThatCannotBeWritten(t *testing.T) {
	for _, op := range servicetest.Operations() {
		c := &servicetest.Counter{}
		b := &page{begin: &Unavailable{Why: "The disk is full."}, write: &Unavailable{Why: "The disk is full."}}
		err := servicetest.Call(t.Context(), NewRecorder(c, b, Destination{}, false), op)
		if sends := op.Rule().Effect == api.Sends; sends != (c.Calls(op) == 0) || sends != errors.Is(err, api.ErrNotSent) {
			t.Errorf("%s: %d calls, %v", op, c.Calls(op), err)
		}
		b = &page{}
		if err := servicetest.Call(t.Context(), NewRecorder(c, b, Destination{}, false), op); err != nil || c.Calls(op) == 0 {
			t.Errorf("%s does not pass: %v", op, err)
		}
		if records := op.Rule().Records; op.Rule().Effect == api.Sends && (len(b.lines) != 2 || b.lines[0] != "begin "+records) {
			t.Errorf("%s is recorded as %q, want %s", op, b.lines, records)
		}
	}
}

func TestAnOperationWithoutARuleIsNotSent(t *testing.T) {
	k, s, b := kept()
	_, err := record(t.Context(), k, "Unheard", Attempt{}, Payer{}, func(ID) (int, error) { return 0, s.call("send") }, func(int) Answer { return Answer{} })
	if !errors.Is(err, api.ErrNotSent) || len(b.lines) != 0 {
		t.Errorf("%v after %q", err, b.lines)
	}
}

func TestNothingIsSentBeforeItIsWrittenDown(t *testing.T) {
	k, s, b := kept()
	in := payment(t)
	if p, err := k.Initiate(t.Context(), in); err != nil || p.Reference != "ref-1" {
		t.Fatal(p, err)
	}
	b.said(t, "begin initiate", "send", "end k7m3qx9wtd accepted")
	if a := b.intent; a.Amount != in.Amount || a.Card != "4242" || a.Link != "0-abc" || a.OwnReference != "OWN1" || a.Host != "payments.example" {
		t.Errorf("%+v", a)
	}
	if b.who != (Payer{"ada@example.com", "+44 1"}) || b.answer.Payment.Reference != "ref-1" {
		t.Errorf("%+v %+v", b.who, b.answer)
	}
	if want := []api.Pair{{Key: "order", Value: "7"}, {Key: AttemptKey, Value: "k7m3qx9wtd"}}; !slices.Equal(s.sent.MetaData, want) {
		t.Errorf("sent %v", s.sent.MetaData)
	}
	if len(in.MetaData) != 1 {
		t.Error("what was reviewed has changed")
	}
	k.CreateLink(t.Context(), api.LinkDraft{})
	b.said(t, "begin link", "send", "end k7m3qx9wtd accepted")
	k.Finalize(t.Context(), "ref-1")
	b.said(t, "begin finalize", "send", "end k7m3qx9wtd accepted")
}

func TestWhatCannotBeWrittenDownIsNotSent(t *testing.T) {
	for _, stop := range []error{&Unavailable{Why: "The disk is full."}, &Duplicate{}} {
		k, _, b := kept()
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
		b.said(t)
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
	for _, c := range []struct {
		err  error
		want Outcome
	}{
		{&api.Refusal{HTTP: 422, Text: api.Clean("no\x1b[2J")}, Refused},
		{&api.Failure{Kind: api.KindDNS}, NotSent},
		{&api.Unresolved{Kind: api.KindTimeout}, Unresolved},
		{context.DeadlineExceeded, Unresolved},
		{errors.New("anything else"), Unresolved},
	} {
		k, s, b := kept()
		s.err = c.err
		_, err := k.Initiate(t.Context(), payment(t))
		if b.answer.Outcome != c.want || b.answer.Why == "" || strings.Contains(b.answer.Why, "\x1b") || !errors.Is(err, c.err) {
			t.Errorf("%v: %+v, error %v", c.err, b.answer, err)
		}
		lost := (*UnresolvedAttempt)(nil)
		if errors.As(err, &lost) != (c.want == Unresolved) || lost != nil && lost.ID != "k7m3qx9wtd" {
			t.Errorf("%v: error %#v", c.err, err)
		}
	}
}

func TestAPanicWhileSendingIsAnAttemptWithoutAnAnswer(t *testing.T) {
	k, s, b := kept()
	s.thrown = "4242424242424242"
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		k.Finalize(t.Context(), "ref-1")
	}()
	b.said(t, "begin finalize", "send", "end k7m3qx9wtd unresolved")
	if strings.Contains(b.answer.Why, "4242") {
		t.Error(b.answer.Why)
	}
}

// The time a payment had is over when its answer is late; the outcome is written all the
// same.
func TestTheOutcomeIsWrittenAfterTheTimeForSendingIsOver(t *testing.T) {
	k, s, b := kept()
	ctx, stop := context.WithCancel(t.Context())
	s.during, s.err = stop, &api.Unresolved{Kind: api.KindCancelled}
	k.Initiate(ctx, payment(t))
	b.said(t, "begin initiate", "send", "end k7m3qx9wtd unresolved")
	if k.Trouble() != nil {
		t.Error(k.Trouble())
	}
}

func TestAnAnswerThatCannotBeWrittenDownIsNotLostOnTheScreen(t *testing.T) {
	k, _, b := kept()
	b.write = &Unavailable{Why: "The disk is full."}
	p, err := k.Initiate(t.Context(), payment(t))
	if err != nil || p.Reference != "ref-1" || k.Trouble() == nil {
		t.Error(p, err, k.Trouble())
	}
	k, _, b = kept()
	b.write = &Unavailable{Why: "The disk is full."}
	if tr, err := k.Transaction(t.Context(), "ref-1"); err != nil || tr.Status.State != api.Pending || k.Trouble() == nil {
		t.Error(tr, err, k.Trouble())
	}
}

func TestEveryStatusAndWhatIsAskedOfTheCustomerAreWrittenDown(t *testing.T) {
	k, s, b := kept()
	k.Transaction(t.Context(), "ref-1")
	k.Authenticate(t.Context(), "ref-1")
	k.CustomerDone(t.Context(), "ref-1")
	b.said(t, "ask", "saw ref-1 PENDING by status", "ask", "asked", "done ref-1")
	s.err = &api.Failure{Kind: api.KindDNS}
	k.Transaction(t.Context(), "ref-1")
	k.Authenticate(t.Context(), "ref-1")
	b.said(t, "ask", "ask")
}

func TestThatNothingCanBeWrittenShowsBeforeAnythingIsSent(t *testing.T) {
	k, _, b := kept()
	b.write = &Unavailable{Why: "The disk is full."}
	if left, err := k.Unfinished(t.Context()); err != nil || len(left) != 1 || k.Trouble() == nil {
		t.Error(left, err, k.Trouble())
	}
	b.write = nil
	if k.Unfinished(t.Context()); k.Trouble() != nil {
		t.Error(k.Trouble())
	}
}

func TestWhatAPersonWasShownIsPassedOnToTheBook(t *testing.T) {
	k, _, b := kept()
	k.Initiate(WithAllowedDuplicates(t.Context(), "aaaa", "bbbb"), payment(t))
	if !slices.Equal(b.seen, []ID{"aaaa", "bbbb"}) {
		t.Error(b.seen)
	}
}

func TestTheBodyThatIsShownNamesThePlaceOfTheAttempt(t *testing.T) {
	k, _, _ := kept()
	if body := k.InitiationBody(payment(t)); !strings.Contains(body, AttemptKey) || !strings.Contains(body, "order") {
		t.Error(body)
	}
}
