package webhook

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// onlyLong skips a test of floods and kills, for which there is time with PAYDESK_LONG alone.
func onlyLong(t *testing.T) {
	t.Helper()
	if os.Getenv("PAYDESK_LONG") == "" {
		t.Skip("only with PAYDESK_LONG")
	}
}

// A flood sends events, each different, from several connections.
type flood struct {
	url     string
	senders int
	first   int           // number of the first event
	most    int           // how many; 0 means until done
	every   time.Duration // from one to the next; 0 for none
	begun   func()        // called at the first 200
	mu      sync.Mutex
	sent    map[string]int // HTTP status by event, 0 where no answer came
	took    []time.Duration
}

func eventNumber(n int) string { return string(body(fmt.Sprint("R", n), "SUCCESSFUL")) }

// send sends until done, or until all are sent.
func (f *flood) send(done <-chan struct{}) {
	f.sent = map[string]int{}
	transport := &http.Transport{MaxIdleConnsPerHost: f.senders}
	defer transport.CloseIdleConnections()
	client, start := &http.Client{Transport: transport}, time.Now()
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
				case <-time.After(time.Until(start.Add(time.Duration(i) * f.every))):
				case <-done:
					return
				}
				f.one(client, eventNumber(f.first+i))
			}
		})
	}
	all.Wait()
}

func (f *flood) one(client *http.Client, event string) {
	began, status := time.Now(), 0
	if a, err := client.Post(f.url, "application/json", strings.NewReader(event)); err == nil {
		io.Copy(io.Discard, a.Body)
		a.Body.Close()
		status = a.StatusCode
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent[event] = status
	f.took = append(f.took, time.Since(began))
	if status == http.StatusOK && f.begun != nil {
		f.begun()
		f.begun = nil
	}
}

// add adds what another flood sent.
func (f *flood) add(g *flood) {
	maps.Copy(f.sent, g.sent)
	f.took = append(f.took, g.took...)
}

// check compares what was answered with what is stored: nothing that was answered 200 is lost, and nothing is doubled.
func (f *flood) check(t *testing.T, s *Store) (acknowledged int) {
	t.Helper()
	stored := map[string]int{}
	for after := int64(0); ; {
		some, err := s.After(t.Context(), "shop", after, 500)
		if err != nil {
			t.Fatal(err)
		}
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

func percentile(of []time.Duration, percent int) time.Duration {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[(len(of)-1)*percent/100].Round(10 * time.Microsecond)
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

// 10,000 events, 500 a second from 20 connections, in stretches with pauses between: all are answered, none is lost or
// doubled, and the memory is flat.
func TestAFloodLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	onlyLong(t)
	s := New(Options{Dir: filepath.Join(t.TempDir(), "state")})
	defer s.Close()
	r := listenInto(t, s, nil)
	done := make(chan struct{})
	heap := make(chan []uint64, 1)
	var all sync.WaitGroup
	all.Go(func() { heap <- heaps(done) })
	const stretches, stretch = 10, 1000
	total := &flood{sent: map[string]int{}}
	for n := range stretches {
		<-time.After(2 * time.Second)
		f := &flood{url: r.URL(), senders: 20, first: n * stretch, most: stretch, every: 2 * time.Millisecond}
		f.send(nil)
		total.add(f)
	}
	close(done)
	all.Wait()
	events := len(total.sent)
	if n := total.check(t, s); n != events || n != stretch*stretches || r.Counts() != (Counts{Kept: int64(n)}) {
		t.Errorf("%d of %d were answered 200: %+v", n, events, r.Counts())
	}
	live := <-heap
	if first, last := live[0], slices.Max(live); last > first+16<<20 {
		t.Errorf("the memory grew from %d to %d", first, last)
	}
	t.Logf("%d events at 500/s: p50 %v, p99 %v; heap %.1f to %.1f MB", events, percentile(total.took, 50), percentile(total.took, 99),
		float64(slices.Min(live))/1e6, float64(slices.Max(live))/1e6)
}

// heaps are the bytes of live objects from time to time.
func heaps(done <-chan struct{}) (live []uint64) {
	for {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		live = append(live, m.HeapAlloc)
		select {
		case <-done:
			return live
		case <-time.After(time.Second):
		}
	}
}
