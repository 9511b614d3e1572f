package sandbox

import (
	"net"
	"net/http"
	"sync"
)

// connLimit is a listener that has so many connections at once and no more (R81):
// those beyond wait in the queue of the system.
type connLimit struct {
	net.Listener
	free   chan struct{} // holds one for each connection
	closed chan struct{}
	once   sync.Once
}

func newPlaces(l net.Listener, count int) *connLimit {
	return &connLimit{Listener: l, free: make(chan struct{}, count), closed: make(chan struct{})}
}

// Accept waits for a place, then for a connection.
func (p *connLimit) Accept() (net.Conn, error) {
	select {
	case p.free <- struct{}{}:
	case <-p.closed:
		return nil, net.ErrClosed
	}
	c, err := p.Listener.Accept()
	if err != nil {
		<-p.free
		return nil, err
	}
	return &placed{TCPConn: c.(*net.TCPConn), leave: sync.OnceFunc(func() { <-p.free })}, nil
}

// Close ends waiting, too.
func (p *connLimit) Close() error {
	p.once.Do(func() { close(p.closed) })
	return p.Listener.Close()
}

// sparing ends each connection with its answer while more than half of the places
// are taken, so that clients that keep connections for later keep no one out.
func (p *connLimit) sparing(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(p.free) > cap(p.free)/2 {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}

// A placed connection gives its place back when it ends.
type placed struct {
	*net.TCPConn
	leave func()
}

// Close gives the place back.
func (c *placed) Close() error {
	defer c.leave()
	return c.TCPConn.Close()
}
