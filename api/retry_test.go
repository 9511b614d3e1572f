package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"paydesk/api"
)

// A script is a network that answers the nth request with the nth line, and all later ones with the
// last.
type script struct {
	lines    []reply
	requests atomic.Int32
}

type reply struct {
	code   int
	header http.Header
	err    error // of the connection that was had, or of none
	had    bool
	body   io.Reader // of a 200
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	line := s.lines[min(int(s.requests.Add(1)), len(s.lines))-1]
	trace := httptrace.ContextClientTrace(r.Context())
	if line.had || line.err == nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	if r.Body != nil {
		io.Copy(io.Discard, r.Body)
	}
	if line.err != nil {
		return nil, line.err
	}
	h := line.header
	if h == nil {
		h = http.Header{}
	}
	body := line.body
	if body == nil {
		body = strings.NewReader(`{"isSuccess":true,"value":{"paymentStatus":"PENDING","paymentReference":"REF0001"}}`)
	}
	h.Set("Content-Type", "application/json")
	return &http.Response{StatusCode: line.code, Header: h, Body: io.NopCloser(body), Request: r}, nil
}

func scripted(t *testing.T, retries int, lines ...reply) (*api.Client, *script) {
	s := &script{lines: lines}
	return client(t, api.Config{BaseURL: "https://a.example", ListURL: "https://b.example", Retries: retries, Transport: s}), s
}

func TestAnUnansweredReadIsSentAtMostThreeTimes(t *testing.T) {
	refused, reset := syscall.ECONNREFUSED, syscall.ECONNRESET
	for name, test := range map[string]struct {
		line reply
		want int32
	}{
		"503":                     {reply{code: 503}, 3},
		"refused":                 {reply{err: refused}, 3},
		"reset":                   {reply{err: reset, had: true}, 3},
		"503 with a time":         {reply{code: 503, header: http.Header{"Retry-After": {"2"}}}, 3},
		"429":                     {reply{code: 429}, 3},
		"429 for 15 s":            {reply{code: 429, header: http.Header{"Retry-After": {"15"}}}, 1},
		"404":                     {reply{code: 404}, 1},
		"200":                     {reply{code: 200}, 1},
		"a body that breaks off":  {reply{code: 200, body: iotest.ErrReader(syscall.ECONNRESET)}, 1},
		"a certificate":           {reply{err: errors.New("tls: failed to verify certificate")}, 1},
		"time ran out":            {reply{err: context.DeadlineExceeded, had: true}, 1},
		"time to connect ran out": {reply{err: context.DeadlineExceeded}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, s := scripted(t, 0, test.line)
				began := time.Now()
				c.Authenticate(t.Context(), "REF0001")
				if n := s.requests.Load(); n != test.want {
					t.Errorf("%d requests, want %d", n, test.want)
				}
				if took := time.Since(began); test.want == 3 && (took < time.Second || took > 10*time.Second) || test.want == 1 && took != 0 {
					t.Errorf("took %v", took)
				}
			})
		})
	}
}

func TestEachRetryIsAnnouncedBeforeItsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{lines: []reply{{err: syscall.ECONNREFUSED}, {code: 503, header: http.Header{"Retry-After": {"9"}}}, {code: 200}}}
		var tries []int // as they are reported to support
		c := client(t, api.Config{
			BaseURL: "https://a.example", ListURL: "https://b.example", Transport: s, Observe: func(e api.Exchange) { tries = append(tries, e.Try) },
		})
		began := time.Now()
		var heard []string
		ctx := api.OnRetry(t.Context(), func(ctx context.Context, r api.Retry) {
			if ctx.Err() != nil {
				t.Error("it is announced with another context than that of the call")
			}
			heard = append(heard, fmt.Sprintf("%v %d %v, %d of %d, 9 s and more: %v", r.Failure.Kind, r.Failure.HTTP, r.Failure.Detail, r.Try, r.Of, r.In > 9*time.Second))
			began = began.Add(r.In)
		})
		if _, err := c.Authenticate(ctx, "REF0001"); err != nil || s.requests.Load() != 3 {
			t.Errorf("%d requests: %v", s.requests.Load(), err)
		}
		if !slices.Equal(tries, []int{1, 2, 3}) {
			t.Errorf("reported as tries %d", tries)
		}
		if !began.Equal(time.Now()) {
			t.Errorf("the announced waits end %v beside the last try", time.Since(began))
		}
		want := []string{
			api.KindConnect.String() + " 0 connection refused, 2 of 3, 9 s and more: false", api.KindHTTP.String() + " 503 , 3 of 3, 9 s and more: true",
		}
		if !slices.Equal(heard, want) {
			t.Errorf("announced %q, want %q", heard, want)
		}
	})
}

func TestNoPOSTIsEverRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, line := range []reply{{code: 429}, {code: 502}, {code: 503}, {code: 504}, {err: syscall.ECONNREFUSED}, {err: syscall.ECONNRESET, had: true}, {err: io.EOF, had: true}} {
			for _, operation := range append(writes, "validate") {
				c, s := scripted(t, 5, line)
				if try(t.Context(), c, operation); s.requests.Load() != 1 {
					t.Errorf("%s was sent %d times after %v", operation, s.requests.Load(), line)
				}
			}
		}
	})
}

func TestRetriesAreTenAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := scripted(t, 0, reply{code: 503})
		answers := make(chan error)
		for range 10 {
			go func() {
				_, err := c.Authenticate(t.Context(), "REF0001")
				answers <- err
			}()
		}
		for range 10 {
			<-answers
		}
		if n := s.requests.Load(); n != 20 {
			t.Errorf("10 calls sent %d requests within a minute, want 10 and 10 retries", n)
		}
		c.Transactions(t.Context(), 1, 20)
		if n := s.requests.Load(); n != 23 {
			t.Errorf("another host got %d requests, want 3", n-20)
		}
		time.Sleep(time.Minute)
		c.Authenticate(t.Context(), "REF0001")
		if n := s.requests.Load(); n != 26 {
			t.Errorf("a minute later it got %d requests, want 3", n-23)
		}
	})
}

func TestRetriesEndWithTheirContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := scripted(t, 0, reply{code: 503})
		ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer stop()
		began := time.Now()
		_, err := c.Authenticate(ctx, "REF0001")
		if time.Since(began) != 100*time.Millisecond || s.requests.Load() != 1 || outcomeOf(err) != "failure" {
			t.Errorf("%d requests in %v: %v", s.requests.Load(), time.Since(began), err)
		}
	})
}

// A failingTransport blocks until its context ends.
type failingTransport struct{ had bool }

func (n failingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if n.had {
		httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{})
	}
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestAReadEndsAfterTwentySecondsAndAPOSTAfterNinety(t *testing.T) {
	for operation, want := range map[string]time.Duration{
		"transaction": 20 * time.Second, "transactions": 20 * time.Second, "authenticate": 20 * time.Second,
		"validate": 20 * time.Second, "initiate": 90 * time.Second, "link": 90 * time.Second, "finalize": 90 * time.Second,
	} {
		for _, had := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				c := client(t, api.Config{BaseURL: "https://a.example", ListURL: "https://b.example", Transport: failingTransport{had}})
				began := time.Now()
				err := try(t.Context(), c, operation)
				if took := time.Since(began); took != want || kindOf(err) != api.KindTimeout {
					t.Errorf("%s took %v, want %v: %v", operation, took, want, err)
				}
				moves := operation == "initiate" || operation == "link" || operation == "finalize"
				if errors.Is(err, api.ErrUnresolved) != (moves && had) {
					t.Errorf("%s with a connection (%v): %v", operation, had, err)
				}
			})
		}
	}
}

func TestTheStatusOfAPaymentIsRequestedAgainOnlyWhereNoScheduleDoesThat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for want, ctx := range map[int32]context.Context{1: t.Context(), 2: api.Retried(t.Context())} {
			c, s := scripted(t, 0, reply{err: syscall.ECONNREFUSED}, reply{code: 200})
			if _, err := c.Transaction(ctx, "REF0001"); (err == nil) != (want == 2) || s.requests.Load() != want {
				t.Errorf("%d requests, want %d: %v", s.requests.Load(), want, err)
			}
		}
	})
}
