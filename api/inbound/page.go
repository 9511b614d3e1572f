// Package inbound is what reaches us on loopback: the page that presents a
// challenge, and the browser it is for.
package inbound

import (
	"context"
	"crypto/rand"
	"encoding/hex"
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

// A Page is one challenge served once on 127.0.0.1 (R91).
type Page struct {
	address string
	host    string // the exact Host header it answers to
	port    int
	server  *http.Server
	expiry  *time.Timer
	served  atomic.Bool
	done    chan struct{}
	end     sync.Once
}

// Present serves markup at an address nobody can guess, for one GET, until it was
// served, ten minutes have passed, ctx has ended or the page is closed.
func Present(ctx context.Context, m api.Markup) (*Page, error) {
	token := make([]byte, 16)
	rand.Read(token) // never fails (crypto/rand)
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Page{host: listener.Addr().String(), port: listener.Addr().(*net.TCPAddr).Port, done: make(chan struct{})}
	path := "/c/" + hex.EncodeToString(token)
	p.address = "http://" + p.host + path
	p.server = &http.Server{
		Handler:           p.handler(path, m),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          log.New(io.Discard, "", 0), // the terminal belongs to the console
	}
	p.server.SetKeepAlivesEnabled(false)
	p.expiry = time.AfterFunc(lifetime, func() { p.Close() })
	context.AfterFunc(ctx, func() { p.Close() })
	go p.server.Serve(listener)
	return p, nil
}

// handler answers one GET of the page, and nobody who does not ask for exactly it.
func (p *Page) handler(path string, m api.Markup) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		switch {
		case r.Host != p.host || r.Header.Get("Origin") != "": // DNS rebinding, or a page of somebody else
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path != path || r.URL.RawQuery != "":
			w.WriteHeader(http.StatusNotFound)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			w.WriteHeader(http.StatusMethodNotAllowed)
		case r.Method == http.MethodGet && !p.served.CompareAndSwap(false, true):
			w.WriteHeader(http.StatusNotFound)
		default:
			p.write(w, r, m.Expose())
		}
	})
}

// write sends the page, in an origin of its own: it may run its script and post its
// form, and reach nothing of ours.
func (p *Page) write(w http.ResponseWriter, r *http.Request, page string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "sandbox allow-scripts allow-forms; frame-ancestors 'none'; base-uri 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Content-Length", strconv.Itoa(len(page)))
	if r.Method == http.MethodHead {
		return
	}
	io.WriteString(w, page)
	go p.Close() // it waits for this answer to be written
}

// Address is where the page is: "http://127.0.0.1:PORT/c/TOKEN".
func (p *Page) Address() string { return p.address }

// Port is the port alone, for an ssh -L line.
func (p *Page) Port() int { return p.port }

// Done is closed when the page was served or is not to be had any more.
func (p *Page) Done() <-chan struct{} { return p.done }

// Served reports whether the page was fetched.
func (p *Page) Served() bool { return p.served.Load() }

// Close ends it; an answer that is being written gets 2 s.
func (p *Page) Close() error {
	p.end.Do(func() {
		defer close(p.done)
		p.expiry.Stop()
		ctx, stop := context.WithTimeout(context.Background(), closeTimeout)
		defer stop()
		if p.server.Shutdown(ctx) != nil {
			p.server.Close()
		}
	})
	<-p.done
	return nil
}
