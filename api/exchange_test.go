package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"paydesk/api"
)

// observed is a client of h and the exchanges that it reports.
func observed(t *testing.T, retries int, h http.HandlerFunc) (*api.Client, *[]api.Exchange) {
	var seen []api.Exchange
	p := newServer(t, h)
	return client(t, api.Config{
		BaseURL: p.URL, ListURL: p.URL, Retries: retries, Observe: func(e api.Exchange) { seen = append(seen, e) },
	}), &seen
}

func TestEveryRequestIsReportedWithWhatSupportAsksFor(t *testing.T) {
	c, seen := observed(t, -1, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"isSuccess":true,"responseCode":"00","value":{"paymentStatus":"Pending","paymentReference":"REF1","paymentItem":{"paymentReference":"REF1"}}}`)
	})
	ctx := api.WithAttempt(t.Context(), "01ATTEMPT")
	before := time.Now()
	if _, err := c.Initiate(ctx, cardInitiation()); err != nil {
		t.Fatal(err)
	}
	_, _ = c.Finalize(t.Context(), "REF1")
	_, _ = c.Transaction(t.Context(), "REF1")
	_, _ = c.Authenticate(t.Context(), "REF1")
	_, _ = c.Transactions(t.Context(), 3, 20)
	_, _ = c.ValidateChannels(t.Context(), pounds("1"))
	_, _ = c.CreateLink(t.Context(), linkDraft())
	want := []string{
		"Initiate POST /api/payment/pay/initiate REF1 01ATTEMPT 200 accepted",
		"Finalize POST /api/payment/pay/finalize REF1  200 accepted",
		"Transaction GET /api/payment/transactions/REF1 REF1  200 answered",
		"Authenticate GET /api/payment/pay/get-auth-3ds REF1  200 answered",
		"Transactions GET /v1/api/transactions?page=3&perPage=20   200 failed",
		"ValidateChannels POST /api/payment/pay/validate   200 answered",
		"CreateLink POST /api/payment/payment-link   200 unresolved",
	}
	if len(*seen) != len(want) {
		t.Fatalf("%d exchanges, want %d: %v", len(*seen), len(want), *seen)
	}
	for i, e := range *seen {
		got := fmt.Sprintln(e.Operation, e.Method, e.Path, e.Reference, e.Attempt, e.Status, e.Outcome)
		if got != want[i]+"\n" {
			t.Errorf("got  %swant %s", got, want[i])
		}
		if e.At.Before(before) || e.Received == 0 || e.Try != 1 || (e.Method == "POST") != (e.Sent > 0) {
			t.Errorf("time, sizes or try of %s: %+v", e.Operation, e)
		}
	}
}

func TestAFailureIsReportedInOurOwnWords(t *testing.T) {
	c, seen := observed(t, -1, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/api/payment/pay/finalize":
			panic(http.ErrAbortHandler)
		case "/api/payment/transactions/REF1":
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"isSuccess":false,"responseCode":"51","error":"ada@example.org is unknown","value":null}`)
		}
	})
	_, _ = c.Finalize(t.Context(), "REF1")
	_, _ = c.Transaction(t.Context(), "REF1")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	_, _ = c.Transaction(stopped, "REF2")
	want := []string{
		"unresolved: The response was cut off or was not valid HTTP. Details: the connection was closed without a response.",
		"refused: The service rejected the request (code 51).",
		"cancelled: The request was cancelled.",
	}
	for i, e := range *seen {
		if got := fmt.Sprintf("%s: %s", e.Outcome, e.Why); got != want[i] {
			t.Errorf("got %q, want %q", got, want[i])
		}
	}
}

// What an answer repeats is in no report; nor is what was typed as a reference.
func TestNoReportHasWhatWasTyped(t *testing.T) {
	c, seen := observed(t, -1, http.NotFound)
	for _, typed := range []api.Reference{pan, "4242-4242-4242-4242", "4242_4242_4242_4242", "4242:4242:4242:4242", api.Reference(secret), "live_sk_other1234567890"} {
		ctx := api.WithKnownReference(t.Context(), typed)
		_, _ = c.Transaction(ctx, typed)
		_, _ = c.Authenticate(ctx, typed)
		_, _ = c.Finalize(ctx, typed)
	}
	if len(*seen) != 12 { // keys are not sent at all
		t.Fatalf("%d exchanges", len(*seen))
	}
	for _, e := range *seen {
		if line := fmt.Sprintf("%+v", e); strings.Contains(strings.NewReplacer("-", "", "_", "", ":", "", " ", "").Replace(line), pan) {
			t.Errorf("the number is in %s", e.Operation)
		}
	}
}

func TestNoCurlCommandHasACardNumber(t *testing.T) {
	var got post
	c, _ := newClient(t, &got)
	link := linkDraft()
	link.Description = "card 4242424242424242"
	for name, call := range map[string]api.Call{
		"reference": {Operation: api.OpTransaction, Reference: "4242424242424242"},
		"link":      {Operation: api.OpCreateLink, Link: link},
		"payment":   {Operation: api.OpInitiate},
		"key":       {Operation: api.OpTransaction, Reference: "sk_test_0123456789abcdef"},
	} {
		if command, err := c.Curl(call); err == nil {
			t.Errorf("%s: %q", name, command.Args)
		}
	}
}
