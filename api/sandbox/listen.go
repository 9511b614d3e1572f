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

// Limits of the server (R81, R131).
const (
	headerTimeout  = 5 * time.Second
	readTimeout    = 10 * time.Second
	writeTimeout   = 30 * time.Second
	idleTimeout    = 60 * time.Second
	maxHeaderBytes = 16 << 10
	closeTimeout   = 2 * time.Second
)

// ErrNotLoopback says that the address to listen on can be reached from elsewhere.
var ErrNotLoopback = errors.New("the sandbox listens on a loopback address only, such as 127.0.0.1:8099")

// A Server is a sandbox that listens.
type Server struct {
	origin string
	server *http.Server
	done   chan struct{}
	stop   func() bool
}

// Listen serves the sandbox at a loopback address such as "127.0.0.1:0" until ctx
// ends or the server is closed, and sets its origin.
func (s *Sandbox) Listen(ctx context.Context, address string) (*Server, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if ip, err := netip.ParseAddr(host); err != nil || !ip.IsLoopback() {
		return nil, ErrNotLoopback
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	v := &Server{
		origin: "http://" + listener.Addr().String(),
		server: &http.Server{
			Handler:           s,
			ReadHeaderTimeout: headerTimeout,
			ReadTimeout:       readTimeout,
			WriteTimeout:      writeTimeout,
			IdleTimeout:       idleTimeout,
			MaxHeaderBytes:    maxHeaderBytes,
			ErrorLog:          log.New(io.Discard, "", 0), // the terminal belongs to the console
		},
		done: make(chan struct{}),
	}
	s.SetOrigin(v.origin)
	v.stop = context.AfterFunc(ctx, func() { v.shutDown() })
	go func() {
		defer close(v.done)
		v.server.Serve(listener)
	}()
	return v, nil
}

// Origin is where it listens: "http://127.0.0.1:8099".
func (v *Server) Origin() string { return v.origin }

// Done is closed when it does not serve any more.
func (v *Server) Done() <-chan struct{} { return v.done }

// Close ends the server: what is being answered gets 2 s to end.
func (v *Server) Close() error {
	v.stop()
	return v.shutDown()
}

func (v *Server) shutDown() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	err := v.server.Shutdown(ctx)
	if err != nil {
		err = v.server.Close()
	}
	<-v.done
	return err
}
