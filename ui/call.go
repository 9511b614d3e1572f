package ui

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A Call is a background operation of which a screen has at most one in progress. It is a field
// of the screen, used only from Update and never copied. Only the result of the latest start is
// accepted, and only by the call that started it, so that results of other calls, other screens
// or earlier starts are never mistaken for it.
//
// [Call.Ask] is for reads: asking again cancels the previous read, and so does leaving the
// screen. [Call.Commit] is for writes that move money: only its own time limit stops one.
//
// [Call.Then] says at the same place what follows, so that a screen need not look for the result
// among the messages of its Update.
type Call[T any] struct {
	seq     int
	then    func(Result[T]) tea.Cmd
	stop    context.CancelFunc // nil when nothing is in progress
	commit  bool               // a commit is in progress
	limit   time.Duration      // of the next operation, to be shown; 0 for none
	changed []func()
	wait    *Wait // for the operation in progress; nil for one without a limit
}

// A Result is the outcome of a [Call].
type Result[T any] struct {
	Value T
	Err   error
	call  *Call[T]
	seq   int
}

// ErrPanicked is wrapped by the error of a result whose work panicked. A write may have been
// carried out by then: treat it like a lost response.
var ErrPanicked = errors.New("paydesk failed internally")

// Then sets what is done with a result that counts, on the event loop.
func (c *Call[T]) Then(do func(Result[T]) tea.Cmd) *Call[T] {
	c.then = do
	return c
}

// Timed makes the next operation show how long it has been in progress and that it takes at most
// limit, which the operation itself has to keep. Each of changed is called when what is shown may take
// another number of lines.
func (c *Call[T]) Timed(limit time.Duration, changed ...func()) *Call[T] {
	c.limit, c.changed = limit, changed
	return c
}

// Wait is the wait for the operation in progress, to be drawn with [Theme.WaitLines]; nil unless the
// operation is [Call.Timed].
func (c *Call[T]) Wait() *Wait { return c.wait }

// Pending reports whether the call is in progress.
func (c *Call[T]) Pending() bool { return c.stop != nil }

// Ask runs read in the background and cancels the previous read. It returns nil while a commit
// is in progress, which is never cancelled.
func (c *Call[T]) Ask(s Scope, read func(context.Context) (T, error)) tea.Cmd {
	if c.commit {
		return nil
	}
	c.Drop()
	ctx, stop := context.WithCancel(s.ctx) // ends when the screen is popped
	return c.run(s, ctx, stop, read)
}

// Commit runs work that moves money. It returns nil when the call is already in progress.
// Leaving the screen does not stop the work, only limit does, which counts from now; the program
// does not exit before it ends. The command must be run: a discarded one keeps [Work] waiting.
func (c *Call[T]) Commit(s Scope, limit time.Duration, work func(context.Context) (T, error)) tea.Cmd {
	if c.Pending() {
		return nil
	}
	c.commit = true
	ctx, stop := context.WithTimeout(context.WithoutCancel(s.ctx), limit)
	s.work.add(1) // here and not in the goroutine, so that Work is busy at once
	return c.run(s, ctx, stop, func(ctx context.Context) (T, error) {
		defer s.work.add(-1)
		return work(ctx)
	})
}

func (c *Call[T]) run(s Scope, ctx context.Context, stop context.CancelFunc, do func(context.Context) (T, error)) tea.Cmd {
	c.seq++
	c.stop = stop
	seq := c.seq
	work := func() tea.Msg {
		defer stop()
		v, err := recoverPanic(ctx, do)
		return Reply{To: s.to, Msg: Result[T]{Value: v, Err: err, call: c, seq: seq}}
	}
	if c.limit == 0 {
		return work
	}
	c.wait, c.limit = newWait(s, c.limit, c.changed), 0
	ctx = context.WithValue(ctx, waitContext{}, c.wait)
	return tea.Batch(work, c.wait.follow(ctx))
}

// ended forgets the operation in progress.
func (c *Call[T]) ended() {
	c.stop, c.commit = nil, false
	if c.wait != nil {
		c.wait.over, c.wait = true, nil
	}
}

// recoverPanic turns a panic into an error. It names only the type of the panic value, because
// the value may hold a secret.
func recoverPanic[T any](ctx context.Context, do func(context.Context) (T, error)) (v T, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("%w (%T)", ErrPanicked, value)
		}
	}()
	return do(ctx)
}

// Drop cancels the read in progress, if any. It does not affect a commit.
func (c *Call[T]) Drop() {
	if c.stop != nil && !c.commit {
		c.stop()
		c.ended()
		c.seq++
	}
}

// receive reports whether msg is the result of the operation in progress, which is then over.
func (c *Call[T]) receive(msg tea.Msg) (Result[T], bool) {
	r, ok := msg.(Result[T])
	if !ok || r.call != c || r.seq != c.seq || c.stop == nil {
		return Result[T]{}, false
	}
	c.ended()
	return r, true
}

// handle does what follows a result, unless it no longer counts.
func (r Result[T]) handle() tea.Cmd {
	if a, ok := r.call.receive(r); ok {
		return r.call.then(a)
	}
	return nil
}

// Work counts the commits in progress, so that the program does not exit before they end. The
// zero Work is ready for use, from any goroutine.
type Work struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n falls to 0; nil while n is 0
}

func (w *Work) add(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch w.n += n; {
	case w.n == 0:
		close(w.idle)
		w.idle = nil
	case w.idle == nil:
		w.idle = make(chan struct{})
	}
}

// Busy reports whether a commit is in progress.
func (w *Work) Busy() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n > 0
}

// Wait returns when no commit is in progress or when ctx ends, and reports whether all commits
// have ended. Give ctx a deadline: a commit whose command was never run does not end.
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
