package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"paydesk/api/query"
	"paydesk/api/statefile"
	"paydesk/api/timely"
)

// body is the body of an event.
func body(reference, status string) []byte {
	return fmt.Appendf(nil, `{"Event":"payment.success","Data":{"Reference":%q,"Amount":12.50,"Currency":"GBP","PaymentStatus":%q,"Narration":"Order 42"}}`, reference, status)
}

func keep(t *testing.T, s *Store, body []byte) int64 {
	t.Helper()
	n, err := s.Keep(t.Context(), "shop", http.Header{"Content-Type": {"application/json"}}, body)
	must(t, err)
	return n
}

func find(t *testing.T, s *Store, text string) Found {
	t.Helper()
	q, problems := Language(func() query.DayNumber { return query.DayOf(time.Now()) }).Parse(text)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", text, problems)
	}
	f, err := s.Find(t.Context(), Search{Profile: "shop", Query: q})
	must(t, err)
	return f
}

// stores runs a test on a store in memory and on one in a file.
func stores(t *testing.T, test func(t *testing.T, s *Store)) {
	for name, dir := range map[string]string{"memory": "", "file": filepath.Join(t.TempDir(), "state")} {
		t.Run(name, func(t *testing.T) {
			s := New(Options{Dir: dir})
			t.Cleanup(func() { s.Close() })
			test(t, s)
		})
	}
}

func TestAnEventIsKeptOnceWithEachOfItsDeliveries(t *testing.T) {
	t.Parallel()
	stores(t, func(t *testing.T, s *Store) {
		if f := find(t, s, ""); f.Total != 0 || f.Newest != 0 {
			t.Errorf("an unused inbox has %+v", f)
		}
		first, other, again := keep(t, s, body("R1", "SUCCESSFUL")), keep(t, s, body("R2", "FAILED")), keep(t, s, body("R1", "SUCCESSFUL"))
		if first != 1 || other != 2 || again != 3 {
			t.Errorf("deliveries are numbered %d, %d, %d", first, other, again)
		}
		f := find(t, s, "")
		if len(f.Records) != 2 || f.Total != 2 || f.Newest != 3 {
			t.Fatalf("found %+v", f)
		}
		r := f.Records[0] // the last delivered
		if r.Reference != "R1" || r.Deliveries != 2 || r.Number != 3 || r.Verdict != Waiting || r.Amount.Amount.String() != "12.50 GBP" {
			t.Errorf("the first row is %+v", r)
		}
		d, err := s.Get(t.Context(), "shop", r.ID)
		if err != nil || string(d.Body) != string(body("R1", "SUCCESSFUL")) || len(d.Arrivals) != 2 || d.Arrivals[0].Number != 3 {
			t.Errorf("%+v, %v", d, err)
		}
		if d.Header.Get("Content-Type") != "application/json" {
			t.Errorf("header %v", d.Header)
		}
		if _, err := s.Get(t.Context(), "other", r.ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("another profile reads it: %v", err)
		}
	})
}

func TestWhatIsNoEventIsKeptRaw(t *testing.T) {
	t.Parallel()
	stores(t, func(t *testing.T, s *Store) {
		for _, raw := range []string{"", "hello", "\xff\x00", "[]", `{"a":1}`} {
			keep(t, s, []byte(raw))
		}
		f := find(t, s, "verdict:\"not understood\"")
		if len(f.Records) != 5 {
			t.Fatalf("found %d", len(f.Records))
		}
		for i, raw := range []string{`{"a":1}`, "[]", "\xff\x00", "hello", ""} {
			d, err := s.Get(t.Context(), "shop", f.Records[i].ID)
			if err != nil || string(d.Body) != raw || d.Masked || d.Problem.Empty() {
				t.Errorf("%q: %+v, %v", raw, d, err)
			}
		}
	})
}

func TestNoCardNumberOrCredentialReachesTheFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	s := New(Options{Dir: dir})
	h := http.Header{"Authorization": {"Bearer hunter2"}, "X-Card": {"4111111111111111"}, "X-Card-Pin": {"7731"}, "X-Cvv-Code": {"7731"}, "X-Plain": {"seen"}}
	_, err := s.Keep(t.Context(), "shop", h, []byte(`{"Event":"payment.success","Data":{"Reference":"R1","Narration":"4111 1111 1111 1111 sk_test_abcdefghijk","c\u0076v":"9917"}}`))
	must(t, err)
	for _, cvv := range []string{"9917", "9918", "9918"} { // two events: they differ in what is masked
		keep(t, s, []byte(`{"Event":"payment.success","Data":{"Reference":"R2","card":{"cvv":["`+cvv+`"]}}}`))
	}
	r := find(t, s, "is:masked").Records
	if len(r) != 3 || !r[2].Masked || r[0].Deliveries != 2 {
		t.Fatalf("found %+v", r)
	}
	r = r[2:]
	d, err := s.Get(t.Context(), "shop", r[0].ID)
	if err != nil || d.Header.Get("Authorization") != hidden || d.Header.Get("X-Plain") != "seen" {
		t.Errorf("%v, %v", d.Header, err)
	}
	must(t, s.Close())
	if _, err := s.Keep(t.Context(), "shop", h, nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a delivery after the file was closed: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		must(t, err)
		for _, secret := range []string{"4111 1111", "41111111", "hunter2", "sk_test_abc", "9917", "7731"} {
			if strings.Contains(string(b), secret) {
				t.Errorf("%s has %s", filepath.Base(name), secret)
			}
		}
	}
}

func TestTheInboxIsSearchedInTheCommonLanguage(t *testing.T) {
	t.Parallel()
	stores(t, func(t *testing.T, s *Store) {
		keep(t, s, body("R1", "SUCCESSFUL"))
		keep(t, s, body("R1", "SUCCESSFUL"))
		keep(t, s, body("P2", "FAILED"))
		keep(t, s, []byte("hello there"))
		for text, want := range map[string]int{
			"": 3, "r1": 1, "reference:R*": 1, "status:failed": 1, "-status:failed": 2, "amount:>12": 2, "amount:12.51..": 0, "gbp": 2, "usd": 0,
			"is:redelivered": 1, "verdict:waiting": 2, "today": 3, "\"order 42\"": 2, "hello": 1, "event:payment.success": 2, "-amount:>100": 2, "answer:pending": 0,
		} {
			if f := find(t, s, text); len(f.Records) != want {
				t.Errorf("%s finds %d, want %d", text, len(f.Records), want)
			}
		}
	})
}

func TestManyDeliveriesAtOnceAreAllKeptAndTheFirstThatDoesNotFitIsTold(t *testing.T) {
	t.Parallel()
	stores(t, func(t *testing.T, s *Store) {
		ended, end := context.WithCancel(t.Context())
		end()
		s.writing.Lock()
		before := runtime.NumGoroutine()
		kept, busy := int64(0), error(nil)
		for ; !errors.Is(busy, errBusy); kept++ {
			_, busy = s.Keep(ended, "shop", nil, fmt.Append(nil, kept))
		}
		for tries := 0; runtime.NumGoroutine()-before > maxQueued/2; tries++ { // those of other tests come and go
			if time.Sleep(10 * time.Millisecond); tries > 1000 {
				s.writing.Unlock()
				t.Fatal("each delivery that waits has a goroutine")
			}
		}
		_, err := s.Wait(t.Context(), 0)
		told := s.Trouble()
		s.writing.Unlock()
		s.queue.idle.Wait()
		if last := keep(t, s, body("R1", "SUCCESSFUL")); err != nil || told != busy || s.Trouble() != nil || last != kept {
			t.Errorf("delivery %d is the last of %d; Keep failed with %v, Trouble returned %v, and %v after one more", last, kept, busy, told, s.Trouble())
		}
	})
}

func TestADamagedInboxIsSetAsideAndSaid(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o700))
	must(t, os.WriteFile(filepath.Join(dir, FileName), []byte("no database at all, but long enough to be one"), 0o600))
	s := New(Options{Dir: dir})
	defer s.Close()
	keep(t, s, body("R1", "SUCCESSFUL"))
	if f := find(t, s, ""); f.Total != 1 || f.Replaced != filepath.Join(dir, FileName+".damaged") {
		t.Errorf("found %+v", f)
	}
}

func TestAnInboxThatWasDeletedIsBegunAnew(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows removes and renames no file that is open")
	}
	dir := filepath.Join(t.TempDir(), "state")
	s := New(Options{Dir: dir})
	defer s.Close()
	keep(t, s, body("R1", "SUCCESSFUL"))
	for _, end := range []string{"", "-wal", "-shm"} {
		must(t, os.RemoveAll(filepath.Join(dir, FileName+end)))
	}
	keep(t, s, body("R2", "SUCCESSFUL"))
	other := New(Options{Dir: dir})
	defer other.Close()
	if f := find(t, other, ""); f.Total != 1 || f.Records[0].Reference != "R2" {
		t.Errorf("another process finds %+v", f)
	}
}

func TestAnotherProcessSeesWhatIsKept(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	listener, console := New(Options{Dir: dir}), New(Options{Dir: dir})
	defer listener.Close()
	defer console.Close()
	keep(t, listener, body("R1", "SUCCESSFUL"))
	if _, err := os.Stat(listener.Path() + "-wal"); err != nil && statefile.IsLocal(dir) {
		t.Errorf("who reads waits for whoever writes: %v", err)
	}
	version, err := console.Wait(t.Context(), 0)
	if err != nil || find(t, console, "").Total != 1 {
		t.Fatal(err)
	}
	keep(t, listener, body("R2", "SUCCESSFUL"))
	if _, err := console.Wait(t.Context(), version); err != nil || find(t, console, "").Total != 2 {
		t.Errorf("the second event is not there: %v", err)
	}
}

var must = timely.Must

// Only who knows the path can use up the rate.
func TestMoreThanTheRateIsToldToWait(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	r, b := receive(t, func(_ *ReceiverOptions, l *limits) { l.rate, l.burst, l.now = 1, 3, func() time.Time { return now } })
	for range 10 {
		say(t, r, "POST /hooks/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1")
	}
	for i, want := range []int{200, 200, 200, 429, 429} {
		c := connect(t, r)
		io.WriteString(c, post("1"))
		a := answered(t, c)
		if a.StatusCode != want || want == 429 && a.Header.Get("Retry-After") != "1" {
			t.Errorf("request %d: HTTP %d %v", i, a.StatusCode, a.Header)
		}
	}
	now = now.Add(time.Second)
	if status := say(t, r, post("1")); status != 200 {
		t.Errorf("a second later: HTTP %d", status)
	}
	if got := r.Counts(); len(b.bodies()) != 4 || got != (Counts{Kept: 4, Rejected: 12}) {
		t.Errorf("%+v", got)
	}
}

var loris = map[string]string{
	"in the line":  "POST /hoo",
	"in the body":  "POST " + secretPath + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{",
	"wrong path":   "POST /hooks/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{",
	"after a post": post("1"),
}

func TestSlowSendersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	for name, part := range loris {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := receive(t, func(_ *ReceiverOptions, l *limits) {
				l.connections, l.header, l.read, l.idle = 8, 200*time.Millisecond, 200*time.Millisecond, 200*time.Millisecond
			})
			for range r.limits.connections {
				io.WriteString(connect(t, r), part)
			}
			for i := range 2 * r.limits.connections {
				status := say(t, r, post("1"))
				for tries := 0; status == 0 && tries < 20; tries++ { // on a busy machine this sender is slow, too
					status = say(t, r, post("1"))
				}
				if status != 200 {
					t.Fatalf("request %d: HTTP %d", i, status)
				}
			}
		})
	}
}

// While every place has a request that is being stored, others wait, and none is dropped.
func TestNoRequestIsDroppedForANewConnection(t *testing.T) {
	t.Parallel()
	begun, end := make(chan struct{}), make(chan struct{})
	r, _ := receive(t, func(o *ReceiverOptions, l *limits) {
		l.connections = 3
		o.keep = func(context.Context, http.Header, []byte) error {
			begun <- struct{}{}
			<-end
			return nil
		}
	})
	status := make(chan int)
	const senders = 10
	for range senders {
		go func() { status <- say(t, r, post("1")) }()
	}
	for range r.limits.connections {
		<-begun
	}
	select {
	case <-begun:
		t.Error("more are stored at once than there are places")
	case <-time.After(200 * time.Millisecond):
	}
	go func() {
		for range senders - r.limits.connections {
			<-begun
		}
	}()
	go func() {
		for range senders {
			end <- struct{}{}
		}
	}()
	for range senders {
		if got := <-status; got != 200 {
			t.Errorf("HTTP %d", got)
		}
	}
}
