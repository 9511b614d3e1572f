package webhook

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"
)

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
		o.Keep = func(context.Context, http.Header, []byte) error {
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
