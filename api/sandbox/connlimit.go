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
	slots  chan struct{} // holds one for each connection
	closed chan struct{}
	once   sync.Once
}

func newConnLimit(l net.Listener, count int) *connLimit {
	return &connLimit{Listener: l, slots: make(chan struct{}, count), closed: make(chan struct{})}
}

// Accept waits for a place, then for a connection.
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

// Close ends waiting, too.
func (p *connLimit) Close() error {
	p.once.Do(func() { close(p.closed) })
	return p.Listener.Close()
}

// closeWhenBusy ends each connection with its answer while more than half of the places
// are taken, so that clients that keep connections for later keep no one out.
func (p *connLimit) closeWhenBusy(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(p.slots) > cap(p.slots)/2 {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}

// A limitedConn connection gives its place back when it ends.
type limitedConn struct {
	*net.TCPConn
	release func()
}

// Close gives the place back.
func (c *limitedConn) Close() error {
	defer c.release()
	return c.TCPConn.Close()
}
