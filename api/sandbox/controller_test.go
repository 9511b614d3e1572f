package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// controllers are the two ways to a sandbox: in this process, and over a socket.
func controllers(t *testing.T, tell func(*testing.T, *harness, *Controller)) {
	t.Run("in this process", func(t *testing.T) {
		s := serve(t, Options{ManualTransfers: true})
		tell(t, s, s.Controller())
	})
	t.Run("over a socket", func(t *testing.T) {
		s := serve(t, Options{ManualTransfers: true})
		c, err := Find(t.Context(), s.origin+"/base?x=1")
		must(t, err)
		tell(t, s, c)
	})
}

func TestAControllerDoesWhatTheSandboxDoes(t *testing.T) {
	controllers(t, func(t *testing.T, s *harness, c *Controller) {
		ctx := t.Context()
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Error(err)
			}
		}
		same := func() {
			t.Helper()
			got, err := c.State(ctx)
			must(err)
			if diff := cmp.Diff(s.State(), got); diff != "" {
				t.Error(diff)
			}
		}
		same()
		asked, moved := s.pay(charge("challenge")), s.pay(bankTransfer())
		same()
		v, err := c.Change(ctx, asked, "approve")
		must(err)
		if v.State != "PENDING" || v.Reference != asked {
			t.Errorf("%+v", v)
		}
		if _, err := c.Change(ctx, asked, "approve"); !errors.Is(err, ErrState) {
			t.Errorf("approved twice: %v", err)
		}
		if v, err = c.Pay(ctx, moved, "5"); v.Received != "5.00" {
			t.Errorf("%+v %v", v, err)
		}
		if _, err := c.Pay(ctx, asked, "5"); !errors.Is(err, ErrNotTransfer) {
			t.Errorf("a card was paid: %v", err)
		}
		must(c.Forward(ctx, 90*time.Second))
		must(c.Arm(ctx, "initiate", "lost-answer", 2))
		must(c.SetSwitch(ctx, "finalize.status", "Done"))
		must(c.SetWebhooks(ctx, []string{"http://127.0.0.1:1/old"}))
		must(c.ChangeWebhooks(ctx, "http://127.0.0.1:1/hook", ""))
		must(c.ChangeWebhooks(ctx, "", "http://127.0.0.1:1/old"))
		must(c.SendSample(ctx, "payment.failed", ""))
		s.Close() // keeps the state still
		same()
		if now := s.State(); now.Ahead != 90*time.Second || len(now.Armed) != 1 || len(now.Deliveries) != 1 {
			t.Errorf("%+v", now)
		}
		if err := c.Redeliver(ctx, "D1"); !errors.Is(err, ErrNoWebhook) {
			t.Errorf("sent to nowhere: %v", err)
		}
		if err := c.Arm(ctx, "link", "F99", 0); err == nil || err.Error() != "there is no fault of this name" {
			t.Errorf("an unknown fault: %v", err)
		}
		faults, err := c.Faults(ctx)
		must(err)
		if diff := cmp.Diff(len(s.Faults()), len(faults)); diff != "" {
			t.Error(diff)
		}
		must(c.ClearFaults(ctx))
		must(c.Reset(ctx))
		same()
		if len(s.Payments()) != 0 {
			t.Error("it was not reset")
		}
	})
}

// A profile's address is a sandbox only when that says so, on this machine, in a form that can be
// shown: everything else is another service, which is asked one question without the key.
func TestOnlyASandboxIsFound(t *testing.T) {
	reply := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	const about = `{"is":"paydesk-sandbox","control":1}`
	elsewhere := httptest.NewServer(reply(200, jsonType, about))
	t.Cleanup(elsewhere.Close)
	for name, handler := range map[string]http.HandlerFunc{
		"another service": reply(404, jsonType, `{"isSuccess":false}`),
		"a web page":      reply(200, "text/html", about),
		"a later version": reply(200, jsonType, `{"is":"paydesk-sandbox","control":2}`),
		"a refusal":       reply(403, jsonType, about),
		"a flood":         reply(200, jsonType, `{"is":"paydesk-sandbox","control":1,"x":"`+strings.Repeat("x", maxControl)+`"}`),
		"an escape":       reply(200, jsonType, `{"is":"paydesk-sandbox","control":1,"x":"\u001b[2J"}`),
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
		},
	} {
		asked := 0
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked++; len(r.Header.Values(KeyHeader)) > 0 || r.Method != "GET" || r.URL.Path != controlPath+"about" {
				t.Errorf("%s: asked %s %s %v", name, r.Method, r.URL.Path, r.Header)
			}
			handler(w, r)
		}))
		if c, err := Find(t.Context(), web.URL); c != nil || !errors.Is(err, ErrNoSandbox) {
			t.Errorf("%s: %v", name, err)
		}
		if web.Close(); asked != 1 {
			t.Errorf("%s: asked %d times", name, asked)
		}
	}
	for _, origin := range []string{
		"https://127.0.0.1:1", "http://192.0.2.1", "http://payments.example", "http://localhost.example", "http://0.0.0.0:80",
		"http://u:p@127.0.0.1:1", "127.0.0.1:8099", "", "http://127.0.0.1:1",
	} {
		if c, err := Find(t.Context(), origin); c != nil || !errors.Is(err, ErrNoSandbox) {
			t.Errorf("%q: %v", origin, err)
		}
	}
}

// A sandbox that is slow, gone or broken is an error, which quotes nothing of what it sent.
func TestASandboxThatIsGoneIsAnError(t *testing.T) {
	broken := ""
	s := New(Options{Key: testKey})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken == "" {
			s.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", jsonType)
		fmt.Fprint(w, broken)
	}))
	c, err := Find(t.Context(), web.URL)
	must(t, err)
	for _, broken = range []string{`{"payments":[{"reference":"A\u001b[31m"}]}`, `{"payments":7}`, `[]`, `{"payments":`} {
		if v, err := c.State(t.Context()); err == nil || strings.ContainsAny(err.Error(), "\x1b{[") || len(v.Payments) > 0 {
			t.Errorf("%s: %+v %v", broken, v, err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := c.State(ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	web.Close()
	if _, err := c.State(t.Context()); !errors.Is(err, ErrNoSandbox) {
		t.Error(err)
	}
}
