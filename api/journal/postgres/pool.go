package postgres

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/puddle/v2"
)

const (
	// connections are how many a console has at most, beside the one that listens.
	connections = 2
	// lookAfter is how often idle connections are looked after.
	lookAfter = time.Minute
	// pingAfter is how long an idle connection is used again without asking whether it still works.
	pingAfter = time.Second
	// closeLimit is how long a connection that was cancelled may take to close.
	closeLimit = 15 * time.Second
)

// A pool has the connections that a console works with.
type pool struct {
	*puddle.Pool[*conn]
	longestIdle, longestLife time.Duration // of a connection

	looking atomic.Bool // a timer runs that looks after idle connections
}

// newPool returns a pool, which connects when a connection is asked for.
func newPool(c Config) (*pool, error) {
	p := &pool{longestIdle: 5 * time.Minute, longestLife: time.Hour}
	var err error
	p.Pool, err = puddle.NewPool(&puddle.Config[*conn]{
		Constructor: func(ctx context.Context) (*conn, error) {
			to, err := c.connect(ctx)
			if err == nil {
				p.look()
			}
			return to, err
		},
		Destructor: closeWhole,
		MaxSize:    connections,
	})
	return p, err
}

// closeWhole closes a connection, and waits until the server no longer counts it.
func closeWhole(c *conn) {
	ctx, stop := context.WithTimeout(context.Background(), closeLimit)
	defer stop()
	_ = c.Close(ctx)
	select {
	case <-c.CleanupDone():
	case <-ctx.Done():
	}
}

// with runs f on a connection that answers.
func (p *pool) with(ctx context.Context, f func(*conn) error) error {
	var lost error
	for range connections + 1 { // when all that are idle were lost, the last is a new one
		held, err := p.Acquire(ctx)
		if err != nil {
			return err
		}
		if lost = p.check(ctx, held); lost == nil {
			defer p.release(held)
			return f(held.Value())
		}
		held.Destroy()
	}
	return lost
}

var errOld = errors.New("the connection is too old")

// check reports why a connection cannot be used again; nil when it can.
func (p *pool) check(ctx context.Context, held *puddle.Resource[*conn]) error {
	switch {
	case p.old(held):
		return errOld
	case held.IdleDuration() > pingAfter:
		return held.Value().Ping(ctx)
	}
	return nil
}

func (p *pool) old(held *puddle.Resource[*conn]) bool {
	return time.Since(held.CreationTime()) > p.longestLife
}

// release closes a connection that is broken, or still busy or in a transaction.
func (p *pool) release(held *puddle.Resource[*conn]) {
	if c := held.Value(); c.IsClosed() || c.IsBusy() || c.TxStatus() != idle || p.old(held) {
		held.Destroy()
		return
	}
	held.Release()
}

// look looks after idle connections in a while. Without any, no timer runs: it would wake a console that rests.
func (p *pool) look() {
	if p.looking.CompareAndSwap(false, true) {
		time.AfterFunc(lookAfter, p.closeIdle)
	}
}

func (p *pool) closeIdle() {
	p.looking.Store(false)
	for _, held := range p.AcquireAllIdle() {
		if p.old(held) || held.IdleDuration() > p.longestIdle {
			held.Destroy()
		} else {
			held.ReleaseUnused()
		}
	}
	if p.Stat().TotalResources() > 0 {
		p.look()
	}
}
