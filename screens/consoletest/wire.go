package consoletest

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync"
	"time"
)

// A Wire is the network between console and sandbox, without sockets, which do
// not live in a bubble.
type Wire struct {
	handler  http.Handler
	mu       sync.Mutex
	slow     time.Duration
	down     bool
	key      string // the one that is taken in the place of Key; "" for Key itself
	posts    []string
	gets     []string
	rewriter Rewrite
}

// A Rewrite makes another answer of an answer to a call of a path.
type Rewrite func(path string, status int, body []byte) (int, []byte)

// Rewrite changes every answer from now on; nil ends that.
func (w *Wire) Rewrite(b Rewrite) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rewriter = b
}

// Slow makes every answer from now on take so long.
func (w *Wire) Slow(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slow = d
}

// Disconnect makes every call from now on fail before anything is sent, until it is
// called with false.
func (w *Wire) Disconnect(down bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = down
}

// AcceptKey makes the service take another key and no more the one it took.
func (w *Wire) AcceptKey(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.key = key
}

// translateKey gives the sandbox the one key it knows where the one that is taken now was sent.
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

// Posts are the paths of the POSTs that reached the sandbox.
func (w *Wire) Posts() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.posts...)
}

// Gets are the paths of the GETs that reached the sandbox.
func (w *Wire) Gets() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.gets...)
}

// PostsTo is how many POSTs reached a path that ends so.
func (w *Wire) PostsTo(end string) int {
	n := 0
	for _, p := range w.Posts() {
		if strings.HasSuffix(p, end) {
			n++
		}
	}
	return n
}

// RoundTrip implements [http.RoundTripper]. A handler that aborts is a connection
// that broke after the request was read.
func (w *Wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	slow, down := w.slow, w.down
	w.mu.Unlock()
	if down {
		return nil, io.ErrClosedPipe // before GotConn: nothing was sent
	}
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	w.mu.Lock()
	if r.Method == http.MethodPost {
		w.posts = append(w.posts, r.URL.Path)
	} else {
		w.gets = append(w.gets, r.URL.Path)
	}
	w.mu.Unlock()
	answered := make(chan *http.Response, 1)
	go func() { answered <- w.serve(r, slow) }()
	select {
	case a := <-answered:
		if a == nil {
			return nil, io.ErrUnexpectedEOF
		}
		return a, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// rewrite is an answer after it was bent.
func (w *Wire) rewrite(path string, was *httptest.ResponseRecorder) *httptest.ResponseRecorder {
	w.mu.Lock()
	bend := w.rewriter
	w.mu.Unlock()
	if bend == nil {
		return was
	}
	status, body := bend(path, was.Code, was.Body.Bytes())
	is := httptest.NewRecorder()
	maps.Copy(is.Header(), was.Header())
	is.WriteHeader(status)
	is.Write(body)
	return is
}

func (w *Wire) serve(r *http.Request, slow time.Duration) (a *http.Response) {
	defer func() {
		if recover() != nil {
			a = nil // the connection was dropped instead of answered
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
