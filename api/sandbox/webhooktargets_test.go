package sandbox

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A street has a receiver at each host, which behaves as told and remembers what it heard.
type street struct {
	mu    sync.Mutex
	does  map[string]func(*http.Request) (*http.Response, error) // nil is 200 at once
	sent  []string                                               // bodies, as they came
	at    []time.Time                                            // when each came
	heard map[string][]string                                    // references, by host
	taken map[string][]string                                    // those that were answered 200
}

func (e *street) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	_, reference := named(body)
	host := r.URL.Host
	e.mu.Lock()
	e.sent, e.at = append(e.sent, string(body)), append(e.at, time.Now())
	e.heard[host] = append(e.heard[host], reference)
	does := e.does[host]
	e.mu.Unlock()
	if does != nil {
		if a, err := does(r); err != nil || a.StatusCode != 200 {
			return a, err
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.taken[host] = append(e.taken[host], reference)
	return status(200), nil
}

// breaks makes some receivers unreachable, and the others answer.
func (e *street) breaks(hosts ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.does)
	for _, h := range hosts {
		e.does[h] = unreachable
	}
}

func (e *street) hears(t *testing.T, host string, want ...string) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if diff := cmp.Diff(want, e.heard[host]); diff != "" {
		t.Errorf("%s heard: %s", host, diff)
	}
}

func urlOf(host string) string { return "https://" + host + "/hook" }

// onStreet returns a sandbox that sends to hosts, in the bubble of synctest.
func onStreet(t *testing.T, hosts ...string) (*Sandbox, *street) {
	t.Helper()
	e := &street{does: map[string]func(*http.Request) (*http.Response, error){}, heard: map[string][]string{}, taken: map[string][]string{}}
	s := New(Options{Key: testKey})
	s.hooks.client = &http.Client{Timeout: webhookTimeout, Transport: e}
	t.Cleanup(func() { s.Close() })
	sendTo(t, s, hosts...)
	return s, e
}

func sendTo(t *testing.T, s *Sandbox, hosts ...string) {
	t.Helper()
	var urls []string
	for _, h := range hosts {
		urls = append(urls, urlOf(h))
	}
	must(t, s.SetWebhooks(urls))
}

func unreachable(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Err: errors.New("refused")}
}

// decline makes payments that end at once.
func decline(t *testing.T, s *Sandbox, references ...string) {
	t.Helper()
	for _, r := range references {
		initiateWith(t, s, r, charge("decline"))
	}
}

func TestARemovedTargetLeavesWhatItMissedToItsReplacement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, e := onStreet(t, "typo", "fine")
		e.does["typo"] = unreachable
		decline(t, s, "A1")
		synctest.Wait()
		sendTo(t, s, "fine")
		decline(t, s, "A2")
		time.Sleep(time.Hour)
		synctest.Wait()
		e.hears(t, "fine", "A1", "A2")
		e.hears(t, "typo", "A1")
		sendTo(t, s, "fine", "right")
		synctest.Wait()
		e.hears(t, "fine", "A1", "A2")
		e.hears(t, "right", "A1")
	})
}

func TestTargetsAreDistinctAndFew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := onStreet(t, "a", "b", "a")
		if diff := cmp.Diff([]string{urlOf("a"), urlOf("b")}, s.Webhooks()); diff != "" {
			t.Error(diff)
		}
		var many []string
		for i := range maxTargets + 1 {
			many = append(many, urlOf(fmt.Sprint("h", i)))
		}
		if err := s.SetWebhooks(many); err != ErrManyWebhooks || len(s.Webhooks()) != 2 {
			t.Errorf("it was refused with %v, and %q are set", err, s.Webhooks())
		}
		must(t, s.SetWebhooks(many[1:]))
		for range maxDeliveries/maxTargets + 1 {
			s.SendSample("payment.failed", "")
			synctest.Wait()
		}
		if n := len(s.Deliveries()); n != maxDeliveries {
			t.Errorf("%d deliveries are kept", n)
		}
	})
}

// Whatever targets do and however they are changed, each of them takes an event once, and in the end
// none is missed by one that stayed.
func TestEveryTargetTakesEveryEventOnce(t *testing.T) {
	hosts := []string{"a", "b", "c"}
	someHosts := rapid.SliceOfNDistinct(rapid.SampledFrom(hosts), 0, 3, rapid.ID)
	oneStep := rapid.Custom(func(r *rapid.T) happening {
		return happening{
			what:  rapid.SampledFrom([]string{"set", "send", "send", "break", "wait"}).Draw(r, "what"),
			hosts: someHosts.Draw(r, "hosts"),
			wait:  time.Duration(rapid.IntRange(1, 200).Draw(r, "seconds")) * time.Second,
		}
	})
	rapid.Check(t, func(r *rapid.T) {
		steps := append([]happening{{what: "set", hosts: hosts}}, rapid.SliceOfN(oneStep, 1, 30).Draw(r, "steps")...)
		synctest.Test(t, func(t *testing.T) { takeSteps(t, steps) })
	})
}

// A happening sets targets, sends an event, breaks some receivers and mends the others, or waits.
type happening struct {
	what  string
	hosts []string
	wait  time.Duration
}

func takeSteps(t *testing.T, steps []happening) {
	s, e := onStreet(t)
	due := map[string][]string{} // to the targets that stayed since
	var set []string
	for i, step := range steps {
		switch step.what {
		case "set":
			set = step.hosts
			sendTo(t, s, set...)
			maps.DeleteFunc(due, func(host string, _ []string) bool { return !slices.Contains(set, host) })
		case "send":
			if err := s.Send(fmt.Appendf(nil, `{"data":{"reference":"E%d"}}`, i), ""); (err == nil) != (len(set) > 0) {
				t.Fatal(err)
			}
			for _, h := range set {
				due[h] = append(due[h], fmt.Sprint("E", i))
			}
		case "break":
			e.breaks(step.hosts...)
		case "wait":
			time.Sleep(step.wait)
		}
		synctest.Wait()
	}
	e.breaks()
	s.RedeliverFailed()
	synctest.Wait()
	for h, all := range e.taken {
		if slices.Sort(all); len(slices.Compact(slices.Clone(all))) != len(all) {
			t.Errorf("%s took an event twice: %s", h, all)
		}
	}
	for h, all := range due {
		for _, reference := range all {
			if !slices.Contains(e.taken[h], reference) {
				t.Errorf("%s missed %s", h, reference)
			}
		}
	}
}
