package api

import (
	"context"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync"
	"time"
)

// connectedFor sets how long a connection is kept for the next POST. Services close one over which
// nothing comes in, few before this.
const connectedFor = 30 * time.Second

// aheadLimit limits how long a POST waits for the connection that is being made ahead. Most handshakes are
// finished by then. Behind one that stalls, the POST would wait as long as a dial may take, and then dial
// itself.
const aheadLimit = time.Second

// Connect connects to the service ahead of the next POST, which then does not wait for it: the TLS
// handshake is finished, and nothing is sent. The POST may be sent without it. It is no request, and
// the request log does not have it.
func (c *Client) Connect(ctx context.Context) error {
	p, ok := c.posts.Transport.(*postTransport)
	if !ok {
		return nil // the network of a test
	}
	if err := p.connect(ctx, c.base); err != nil {
		return failure(response{}, diagnose(err, false))
	}
	return nil
}

// A postTransport sends each POST over a connection of its own: the one that was made ahead, if it
// still lives, or a new one. What was written to a connection is never written to another.
type postTransport struct {
	*transport
	mu      sync.Mutex
	dialing *dialing   // nil while none is made
	ahead   *aheadConn // nil for none
}

// An aheadConn is a connection over which nothing was sent.
type aheadConn struct {
	*http.ClientConn
	origin string
	wire   *wire
	expiry *time.Timer
}

// A dialing is the making of a connection.
type dialing struct {
	done chan struct{} // closed once it was made or failed
	stop context.CancelFunc
	wire *wire
}

// connect makes a connection for the next POST, in the place of one made earlier, unless one is being
// made now.
func (p *postTransport) connect(ctx context.Context, origin *url.URL) error {
	p.mu.Lock()
	if p.dialing != nil {
		p.mu.Unlock()
		return nil
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d := &dialing{make(chan struct{}), stop, &wire{}}
	p.dialing = d
	p.mu.Unlock()
	var made *aheadConn
	defer func() { // also when the dial panics, since POSTs wait for its end
		p.mu.Lock()
		if p.dialing == d {
			p.dialing = nil
			p.keep(made)
		} else if made != nil { // abandoned
			made.Close()
		}
		p.mu.Unlock()
		close(d.done)
	}()
	ctx = context.WithValue(ctx, wireContext{}, d.wire)
	conn, err := p.NewClientConn(context.WithValue(ctx, originContext{}, origin), origin.Scheme, hostAndPort(origin))
	if err == nil {
		made = &aheadConn{ClientConn: conn, origin: schemeAndHost(origin), wire: d.wire}
	}
	return err
}

// keep replaces the connection made ahead, until it is too old. p.mu is held.
func (p *postTransport) keep(c *aheadConn) {
	if old := p.ahead; old != nil {
		old.expiry.Stop()
		old.Close()
	}
	p.ahead = c
	if c != nil {
		c.expiry = time.AfterFunc(connectedFor, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.ahead == c {
				p.keep(nil)
			}
		})
	}
}

// take removes the connection made ahead, and returns it if a POST to origin can be sent over it. It
// waits for one that is being made, up to aheadLimit.
func (p *postTransport) take(ctx context.Context, origin string) *aheadConn {
	limit, stop := context.WithTimeout(ctx, aheadLimit)
	defer stop()
	p.mu.Lock()
	for p.dialing != nil {
		d := p.dialing
		p.mu.Unlock()
		select {
		case <-d.done:
		case <-limit.Done():
			if ctx.Err() != nil {
				return nil
			}
			p.abandon(d)
		}
		p.mu.Lock()
	}
	defer p.mu.Unlock()
	c := p.ahead
	if c == nil {
		return nil
	}
	p.ahead = nil
	c.expiry.Stop()
	if c.origin != origin || c.Err() != nil || c.Reserve() != nil {
		c.Close()
		return nil
	}
	return c
}

// abandon closes a connection that is still being made: nothing is written to it from now on.
func (p *postTransport) abandon(d *dialing) {
	p.mu.Lock()
	late := p.dialing == d
	if late {
		p.dialing = nil
	}
	p.mu.Unlock()
	if late {
		d.stop()
		d.wire.seal()
	}
}

// RoundTrip implements [http.RoundTripper]. A connection that turns out to be closed before anything
// was sent is replaced by a new one.
func (p *postTransport) RoundTrip(q *http.Request) (*http.Response, error) {
	c := p.take(q.Context(), schemeAndHost(q.URL))
	if c == nil {
		return p.transport.RoundTrip(q)
	}
	c.wire.restart()
	got, err := c.RoundTrip(q)
	if err == nil {
		gotConn(q) // the response is from over this connection, which the transport closes after it
		return got, nil
	}
	sent := c.wire.seal() >= leastRequest
	c.Close()
	switch body, ok := q.Body.(*wipedBody); {
	case sent:
		gotConn(q)
	case ok && body.untouched() && q.Context().Err() == nil:
		return p.transport.RoundTrip(q)
	}
	return nil, err
}

// CloseIdleConnections closes the connection made ahead, too.
func (p *postTransport) CloseIdleConnections() {
	p.mu.Lock()
	p.keep(nil)
	p.mu.Unlock()
	p.transport.CloseIdleConnections()
}

// gotConn reports to the trace of q that it may have been sent.
func gotConn(q *http.Request) {
	if t := httptrace.ContextClientTrace(q.Context()); t != nil && t.GotConn != nil {
		t.GotConn(httptrace.GotConnInfo{})
	}
}

// leastRequest is fewer bytes than any POST has on the wire, and more than the alert by which TLS
// closes a connection.
const leastRequest = 64

type (
	wireContext   struct{} // the [wire] of a connection that is made ahead
	originContext struct{} // the URL that it leads to
)

// A wire counts what is written to a connection, until it is sealed: nothing is written after that.
type wire struct {
	net.Conn
	mu      sync.Mutex
	written int
	sealed  bool
}

// Write implements [net.Conn].
func (w *wire) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sealed {
		return 0, net.ErrClosed
	}
	n, err := w.Conn.Write(b)
	w.written += n
	return n, err
}

// restart begins to count: what was written before belongs to the handshake.
func (w *wire) restart() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written = 0
}

// seal returns what was written.
func (w *wire) seal() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sealed = true
	return w.written
}

func schemeAndHost(u *url.URL) string { return u.Scheme + "://" + u.Host }

// hostAndPort returns what a URL of an origin is dialled by.
func hostAndPort(u *url.URL) string {
	port := u.Port()
	if port == "" && u.Scheme == "http" {
		port = "80"
	}
	if port == "" {
		port = "443"
	}
	return net.JoinHostPort(u.Hostname(), port)
}
