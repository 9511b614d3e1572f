package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"
)

// A network stands between the consoles and the service. Every request waits in it until the driver of the history lets
// it go on, one at a time, while all goroutines are idle: so the order is that of the seed, and not of goroutines.
type network struct {
	mu      sync.Mutex
	calls   []*call // that wait, or are answered and wait for that to arrive
	arrived chan struct{}
	over    chan struct{} // closed at the end of the history: what was killed ends then
}

// A call is one request of a console.
type call struct {
	*console
	req  *http.Request
	n    int
	draw uint64
	body []byte

	begun bool          // the driver let it go on
	let   chan struct{} // closed then
	fate  fate
	due   time.Time     // when the answer arrives; zero while nothing was received, far away for never
	back  chan struct{} // closed then
	line  *Request
	reply answer
}

// never is when an answer arrives that does not.
const never = 1000 * time.Hour

func (c *call) key() string { return c.name + " " + c.req.Method + " " + c.req.URL.Path }

// RoundTrip implements [http.RoundTripper] for one console.
func (c *console) RoundTrip(req *http.Request) (*http.Response, error) {
	w := c.world
	x := &call{console: c, req: req, let: make(chan struct{}), back: make(chan struct{})}
	w.net.mu.Lock()
	w.net.calls = append(w.net.calls, x)
	w.net.mu.Unlock()
	select {
	case w.net.arrived <- struct{}{}:
	default:
	}
	defer w.net.leave(x)
	if err := c.waits(req.Context(), x.let, true); err != nil {
		return nil, err
	}
	if x.fate.unsent {
		return nil, errors.New("connection refused")
	}
	if trace := httptrace.ContextClientTrace(req.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	if req.Body != nil {
		// Its first byte: whatever stops a request that was overtaken by time does so here.
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		x.body = body
	}
	answer := w.service.receive(x)
	if err := c.waits(req.Context(), x.back, false); err != nil {
		return nil, err
	}
	if x.fate.cut {
		return nil, io.ErrUnexpectedEOF
	}
	return answer.response(req), nil
}

var errKilled = errors.New("killed")

// waits returns when the driver says so. A console that was killed does not come back, and one that is stopped notices
// nothing: neither its deadline nor that the screen is gone.
func (c *console) waits(ctx context.Context, done chan struct{}, sending bool) error {
	select {
	case <-done:
	case <-ctx.Done():
		if c.isStopped() { // it writes the body first when it goes on, then notices that it is late
			select {
			case <-done:
			case <-c.thawed():
			case <-c.world.net.over:
				return errKilled
			}
			late := time.After(time.Millisecond)
			if sending {
				late = nil
			}
			select {
			case <-done: // the answer was there before it noticed that it is late
				return nil
			case <-c.world.net.over:
				return errKilled
			case <-late:
			}
		}
		if !c.killed.Load() {
			return ctx.Err()
		}
	}
	if c.killed.Load() {
		<-c.world.net.over
		return errKilled
	}
	return nil
}

func (n *network) leave(x *call) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.calls = slices.DeleteFunc(n.calls, func(o *call) bool { return o == x })
}

// next returns what the driver lets go on now, nil for nothing: an answer that is due, or else the first request that waits.
func (n *network) next(now time.Time) *call {
	n.mu.Lock()
	defer n.mu.Unlock()
	var first *call
	for _, x := range n.calls {
		switch {
		case x.killed.Load() || x.isStopped() || x.begun && (x.due.IsZero() || x.due.After(now)):
			continue
		case first == nil, x.begun && !first.begun, x.begun == first.begun && x.order(first):
			first = x
		}
	}
	return first
}

func (x *call) order(o *call) bool {
	if x.begun && !x.due.Equal(o.due) {
		return x.due.Before(o.due)
	}
	return x.key() < o.key()
}

// soonest returns when the next answer is due.
func (n *network) soonest() (at time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, x := range n.calls {
		due := x.due
		if thaw := time.Unix(0, x.until.Load()); !x.begun || thaw.After(due) {
			due = thaw
		}
		if !due.IsZero() && !x.killed.Load() && (!x.begun || !x.due.IsZero()) && (at.IsZero() || due.Before(at)) {
			at = due
		}
	}
	return at
}

// settle lets everything go on that can now.
func (w *world) settle() {
	for {
		synctest.Wait()
		x := w.net.next(time.Now())
		if x == nil {
			w.look()
			return
		}
		if x.begun {
			x.due = time.Time{}
			w.answered(x)
			close(x.back)
			continue
		}
		x.begun = true
		x.fate = w.fateOf(x)
		if x.req.Method == "POST" {
			switch c := x.console; {
			case c.dieAt == dieSending:
				c.kill()
				continue
			case c.stopAt > 0:
				c.until.Store(time.Now().Add(c.stopAt).UnixNano())
				c.stopAt = 0
				if !c.stopSent {
					x.begun = false
					continue
				}
			}
		}
		close(x.let)
	}
}

// pass lets time go by.
func (w *world) pass(d time.Duration) {
	until := time.Now().Add(d)
	for {
		w.settle()
		now := time.Now()
		next := until
		if due := w.net.soonest(); !due.IsZero() && due.Before(next) {
			next = due
		}
		if !now.Before(until) {
			return
		}
		select {
		case <-w.net.arrived:
		case <-time.After(max(next.Sub(now), 0)):
		}
	}
}

// An answer is what the service answers.
type answer struct {
	status int
	retry  string
	body   string
	media  string
}

func (a answer) response(req *http.Request) *http.Response {
	h := http.Header{"Content-Type": {a.media}}
	if a.retry != "" {
		h.Set("Retry-After", a.retry)
	}
	return &http.Response{
		StatusCode: a.status, Header: h, Request: req, ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(strings.NewReader(a.body)), ContentLength: int64(len(a.body)),
	}
}
