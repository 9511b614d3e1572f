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
	mostDeliveries = 200 // the newest; one that is dropped is not tried any more
	mostTries      = 20  // of one delivery: the newest
	maxAddress     = 2048
)

// pauses are before the first try of a delivery, the second, and so on, on the
// sandbox's clock. After the last the delivery is given up.
var pauses = [...]time.Duration{0, time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute}

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

// news is what is told, to be told, and to become news.
type news struct {
	untold     []*payment // that have not come to their end
	deliveries []*delivery
	count      int // of deliveries ever made
}

type delivery struct {
	Delivery
	failed int // tries in a row
}

// A hook is where webhooks go, and what sends them.
type hook struct {
	address string
	client  *http.Client       // made when sending starts, unless there is one
	stop    context.CancelFunc // nil when nothing runs
	done    chan struct{}      // closed when nothing runs any more
	wake    chan struct{}      // holds one
}

// The errors of SetWebhook and Redeliver.
var (
	ErrWebhookAddress = errors.New("the address of a webhook must be an http or https address in plain ASCII, without a user name or a fragment")
	ErrNoWebhook      = errors.New("no address for webhooks is set")
	ErrNoDelivery     = errors.New("there is no delivery with this id")
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
		len(address) > maxAddress || !plainASCII(address) {
		return ErrWebhookAddress
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook.address = address
	if s.hook.stop == nil {
		now := s.now()
		for _, p := range s.order {
			if !p.ended(now) {
				s.news.untold = append(s.news.untold, p)
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
	s.hook.address, s.hook.stop = "", nil
	s.news.untold = nil
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
	out := make([]Delivery, 0, len(s.news.deliveries))
	for _, d := range slices.Backward(s.news.deliveries) {
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
	if s.hook.address == "" {
		return ErrNoWebhook
	}
	i := slices.IndexFunc(s.news.deliveries, func(d *delivery) bool { return d.ID == id })
	if i < 0 {
		return ErrNoDelivery
	}
	d := s.news.deliveries[i]
	d.failed, d.Next = 0, s.now()
	s.nudge()
	return nil
}

// follow waits for the end of a new payment.
func (s *Sandbox) follow(p *payment) {
	if s.hook.stop != nil {
		s.news.untold = append(s.news.untold, p)
		s.nudge()
	}
}

// nudge makes the goroutine look again, when there is one.
func (s *Sandbox) nudge() {
	if s.hook.stop == nil {
		return
	}
	select {
	case s.hook.wake <- struct{}{}:
	default: // it is going to look anyway
	}
}

// gather makes events of the payments that have come to their end, and says when time
// alone will bring the next one there; zero when it will not.
func (s *Sandbox) gather(now time.Time) time.Time {
	var next time.Time
	s.news.untold = slices.DeleteFunc(s.news.untold, func(p *payment) bool {
		if s.payments[p.reference] != p { // forgotten meanwhile
			return true
		}
		if p.ended(now) {
			s.tell(p, now)
			return true
		}
		next = sooner(next, p.ends(now))
		return false
	})
	return next
}

// tell makes the event of a payment that has come to its end.
func (s *Sandbox) tell(p *payment, now time.Time) {
	event, body := webhookStyle(s.quirks.of(switchWebhook)).describe(p, now)
	s.news.count++
	s.news.deliveries = append(s.news.deliveries, &delivery{Delivery: Delivery{
		ID:        deliveryID(s.news.count),
		Event:     event,
		Reference: p.reference,
		Body:      body,
		Made:      now,
		Next:      now.Add(pauses[0]),
	}})
	if len(s.news.deliveries) > mostDeliveries {
		s.news.deliveries = slices.Delete(s.news.deliveries, 0, 1)
	}
}

// sooner is the earlier of two times; a zero one never comes.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
