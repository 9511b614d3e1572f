package ui

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A Call is one question a screen may have outstanding: a field of the screen, used from
// Update alone and never copied. Only the latest asking can be answered, and only
// the call that asked takes the answer, so two calls, two screens or two turns
// are never confused.
//
// [Call.Ask] is for reads: asking again abandons the former, leaving the screen
// stops it. [Call.Commit] is for writes that move money: nothing but its own limit
// stops one.
type Call[T any] struct {
	seq    int
	stop   context.CancelFunc // nil when nothing is awaited
	commit bool               // what is awaited is a commit
}

// An Result is the reply to a [Call].
type Result[T any] struct {
	Value T
	Err   error
	call  *Call[T]
	seq   int
}

// ErrPanicked is in the error of an answer whose work panicked. Work that moves
// money may have been done by then: treat it like an answer that was lost.
var ErrPanicked = errors.New("the console broke off its work")

// Pending reports whether an answer is awaited.
func (c *Call[T]) Pending() bool { return c.stop != nil }

// Ask runs read in the background, abandoning whatever was asked before. It returns
// nil while a commit is under way: that is never abandoned.
func (c *Call[T]) Ask(s Scope, read func(context.Context) (T, error)) tea.Cmd {
	if c.commit {
		return nil
	}
	c.Drop()
	ctx, stop := context.WithCancel(s.ctx) // ends when the screen is popped
	return c.run(s, ctx, stop, read)
}

// Commit runs work that moves money. It refuses to start twice, returning nil; it is
// not stopped by leaving the screen, only by its limit, which counts from now; and the
// program does not exit before it ends. The command must be run: one that is thrown
// away keeps [Work] waiting.
func (c *Call[T]) Commit(s Scope, limit time.Duration, work func(context.Context) (T, error)) tea.Cmd {
	if c.Pending() {
		return nil
	}
	c.commit = true
	ctx, stop := context.WithTimeout(context.WithoutCancel(s.ctx), limit)
	s.work.begin() // before the goroutine, so that idle means idle
	return c.run(s, ctx, stop, func(ctx context.Context) (T, error) {
		defer s.work.end()
		return work(ctx)
	})
}

func (c *Call[T]) run(s Scope, ctx context.Context, stop context.CancelFunc, do func(context.Context) (T, error)) tea.Cmd {
	c.seq++
	c.stop = stop
	turn := c.seq
	return func() tea.Msg {
		defer stop()
		v, err := recoverPanic(ctx, do)
		return Reply{To: s.to, Msg: Result[T]{Value: v, Err: err, call: c, seq: turn}}
	}
}

// recoverPanic turns a panic into an error. It names the type of what was thrown and
// not its value, which may hold what must not be shown.
func recoverPanic[T any](ctx context.Context, do func(context.Context) (T, error)) (v T, err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("%w (%T)", ErrPanicked, thrown)
		}
	}()
	return do(ctx)
}

// Drop abandons the outstanding read, if any. A commit stays: its answer is
// still awaited, and until then no other starts.
func (c *Call[T]) Drop() {
	if c.stop != nil && !c.commit {
		c.stop()
		c.stop = nil
		c.seq++
	}
}

// Receive reports whether msg answers the outstanding question, and if so settles it.
func (c *Call[T]) Receive(msg tea.Msg) (Result[T], bool) {
	a, ok := msg.(Result[T])
	if !ok || a.call != c || a.seq != c.seq || c.stop == nil {
		return Result[T]{}, false
	}
	c.stop, c.commit = nil, false
	return a, true
}

// Work counts the commits under way, so that the program does not end before
// they do. The zero Work is ready for use, from any goroutine.
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

// Busy reports whether a commit is under way.
func (w *Work) Busy() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n > 0
}

// Wait returns when no commit is under way, or when ctx ends; it reports
// whether all had ended. Give ctx a deadline: a commit whose command was never run
// does not end.
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
		return !w.Busy()
	}
}
