package sandbox

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	webhookTimeout = 5 * time.Second // per attempt
	idleWait       = time.Hour       // when nothing will happen by itself
)

// newSender returns a client that connects to nothing but the given URL: it follows no
// redirects, uses no proxy and keeps no connections.
func newSender() *http.Client {
	return &http.Client{
		Timeout:       webhookTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxHeaderBytes,
		},
	}
}

// sendAll sends a target the deliveries that are due, one after another, until ctx ends.
func (s *Sandbox) sendAll(ctx context.Context, c *http.Client, to *target) {
	defer close(to.done)
	for ctx.Err() == nil {
		d, wait := s.due(to)
		if d == nil {
			select {
			case <-ctx.Done():
			case <-to.wake:
			case <-time.After(wait):
			}
			continue
		}
		t, began := Try{At: s.now(), Address: to.url}, time.Now()
		t.Status, t.Problem = send(ctx, c, to.url, d.Body)
		t.Took = time.Since(began)
		s.record(ctx, d, t)
	}
}

// due takes the delivery to a target that has been due longest, or returns how long to wait for
// the next one.
func (s *Sandbox) due(to *target) (d *delivery, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.hooks.targets, to) { // it is being stopped
		return nil, idleWait
	}
	now := s.now()
	next := s.collectEvents(now)
	var first *delivery
	for _, d := range s.events.deliveries {
		if d.Target == to.url && !d.Next.IsZero() && (first == nil || d.Next.Before(first.Next)) {
			first = d
		}
	}
	if first != nil && !first.Next.After(now) {
		first.Next = time.Time{}
		return first, 0
	}
	if first != nil {
		next = earlier(next, first.Next)
	}
	if next.IsZero() {
		return nil, idleWait
	}
	return nil, max(next.Sub(now), time.Millisecond)
}

// record stores the result of an attempt and schedules the next one.
func (s *Sandbox) record(ctx context.Context, d *delivery, t Try) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil { // aborted, as the target was removed
		d.Next = t.At
		return
	}
	d.Tries = append(d.Tries, t)
	d.Tries = d.Tries[max(len(d.Tries)-maxTries, 0):]
	d.Delivered = t.Problem == ""
	if d.Delivered || !d.Next.IsZero() { // Redeliver was called meanwhile
		return
	}
	if d.failed++; d.failed < len(retryDelays) {
		d.Next = s.now().Add(retryDelays[d.failed])
	}
}

// send makes one attempt. Only the status of the response counts.
func send(ctx context.Context, c *http.Client, url, body string) (status int, problem string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return 0, "The URL cannot be used."
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Header.Set("User-Agent", "paydesk-sandbox")
	a, err := c.Do(r)
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
		return 0, "The receiver did not respond in time."
	}
	if op := new(net.OpError); errors.As(err, &op) && op.Op == "dial" {
		return 0, "The receiver could not be reached."
	}
	if err != nil {
		return 0, "The receiver did not respond."
	}
	a.Body.Close()
	if a.StatusCode/100 != 2 {
		return a.StatusCode, "The receiver answered HTTP " + strconv.Itoa(a.StatusCode) + "."
	}
	return a.StatusCode, ""
}
