// Package browser is what reaches us on loopback: the page that presents a
// challenge, and the browser it is for.
package browser

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"paydesk/api"
)

// Limits of a page (R91).
const (
	lifetime       = 10 * time.Minute
	headerTimeout  = 5 * time.Second
	readTimeout    = 10 * time.Second
	writeTimeout   = 30 * time.Second
	closeTimeout   = 2 * time.Second
	maxHeaderBytes = 16 << 10
)

// The states of a page. Only a fresh one can be fetched, so that it is fetched once
// however many ask at the same time.
const (
	fresh int32 = iota
	fetched
	expired
)

// A Page is one challenge served once on 127.0.0.1 (R91). Until it ends, who asks for
// it again finds nothing there.
type Page struct {
	host      string // the exact Host header it answers to
	path      string
	port      int
	state     atomic.Int32
	stop      context.CancelFunc
	done      chan struct{} // fetched, or not to be had any more
	closeDone sync.Once     // closes done
	ended     chan struct{} // nothing of it runs any more
}

// Serve serves markup at an address nobody can guess, for one GET, until ten
// minutes have passed, ctx has ended or the page is closed.
func Serve(ctx context.Context, m api.Markup) (*Page, error) { return serve(ctx, m, lifetime) }

func serve(ctx context.Context, m api.Markup, limit time.Duration) (*Page, error) {
	if m.IsZero() {
		return nil, errors.New("there is no page to present")
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	token := make([]byte, 16)
	rand.Read(token) // never fails (crypto/rand)
	ctx, stop := context.WithTimeout(ctx, limit)
	p := &Page{
		host: listener.Addr().String(), path: "/c/" + hex.EncodeToString(token), port: listener.Addr().(*net.TCPAddr).Port,
		stop: stop, done: make(chan struct{}), ended: make(chan struct{}),
	}
	go p.run(ctx, listener, m)
	return p, nil
}

// run serves until ctx ends and leaves nothing behind. It does not use Shutdown, which
// would wait for the connections that browsers open in advance and never use.
func (p *Page) run(ctx context.Context, l net.Listener, m api.Markup) {
	defer close(p.ended)
	defer p.closeDone.Do(func() { close(p.done) })
	defer p.stop()
	var open sync.WaitGroup
	s := &http.Server{
		Handler:           p.handler(m),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          log.New(io.Discard, "", 0), // the terminal belongs to the console
		ConnState: func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				open.Add(1)
			case http.StateClosed:
				open.Done()
			}
		},
	}
	s.SetKeepAlivesEnabled(false)
	var serving sync.WaitGroup
	serving.Go(func() {
		_ = s.Serve(l)
		p.stop()
	})
	<-ctx.Done()
	if !p.state.CompareAndSwap(fresh, expired) {
		select { // the page may still be on its way
		case <-p.done:
		case <-time.After(closeTimeout):
		}
	}
	_ = s.Close()
	serving.Wait()
	open.Wait()
}

// handler answers one GET of the page, and nobody who does not ask for exactly it.
func (p *Page) handler(m api.Markup) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setSecurityHeaders(w.Header())
		read := r.Method == http.MethodGet || r.Method == http.MethodHead
		switch {
		case r.Host != p.host || r.Header["Origin"] != nil: // DNS rebinding, or a page of somebody else
			w.WriteHeader(http.StatusForbidden)
		case r.RequestURI != p.path:
			w.WriteHeader(http.StatusNotFound)
		case !read:
			w.Header().Set("Allow", "GET, HEAD")
			w.WriteHeader(http.StatusMethodNotAllowed)
		case r.Method == http.MethodHead && p.state.Load() == fresh:
			setContentHeaders(w.Header(), m)
		case r.Method == http.MethodGet && p.state.CompareAndSwap(fresh, fetched):
			p.write(w, m)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
}

// setSecurityHeaders sets what keeps the page in an origin of its own: it may run its script and
// post its form anywhere, as the form of a bank must, and reaches nothing of ours.
func setSecurityHeaders(h http.Header) {
	h.Set("Content-Security-Policy", "sandbox allow-scripts allow-forms; frame-ancestors 'none'; base-uri 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

func setContentHeaders(h http.Header, m api.Markup) {
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(m.Expose())))
}

func (p *Page) write(w http.ResponseWriter, m api.Markup) {
	setContentHeaders(w.Header(), m)
	_, _ = io.WriteString(w, m.Expose())
	_ = http.NewResponseController(w).Flush() // the page may be closed as soon as it is told
	p.closeDone.Do(func() { close(p.done) })
}

// Address is where the page is: "http://127.0.0.1:PORT/c/TOKEN".
func (p *Page) Address() string { return "http://" + p.host + p.path }

// Port is the port alone, for an ssh -L line.
func (p *Page) Port() int { return p.port }

// Done is closed when the page was served or is not to be had any more.
func (p *Page) Done() <-chan struct{} { return p.done }

// Served reports whether the page was fetched.
func (p *Page) Served() bool { return p.state.Load() == fetched }

// Close ends it and waits for the end; a page on its way to the browser gets 2 s. It
// may be called again.
func (p *Page) Close() error {
	p.stop()
	<-p.ended
	return nil
}
