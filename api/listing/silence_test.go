package listing_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/api/sandbox"
)

// A wire is a network without sockets to a service; its first answers are troubled.
type wire struct {
	http.Handler
	first   atomic.Int64
	trouble func(r *http.Request) (*http.Response, error)
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	if w.trouble != nil && w.first.Add(-1) >= 0 {
		return w.trouble(r)
	}
	in := r.Clone(r.Context())
	in.RequestURI, in.RemoteAddr, in.Host = r.URL.RequestURI(), "127.0.0.1:50000", r.URL.Host
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, in)
	return answer.Result(), nil
}

// A silent body sends nothing, until nobody waits any more.
type silent struct{ ctx context.Context }

func (s silent) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// A service that is silent for a while, or that says how long to wait, holds a scan up and takes nothing from it.
func TestAScanOutlastsASilentService(t *testing.T) {
	for name, test := range map[string]struct {
		trouble func(r *http.Request) (*http.Response, error)
		fault   string
		atLeast time.Duration
	}{
		"no answer": {trouble: func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}, atLeast: 5 * time.Second},
		"half an answer": {trouble: func(r *http.Request) (*http.Response, error) {
			body := io.MultiReader(strings.NewReader(`{"data":[`), silent{r.Context()})
			return &http.Response{
				StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}},
				ContentLength: -1, Body: io.NopCloser(body), Request: r,
			}, nil
		}, atLeast: 5 * time.Second},
		"Retry-After": {fault: "rate-limited", atLeast: 7 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				box := sandbox.New(sandbox.Options{Key: benchKey, Seed: 1, Transactions: 730})
				if test.fault != "" {
					if err := box.Arm("transactions", test.fault, 2); err != nil {
						t.Fatal(err)
					}
				}
				w := &wire{Handler: box, trouble: test.trouble}
				w.first.Store(2)
				c, err := api.New(api.Config{BaseURL: "http://127.0.0.1:8099", ListURL: "http://127.0.0.1:8099", Key: secret(benchKey), Transport: w})
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				s := listing.NewScanner(t.Context(), c)
				began := time.Now()
				s.Start()
				st := scanned(t, s)
				took := time.Since(began)
				if got := said(st); got != "730 rows, trusted" || took < test.atLeast || took > 5*time.Minute {
					t.Errorf("%s after %v, %v", got, took, st.Err)
				}
			})
		})
	}
}
