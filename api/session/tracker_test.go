package session_test

import (
	"context"
	"strings"
	"sync"
	"testing"
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
	noError(t, err)
	a, err := money.Parse(major, c)
	noError(t, err)
	return a
}

func initiation(t *testing.T, link api.Alias) api.Initiation {
	t.Helper()
	pan, err := card.ParsePAN("4242424242424242")
	noError(t, err)
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
	s.thrown = "4242424242424242"
	broke(func() { d.Initiate(t.Context(), initiation(t, "")) })
	if e := onlyEntry(t, d); !e.IsUnresolved() || strings.Contains(e.Why, "4242") {
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
