package webhook

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A flood sends events, each different, from several connections.
type flood struct {
	url     string
	senders int
	first   int    // number of the first event
	most    int    // how many; 0 means until done
	begun   func() // called at the first 200
	mu      sync.Mutex
	sent    map[string]int // HTTP status by event, 0 where no answer came
}

func eventNumber(n int) string { return string(body(fmt.Sprint("R", n), "SUCCESSFUL")) }

// send sends until done, or until all are sent.
func (f *flood) send(done <-chan struct{}) {
	f.sent = map[string]int{}
	transport := &http.Transport{MaxIdleConnsPerHost: f.senders}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	var next atomic.Int64
	var all sync.WaitGroup
	for range f.senders {
		all.Go(func() {
			for {
				i := int(next.Add(1) - 1)
				if f.most > 0 && i >= f.most {
					return
				}
				select {
				case <-done:
					return
				default:
				}
				f.one(client, eventNumber(f.first+i))
			}
		})
	}
	all.Wait()
}

func (f *flood) one(client *http.Client, event string) {
	status := 0
	if a, err := client.Post(f.url, "application/json", strings.NewReader(event)); err == nil {
		io.Copy(io.Discard, a.Body)
		a.Body.Close()
		status = a.StatusCode
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent[event] = status
	if status == http.StatusOK && f.begun != nil {
		f.begun()
		f.begun = nil
	}
}

// check compares what was answered with what is stored: nothing that was answered 200 is lost, and nothing is doubled.
func (f *flood) check(t *testing.T, s *Store) (acknowledged int) {
	t.Helper()
	stored := map[string]int{}
	for after := int64(0); ; {
		some, err := s.After(t.Context(), "shop", after, 500)
		must(t, err)
		if len(some) == 0 {
			break
		}
		for _, d := range some {
			stored[string(d.Body)]++
		}
		after = some[len(some)-1].Number
	}
	for event, status := range f.sent {
		switch n := stored[event]; {
		case n > 1:
			t.Errorf("%s is stored %d times", event, n)
		case status == http.StatusOK && n == 0:
			t.Errorf("%s was answered 200 and is lost", event)
		case status == http.StatusOK:
			acknowledged++
		}
	}
	return acknowledged
}

// listenInto starts a receiver that stores into a file.
func listenInto(t *testing.T, s *Store, change func(*limits)) *Receiver {
	t.Helper()
	r, _ := receive(t, func(o *ReceiverOptions, l *limits) {
		o.Keep = func(ctx context.Context, h http.Header, body []byte) error {
			_, err := s.Keep(ctx, "shop", h, body)
			return err
		}
		l.idle = defaultLimits().idle // a sender whose connection is closed as it sends has no answer
		if change != nil {
			change(l)
		}
	})
	return r
}
