package sandbox

import (
	"net"
	"net/http"
	"sync"
)

// A connLimit is a listener with a maximum number of open connections. Further ones wait in
// the operating system's queue.
type connLimit struct {
	net.Listener
	slots  chan struct{} // one element per open connection
	closed chan struct{}
	once   sync.Once
}

func newConnLimit(l net.Listener, count int) *connLimit {
	return &connLimit{Listener: l, slots: make(chan struct{}, count), closed: make(chan struct{})}
}

// Accept waits until a connection is allowed, then for one to arrive.
func (p *connLimit) Accept() (net.Conn, error) {
	select {
	case p.slots <- struct{}{}:
	case <-p.closed:
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
	p.once.Do(func() { close(p.closed) })
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
