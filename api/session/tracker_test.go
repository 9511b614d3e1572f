package session_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/session"
)

// A service returns what a test puts in. Calls that no test makes go to the nil interface.
type service struct {
	api.Service
	payment api.Payment
	status  string
	err     error
	thrown  any
	other   string       // the reference that a status has; "" for the one asked for
	amount  money.Amount // that a status has
}

func (s *service) Initiate(context.Context, api.Initiation) (api.Payment, error) {
	if s.thrown != nil {
		panic(s.thrown)
	}
	return s.payment, s.err
}

func (s *service) Transaction(_ context.Context, r api.Reference) (api.PaymentStatus, error) {
	has := !s.amount.Currency.IsZero()
	return api.PaymentStatus{
		Reference: r, Status: api.ParseStatus(s.status), OtherReference: api.Clean(s.other), Amount: s.amount, HasAmount: has,
	}, s.err
}

func (s *service) Authenticate(context.Context, api.Reference) (api.Authentication, error) {
	return api.Authentication{Enabled: true, HasEnabled: true}, s.err
}

func (s *service) Finalize(context.Context, api.Reference) (api.Finalization, error) {
	if s.thrown != nil {
		panic(s.thrown)
	}
	return api.Finalization{Status: api.Clean("completed")}, s.err
}

var (
	initiated = api.Payment{Reference: "ref-1", Status: api.ParseStatus("INITIATED")}
	challenge = api.Payment{Reference: "ref-1", Status: api.ParseStatus("INITIATED"), BankAuthRefused: api.Clean("it is not https")}
)

var desk = ledger.Destination{Profile: "test", Environment: "TEST", Host: "pay.example"}

// withJournal is a tracker of a console that records into a journal, as a session has it.
func withJournal(j *journal.Journal, s api.Service) *session.Tracker {
	rec := journal.NewRecorder(s, j, desk, nil, false)
	return session.NewTracker(rec, rec)
}

// tracked is a tracker with a journal of its own, in memory.
func tracked(t *testing.T, s api.Service) *session.Tracker {
	j := journal.New(journal.Options{})
	t.Cleanup(func() { j.Close() })
	return withJournal(j, s)
}

func gbp(t *testing.T, major string) money.Amount {
	t.Helper()
	c, err := money.ParseCurrency("GBP")
	if err != nil {
		t.Fatal(err)
	}
	a, err := money.Parse(major, c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func initiation(t *testing.T, link api.Alias) api.Initiation {
	t.Helper()
	pan, err := card.ParsePAN("4242424242424242")
	if err != nil {
		t.Fatal(err)
	}
	return api.Initiation{Amount: gbp(t, "12.50"), Channel: api.ChannelCard, Link: link, Card: &api.CardEntry{PAN: pan}}
}

// onlyEntry is the only entry.
func onlyEntry(t *testing.T, d *session.Tracker) session.Entry {
	t.Helper()
	all := d.All()
	if len(all) != 1 {
		t.Fatalf("%d entries", len(all))
	}
	return all[0]
}

func TestAnAcceptedPaymentIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := tracked(t, &service{payment: challenge})
		if _, err := d.Initiate(t.Context(), initiation(t, "0-abc")); err != nil {
			t.Fatal(err)
		}
		e := onlyEntry(t, d)
		if e.Reference != "ref-1" || e.IsUnresolved() || !e.Open() || e.Masked() != "•••• 4242" || e.Link != "0-abc" || !e.At.Equal(time.Now()) {
			t.Errorf("%+v", e)
		}
		if e.NextStep() != ledger.ToAuthorise || e.Amount.String() != "12.50 GBP" {
			t.Errorf("next %v of %v", e.NextStep(), e.Amount)
		}
		if got, known := d.Find("ref-1"); !known || got.Reference != e.Reference {
			t.Errorf("it is not found: %+v", got)
		}
	})
}

func TestARejectedOrUnsentPaymentLeavesNoEntry(t *testing.T) {
	for _, err := range []error{&api.Refusal{HTTP: 400}, &api.Failure{Kind: api.KindConnect}} {
		d := tracked(t, &service{err: err})
		if _, got := d.Initiate(t.Context(), initiation(t, "")); got != err || len(d.All()) != 0 {
			t.Errorf("%T: error %v, entries %+v", err, got, d.All())
		}
	}
}

func TestAnUnresolvedPaymentLeavesAnEntryWithoutAReference(t *testing.T) {
	for _, err := range []error{&api.Unresolved{Kind: api.KindTimeout}, context.DeadlineExceeded} {
		d := tracked(t, &service{err: err, payment: initiated})
		if _, got := d.Initiate(t.Context(), initiation(t, "")); !errors.Is(got, err) {
			t.Errorf("error %v", got)
		}
		if e := onlyEntry(t, d); !e.IsUnresolved() || e.Reference != "" || !e.Open() || e.Amount.String() != "12.50 GBP" {
			t.Errorf("%T: %+v", err, e)
		}
		if _, known := d.Find(""); known {
			t.Error("an entry without a reference was found by none")
		}
	}
}

func TestAPanicWhileSendingLeavesAnEntryToo(t *testing.T) {
	s := &service{payment: challenge}
	d := tracked(t, s)
	broke := func(call func()) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		call()
	}
	s.thrown = "broken"
	broke(func() { d.Initiate(t.Context(), initiation(t, "")) })
	if e := onlyEntry(t, d); !e.IsUnresolved() {
		t.Errorf("%+v", e)
	}
	s.thrown = nil
	other := initiation(t, "0-abc")
	other.Amount.Minor++
	d.Initiate(t.Context(), other)
	d.CustomerDone("ref-1")
	s.thrown = "broken"
	broke(func() { d.Finalize(t.Context(), "ref-1") })
	if e, _ := d.Find("ref-1"); e.WhyNot(ledger.ToFinalize, time.Now()) == "" {
		t.Error("a finalize that broke off can be repeated at once")
	}
}

func TestTheNewestComesFirst(t *testing.T) {
	s := &service{payment: initiated}
	d := tracked(t, s)
	d.Initiate(t.Context(), initiation(t, ""))
	s.payment.Reference = "ref-2"
	other := initiation(t, "")
	other.Amount.Minor++
	d.Initiate(t.Context(), other)
	if all := d.All(); all[0].Reference != "ref-2" || all[1].Reference != "ref-1" {
		t.Errorf("%+v", all)
	}
}

func TestTheLastStatusIsKeptUntilItIsFinal(t *testing.T) {
	s := &service{payment: initiated}
	d := tracked(t, s)
	d.Initiate(t.Context(), initiation(t, ""))
	for _, step := range []struct {
		reported, want string
		open           bool
	}{
		{"PENDING", "PENDING", true},
		{"InProgress", "InProgress", true},
		{"Successfull", "Successfull", false},
		{"FAILED", "Successfull", true}, // a mismatch that somebody has to decide about
		{"PENDING", "Successfull", true},
		{"nonsense", "Successfull", true},
	} {
		s.status = step.reported
		if _, err := d.Transaction(t.Context(), "ref-1"); err != nil {
			t.Fatal(err)
		}
		if e := onlyEntry(t, d); e.Status.Text.Line(0) != step.want || e.Open() != step.open {
			t.Errorf("reported %s: %q, open %v", step.reported, e.Status.Text.Line(0), e.Open())
		}
	}
}

func TestAFailedStatusRequestChangesNothing(t *testing.T) {
	s := &service{payment: initiated}
	d := tracked(t, s)
	d.Initiate(t.Context(), initiation(t, "0-abc"))
	before := onlyEntry(t, d)
	s.err, s.status = errors.New("no line"), "FAILED"
	d.Transaction(t.Context(), "ref-1")
	d.Authenticate(t.Context(), "ref-1")
	if after := onlyEntry(t, d); after.Status != before.Status || after.NextStep() != before.NextStep() {
		t.Errorf("%+v became %+v", before, after)
	}
}

func TestAPaymentMadeElsewhereIsRequestedButNotRemembered(t *testing.T) {
	d := tracked(t, &service{status: "PENDING"})
	if _, err := d.Transaction(t.Context(), "ref-9"); err != nil || len(d.All()) != 0 {
		t.Errorf("error %v, entries %+v", err, d.All())
	}
}

// begins reports whether a text has a beginning; only the empty text has the empty one.
func begins(text, beginning string) bool {
	return strings.HasPrefix(text, beginning) && (text == "") == (beginning == "")
}

func TestFinalizeClosesTheFlowOnlyWhenAccepted(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		next ledger.Step
		why  string
	}{
		{"accepted", nil, ledger.ToVerify, "The payment was already finalized."},
		{"refused", &api.Refusal{HTTP: 422}, ledger.ToFinalize, ""},
		{"never sent", &api.Failure{Kind: api.KindDNS}, ledger.ToFinalize, ""},
		{"unresolved", &api.Unresolved{}, ledger.ToFinalize, "The last finalize got no answer; it can be repeated from "},
	} {
		s := &service{payment: challenge}
		d := tracked(t, s)
		d.Initiate(t.Context(), initiation(t, "0-abc"))
		if e := onlyEntry(t, d); e.WhyNot(ledger.ToFinalize, time.Now()) == "" {
			t.Error("finalize is open before the customer is done")
		}
		d.CustomerDone("ref-1")
		s.err = c.err
		d.Finalize(t.Context(), "ref-1")
		if e := onlyEntry(t, d); e.NextStep() != c.next || !begins(e.WhyNot(ledger.ToFinalize, time.Now()), c.why) {
			t.Errorf("%s: next %v, why %q", c.name, e.NextStep(), e.WhyNot(ledger.ToFinalize, time.Now()))
		}
	}
}

// A payment that was only looked up follows the same order.
func TestAPaymentMadeElsewhereIsNotFinalizedTwiceEither(t *testing.T) {
	for _, c := range []struct {
		name, status string
		err          error
		why          string
	}{
		{"not finalized yet", "", nil, ""},
		{"rejected", "FAILED", nil, "The payment failed; there is nothing to finalize."},
		{"rejected, and then something else", "FAILED PENDING", nil, "The payment failed; there is nothing to finalize."},
		{"waiting for its bank", "REQUIRE_BANK_AUTH", nil, "The customer must complete the bank's check first."},
		{"accepted", "finalize", nil, "The payment was already finalized."},
		{"refused", "finalize", &api.Refusal{HTTP: 422}, ""},
		{"unresolved", "finalize", &api.Unresolved{}, "The last finalize got no answer; it can be repeated from "},
	} {
		s := &service{}
		d := tracked(t, s)
		for word := range strings.FieldsSeq(c.status) {
			if s.err, s.status = c.err, word; word == "finalize" {
				d.Finalize(t.Context(), "ref-9")
			} else {
				d.Transaction(t.Context(), "ref-9")
			}
		}
		e, _ := d.Find("ref-9")
		if why := e.WhyNot(ledger.ToFinalize, time.Now()); !begins(why, c.why) {
			t.Errorf("%s: %q, want %q", c.name, why, c.why)
		}
		if other, known := d.Find("ref-8"); len(d.All()) != 0 || known || other.WhyNot(ledger.ToFinalize, time.Now()) != "" {
			t.Errorf("%s: %+v is listed, and %+v", c.name, d.All(), other)
		}
	}
}

func TestTheAuthenticationCheckOpensTheCustomersPart(t *testing.T) {
	d := tracked(t, &service{payment: initiated})
	d.Initiate(t.Context(), initiation(t, "0-abc"))
	d.Authenticate(t.Context(), "ref-1")
	if e := onlyEntry(t, d); e.NextStep() != ledger.ToAuthorise {
		t.Errorf("next %v", e.NextStep())
	}
}

func TestConcurrentCallsLoseNothing(t *testing.T) {
	d := tracked(t, &service{payment: initiated, status: "PENDING"})
	var all sync.WaitGroup
	for i := range 20 {
		in := initiation(t, "")
		in.Amount.Minor += int64(i)
		all.Go(func() {
			d.Initiate(context.Background(), in)
			d.Transaction(context.Background(), "ref-1")
			d.Authenticate(context.Background(), "ref-1")
			d.CustomerDone("ref-1")
			d.Finalize(context.Background(), "ref-1")
			d.Find("ref-1")
			for _, e := range d.All() {
				_ = e.Open()
			}
		})
	}
	all.Wait()
	if got := len(d.All()); got != 20 {
		t.Errorf("%d entries", got)
	}
}

func TestASecondPaymentUnderOneReferenceIsUnresolved(t *testing.T) {
	d := tracked(t, &service{payment: initiated})
	if _, err := d.Initiate(t.Context(), initiation(t, "")); err != nil {
		t.Fatal(err)
	}
	other := initiation(t, "")
	other.Amount.Minor++
	if _, err := d.Initiate(t.Context(), other); !errors.Is(err, api.ErrUnresolved) {
		t.Errorf("%v", err)
	}
	all := d.All()
	if len(all) != 2 || !all[0].IsUnresolved() || all[0].Reference != "" || all[1].IsUnresolved() || all[1].Reference != "ref-1" {
		t.Errorf("%+v", all)
	}
}

func TestAMismatchNeedsAttentionThoughThePaymentIsFinal(t *testing.T) {
	s := &service{payment: initiated}
	s.payment.Difference = api.Difference{What: api.AmountDiffers}
	d := tracked(t, s)
	d.Initiate(t.Context(), initiation(t, ""))
	s.status = "SUCCESSFUL"
	d.Transaction(t.Context(), "ref-1")
	if e := onlyEntry(t, d); e.Status.State != api.Successful || !e.Open() || !e.Mismatch.Undecided() {
		t.Errorf("%+v", e)
	}
}
