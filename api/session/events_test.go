package session_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/sandbox"
	"paydesk/api/servicetest"
	"paydesk/api/session"
	"paydesk/api/webhook"
)

// A listening session is one on a sandbox whose webhooks are verified.
type listening struct {
	*session.Session
	service *sandbox.Sandbox
	events  *webhook.Store
	journal *journal.Journal
}

// hearing runs a test in a bubble with such a session.
func hearing(t *testing.T, wrap func(api.Service) api.Service, test func(t *testing.T, s listening)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		service := sandbox.New(sandbox.Options{Seed: 7})
		const origin = "https://payments.example"
		client := must(api.New(api.Config{BaseURL: origin, ListURL: origin, Key: key(service.Key()), Transport: servicetest.Network{Handler: service}}))
		j, events := journal.New(journal.Options{}), webhook.New(webhook.Options{})
		s := session.Open(ctx, session.Options{
			Client: wrap(client), Journal: j, Key: key(service.Key()), Events: events,
			Place: ledger.Destination{Profile: "shop", Environment: "SANDBOX", Host: "payments.example"},
			Gate:  session.GateOptions{Evidence: []session.Evidence{session.WordEvidence(session.ByProfile, "sandbox")}},
		})
		var done sync.WaitGroup
		done.Go(func() { _ = s.VerifyEvents(ctx) })
		test(t, listening{s, service, events, j})
		cancel()
		done.Wait()
		events.Close()
		j.Close()
	})
}

func direct(s api.Service) api.Service { return s }

// arrives keeps an event about each payment, and lets them be verified.
func (s listening) arrives(t *testing.T, all ...api.Reference) {
	t.Helper()
	for _, r := range all {
		body := fmt.Appendf(nil, `{"Event":"PaymentSuccessful","Data":{"Reference":%q,"PaymentStatus":"Successful"}}`, r)
		if _, err := s.events.Keep(t.Context(), "shop", nil, body); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(3 * time.Second)
	synctest.Wait()
}

func (s listening) verdict(t *testing.T, r api.Reference) webhook.Record {
	t.Helper()
	q, _ := webhook.Language(nil).Parse("reference:" + string(r))
	f := must(s.events.Find(t.Context(), webhook.Search{Profile: "shop", Query: q}))
	if len(f.Records) == 0 {
		t.Fatalf("no event of %s", r)
	}
	return f.Records[0]
}

func TestAnEventIsComparedWithTheStatusOfItsPayment(t *testing.T) {
	hearing(t, direct, func(t *testing.T, s listening) {
		paid := must(s.Initiate(t.Context(), payment()))
		s.arrives(t, paid.Reference) // too early
		if got := s.verdict(t, paid.Reference); got.Verdict != webhook.Disagrees || got.Answer.Status.State == api.Successful {
			t.Errorf("%s, answer %+v", got.Verdict, got.Answer)
		}
		if e, _ := s.Find(paid.Reference); e.Status.State == api.Successful {
			t.Error("the payment is paid because an event says so")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := s.verdict(t, paid.Reference); got.Verdict != webhook.Agrees {
			t.Errorf("%s, answer %+v", got.Verdict, got.Answer)
		}
		if e, _ := s.Find(paid.Reference); e.Status.State != api.Successful {
			t.Errorf("the payment is %s after the service was asked", e.Status.State)
		}
	})
}

func TestAForgedEventLeavesNothingButItself(t *testing.T) {
	hearing(t, direct, func(t *testing.T, s listening) {
		s.arrives(t, "FORGED1")
		got, kept := s.verdict(t, "FORGED1"), s.Kept(session.Subject{Reference: "FORGED1"})
		if got.Verdict != webhook.Unknown || len(kept) != 0 {
			t.Errorf("%s, and %d answers can be read", got.Verdict, len(kept))
		}
		// One of a payment that the service has and no console made: another client did.
		const origin = "https://payments.example"
		client := must(api.New(api.Config{BaseURL: origin, ListURL: origin, Key: key(s.service.Key()), Transport: servicetest.Network{Handler: s.service}}))
		other := must(client.Initiate(t.Context(), payment()))
		time.Sleep(time.Hour)
		s.arrives(t, other.Reference)
		got, kept = s.verdict(t, other.Reference), s.Kept(session.Subject{Reference: other.Reference})
		if got.Verdict != webhook.Agrees || len(kept) != 1 {
			t.Errorf("%s, and %d answers can be read", got.Verdict, len(kept))
		}
		if looked := must(s.journal.Recent(t.Context(), s.Recorder.Here(), 10)); len(looked) != 0 {
			t.Errorf("the journal has %+v", looked)
		}
		if all := s.All(); len(all) != 0 {
			t.Errorf("the session has %+v", all)
		}
	})
}

// An astray service answers about another payment, without a status, once it is set.
type astray struct {
	api.Service
	*atomic.Bool
}

func (a astray) Transaction(ctx context.Context, r api.Reference) (api.PaymentStatus, error) {
	if a.Load() {
		return api.PaymentStatus{Reference: r, OtherReference: api.Clean("OTHER1")}, nil
	}
	return a.Service.Transaction(ctx, r)
}

// An event is compared with the answer to its own check, not with an older one of the watch.
func TestAPaymentThatIsWatchedIsCheckedWhenItsEventArrives(t *testing.T) {
	var other atomic.Bool
	hearing(t, func(s api.Service) api.Service { return astray{s, &other} }, func(t *testing.T, s listening) {
		paid := must(s.Initiate(t.Context(), payment()))
		w := s.Watches.Watch(paid.Reference)
		defer w.Close()
		w.Pause()
		time.Sleep(time.Hour)
		synctest.Wait()
		if w.State().History.Settled() {
			t.Fatal("it is settled already")
		}
		s.arrives(t, paid.Reference)
		if !w.State().History.Settled() {
			t.Errorf("the watch has not heard of it: %+v", w.State().History)
		}
		in := payment()
		in.Amount.Minor++
		paid = must(s.Initiate(t.Context(), in))
		defer s.Watches.Watch(paid.Reference).Close()
		time.Sleep(time.Hour)
		other.Store(true)
		s.arrives(t, paid.Reference)
		if got := s.verdict(t, paid.Reference); got.Verdict == webhook.Agrees || got.Answer.Problem == "" {
			t.Errorf("%s, answer %+v", got.Verdict, got.Answer)
		}
	})
}

// A rejecting service rejects each question about a payment.
type rejecting struct {
	api.Service
	status   int
	requests *atomic.Int64
}

func (r rejecting) Transaction(context.Context, api.Reference) (api.PaymentStatus, error) {
	r.requests.Add(1)
	return api.PaymentStatus{}, &api.Refusal{HTTP: r.status}
}

func TestOnceTheKeyIsRejectedEventsAreNotAskedAbout(t *testing.T) {
	var n atomic.Int64
	hearing(t, func(s api.Service) api.Service { return rejecting{s, 401, &n} }, func(t *testing.T, s listening) {
		for i := range 5 {
			s.arrives(t, api.Reference(fmt.Sprintf("R%d", i)))
		}
		if got := s.verdict(t, "R4"); n.Load() != 1 || got.Verdict != webhook.Waiting {
			t.Errorf("%d requests; %s, %q", n.Load(), got.Verdict, got.Answer.Problem)
		}
	})
}

// More payments than are asked about at once: the first rejection takes the others out of the queue.
func TestWhatIsNotAnsweredIsNoVerdict(t *testing.T) {
	for _, status := range []int{401, 429} {
		hearing(t, func(s api.Service) api.Service { return rejecting{s, status, new(atomic.Int64)} }, func(t *testing.T, s listening) {
			var all []api.Reference
			for i := range int64(8) {
				in := payment()
				in.Amount.Minor += i
				all = append(all, must(s.Initiate(t.Context(), in)).Reference)
			}
			s.arrives(t, all...)
			for _, r := range all {
				if got := s.verdict(t, r); got.Verdict == webhook.Disagrees || got.Early {
					t.Errorf("HTTP %d: %s, early %v, answer %+v", status, got.Verdict, got.Early, got.Answer)
				}
			}
		})
	}
}
