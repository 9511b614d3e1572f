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

const webhookTimeout = 5 * time.Second // per attempt

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

// step makes the events of payments that became final, starts the attempts that are due, and sets the timer for what is due next.
func (s *Sandbox) step() {
	h := &s.hooks
	if h.timer != nil {
		h.timer.Stop()
	}
	if len(h.targets) == 0 {
		return
	}
	now := s.now()
	next := s.collectEvents(now)
	for _, to := range h.targets {
		d := s.firstDue(to)
		switch {
		case d == nil || to.busy:
		case d.Next.After(now):
			next = earlier(next, d.Next)
		default:
			d.Next, to.busy = time.Time{}, true
			to.attempts.Go(func() { s.attempt(h.client, to, d) })
		}
	}
	if !next.IsZero() {
		h.timer = time.AfterFunc(max(next.Sub(now), time.Millisecond), func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.step()
		})
	}
}

// firstDue is the delivery to a target that is due before the others; nil for none.
func (s *Sandbox) firstDue(to *target) (first *delivery) {
	for _, d := range s.events.deliveries {
		if d.Target == to.url && !d.Next.IsZero() && (first == nil || d.Next.Before(first.Next)) {
			first = d
		}
	}
	return first
}

// attempt makes an attempt, and then what is due next.
func (s *Sandbox) attempt(c *http.Client, to *target, d *delivery) {
	t, began := Try{At: s.now(), Address: to.url}, time.Now()
	t.Status, t.Problem = send(to.ctx, c, to.url, d.Body)
	t.Took = time.Since(began)
	s.mu.Lock()
	defer s.mu.Unlock()
	to.busy = false
	s.record(to.ctx, d, t)
	s.step()
}

// record stores the result of an attempt and schedules the next one.
func (s *Sandbox) record(ctx context.Context, d *delivery, t Try) {
	if ctx.Err() != nil { // aborted, as the target was removed
		d.Next = t.At
		s.adoptDeliveries()
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

// hooks are the webhook URLs.
type hooks struct {
	client  *http.Client
	targets []*target   // in the order in which they were given
	timer   *time.Timer // of the next step
}

// A target is a URL that webhooks are sent to, one at a time: a receiver that is slow or gone holds up no other.
type target struct {
	url  string
	ctx  context.Context // of its attempts; it ends when the URL is removed
	stop context.CancelFunc
	busy bool // an attempt is being made

	attempts sync.WaitGroup
}

// The errors of SetWebhooks, and of sending.
var (
	ErrWebhookURL = reason("the webhook URL must be an http or https URL in plain ASCII, " +
		"without a user name or a fragment")
	ErrManyWebhooks = reason(fmt.Sprintf("at most %d webhook URLs can be set", maxTargets))
	ErrNoWebhook    = reason("no webhook URL is set")
	ErrNoTarget     = reason("webhooks are not sent to this URL")
)

// SetWebhooks sends events to each of at most 8 URLs from now on, instead of those that were set.
// An empty list stops the sending, like Close. Payments that are final already are not sent. What
// could not be delivered to a URL that was removed goes to a new one.
func (s *Sandbox) SetWebhooks(urls []string) error {
	return s.changeWebhooks(func([]string) []string { return urls })
}

// ChangeWebhooks sends events to one URL more, and no longer to another; "" for none. The others stay as they are.
func (s *Sandbox) ChangeWebhooks(add, remove string) error {
	return s.changeWebhooks(func(urls []string) []string {
		if add != "" {
			urls = append(urls, add)
		}
		return slices.DeleteFunc(urls, func(url string) bool { return url == remove && url != add })
	})
}

func (s *Sandbox) changeWebhooks(change func(urls []string) []string) error {
	removed, err := s.replaceTargets(change)
	for _, t := range removed { // which begin no others
		t.attempts.Wait()
	}
	return err
}

func (s *Sandbox) replaceTargets(change func(urls []string) []string) (removed []*target, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var distinct []string
	for _, to := range change(s.hooks.urls()) {
		if u, err := url.Parse(to); err != nil || u.Fragment != "" || !returnable(to) {
			return nil, ErrWebhookURL
		}
		if !slices.Contains(distinct, to) {
			distinct = append(distinct, to)
		}
	}
	if len(distinct) > maxTargets {
		return nil, ErrManyWebhooks
	}
	if now := s.now(); len(s.hooks.targets) == 0 { // what is final already is not sent
		for _, p := range s.ordered {
			p.told = p.told || p.ended(now)
		}
	}
	removed = s.setTargets(distinct)
	s.adoptDeliveries()
	s.step()
	return removed, nil
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

// setTargets aborts the attempts to all other URLs, and returns those.
func (s *Sandbox) setTargets(urls []string) (removed []*target) {
	h := &s.hooks
	removed, h.targets = h.targets, nil
	for _, to := range urls {
		if i := slices.IndexFunc(removed, func(t *target) bool { return t.url == to }); i >= 0 {
			h.targets = append(h.targets, removed[i])
			removed = slices.Delete(removed, i, i+1)
			continue
		}
		ctx, stop := context.WithCancel(context.Background())
		h.targets = append(h.targets, &target{url: to, ctx: ctx, stop: stop})
	}
	for _, t := range removed {
		t.stop()
	}
	return removed
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
