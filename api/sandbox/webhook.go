package sandbox

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// Webhooks (section 6): a payment that has come to its end, SUCCESSFUL or FAILED for
// good, is told to one address. This file is what is to be told and when;
// webhooksend.go sends it, webhookbody.go is what it says.

// The limits of what is kept of deliveries.
const (
	maxDeliveries = 200 // the newest; one that is dropped is not tried any more
	maxTries      = 20  // of one delivery: the newest
	maxURL        = 2048
)

// retryDelays are before the first try of a delivery, the second, and so on, on the
// sandbox's clock. After the last the delivery is given up.
var retryDelays = [...]time.Duration{0, time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute}

// A Delivery is one event and what became of telling it.
type Delivery struct {
	ID        string    `json:"id"` // for Redeliver
	Event     string    `json:"event"`
	Reference string    `json:"reference"`
	Body      string    `json:"body"` // as it is sent, each time the same
	Made      time.Time `json:"made"`
	Tries     []Try     `json:"tries"`
	Delivered bool      `json:"delivered"`     // by the last try
	Next      time.Time `json:"next,omitzero"` // when it is tried again; zero when it is not, or is just now
}

// A Try is one attempt to deliver.
type Try struct {
	At      time.Time `json:"at"`
	Address string    `json:"address"`
	Status  int       `json:"status,omitempty"`  // of the answer; 0 when there was none
	Problem string    `json:"problem,omitempty"` // in words; "" when it was delivered
}

// events is what is told, to be told, and to become news.
type events struct {
	unfinished []*payment // that have not come to their end
	deliveries []*delivery
	count      int // of deliveries ever made
}

type delivery struct {
	Delivery
	failed int // tries in a row
}

// A hook is where webhooks go, and what sends them.
type hook struct {
	url    string
	client *http.Client       // made when sending starts, unless there is one
	stop   context.CancelFunc // nil when nothing runs
	done   chan struct{}      // closed when nothing runs any more
	wake   chan struct{}      // holds one
}

// The errors of SetWebhook and Redeliver.
var (
	ErrWebhookURL = errors.New("the address of a webhook must be an http or https address in plain ASCII, without a user name or a fragment")
	ErrNoWebhook  = errors.New("no address for webhooks is set")
	ErrNoDelivery = errors.New("there is no delivery with this id")
)

// SetWebhook sends events to an address from now on; "" ends it, like Close. Payments
// that have come to their end before are not told. A goroutine runs while an address
// is set.
func (s *Sandbox) SetWebhook(address string) error {
	if address == "" {
		s.Close()
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Hostname() == "" || u.User != nil || u.Fragment != "" ||
		len(address) > maxURL || !plainASCII(address) {
		return ErrWebhookURL
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook.url = address
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

// Close ends the sending of webhooks and forgets their address; a try that is under
// way is cut off. What was not delivered yet is tried again when an address is set.
// Nothing else needs closing.
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

// Deliveries lists the newest 200 events, the newest first.
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

// Redeliver sends an event once more at once, whether it was delivered or not, to the
// address that is set now; failing that, with the same pauses as the first time.
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

// trackPayment waits for the end of a new payment.
func (s *Sandbox) trackPayment(p *payment) {
	if s.hook.stop != nil {
		s.events.unfinished = append(s.events.unfinished, p)
		s.wakeSender()
	}
}

// wakeSender makes the goroutine look again, when there is one.
func (s *Sandbox) wakeSender() {
	if s.hook.stop == nil {
		return
	}
	select {
	case s.hook.wake <- struct{}{}:
	default: // it is going to look anyway
	}
}

// collectEvents makes events of the payments that have come to their end, and says when time
// alone will bring the next one there; zero when it will not.
func (s *Sandbox) collectEvents(now time.Time) time.Time {
	var next time.Time
	s.events.unfinished = slices.DeleteFunc(s.events.unfinished, func(p *payment) bool {
		if s.payments[p.reference] != p { // forgotten meanwhile
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

// addDelivery makes the event of a payment that has come to its end.
func (s *Sandbox) addDelivery(p *payment, now time.Time) {
	event, body := webhookStyle(s.switches.of(switchWebhook)).event(p, now)
	s.events.count++
	s.events.deliveries = append(s.events.deliveries, &delivery{Delivery: Delivery{
		ID:        deliveryID(s.events.count),
		Event:     event,
		Reference: p.reference,
		Body:      body,
		Made:      now,
		Next:      now.Add(retryDelays[0]),
	}})
	if len(s.events.deliveries) > maxDeliveries {
		s.events.deliveries = slices.Delete(s.events.deliveries, 0, 1)
	}
}

// earlier is the earlier of two times; a zero one never comes.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
