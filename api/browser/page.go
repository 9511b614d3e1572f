// Package browser opens the browser of this machine, and serves it the page that presents a
// challenge, once, on loopback.
package browser

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"paydesk/api"
	"paydesk/api/httpserver"
)

// The limits of a page. The lifetime gives a person time to find the tab, and to forward
// a port over SSH; the timeouts end connections that browsers open and do not use.
const (
	lifetime       = 10 * time.Minute
	headerTimeout  = 5 * time.Second
	readTimeout    = 10 * time.Second
	writeTimeout   = 30 * time.Second
	closeTimeout   = 2 * time.Second
	maxHeaderBytes = 16 << 10
)

// The states of a page. Only a fresh page can be fetched, so that one of several simultaneous
// requests gets it.
const (
	fresh int32 = iota
	fetched
	expired
)

// A Page is one response, served once on 127.0.0.1 to a program of our own user. Every other request to it
// gets a 404 or a 403.
type Page struct {
	content
	host      string // the only Host header that is accepted
	path      string
	port      int
	allowed   func(client, server string) bool // whose connections are served
	state     atomic.Int32
	stop      context.CancelFunc
	done      chan struct{} // closed once the page was served or has expired
	closeDone sync.Once     // closes done
	ended     chan struct{} // closed once nothing runs any more
}

// A content is served: the page of a challenge, or a redirect.
type content struct {
	status        int
	header, value string // the one that it needs
	body          string
}

// Serve serves markup at an unguessable URL, for one GET, until ten minutes have passed, ctx has
// ended or the page is closed.
func Serve(ctx context.Context, m api.Markup) (*Page, error) { return serveMarkup(ctx, m, lifetime) }

func serveMarkup(ctx context.Context, m api.Markup, limit time.Duration) (*Page, error) {
	if m.IsZero() {
		return nil, errors.New("there is no page to serve")
	}
	return serve(ctx, "/c/"+rand.Text(), content{http.StatusOK, "Content-Type", "text/html; charset=utf-8", m.Expose()}, limit)
}

func serve(ctx context.Context, path string, c content, limit time.Duration) (*Page, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	p := &Page{
		content: c, host: listener.Addr().String(), path: path, port: listener.Addr().(*net.TCPAddr).Port,
		allowed: ownPeer, stop: stop, done: make(chan struct{}), ended: make(chan struct{}),
	}
	go p.run(ctx, listener)
	return p, nil
}

// run serves until ctx ends and cleans up.
func (p *Page) run(ctx context.Context, l net.Listener) {
	defer close(p.ended)
	// Deferred calls run last first: whoever waits for Done, and then for Close, sees them in this order.
	defer p.closeDone.Do(func() { close(p.done) })
	defer p.stop()
	s := &http.Server{
		Handler:           p.handler(),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
	}
	s.SetKeepAlivesEnabled(false)
	server := httpserver.Start(l, s, closeTimeout)
	select {
	case <-ctx.Done():
	case <-server.Done():
	}
	p.state.CompareAndSwap(fresh, expired)
	_ = server.Close() // the page may still be being written
	server.Wait()
}

// notYours is for a person whose browser runs as another user.
const notYours = "paydesk answers programs of its own user only. Open the URL in a browser that this user started."

// handler answers one GET of the page and rejects every other request.
func (p *Page) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setSecurityHeaders(w.Header())
		read := r.Method == http.MethodGet || r.Method == http.MethodHead
		switch {
		case !p.allowed(r.RemoteAddr, p.host):
			http.Error(w, notYours, http.StatusForbidden)
		case r.Host != p.host || r.Header["Origin"] != nil: // DNS rebinding, or a request from another site
			w.WriteHeader(http.StatusForbidden)
		case p.path == doorPath && linked(r.Header):
			w.WriteHeader(http.StatusForbidden)
		case r.RequestURI != p.path:
			w.WriteHeader(http.StatusNotFound)
		case !read:
			w.Header().Set("Allow", "GET, HEAD")
			w.WriteHeader(http.StatusMethodNotAllowed)
		case r.Method == http.MethodHead && p.state.Load() == fresh:
			p.writeHead(w)
		case r.Method == http.MethodGet && p.state.CompareAndSwap(fresh, fetched):
			p.write(w)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
}

// linked reports whether a website made the request, which could have guessed a path without a token. A
// browser that was given the URL by a program names no site.
func linked(h http.Header) bool {
	site := h.Get("Sec-Fetch-Site")
	return site != "" && site != "none"
}

// setSecurityHeaders isolates the page in an origin of its own. It may run its scripts and post its
// form anywhere, as a bank's form must, but has no access to this server.
func setSecurityHeaders(h http.Header) {
	h.Set("Content-Security-Policy", "sandbox allow-scripts allow-forms; frame-ancestors 'none'; base-uri 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// writeHead is for GET and HEAD alike. The length is known, so that a browser notices a page that was
// cut off.
func (p *Page) writeHead(w http.ResponseWriter) {
	w.Header().Set(p.header, p.value)
	w.Header().Set("Content-Length", strconv.Itoa(len(p.body)))
	w.WriteHeader(p.status)
}

// write sends the page to the one request that may have it.
func (p *Page) write(w http.ResponseWriter) {
	p.writeHead(w)
	_, _ = io.WriteString(w, p.body)
	_ = http.NewResponseController(w).Flush() // once done is closed, the page may be closed too
	p.closeDone.Do(func() { close(p.done) })
}

// Address is the URL of the page: "http://127.0.0.1:PORT/c/TOKEN".
func (p *Page) Address() string { return "http://" + p.host + p.path }

// Port is the port, for an ssh -L command.
func (p *Page) Port() int { return p.port }

// Done is closed when the page was served or has expired.
func (p *Page) Done() <-chan struct{} { return p.done }

// Served reports whether the page was fetched.
func (p *Page) Served() bool { return p.state.Load() == fetched }

// Close ends the page and waits until nothing of it runs; a response under way gets 2 s. It may be
// called again.
func (p *Page) Close() error {
	p.stop()
	<-p.ended
	return nil
}
