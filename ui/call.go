package ui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A Call is one question a screen may have outstanding. Only the latest asking
// can be answered, and only by the call that asked.
type Call[T any] struct {
	turn int
	stop context.CancelFunc
}

// An Answer is the reply to a [Call].
type Answer[T any] struct {
	Value T
	Err   error
	call  *Call[T]
	turn  int
}

// Pending reports whether an answer is awaited.
func (c *Call[T]) Pending() bool { return c.stop != nil }

// Ask runs read in the background, abandoning whatever was asked before.
func (c *Call[T]) Ask(s Scope, read func(context.Context) (T, error)) tea.Cmd {
	c.Drop()
	ctx, stop := context.WithCancel(s.ctx)
	return c.run(s, ctx, stop, read)
}

// Commit runs work that moves money. It refuses to start twice, it is not
// stopped by leaving the screen, and the program does not exit before it ends.
func (c *Call[T]) Commit(s Scope, limit time.Duration, work func(context.Context) (T, error)) tea.Cmd {
	if c.Pending() {
		return nil
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(s.ctx), limit)
	s.work.begin()
	return c.run(s, ctx, stop, func(ctx context.Context) (T, error) {
		defer s.work.end()
		return work(ctx)
	})
}

func (c *Call[T]) run(s Scope, ctx context.Context, stop context.CancelFunc, do func(context.Context) (T, error)) tea.Cmd {
	c.turn++
	c.stop = stop
	turn := c.turn
	return func() tea.Msg {
		defer stop()
		v, err := do(ctx)
		return Letter{To: s.to, Msg: Answer[T]{Value: v, Err: err, call: c, turn: turn}}
	}
}

// Drop abandons the outstanding question, if any.
func (c *Call[T]) Drop() {
	if c.stop != nil {
		c.stop()
		c.stop = nil
		c.turn++
	}
}

// Take reports whether msg answers the outstanding question, and if so settles it.
func (c *Call[T]) Take(msg tea.Msg) (Answer[T], bool) {
	a, ok := msg.(Answer[T])
	if !ok || a.call != c || a.turn != c.turn || c.stop == nil {
		return Answer[T]{}, false
	}
	c.stop = nil
	return a, true
}

// Work counts the commits under way, so that the program does not end before
// they do.
type Work struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n falls to 0; nil while n is 0
}

func (w *Work) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.n++; w.n == 1 {
		w.idle = make(chan struct{})
	}
}

func (w *Work) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.n--; w.n == 0 {
		close(w.idle)
		w.idle = nil
	}
}

// Under reports whether a commit is under way.
func (w *Work) Under() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n > 0
}

// Wait returns when no commit is under way, or when ctx ends; it reports
// whether all had ended.
func (w *Work) Wait(ctx context.Context) bool {
	w.mu.Lock()
	idle := w.idle
	w.mu.Unlock()
	if idle == nil {
		return true
	}
	select {
	case <-idle:
		return true
	case <-ctx.Done():
		return false
	}
}
