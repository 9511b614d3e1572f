package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
)

// maxTargets is how many URLs webhooks are sent to.
const maxTargets = 8

// hooks are the webhook URLs. Each has a goroutine, so that a receiver that is slow or gone holds
// up no other.
type hooks struct {
	changing sync.Mutex   // held while targets change; taken before Sandbox.mu
	client   *http.Client // created when sending starts, unless set
	targets  []*target    // in the order in which they were given
	sending  bool         // whether there are any, also while they are replaced
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

// SetWebhook sends events to one URL from now on, instead of those that were set; "" stops the
// sending, like Close.
func (s *Sandbox) SetWebhook(target string) error {
	if target == "" {
		return s.Close()
	}
	return s.SetWebhooks([]string{target})
}

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
