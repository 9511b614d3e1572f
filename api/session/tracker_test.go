package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
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
	rec := journal.NewRecorder(s, j, desk, nil)
	return session.NewTracker(rec, rec, session.NewGate(session.GateOptions{}))
}

// tracked is a tracker with a journal of its own, in memory.
func tracked(t *testing.T, s api.Service) *session.Tracker {
	j := journal.New(journal.Options{})
	t.Cleanup(func() { j.Close() })
	return withJournal(j, s)
}

func gbp(t *testing.T, major string) money.Amount {
	t.Helper()
	return must(money.Parse(major, must(money.ParseCurrency("GBP"))))
}

func initiation(t *testing.T, link api.Alias) api.Initiation {
	t.Helper()
	in := payment()
	in.Link = link
	return in
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
			d.All()
		})
	}
	all.Wait()
	if got := len(d.All()); got != 20 {
		t.Errorf("%d entries", got)
	}
}

func TestWhatWasSentIsKnownWithoutItsCard(t *testing.T) {
	d := tracked(t, &service{payment: initiated})
	if d.LastCustomer() != (api.Customer{}) {
		t.Error("there was no customer yet")
	}
	in := initiation(t, "0-abc")
	in.Customer, in.OwnReference = api.Customer{FirstName: "Ada", Email: "ada@example.org"}, "OURS1"
	if _, err := d.Initiate(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	of := onlyEntry(t, d).Attempt
	sent := d.Again(of)
	if sent.Card != nil || sent.OwnReference != "" || onlyEntry(t, d).Sent.Card != nil {
		t.Errorf("it has the card or the reference: %+v", sent)
	}
	if sent.Customer != in.Customer || sent.Amount != in.Amount || sent.Link != "0-abc" || d.LastCustomer() != in.Customer {
		t.Errorf("%+v", sent)
	}
	if sent = tracked(t, &service{}).Again(of); sent.Customer != (api.Customer{}) || sent.Amount != in.Amount || sent.Link != "0-abc" {
		t.Errorf("after a restart: %+v", sent)
	}
	for _, err := range []error{&api.Refusal{HTTP: 422}, api.ErrUnresolved} { // such an attempt has no reference
		d, id := tracked(t, &service{err: err}), ledger.ID("")
		_, _ = d.Initiate(ledger.WithNotedID(t.Context(), &id), in)
		if sent = d.Again(ledger.Attempt{ID: id}); id == "" || sent.Customer != in.Customer || sent.Card != nil {
			t.Errorf("attempt %s after %v: %+v", id, err, sent)
		}
	}
}

// What cannot be written down is known in this run all the same, whatever is read of the journal afterwards.
func TestWhatTheJournalCannotTakeIsKnownInThisRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journal.New(journal.Options{})
		is := &service{payment: initiated, status: "PENDING"}
		one := withJournal(j, is)
		_, err := one.Initiate(t.Context(), initiation(t, "0-abc"))
		noError(t, err)
		_, err = one.Transaction(t.Context(), "ref-1")
		noError(t, err)
		noError(t, one.Pin(t.Context(), "THEIRS"))
		is.status = "FAILED" // which is not written, while the journal can be written again by the time that is asked
		other := session.NewTracker(is, journal.NewRecorder(is, j, desk, nil), session.NewGate(session.GateOptions{}))
		_, err = other.Transaction(t.Context(), "ref-1")
		noError(t, errors.Join(err, other.Reload(t.Context())))
		if e, _ := other.Find("ref-1"); e.Status.State != api.Failed || e.Open() {
			t.Errorf("it is under way for good: %+v", e)
		}
		time.Sleep(time.Second)
		j.Close()
		is.status = "REQUIRE_BANK_AUTH"
		for _, r := range []api.Reference{"ref-1", "THEIRS"} {
			_, err = one.Transaction(t.Context(), r)
			noError(t, err)
			if e, _ := one.Find(r); e.Status.State != api.BankAuthRequired || !e.StatusAt.Equal(time.Now()) || len(e.History) == 0 {
				t.Errorf("%s: %+v", r, e)
			}
		}
		if err := one.Pin(t.Context(), "MORE"); err == nil || len(one.Pinned()) != 1 {
			t.Error("pinned without the journal")
		}
		if err := one.Reload(t.Context()); err == nil {
			t.Error("a journal that cannot be read is not reported")
		}
	})
}

func TestTheJournalRecordsTheCustomerBeforeTheNextRequest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	j := journal.New(journal.Options{Dir: dir})
	defer j.Close()
	d := withJournal(j, &service{payment: challenge, status: "PENDING"})
	_, err := d.Initiate(t.Context(), initiation(t, "0-abc"))
	noError(t, err)
	d.CustomerDone("ref-1")
	noError(t, errors.Join(os.Rename(dir, dir+".away"), os.WriteFile(dir, nil, 0o600))) // it cannot be recorded for a while
	_, err = d.Transaction(t.Context(), "ref-1")
	noError(t, err)
	noError(t, errors.Join(os.Remove(dir), os.Rename(dir+".away", dir)))
	for n := range 3 {
		a, err := j.Payment(t.Context(), desk, "ref-1")
		noError(t, err)
		if a.CustomerDone != (n > 0) || onlyEntry(t, d).CustomerMustAct() {
			t.Errorf("after %d requests: %+v", n, a)
		}
		_, err = d.Transaction(t.Context(), "ref-1")
		noError(t, err)
	}
}

// In a list of many payments too, an amount that changed is a mismatch.
func TestAnAmountThatChangesIsAMismatchOfAPaymentMadeElsewhere(t *testing.T) {
	s := &service{status: "PENDING", amount: gbp(t, "12.50")}
	tracker := tracked(t, s)
	differs := func() ledger.Mismatch {
		_, _ = tracker.Transaction(t.Context(), "ref-8")
		all, err := tracker.Differing(t.Context())
		noError(t, err)
		return all["ref-8"]
	}
	if m := differs(); !m.IsZero() {
		t.Errorf("the first answer differs: %+v", m)
	}
	s.other, s.amount.Minor = "ref-7", 990 // about another payment: it says nothing of this one's amount
	_ = differs()
	s.other, s.amount.Minor, s.status = "", 1350, "SUCCESSFUL"
	m := differs()
	if words := m.Words(api.Asked{Reference: "ref-8"}); !strings.Contains(words, "an earlier answer was for 12.50 GBP, a later one is for 13.50 GBP") {
		t.Errorf("%q", words)
	}
	if m := differs(); m.IsZero() {
		t.Error("it differs no more")
	}
}

// A payment that an authentication check asked the customer to authorise may have no URL, which is
// nothing unsafe; of a URL that was refused the reason stays known.
func TestAURLThatWasRefusedIsToldFromOneThatNeverCame(t *testing.T) {
	for _, c := range []struct {
		payment api.Payment
		refused string
	}{{initiated, ""}, {challenge, "it is not https"}} {
		j := journal.New(journal.Options{})
		defer j.Close()
		d := withJournal(j, &service{payment: c.payment})
		_, _ = d.Initiate(t.Context(), initiation(t, "0-abc"))
		_, _ = d.Authenticate(t.Context(), "ref-1")
		again := withJournal(j, &service{})
		noError(t, again.Reload(t.Context()))
		e := onlyEntry(t, again)
		if got := e.Payment().BankAuthRefused.Line(0); got != c.refused || !e.CustomerMustAct() {
			t.Errorf("refused because %q, want %q; the customer must act: %v", got, c.refused, e.CustomerMustAct())
		}
	}
}

// A payment that was sent from here stays what was asked for when an older journal is put in the place of its own: the next
// answer is compared with that.
func TestAnAnswerIsComparedWithWhatWasSentWhateverBecameOfTheJournal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	j := journal.New(journal.Options{Dir: dir})
	defer j.Close()
	file, older := filepath.Join(dir, "journal.db"), filepath.Join(t.TempDir(), "older.db")
	noError(t, j.Check(t.Context()))
	_, err := j.Backup(t.Context(), older)
	noError(t, err)
	s := &service{payment: initiated, status: "PENDING"}
	d := withJournal(j, s)
	_, err = d.Initiate(t.Context(), initiation(t, ""))
	noError(t, err)
	for _, end := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(file + end)
	}
	noError(t, os.Rename(older, file))
	_ = d.Reload(t.Context()) // what is left open is read again
	s.status, s.amount = "SUCCESSFUL", gbp(t, "1.00")
	for range 2 {
		_, err = d.Transaction(t.Context(), "ref-1")
		noError(t, err)
		_ = d.Reload(t.Context())
		e, ours := d.Find("ref-1")
		if !ours || e.Kind != ledger.Initiate || e.Amount != gbp(t, "12.50") || e.Mismatch.What&api.AmountDiffers == 0 {
			t.Fatalf("made here %t, %s, %s, differs %v", ours, e.Kind, e.Amount, e.Mismatch)
		}
	}
}
