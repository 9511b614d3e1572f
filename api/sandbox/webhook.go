package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// Webhooks (section 6): payments that became final are posted to one URL. This file
// decides what is sent and when; webhooksend.go builds the body and sends.

// Limits of the stored deliveries.
const (
	maxDeliveries = 200 // the newest; a dropped one is not retried
	maxTries      = 20  // per delivery, the newest
	maxURL        = 2048
)

// retryDelays are the delays before each attempt, on the sandbox's clock. After the
// last attempt the delivery is given up.
var retryDelays = [...]time.Duration{0, time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute}

// A Delivery is one event and the attempts to deliver it.
type Delivery struct {
	ID        string    `json:"id"` // for Redeliver
	Event     string    `json:"event"`
	Reference string    `json:"reference"`
	Body      string    `json:"body"` // the same for every attempt
	Made      time.Time `json:"made"`
	Tries     []Try     `json:"tries"`
	Delivered bool      `json:"delivered"`     // by the last attempt
	Next      time.Time `json:"next,omitzero"` // the next attempt; zero for none, or while one is in progress
}

// A Try is one attempt to deliver.
type Try struct {
	At      time.Time `json:"at"`
	Address string    `json:"address"`
	Status  int       `json:"status,omitempty"`  // of the response; 0 for none
	Problem string    `json:"problem,omitempty"` // a sentence; "" when it was delivered
}

// events are the payments to watch and the deliveries made of those that became final.
type events struct {
	unfinished []*payment // payments that are not final yet
	deliveries []*delivery
	count      int // deliveries since New or Reset
}

type delivery struct {
	Delivery
	failed int // consecutive failed attempts
}

// A hook is the webhook URL and the goroutine that sends to it.
type hook struct {
	url    string
	client *http.Client       // created when sending starts, unless set
	stop   context.CancelFunc // nil when nothing is running
	done   chan struct{}      // closed when the goroutine has ended
	wake   chan struct{}      // has a buffer of one
}

// The errors of SetWebhook, Redeliver and SendSample.
var (
	ErrWebhookURL = errors.New("the webhook URL must be an http or https URL in plain ASCII, " +
		"without a user name or a fragment")
	ErrNoWebhook  = errors.New("no webhook URL is set")
	ErrNoDelivery = errors.New("there is no delivery with this id")
	ErrNoEvent    = errors.New("the event must be payment.success or payment.failed")
)

// SetWebhook sends events to a URL from now on; "" stops the sending, like Close. Payments
// that are final already are not sent. A goroutine runs while a URL is set.
func (s *Sandbox) SetWebhook(target string) error {
	if target == "" {
		s.Close()
		return nil
	}
	if u, err := url.Parse(target); err != nil || u.Fragment != "" || !returnable(target) {
		return ErrWebhookURL
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook.url = target
	if s.hook.stop == nil {
		now := s.now()
		for _, p := range s.ordered {
			if !p.ended(now) {
				s.events.unfinished = append(s.events.unfinished, p)
			}
		}
		s.startSending()
	}
	return nil
}

// Close stops the sending of webhooks and removes their URL; an attempt in progress is
// aborted. Undelivered events are retried when a URL is set again. Nothing else needs
// closing.
func (s *Sandbox) Close() error {
	s.mu.Lock()
	stop, done := s.hook.stop, s.hook.done
	s.hook.url, s.hook.stop = "", nil
	s.events.unfinished = nil
	s.mu.Unlock()
	if stop != nil {
		stop()
		<-done
	}
	return nil
}

// Deliveries lists the newest 200 events, newest first.
func (s *Sandbox) Deliveries() []Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Delivery, 0, len(s.events.deliveries))
	for _, d := range slices.Backward(s.events.deliveries) {
		copied := d.Delivery
		copied.Tries = slices.Clone(d.Tries)
		out = append(out, copied)
	}
	return out
}

// Redeliver sends an event again now, to the current URL and whether it was delivered or
// not. When that fails, it is retried as at first.
func (s *Sandbox) Redeliver(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hook.url == "" {
		return ErrNoWebhook
	}
	i := slices.IndexFunc(s.events.deliveries, func(d *delivery) bool { return d.ID == id })
	if i < 0 {
		return ErrNoDelivery
	}
	d := s.events.deliveries[i]
	d.failed, d.Next = 0, s.now()
	s.wakeSender()
	return nil
}

// SendSample sends an event of no payment, to try a receiver with: payment.success or
// payment.failed. It is delivered like any other.
func (s *Sandbox) SendSample(event string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	succeeds, _ := webhookStyle("spec").names(true)
	fails, _ := webhookStyle("spec").names(false)
	switch {
	case event != succeeds && event != fails:
		return ErrNoEvent
	case s.hook.url == "":
		return ErrNoWebhook
	}
	s.addDelivery(&payment{
		request: request{
			amount: 12_50, channel: channelCard, currency: "GBP", narration: "A sample event",
			reference: fmt.Sprintf("SAMPLE%d", s.events.count+1),
		},
		bank: &bankPart{authorized: s.now(), settled: true, declined: event == fails},
	}, s.now())
	s.wakeSender()
	return nil
}

// trackPayment watches a new payment until it is final.
func (s *Sandbox) trackPayment(p *payment) {
	if s.hook.stop != nil {
		s.events.unfinished = append(s.events.unfinished, p)
		s.wakeSender()
	}
}

// wakeSender makes the sending goroutine, if any, look for changes.
func (s *Sandbox) wakeSender() {
	if s.hook.stop == nil {
		return
	}
	select {
	case s.hook.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// collectEvents creates deliveries for payments that became final, and returns when the
// next one will by itself; zero when none will.
func (s *Sandbox) collectEvents(now time.Time) time.Time {
	var next time.Time
	s.events.unfinished = slices.DeleteFunc(s.events.unfinished, func(p *payment) bool {
		if s.payments[p.reference] != p { // dropped since
			return true
		}
		if p.ended(now) {
			s.addDelivery(p, now)
			return true
		}
		next = earlier(next, p.endsAt(now))
		return false
	})
	return next
}

// addDelivery builds the body once, so that every attempt sends the same.
func (s *Sandbox) addDelivery(p *payment, now time.Time) {
	style, given := webhookStyle(s.switches.of("webhook.style")), s.switches.is("webhook.metadata", "given")
	event, body := style.event(p, now, given)
	s.events.count++
	s.events.deliveries = append(s.events.deliveries, &delivery{Delivery: Delivery{
		ID:        fmt.Sprintf("D%d", s.events.count),
		Event:     event,
		Reference: p.reference,
		Body:      body,
		Made:      now,
		Next:      now.Add(retryDelays[0]),
	}})
	s.events.deliveries = slices.Delete(s.events.deliveries, 0, max(len(s.events.deliveries)-maxDeliveries, 0))
}

// earlier returns the earlier of two times; a zero time means never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
