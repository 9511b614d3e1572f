package sandbox

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// patience is how long a client may be silent while others wait for its place.
const patience = 2 * time.Second

// connections are those of a server, which serves a number of them at once. A new one that is too many
// takes the place of the one that has been silent for longest: of the address with the most, so that
// slow clients only drive out each other. Silent is a connection whose request has not arrived
// completely, or that has none. A new connection waits while all places are in use.
type connections struct {
	most int

	mu    sync.Mutex
	freed sync.Cond // signalled when a connection falls silent or ends
	all   []*connection
}

// A connection is one client's, oldest first in its list since it last fell silent.
type connection struct {
	net.Conn
	host    string
	serving bool      // its request is here
	silent  time.Time // since when, unless it is serving
}

type connectionKey struct{}

// shareConnections gives the clients of a server fair shares of its connections. While more than half
// of the places are taken, each connection is closed after its response, so that idle keep-alive
// connections do not fill them.
func shareConnections(server *http.Server, most int) {
	c := &connections{most: most}
	c.freed.L = &c.mu
	server.ConnState = func(of net.Conn, is http.ConnState) {
		switch is {
		case http.StateNew:
			c.add(of)
		case http.StateClosed, http.StateHijacked:
			c.remove(of)
		}
	}
	server.ConnContext = func(ctx context.Context, of net.Conn) context.Context {
		return context.WithValue(ctx, connectionKey{}, of)
	}
	handler := server.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A body that is too large or cut short is judged by the handler, which reads the rest and the error.
		begun, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(begun), failing{err}, r.Body), r.Body}
		of, _ := r.Context().Value(connectionKey{}).(net.Conn)
		if c.serve(of) {
			w.Header().Set("Connection", "close")
		}
		defer c.silence(of)
		handler.ServeHTTP(w, r)
	})
}

// failing reads as nothing but an error, if there is one.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}

// add waits for a place.
func (c *connections) add(of net.Conn) {
	host, _, _ := net.SplitHostPort(of.RemoteAddr().String())
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.all) >= c.most && !c.dropSilent() {
		again := time.AfterFunc(patience/4, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.freed.Signal()
		})
		c.freed.Wait()
		again.Stop()
	}
	c.all = append(c.all, &connection{Conn: of, host: host, silent: time.Now()})
}

// dropSilent closes the oldest connection that is silent for too long, of the address that has the
// most of them.
func (c *connections) dropSilent() bool {
	count := map[string]int{}
	var drop *connection
	for _, one := range c.all {
		if one.tooSilent() {
			count[one.host]++
		}
	}
	for _, one := range c.all {
		if one.tooSilent() && (drop == nil || count[one.host] > count[drop.host]) {
			drop = one
		}
	}
	if drop == nil {
		return false
	}
	c.forget(drop.Conn)
	drop.Close()
	return true
}

func (c *connection) tooSilent() bool { return !c.serving && time.Since(c.silent) > patience }

// serve notes that a request has arrived, and reports whether places are few.
func (c *connections) serve(of net.Conn) (few bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := c.index(of); i >= 0 {
		c.all[i].serving = true
	}
	return len(c.all) > c.most/2
}

// silence notes that a response was sent.
func (c *connections) silence(of net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := c.index(of); i >= 0 {
		one := c.all[i]
		one.serving, one.silent = false, time.Now()
		c.all = append(slices.Delete(c.all, i, i+1), one)
		c.freed.Signal()
	}
}

func (c *connections) remove(of net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(of)
}

func (c *connections) forget(of net.Conn) {
	if i := c.index(of); i >= 0 {
		c.all = slices.Delete(c.all, i, i+1)
		c.freed.Signal()
	}
}

func (c *connections) index(of net.Conn) int {
	return slices.IndexFunc(c.all, func(one *connection) bool { return one.Conn == of })
}
