package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Webhooks (section 6): payments that became final are posted to each URL that is set. This file
// decides what is sent and when; webhookbody.go builds the body, and webhooktargets.go has the URLs
// and sends.

// Limits of the stored deliveries.
const (
	maxDeliveries = 1_000 // the newest; a dropped one is not retried
	maxTries      = 20    // per delivery, the newest
	maxURL        = 2048
)

// retryDelays are the delays before each attempt, on the sandbox's clock. After the
// last attempt the delivery is given up.
var retryDelays = [...]time.Duration{0, time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute}

// A Delivery is one event and the attempts to deliver it to one URL.
type Delivery struct {
	ID        string    `json:"id"`        // for Redeliver
	Event     string    `json:"event"`     // "" for an edited body that names none
	Reference string    `json:"reference"` // likewise
	Target    string    `json:"target"`    // the URL
	Edited    bool      `json:"edited"`    // a person wrote the body
	Sample    bool      `json:"sample"`    // of no payment: see SendSample
	Body      string    `json:"body"`      // the same for every attempt
	Made      time.Time `json:"made"`
	Tries     []Try     `json:"tries"`
	Delivered bool      `json:"delivered"`     // by the last attempt
	Next      time.Time `json:"next,omitzero"` // the next attempt; zero for none, or while one is in progress
}

// A Try is one attempt to deliver.
type Try struct {
	At      time.Time     `json:"at"`
	Address string        `json:"address"`
	Took    time.Duration `json:"took"`              // in nanoseconds, by the machine's clock
	Status  int           `json:"status,omitempty"`  // of the response; 0 for none
	Problem string        `json:"problem,omitempty"` // a sentence; "" when it was delivered
}

// events are the deliveries made of the payments that became final.
type events struct {
	deliveries []*delivery
	told       int // events since New or Reset
	count      int // deliveries since New or Reset
}

type delivery struct {
	Delivery
	number int // of the event, which each URL is sent
	failed int // consecutive failed attempts
}

// The errors of Redeliver and SendSample.
var (
	ErrNoDelivery = reason("no delivery has this ID")
	ErrNoEvent    = reason("the event must be payment.success or payment.failed")
)

// Deliveries lists the newest 1,000, the latest event first, each in the order of the URLs.
func (s *Sandbox) Deliveries() []Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	newest := slices.Clone(s.events.deliveries)
	slices.SortStableFunc(newest, func(a, b *delivery) int { return b.number - a.number })
	out := make([]Delivery, 0, len(newest))
	for _, d := range newest {
		copied := d.Delivery
		copied.Tries = slices.Clone(d.Tries)
		out = append(out, copied)
	}
	return out
}

// Body returns the raw body of a delivery; "" when there is no such delivery.
func (s *Sandbox) Body(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.delivery(id); d != nil {
		return d.Body
	}
	return ""
}

// delivery returns the delivery with an id; nil when there is none.
func (s *Sandbox) delivery(id string) *delivery {
	i := slices.IndexFunc(s.events.deliveries, func(d *delivery) bool { return d.ID == id })
	if i < 0 {
		return nil
	}
	return s.events.deliveries[i]
}

// Redeliver sends an event again now, delivered or not: to its URL, or to the first
// when that was removed. When that fails, it is retried as at first.
func (s *Sandbox) Redeliver(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	urls := s.hooks.urls()
	if len(urls) == 0 {
		return ErrNoWebhook
	}
	d := s.delivery(id)
	if d == nil {
		return ErrNoDelivery
	}
	if !slices.Contains(urls, d.Target) {
		d.Target = urls[0]
	}
	s.sendNow(d)
	s.step()
	return nil
}

// RedeliverFailed sends all events again now that were not delivered, and returns how many there are.
// One whose URL was removed goes to one that was not sent it, if there is any.
func (s *Sandbox) RedeliverFailed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	urls, n := s.hooks.urls(), 0
	for _, d := range s.events.deliveries {
		if !d.Delivered && (slices.Contains(urls, d.Target) || s.adopt(d, urls)) {
			s.sendNow(d)
			n++
		}
	}
	s.step()
	return n
}

// sendNow makes a delivery due, with all its attempts before it again.
func (s *Sandbox) sendNow(d *delivery) {
	d.failed, d.Next = 0, s.now()
}

// collectEvents creates deliveries for payments that became final, and returns when the
// next one will by itself; zero when none will.
func (s *Sandbox) collectEvents(now time.Time) time.Time {
	var next time.Time
	for _, p := range s.ordered {
		if p.told {
			continue
		}
		if p.told = p.ended(now); !p.told {
			next = earlier(next, p.endsAt(now))
			continue
		}
		times := 1
		if f, _ := s.faults.next(event); f != nil {
			times = map[string]int{"webhook-lost": 0, "webhook-twice": 2}[f.Name]
		}
		for range times {
			s.addEvent(s.describe(p, now, ""), now, s.hooks.urls())
		}
	}
	return next
}

// describe is the event of a final payment in a style, that of the switch for "".
func (s *Sandbox) describe(p *payment, now time.Time, style string) Delivery {
	w := webhookStyle(cmp.Or(style, s.switches.of("webhook.style")))
	event, body := w.event(p, now, s.switches.is("webhook.metadata", "given"))
	return Delivery{Event: event, Reference: p.reference, Body: body}
}

// addEvent makes a delivery of an event to each of some URLs. Its body is built once, so that every
// attempt sends the same.
func (s *Sandbox) addEvent(e Delivery, now time.Time, urls []string) {
	s.events.told++
	e.Made, e.Next = now, now.Add(retryDelays[0])
	for _, to := range urls {
		s.events.count++
		e.ID, e.Target = fmt.Sprintf("D%d", s.events.count), to
		s.events.deliveries = append(s.events.deliveries, &delivery{Delivery: e, number: s.events.told})
	}
	over := max(len(s.events.deliveries)-maxDeliveries, 0)
	s.events.deliveries = slices.Delete(s.events.deliveries, 0, over)
}

// earlier returns the earlier of two times; a zero time means never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
