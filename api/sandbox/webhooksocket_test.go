package sandbox

import (
	"net/http"
	"net/http/httptest"
	"slices"
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

// What is sent is a POST of JSON without the key. A redirect is an answer, and not followed.
func TestAWebhookIsSentOverARealSocket(t *testing.T) {
	heard := make(chan *http.Request, 9)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heard <- r
		if r.URL.Path == "/hook" {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}
	}))
	t.Cleanup(receiver.Close)
	s := serve(t, Options{})
	t.Cleanup(func() { s.Close() })
	s.hooks.client = newSender()
	s.hooks.client.Timeout = time.Minute // what answers on a busy machine is not late
	must(t, s.SetWebhooks([]string{receiver.URL + "/hook?a=1"}))
	s.pay(charge("decline"))
	eventually(t, "the answer", func() bool {
		return slices.ContainsFunc(s.Deliveries(), func(d Delivery) bool {
			return len(d.Tries) > 0 && d.Tries[0].Problem == "The receiver answered HTTP 307."
		})
	})
	r := <-heard
	if r.Method != "POST" || r.URL.String() != "/hook?a=1" || r.Header.Get("Content-Type") != "application/json; charset=utf-8" || r.Header.Get(KeyHeader) != "" {
		t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
	}
	if len(heard) != 0 {
		t.Error("a redirect was followed")
	}
}
