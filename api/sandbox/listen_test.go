package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"paydesk/api/httpserver"
	"paydesk/api/timely"
)

// A server closes although a browser holds connections that it has opened ahead, or a client waits for an answer.
func TestAServerIsClosedAtOnce(t *testing.T) {
	timely.Within(t, closeTimeout/2, func() time.Duration {
		s := New(Options{Key: testKey})
		v, err := s.Listen(t.Context(), "127.0.0.1:0")
		must(t, err)
		var c net.Conn
		for range 4 {
			if c, err = net.Dial("tcp", strings.TrimPrefix(v.Origin(), "http://")); err != nil {
				t.Fatal(err)
			}
			defer c.Close()
		}
		s.Arm("all", "no-answer", 1)
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n%s: %s\r\n\r\n", listPath, KeyHeader, testKey)
		for len(s.Armed()) > 0 { // the others are there by then
			runtime.Gosched()
		}
		began := time.Now()
		if err := v.Close(); err != nil {
			t.Error(err)
		}
		took := time.Since(began)
		if _, err := bufio.NewReader(c).ReadByte(); err == nil {
			t.Error("a response arrived")
		}
		return took
	})
}

func TestOtherMachinesReachASandboxOnlyWhereThatIsAllowed(t *testing.T) {
	for _, c := range []struct {
		address string
		any     bool
		want    error
	}{{"localhost:0", false, nil}, {"0.0.0.0:0", false, ErrNotLoopback}, {"0.0.0.0:0", true, nil}} {
		ctx, leave := context.WithCancel(t.Context())
		v, err := New(Options{AnyAddress: c.any}).Listen(ctx, c.address)
		if leave(); err != c.want {
			t.Errorf("%+v: %v", c, err)
		} else if err == nil {
			<-v.server.Done()
		}
	}
	for at, want := range map[string]string{"0.0.0.0:8099": "127.0.0.1:8099", "[::]:8099": "127.0.0.1:8099", "192.0.2.1:80": "192.0.2.1:80", "[::1]:80": "[::1]:80"} {
		a, err := net.ResolveTCPAddr("tcp", at)
		must(t, err)
		if got := httpserver.Host(a); got != want {
			t.Errorf("a browser is sent to %s for %s, and not to %s", got, at, want)
		}
	}
}

// A logRecorder records log lines.
type logRecorder struct {
	mu    sync.Mutex
	lines []string
}

func (n *logRecorder) add(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, line)
}

func (n *logRecorder) all() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.lines)
}

var logLine = regexp.MustCompile(`^\d\d:\d\d:\d\d\.\d{3} (.*) [0-9.]+(ns|µs|ms|s)(.*)$`)

func TestEachRequestIsOneReadableLine(t *testing.T) {
	var log logRecorder
	s := New(Options{Key: testKey, Log: log.add})
	s.Arm("link", "error-500", 1)
	s.Arm("validate", "not-reached", 1)
	ask(s, "POST", initiatePath, mustJSON(with(charge("challenge"), "reference", "A1")))
	ask(s, "GET", statusPath+"A1", "")
	ask(s, "GET", checkPath+"A1", "")
	ask(s, "GET", listPath+"?page=2&perPage=4242424242424242", "")
	ask(s, "GET", "/bank/A1?token=secret", "")
	ask(s, "GET", "/pay/0-abc", "")
	ask(s, "POST", makeLinkPath, mustJSON(draft("mug")))
	aborts(func() { ask(s, "POST", validatePath, `{}`) })
	ask(s, "GET", "/4242424242424242", "")
	ask(s, "BREW", listPath, "")
	ask(s, "POST", "/API/payment/pay/Initiate", "{}")
	ask(s, "POST", controlPath+"payments/A1/approve", "")
	ask(s, "POST", controlPath+"A1", "")
	var got []string
	for _, line := range log.all() {
		got = append(got, logLine.ReplaceAllString(line, "$1$3"))
	}
	want := []string{
		"POST /api/payment/pay/initiate 200",
		"GET /api/payment/transactions/{reference} 200",
		"GET /api/payment/pay/get-auth-3ds 200",
		"GET /v1/api/transactions 400",
		"GET /bank/{reference} 404",
		"GET /pay/{alias} 404",
		"POST /api/payment/payment-link 500 fault error-500",
		"POST /api/payment/pay/validate - fault not-reached",
		"GET (nothing here) 404",
		"OTHER /v1/api/transactions 405",
		"POST /api/payment/pay/initiate 422",
		"POST /_sandbox/payments/{reference}/approve 403",
		"POST /_sandbox/(nothing here) 403",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// lives are the states that may follow each.
var lives = map[state][]state{initiated: {pending, failed}, pending: {successful, failed}}

// A payment becomes final by itself exactly at endsAt, and never when that is zero. What is final stays as it is.
func TestAPaymentEndsWhenItSaysItWill(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := New(Options{Key: testKey, ManualTransfers: rapid.Bool().Draw(r, "manual")})
		now := time.Date(2026, 5, 4, 9, 30, 0, 0, time.UTC)
		s.options.Now = func() time.Time { return now }
		body := bankTransfer()
		if rapid.Bool().Draw(r, "card") {
			body = charge(rapid.SampledFrom(Cards()).Draw(r, "card").Name)
		}
		if rapid.IntRange(0, 3).Draw(r, "account") == 0 {
			body = rapid.SampledFrom([]obj{byAccount(), byInterac()}).Draw(r, "by")
		}
		if rapid.Bool().Draw(r, "link") {
			l := &link{alias: "0-a", reusable: true, dynamic: true, currency: body["currency"].(string)}
			s.keepLink(l)
			body = with(body, "link", obj{"alias": l.alias})
		}
		if w := ask(s, "POST", initiatePath, mustJSON(body)); w.Code != 200 {
			r.Fatal(w.Body)
		}
		p := s.ordered[0]
		was := p.at(s.now())
		moves := func() {
			if is := p.at(s.now()); is != was && !slices.Contains(lives[was], is) {
				r.Fatalf("%s became %s", was, is)
			}
			was = p.at(s.now())
		}
		for range rapid.IntRange(0, 4).Draw(r, "steps") {
			s.Forward(rapid.SampledFrom([]time.Duration{0, 1, time.Second, 5 * time.Second}).Draw(r, "time"))
			moves()
			switch rapid.IntRange(0, 6).Draw(r, "step") {
			case 0:
				s.Approve(p.reference)
			case 1:
				s.Reject(p.reference)
			case 2:
				ask(s, "POST", finalizePath, mustJSON(obj{"paymentReference": p.reference}))
			case 3:
				s.Settle(p.reference)
			case 4:
				s.Expire(p.reference)
			case 5:
				s.Pay(p.reference, rapid.SampledFrom([]string{"1", "12.49", "12.50", "13"}).Draw(r, "paid"))
			case 6:
				s.Decline(p.reference)
			}
			moves()
		}
		at, ends := s.now(), p.endsAt(s.now())
		later := at.Add(24 * time.Hour)
		switch {
		case p.ended(at):
			if !ends.IsZero() || p.at(later) != p.at(at) {
				r.Fatalf("the payment is final, but ends %v; a day later it is %s", ends, p.at(later))
			}
		case ends.IsZero():
			if p.ended(later) {
				r.Fatal("a payment without an end became final")
			}
		case p.ended(ends.Add(-1)) || !p.ended(ends):
			r.Fatalf("it is %s at its end", p.at(ends))
		}
		if in := s.view(p, at).EndsIn; ends.IsZero() && in != "" || !ends.IsZero() && in != p.at(later).name() {
			r.Fatalf("EndsIn is %q, but the payment is %s a day later", in, p.at(later).name())
		}
	})
}
