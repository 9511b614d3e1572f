package webhook

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paydesk/api/statefile"
	"paydesk/api/timely"
)

// listenerEnv makes the test binary a listener until it is killed. It has the folder.
const listenerEnv = "PAYDESK_TEST_LISTENER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(listenerEnv); dir != "" {
		runListener(dir)
		return
	}
	flag.Set("test.parallel", "8") // unless -parallel is given: they mostly wait
	timely.SpareDisk()
	os.Exit(m.Run())
}

// killStoreLimit is enough for all events, so that none is dropped.
const killStoreLimit = 500 * statefile.MB

// runListener prints its URL and listens.
func runListener(dir string) {
	s := New(Options{Dir: dir, Limit: killStoreLimit})
	path, err := Path(dir, "shop")
	if err == nil {
		var r *Receiver
		if r, err = s.Receive(context.Background(), "shop", ReceiverOptions{Address: "127.0.0.1:0", Path: path}); err == nil {
			fmt.Println(r.URL())
			select {}
		}
	}
	fmt.Println("error", err)
}

// A listener is killed 200 times, at random points of a flood: what it answered 200 is there, whole, and nothing is
// doubled.
func TestAKilledListenerLosesNothingThatItAnswered(t *testing.T) {
	t.Parallel()
	if os.Getenv("PAYDESK_LONG") == "" {
		t.Skip("only with PAYDESK_LONG")
	}
	dir := filepath.Join(t.TempDir(), "state")
	const kills = 200
	all := &flood{sent: map[string]int{}}
	for n := range kills {
		maps.Copy(all.sent, killDuringFlood(t, dir, n*1_000_000).sent) // events of its own
	}
	s := New(Options{Dir: dir, Limit: killStoreLimit})
	defer s.Close()
	if err := s.read(t.Context(), func(db statefile.Querier) error {
		result, err := statefile.Pragma[string](t.Context(), db, "integrity_check")
		if result != "ok" {
			t.Errorf("the file is damaged: %s", result)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	n := all.check(t, s)
	if n < kills || n == len(all.sent) {
		t.Errorf("%d kills met %d events, %d of them answered: nothing was tested", kills, len(all.sent), n)
	}
	t.Logf("%d kills, %d events sent, %d answered 200, none lost or doubled", kills, len(all.sent), n)
}

// killDuringFlood starts a listener, floods it, and kills it a random time after its first answer.
func killDuringFlood(t *testing.T, dir string, first int) *flood {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), listenerEnv+"="+dir)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	must(t, err)
	defer c.Wait()
	defer c.Process.Kill()
	url, err := bufio.NewReader(out).ReadString('\n')
	if url = strings.TrimSpace(url); err != nil || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Fatalf("the listener says %q, %v", url, err)
	}
	begun, done := make(chan struct{}), make(chan struct{})
	f := &flood{url: url, senders: 20, first: first, begun: func() { close(begun) }}
	go func() {
		defer close(done)
		select {
		case <-begun:
			<-time.After(time.Duration(rand.IntN(60_000)) * time.Microsecond)
		case <-time.After(20 * time.Second):
			t.Error("the listener never answered")
		}
		c.Process.Kill()
	}()
	f.send(done)
	return f
}

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
func listenInto(t *testing.T, s *Store) *Receiver {
	t.Helper()
	r, _ := receive(t, func(o *ReceiverOptions, l *limits) {
		o.keep = func(ctx context.Context, h http.Header, body []byte) error {
			_, err := s.Keep(ctx, "shop", h, body)
			return err
		}
		l.idle = defaultLimits().idle // a sender whose connection is closed as it sends has no answer
	})
	return r
}
