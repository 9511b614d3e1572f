package sandbox

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
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
)

// ErrNotLoopback reports that other machines could reach the listen address, and
// Options.AnyAddress is not set.
var ErrNotLoopback = errors.New("the listen address must be a loopback address, such as 127.0.0.1:8099")

// A Server is a sandbox that is listening.
type Server struct {
	sandbox *Sandbox
	origin  string
	server  *http.Server
	done    chan struct{} // closed when nothing is served anymore
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
	waiting, leave := context.WithCancel(context.WithoutCancel(ctx))
	v := &Server{
		sandbox: s,
		origin:  "http://" + browserHost(listener.Addr()),
		server: &http.Server{
			Handler:           s,
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
	context.AfterFunc(ctx, func() { v.Close() })
	go func() {
		defer close(v.done)
		v.server.Serve(listener)
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

// Close stops the server. Requests in progress get 2 s to finish. It may run twice: the end
// of Listen's context closes the server too.
func (v *Server) Close() error {
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
