package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// maxTargets limits how many URLs webhooks are sent to.
const maxTargets = 8

// hooks are the webhook URLs. Each has a goroutine, so that a receiver that is slow or gone holds
// up no other.
type hooks struct {
	changing sync.Mutex   // held while targets change; taken before Sandbox.mu
	client   *http.Client // created when sending starts, unless set
	targets  []*target    // in the order in which they were given
	sending  bool         // there are some, or others take their place
}

// A target is a URL that webhooks are sent to, and the goroutine that sends.
type target struct {
	url  string
	stop context.CancelFunc
	done chan struct{} // closed when the goroutine has ended
	wake chan struct{} // has a buffer of one
}

// The errors of SetWebhooks, and of sending.
var (
	ErrWebhookURL = errors.New("the webhook URL must be an http or https URL in plain ASCII, " +
		"without a user name or a fragment")
	ErrManyWebhooks = fmt.Errorf("at most %d webhook URLs can be set", maxTargets)
	ErrNoWebhook    = errors.New("no webhook URL is set")
	ErrNoTarget     = errors.New("webhooks are not sent to this URL")
)

// SetWebhooks sends events to each of at most 8 URLs from now on, instead of those that were set.
// An empty list stops the sending, like Close. Payments that are final already are not sent. What
// could not be delivered to a URL that was removed goes to a new one. A goroutine runs for each URL.
func (s *Sandbox) SetWebhooks(urls []string) error {
	var distinct []string
	for _, to := range urls {
		if u, err := url.Parse(to); err != nil || u.Fragment != "" || !returnable(to) {
			return ErrWebhookURL
		}
		if !slices.Contains(distinct, to) {
			distinct = append(distinct, to)
		}
	}
	if len(distinct) > maxTargets {
		return ErrManyWebhooks
	}
	s.hooks.changing.Lock()
	defer s.hooks.changing.Unlock()
	s.keepTargets(distinct)
	s.addTargets(distinct)
	return nil
}

// Webhooks are the URLs that events are sent to.
func (s *Sandbox) Webhooks() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hooks.urls()
}

func (h *hooks) urls() []string {
	out := make([]string, 0, len(h.targets))
	for _, t := range h.targets {
		out = append(out, t.url)
	}
	return out
}

// Close stops the sending of webhooks and removes their URLs; attempts in progress are
// aborted. Undelivered events are retried when a URL is set again. Nothing else needs
// closing.
func (s *Sandbox) Close() error { return s.SetWebhooks(nil) }

// keepTargets stops the goroutines of all other targets, and waits for their end.
func (s *Sandbox) keepTargets(urls []string) {
	s.mu.Lock()
	s.watchPayments(len(urls) > 0)
	var removed []*target
	s.hooks.targets = slices.DeleteFunc(s.hooks.targets, func(t *target) bool {
		if slices.Contains(urls, t.url) {
			return false
		}
		removed = append(removed, t)
		return true
	})
	s.mu.Unlock()
	for _, t := range removed {
		t.stop()
	}
	for _, t := range removed {
		<-t.done
	}
}

// addTargets starts a goroutine for each URL that is new.
func (s *Sandbox) addTargets(urls []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, to := range urls {
		if !slices.Contains(s.hooks.urls(), to) {
			s.hooks.targets = append(s.hooks.targets, s.startSending(to))
		}
	}
	s.adoptDeliveries()
	s.wakeSenders()
}

// watchPayments watches all payments that are not final yet, as long as there is a URL.
func (s *Sandbox) watchPayments(sending bool) {
	switch now := s.now(); {
	case !sending:
		s.events.unfinished = nil
	case !s.hooks.sending:
		for _, p := range s.ordered {
			if !p.ended(now) {
				s.events.unfinished = append(s.events.unfinished, p)
			}
		}
	}
	s.hooks.sending = sending
}

// startSending starts the goroutine of a new target.
func (s *Sandbox) startSending(url string) *target {
	if s.hooks.client == nil {
		s.hooks.client = newSender()
	}
	ctx, stop := context.WithCancel(context.Background())
	t := &target{url: url, stop: stop, done: make(chan struct{}), wake: make(chan struct{}, 1)}
	go s.sendAll(ctx, s.hooks.client, t)
	return t
}

// adoptDeliveries gives what is to be sent to targets that were removed to those that replace them.
func (s *Sandbox) adoptDeliveries() {
	urls := s.hooks.urls()
	for _, d := range s.events.deliveries {
		if !d.Next.IsZero() && !slices.Contains(urls, d.Target) {
			s.adopt(d, urls)
		}
	}
}

// adopt gives a delivery to the first target that was not given its event, and reports whether
// there is one: none is sent an event twice.
func (s *Sandbox) adopt(d *delivery, urls []string) bool {
	i := slices.IndexFunc(urls, func(to string) bool {
		return !slices.ContainsFunc(s.events.deliveries, func(o *delivery) bool { return o.number == d.number && o.Target == to })
	})
	if i >= 0 {
		d.Target = urls[i]
	}
	return i >= 0
}

// wakeSenders makes the goroutines, if any, look for changes.
func (s *Sandbox) wakeSenders() {
	for _, t := range s.hooks.targets {
		select {
		case t.wake <- struct{}{}:
		default: // it will look anyway
		}
	}
}
