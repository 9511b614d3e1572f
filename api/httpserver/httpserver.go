// Package httpserver runs the servers of the program, whose clients are programs and browsers, on this machine unless a person
// allows others: that of the sandbox, that of webhooks, and that of a page which is served once.
package httpserver

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// A Server serves until it is closed.
type Server struct {
	http        *http.Server
	wait        time.Duration // for requests under way at the end
	done        chan struct{}
	connections sync.WaitGroup
}

// Start serves on a listener what s answers. Once it is closed, requests whose header has come are answered first, for as long
// as wait at most, and their contexts end at once.
func Start(l net.Listener, s *http.Server, wait time.Duration) *Server {
	v := &Server{http: s, wait: wait, done: make(chan struct{})}
	open, end := context.WithCancel(context.Background())
	s.RegisterOnShutdown(end)
	s.BaseContext = func(net.Listener) context.Context { return open }
	silent := endSilent(open)
	s.ConnState = func(c net.Conn, to http.ConnState) {
		silent(c, to)
		switch to {
		case http.StateNew:
			v.connections.Add(1)
		case http.StateClosed, http.StateHijacked:
			v.connections.Done()
		}
	}
	s.ErrorLog = log.New(io.Discard, "", 0) // the terminal belongs to the console
	go func() {
		defer close(v.done)
		s.Serve(l)
	}()
	return v
}

// endSilent closes, once ctx ends, each connection that has sent no complete header. Browsers open some in advance, and
// Shutdown would wait for them.
func endSilent(ctx context.Context) func(net.Conn, http.ConnState) {
	var silent sync.Map // what keeps a connection open, by connection
	return func(c net.Conn, to http.ConnState) {
		if to == http.StateNew {
			silent.Store(c, context.AfterFunc(ctx, func() { c.Close() }))
		} else if keep, is := silent.LoadAndDelete(c); is {
			keep.(func() bool)()
		}
	}
}

// Done returns a channel that is closed once the server has stopped accepting connections.
func (v *Server) Done() <-chan struct{} { return v.done }

// Wait waits, once the server is closed, for requests that took longer than [Server.Close] waits: their connections are closed.
func (v *Server) Wait() { v.connections.Wait() }

// Close ends the server. It may run twice.
func (v *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), v.wait)
	defer cancel()
	err := v.http.Shutdown(ctx)
	if err != nil {
		v.http.Close()
	}
	<-v.done
	return err
}

// Host is the host and port by which programs on this machine reach a listener.
func Host(a net.Addr) string {
	at, err := netip.ParseAddrPort(a.String())
	if err == nil && at.Addr().IsUnspecified() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port()).String()
	}
	return a.String()
}
