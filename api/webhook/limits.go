package webhook

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// limits bound what others can make a receiver do. Tests have shorter ones.
type limits struct {
	header, read, write, idle time.Duration // of a request's headers, of all of it, of its response, between two requests
	keep                      time.Duration // how long storing may take
	end                       time.Duration // how long Close waits for requests under way
	patience                  time.Duration // how long a connection may be silent while others wait for its place
	headerBytes               int
	body                      int64 // bytes
	connections               int
	rate, burst               int // requests a second to the secret path, and how many may come at once
	now                       func() time.Time
}

func defaultLimits() limits {
	return limits{
		header: 5 * time.Second, read: 10 * time.Second, write: 30 * time.Second, idle: 60 * time.Second,
		keep: 10 * time.Second, end: 5 * time.Second, patience: 2 * time.Second,
		headerBytes: 16<<10 - 4096, // net/http allows 4096 more
		body:        64 << 10, connections: 128, rate: 2000, burst: 4000, now: time.Now,
	}
}

// A bucket limits a rate. It has one time instead of a number of tokens, which need not be refilled: when all of them
// will be there again.
type bucket struct {
	mu    sync.Mutex
	each  time.Duration // until one more request is allowed
	burst time.Duration // what all tokens at once are worth
	full  time.Time
}

func newBucket(rate, burst int) *bucket {
	each := time.Second / time.Duration(rate)
	return &bucket{each: each, burst: each * time.Duration(burst)}
}

// take takes a token, if there is one.
func (b *bucket) take(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	full := b.full
	if full.Before(now) {
		full = now
	}
	if full = full.Add(b.each); full.Sub(now) > b.burst {
		return false
	}
	b.full = full
	return true
}

// places are those of a server's connections. While all are taken, a new connection waits for one, or takes that of
// the connection that has been silent for longest: silent is one whose request has not arrived completely. A sender is a
// connection that posted to the secret path before. As long as there are others, no sender loses its place to them.
type places struct {
	most     int
	patience time.Duration
	freed    chan struct{} // has one value after a connection ended or fell silent
	closing  chan struct{}

	mu  sync.Mutex
	all map[net.Conn]*place
}

type place struct {
	begun  bool // a byte has arrived
	sender bool
	busy   bool      // its request is here
	silent time.Time // since when, unless it is busy
}

func newPlaces(l limits) *places {
	return &places{
		most: l.connections, patience: l.patience,
		freed: make(chan struct{}, 1), closing: make(chan struct{}), all: map[net.Conn]*place{},
	}
}

// changed is the ConnState of the server. For a new connection it is called by the goroutine that accepts, so that no
// other is accepted while this one waits.
func (p *places) changed(c net.Conn, to http.ConnState) {
	switch to {
	case http.StateNew:
		p.wait(c)
	case http.StateActive:
		p.mu.Lock()
		defer p.mu.Unlock()
		if at := p.all[c]; at != nil {
			at.begun = true
		}
	case http.StateClosed, http.StateHijacked:
		p.mu.Lock()
		defer p.mu.Unlock()
		p.forget(c)
	}
}

func (p *places) wait(c net.Conn) {
	for !p.add(c) {
		select {
		case <-p.freed:
		case <-time.After(p.patience / 4):
		case <-p.closing:
			return
		}
	}
}

// add adds a connection where there is a place, or one whose connection can be closed.
func (p *places) add(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.all) >= p.most {
		oldest := p.oldest()
		if oldest == nil {
			return false
		}
		p.forget(oldest)
		oldest.Close()
	}
	p.all[c] = &place{silent: time.Now()}
	return true
}

// oldest is the connection that has been silent for longest, if that is too long. It is a sender only if all are.
func (p *places) oldest() (oldest net.Conn) {
	senders := p.senders() == len(p.all)
	for c, at := range p.all {
		if at.sender == senders && !at.busy && time.Since(at.silent) > p.patience && (oldest == nil || at.silent.Before(p.all[oldest].silent)) {
			oldest = c
		}
	}
	return oldest
}

func (p *places) senders() (n int) {
	for _, at := range p.all {
		if at.sender {
			n++
		}
	}
	return n
}

// busy notes that a connection's request is here, and reports whether senders have more than half of the places: each
// then gives its own up after the response, so that their idle connections do not keep others out.
func (p *places) busy(c net.Conn) (few bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := p.all[c]; at != nil {
		at.busy, at.sender = true, true
	}
	return p.senders() > p.most/2
}

// silent notes that a connection's request is answered.
func (p *places) silent(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := p.all[c]; at != nil {
		at.busy, at.silent = false, time.Now()
		p.signal()
	}
}

func (p *places) forget(c net.Conn) {
	delete(p.all, c)
	p.signal()
}

func (p *places) signal() {
	select {
	case p.freed <- struct{}{}:
	default:
	}
}

// close closes connections that have sent nothing: a browser opens some in advance, and the end would wait for them.
func (p *places) close() {
	close(p.closing)
	p.mu.Lock()
	defer p.mu.Unlock()
	for c, at := range p.all {
		if !at.begun {
			c.Close()
		}
	}
}
