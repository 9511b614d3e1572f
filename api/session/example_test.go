package session_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/gate"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/sandbox"
	"paydesk/api/session"
	"paydesk/api/watch"
)

// follow prints a line for each change of each payment, and returns once none of them is polled any
// more. A status command does this.
func follow(ctx context.Context, out io.Writer, s *session.Session, references ...api.Reference) error {
	watches, printed := map[api.Reference]*watch.Watch{}, map[api.Reference]int{}
	for _, r := range references {
		watches[r] = s.Watches.Watch(r)
		defer watches[r].Close()
	}
	for version := uint64(0); len(watches) > 0; {
		var err error
		if version, err = s.Watches.Next(ctx, version); err != nil {
			return err
		}
		for r, w := range watches {
			e, _ := s.Find(r)
			state, lines := w.State(), ledger.Lines(e.History)
			for _, l := range lines[printed[r]:] {
				fmt.Fprintln(out, r, word(l))
			}
			printed[r] = len(lines)
			if state.Phase == watch.Polling || state.Checking {
				continue
			}
			delete(watches, r)
			if why := ending(state); why != "" {
				fmt.Fprintln(out, r, why)
			}
		}
	}
	return nil
}

func word(l ledger.Line) string {
	switch s, reported := l.Status(); {
	case !reported:
		return l.What
	case s.State == api.Unrecognised:
		return "unrecognised: " + s.Text.Line(40)
	case l.AfterFinal:
		return s.State.String() + ", after a final status"
	default:
		return s.State.String()
	}
}

// ending is why polling ended, when that is not a final status.
func ending(s watch.State) string {
	switch s.Phase {
	case watch.KeyRejected:
		return "the service rejects the key"
	case watch.NotFound:
		return "the service has no such payment"
	case watch.Expired:
		return "still not final"
	}
	return ""
}

// A wire takes requests to a service in this process, so that the waits of the watches take no time.
type wire struct{ http.Handler }

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) {
	httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{})
	answer := httptest.NewRecorder()
	if r.RequestURI = r.URL.RequestURI(); r.Body == nil {
		r.Body = http.NoBody
	}
	w.ServeHTTP(answer, r)
	return answer.Result(), nil
}

// A session on a sandbox pays by card, and follows that payment and one that does not exist.
func TestAPaymentIsFollowedWithoutAScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := sandbox.New(sandbox.Options{Seed: 7})
		const origin = "https://payments.example"
		client := must(api.New(api.Config{BaseURL: origin, ListURL: origin, Key: key(service.Key()), Transport: wire{service}}))
		s := session.Open(t.Context(), session.Options{
			Client: client, Gate: gate.Options{Evidence: []gate.Evidence{gate.Word(gate.ByProfile, "sandbox")}},
		})
		paid := must(s.Initiate(t.Context(), payment()))
		var out strings.Builder
		for _, r := range []api.Reference{paid.Reference, "UNKNOWN"} {
			if err := follow(t.Context(), &out, s, r); err != nil {
				t.Error(err)
			}
		}
		want := "payment sent\npayment INITIATED\npayment PENDING\npayment SUCCESSFUL\nUNKNOWN the service has no such payment\n"
		if got := strings.ReplaceAll(out.String(), string(paid.Reference), "payment"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

// A key is a secret key.
type key string

func (k key) Expose() string { return string(k) }

func payment() api.Initiation {
	return api.Initiation{
		Amount: must(money.Parse("12.50", must(money.ParseCurrency("GBP")))), Channel: api.ChannelCard,
		Customer:  api.Customer{FirstName: "Ada", LastName: "Obi", Email: "ada@example.org", Phone: "+442079460000"},
		Card:      &api.CardEntry{PAN: must(card.ParsePAN("4242424242424242")), CVV: must(card.ParseCVV("123")), Expiry: card.Expiry{Month: 12, Year: 2034}},
		ReturnURL: "https://shop.example/done",
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
