package sandbox

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// eventually waits for a condition that another goroutine fulfils.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	tick, late := time.NewTicker(time.Millisecond), time.After(10*time.Second)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatal("timed out waiting for: " + what)
		}
	}
}

func TestDeliveryOverARealSocketSurvivesWhatReceiversDo(t *testing.T) {
	heard := make(chan *http.Request, 10)
	behave := make(chan http.HandlerFunc, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		heard <- r
		(<-behave)(w, r)
	}))
	t.Cleanup(receiver.Close)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()

	s := serve(t, Options{})
	t.Cleanup(func() { s.Close() })
	client := newSender()
	client.Timeout = time.Minute // what answers on a busy machine is not late
	s.hooks.client = client
	if err := s.SetWebhooks([]string{"http://" + closed.Addr().String()}); err != nil {
		t.Fatal(err)
	}
	problem := func(tries int, want string) {
		t.Helper()
		eventually(t, want, func() bool { d := s.Deliveries(); return len(d) == 1 && len(d[0].Tries) == tries })
		if try := s.Deliveries()[0].Tries[tries-1]; try.Problem != want {
			t.Errorf("attempt %d: %+v, want %q", tries, try, want)
		}
	}
	s.pay(charge("decline"))
	problem(1, "The receiver could not be reached.")
	if err := s.SetWebhooks([]string{receiver.URL + "/hook?a=1"}); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		pause time.Duration
		does  http.HandlerFunc
		want  string
	}{
		{time.Second, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500) }, "The receiver answered HTTP 500."},
		{5 * time.Second, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "The receiver did not respond in time."},
		{30 * time.Second, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}, "The receiver answered HTTP 307."},
		{2 * time.Minute, func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, "The receiver did not respond."},
	} {
		client.Timeout = time.Minute
		if c.want == "The receiver did not respond in time." {
			client.Timeout = 100 * time.Millisecond
		}
		behave <- c.does
		s.Forward(c.pause)
		problem(i+2, c.want)
	}
	behave <- func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) }
	if err := s.Redeliver("D1"); err != nil {
		t.Fatal(err)
	}
	problem(6, "")
	for range 5 {
		r := <-heard
		if r.Method != "POST" || r.URL.String() != "/hook?a=1" || r.Header.Get("Content-Type") != "application/json; charset=utf-8" || r.Header.Get(KeyHeader) != "" {
			t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
		}
	}
	if len(heard) != 0 {
		t.Error("a redirect was followed")
	}
}
