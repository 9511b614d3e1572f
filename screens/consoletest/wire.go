package consoletest

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Wire is the network between console and sandbox. It has no sockets, which do not work in a
// bubble.
type Wire struct {
	handler  http.Handler
	mu       sync.Mutex
	slow     time.Duration
	down     bool
	key      string // accepted instead of Key; "" for Key itself
	posts    []string
	gets     []string
	rewriter Rewrite
}

// A Rewrite returns the status and the body to deliver for a response to a request of path.
type Rewrite func(path string, status int, body []byte) (int, []byte)

// set changes the network under its lock.
func (w *Wire) set(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

// Rewrite changes every response from now on; nil stops it.
func (w *Wire) Rewrite(r Rewrite) { w.set(func() { w.rewriter = r }) }

// Slow delays every response from now on.
func (w *Wire) Slow(d time.Duration) { w.set(func() { w.slow = d }) }

// Disconnect makes every request from now on fail before anything is sent, or stops that.
func (w *Wire) Disconnect(down bool) { w.set(func() { w.down = down }) }

// AcceptKey makes the service accept this key only.
func (w *Wire) AcceptKey(key string) { w.set(func() { w.key = key }) }

// translateKey replaces the key accepted now by the one that the sandbox knows.
func (w *Wire) translateKey(h http.Header) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.key == "":
	case h.Get("X-Api") == w.key:
		h.Set("X-Api", Key)
	default:
		h.Set("X-Api", "revoked")
	}
}

// Posts returns the paths of the POST requests that reached the sandbox.
func (w *Wire) Posts() (paths []string) {
	w.set(func() { paths = slices.Clone(w.posts) })
	return paths
}

// Gets returns the paths of the GET requests that reached the sandbox.
func (w *Wire) Gets() (paths []string) {
	w.set(func() { paths = slices.Clone(w.gets) })
	return paths
}

// PostsTo counts the POST requests to paths with this suffix.
func (w *Wire) PostsTo(end string) int {
	n := 0
	for _, p := range w.Posts() {
		if strings.HasSuffix(p, end) {
			n++
		}
	}
	return n
}

// RoundTrip implements [http.RoundTripper]. A handler that aborts is a connection that was lost
// after the request was read.
func (w *Wire) RoundTrip(r *http.Request) (*http.Response, error) {
	var slow time.Duration
	var down bool
	w.set(func() { slow, down = w.slow, w.down })
	if down {
		return nil, io.ErrClosedPipe // before GotConn: nothing was sent
	}
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	w.set(func() {
		if r.Method == http.MethodPost {
			w.posts = append(w.posts, r.URL.Path)
		} else {
			w.gets = append(w.gets, r.URL.Path)
		}
	})
	responses := make(chan *http.Response, 1)
	go func() { responses <- w.serve(r, slow) }()
	select {
	case response := <-responses:
		if response == nil {
			return nil, io.ErrUnexpectedEOF
		}
		return response, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// rewrite applies the rewriter to a response.
func (w *Wire) rewrite(path string, original *httptest.ResponseRecorder) *httptest.ResponseRecorder {
	var rewriter Rewrite
	w.set(func() { rewriter = w.rewriter })
	if rewriter == nil {
		return original
	}
	status, body := rewriter(path, original.Code, original.Body.Bytes())
	changed := httptest.NewRecorder()
	maps.Copy(changed.Header(), original.Header())
	changed.WriteHeader(status)
	changed.Write(body)
	return changed
}

func (w *Wire) serve(r *http.Request, slow time.Duration) (response *http.Response) {
	defer func() {
		if recover() != nil {
			response = nil // the connection was dropped
		}
	}()
	record := httptest.NewRecorder()
	in := r.Clone(context.WithoutCancel(r.Context()))
	in.RequestURI, in.RemoteAddr, in.Host = r.URL.RequestURI(), "127.0.0.1:50000", r.URL.Host
	w.translateKey(in.Header)
	w.handler.ServeHTTP(record, in)
	record = w.rewrite(r.URL.Path, record)
	if slow > 0 {
		t := time.NewTimer(slow)
		defer t.Stop()
		select {
		case <-t.C:
		case <-r.Context().Done():
		}
	}
	return record.Result()
}
