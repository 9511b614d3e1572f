package api_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/sandbox"
	"paydesk/api/sandbox/faulttest"
)

// How the client handles the faults that the sandbox has.

// payment is a card payment that the sandbox takes, which has no link of that name.
func payment() api.Initiation {
	in := cardInitiation()
	in.Link = ""
	return in
}

// connect returns a sandbox on a socket and a client that does not retry.
func connect(t testing.TB, o sandbox.Options) (*sandbox.Sandbox, *api.Client) {
	t.Helper()
	o.Faults = faulttest.All()
	s := sandbox.New(o)
	v, err := s.Listen(t.Context(), "127.0.0.1:0")
	noError(t, err)
	t.Cleanup(func() { v.Close() })
	return s, client(t, api.Config{BaseURL: v.Origin(), ListURL: v.Origin(), Key: key(s.Key()), Retries: -1})
}

// The outcomes of a request, as ended has them.
const (
	accepted = "answer"     // for a read, one that can be used
	rejected = "refusal"    // by the service or by a gateway
	unknown  = "unresolved" // of what changes something
	failure  = "failure"    // of a read
)

func TestEveryFaultHasItsOutcome(t *testing.T) {
	broken := func(took int) expectation { return expectation{unknown, failure, failure, api.KindProtocol, took} }
	silent := func(took int) expectation { return expectation{unknown, failure, failure, api.KindTimeout, took} }
	large := expectation{unknown, failure, failure, api.KindTooLarge, 1}
	notJSON := expectation{unknown, failure, failure, api.KindNotJSON, 1}
	unlike := expectation{unknown, failure, failure, api.KindSchema, 1}
	fine := expectation{accepted, accepted, accepted, 0, 1}
	led := expectation{unknown, failure, failure, api.KindRedirect, 0}
	turned := expectation{rejected, rejected, rejected, api.KindHTTP, 0}
	want := map[string]expectation{
		"not-reached": broken(0), "reset": broken(0), "silent": silent(0), "lost-answer": broken(1), "lost-reset": broken(1), "no-answer": silent(1), "headers-only": broken(1),
		"cut-short": broken(1), "no-last-chunk": broken(1), "drip": silent(1), "large-header": large, "informational": broken(1),
		"html-502": {unknown, failure, failure, api.KindHTTP, 1}, "html-200": notJSON, "plain-text": notJSON,
		"byte-order-mark": fine, // tolerated
		"huge":            large, "deep": unlike, "not-utf-8": notJSON,
		"half-surrogate": fine,                             // shown as U+FFFD
		"exponents":      fine, "numbers-as-strings": fine, // amounts are parsed exactly
		"strings-as-numbers": {unknown, accepted, accepted, api.KindSchema, 1}, // a reference that is not a string; a status that is not recognised
		"null-result":        {unknown, rejected, failure, api.KindSchema, 1},
		"result-in-array":    {unknown, failure, accepted, api.KindSchema, 1}, // a list without a usable meta is a single page
		"redirect-301":       led, "redirect-302": led, "redirect-303": led, "redirect-307": led, "redirect-308": led, "redirect-loop": led,
		"unauthorized": turned, "http-403": turned, "http-404": turned, "http-409": {unknown, rejected, rejected, api.KindHTTP, 0},
		"refused": {rejected, rejected, rejected, api.KindService, 0}, "rate-limited": turned, "http-429": turned,
		"error-500": {unknown, failure, failure, api.KindService, 1}, "unavailable": {unknown, failure, failure, api.KindHTTP, 0},
	}
	alone := map[expectation]string{}
	for name, w := range want {
		if w.kind != api.KindTimeout {
			alone[w] = name
		}
	}
	for _, f := range faulttest.Classes() {
		delete(alone, want[f.Name])
	}
	if len(alone) > 0 {
		t.Errorf("no class is taken as these are: %v", alone)
	}
	s, c := connect(t, sandbox.Options{Transactions: 50})
	known := must(c.Initiate(t.Context(), payment())).Reference
	for _, f := range faulttest.Answers() {
		w, is := want[f.Name]
		t.Run(f.Name, func(t *testing.T) {
			if !is {
				t.Fatal("no outcome is expected of this fault")
			}
			w.check(t, s, c, f.Name, known)
		})
	}
}

// An expectation is the outcome of a payment, a status check and a list page with a fault.
type expectation struct {
	paid, status, list string
	kind               api.Kind // of the payment's error
	took               int      // payments made
}

func (w expectation) check(t *testing.T, s *sandbox.Sandbox, c *api.Client, fault string, known api.Reference) {
	try := func(what, operation, want string, do func(context.Context) error) api.Kind {
		// Armed until cleared: the transport repeats a GET whose connection was closed.
		noError(t, s.Arm(operation, fault, 0))
		defer s.ClearFaults()
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		if w.kind == api.KindTimeout {
			ctx = withShortDeadline(ctx, s)
		}
		err := do(ctx)
		got, kind := ended(err)
		if got != want {
			t.Errorf("%s is %s, want %s", what, got, want)
		}
		for _, word := range []string{"failed", "declined", "rejected"} {
			if want == unknown && strings.Contains(err.Error(), word) {
				t.Errorf("an unresolved outcome is called %s: %v", word, err)
			}
		}
		if s.Armed()[0].Struck == 0 {
			t.Errorf("the fault did not apply to %s", what)
		}
		return kind
	}
	before := len(s.Payments())
	kind := try("the payment", "initiate", w.paid, func(ctx context.Context) error { _, err := c.Initiate(ctx, payment()); return err })
	if took := len(s.Payments()) - before; kind != w.kind || took != w.took {
		t.Errorf("the payment: kind %d, want %d; %d made, want %d", kind, w.kind, took, w.took)
	}
	try("the status", "transaction", w.status, func(ctx context.Context) error { _, err := c.Transaction(ctx, known); return err })
	try("the list", "transactions", w.list, func(ctx context.Context) error { _, err := c.Transactions(ctx, 1, 20); return err })
	if _, err := c.Transaction(t.Context(), known); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// A strikeDeadline is a context that expires soon after the fault was applied, not before.
type strikeDeadline struct {
	context.Context
	done chan struct{}
}

func (p strikeDeadline) Done() <-chan struct{} { return p.done }

func (p strikeDeadline) Err() error {
	select {
	case <-p.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func withShortDeadline(ctx context.Context, s *sandbox.Sandbox) context.Context {
	p := strikeDeadline{ctx, make(chan struct{})}
	go func() {
		defer close(p.done)
		for armed := s.Armed(); ctx.Err() == nil && len(armed) > 0 && armed[0].Struck == 0; armed = s.Armed() {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond) // for a response that must not arrive
	}()
	return p
}

// A connection dropped before the payment is made looks like one dropped after it.
func TestTheSwitchDecidesWhetherAPaymentThatWasDroppedWasMade(t *testing.T) {
	s, c := connect(t, sandbox.Options{})
	for _, fault := range []string{"not-reached", "lost-answer", "headers-only", "html-502", "unauthorized", "error-500"} {
		for when, want := range map[string]int{"before": 0, "after": 1} {
			noError(t, s.SetSwitch("faults.when", when))
			s.Arm("initiate", fault, 1)
			before := len(s.Payments())
			if _, err := c.Initiate(t.Context(), payment()); err == nil {
				t.Errorf("%s %s: there is a response", fault, when)
			}
			if took := len(s.Payments()) - before; took != want {
				t.Errorf("%s %s: %d payments were made, want %d", fault, when, took, want)
			}
		}
	}
}
