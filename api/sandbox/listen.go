package sandbox

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// Limits of the server.
const (
	headerTimeout  = 5 * time.Second
	readTimeout    = 10 * time.Second
	writeTimeout   = 30 * time.Second
	idleTimeout    = 60 * time.Second
	maxHeaderBytes = 16 << 10
	closeTimeout   = 2 * time.Second
	maxConnections = 64
)

// ErrNotLoopback reports that other machines could reach the listen address, and
// Options.AnyAddress is not set.
var ErrNotLoopback = errors.New("the listen address must be a loopback address, such as 127.0.0.1:8099")

// A Server is a sandbox that is listening.
type Server struct {
	sandbox      *Sandbox
	origin       string
	server       *http.Server
	done         chan struct{}
	stopWatching func() bool
}

// Listen serves the sandbox at an address such as "127.0.0.1:0" until ctx ends or the
// server is closed, and sets its origin. The address must be a loopback address, unless
// Options.AnyAddress is set. Closing the server also stops webhooks.
func (s *Sandbox) Listen(ctx context.Context, address string) (*Server, error) {
	if s.webhookErr != nil {
		return nil, s.webhookErr
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if ip, err := netip.ParseAddr(host); !s.options.AnyAddress && (err != nil || !ip.IsLoopback()) {
		return nil, ErrNotLoopback
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	places := newConnLimit(listener, maxConnections)
	waiting, leave := context.WithCancel(context.WithoutCancel(ctx))
	v := &Server{
		sandbox: s,
		origin:  "http://" + browserHost(listener.Addr()),
		server: &http.Server{
			Handler:           places.closeWhenBusy(s),
			ReadHeaderTimeout: headerTimeout,
			ReadTimeout:       readTimeout,
			WriteTimeout:      writeTimeout,
			IdleTimeout:       idleTimeout,
			MaxHeaderBytes:    maxHeaderBytes,
			BaseContext:       func(net.Listener) context.Context { return waiting },
			ErrorLog:          log.New(io.Discard, "", 0), // the terminal belongs to the console
		},
		done: make(chan struct{}),
	}
	v.server.RegisterOnShutdown(leave) // ends faults that keep a client waiting
	s.SetOrigin(v.origin)
	v.stopWatching = context.AfterFunc(ctx, func() { v.shutDown() })
	go func() {
		defer close(v.done)
		v.server.Serve(places)
	}()
	return v, nil
}

// browserHost is the host and port for a browser on this machine.
func browserHost(a net.Addr) string {
	at, err := netip.ParseAddrPort(a.String())
	if err == nil && at.Addr().IsUnspecified() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port()).String()
	}
	return a.String()
}

// Origin is the server's URL, such as "http://127.0.0.1:8099".
func (v *Server) Origin() string { return v.origin }

// Done is closed when the server has stopped.
func (v *Server) Done() <-chan struct{} { return v.done }

// Close stops the server. Requests in progress get 2 s to finish.
func (v *Server) Close() error {
	v.stopWatching()
	return v.shutDown()
}

// shutDown may run twice, for the end of the context and for Close.
func (v *Server) shutDown() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	err := v.server.Shutdown(ctx)
	if err != nil {
		err = v.server.Close()
	}
	<-v.done
	v.sandbox.Close()
	return err
}

// A connLimit is a listener with a maximum number of open connections. Further ones wait in
// the operating system's queue.
type connLimit struct {
	net.Listener
	slots  chan struct{} // one element per open connection
	closed context.Context
	close  context.CancelFunc
}

func newConnLimit(l net.Listener, count int) *connLimit {
	closed, close := context.WithCancel(context.Background())
	return &connLimit{l, make(chan struct{}, count), closed, close}
}

// Accept waits until a connection is allowed, then for one to arrive.
func (p *connLimit) Accept() (net.Conn, error) {
	select {
	case p.slots <- struct{}{}:
	case <-p.closed.Done():
		return nil, net.ErrClosed
	}
	c, err := p.Listener.Accept()
	if err != nil {
		<-p.slots
		return nil, err
	}
	return &limitedConn{TCPConn: c.(*net.TCPConn), release: sync.OnceFunc(func() { <-p.slots })}, nil
}

// Close also unblocks a waiting Accept.
func (p *connLimit) Close() error {
	p.close()
	return p.Listener.Close()
}

// closeWhenBusy closes each connection after its response while more than half of the
// connections are in use, so that idle keep-alive connections do not block other clients.
func (p *connLimit) closeWhenBusy(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(p.slots) > cap(p.slots)/2 {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}

// A limitedConn frees its place in the limit when it is closed.
type limitedConn struct {
	*net.TCPConn
	release func()
}

// Close closes the connection and frees its place.
func (c *limitedConn) Close() error {
	defer c.release()
	return c.TCPConn.Close()
}
