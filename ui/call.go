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
type Call[T any] struct{ task }

// A Result is the outcome of a [Call].
type Result[T any] struct {
	Value T
	Err   error
}

// ErrPanicked is wrapped by the error of a result whose work panicked. A write may have been
// carried out by then: treat it like a lost response.
var ErrPanicked = errors.New("paydesk failed internally")

// Then sets what is done with a result that counts, on the event loop.
func (c *Call[T]) Then(do func(Result[T]) tea.Cmd) *Call[T] {
	c.then = func(value any, err error) tea.Cmd {
		v, _ := value.(T)
		return do(Result[T]{v, err})
	}
	return c
}

// Timed makes the next operation show how long it has been in progress and that it takes at most
// limit, which the operation itself has to keep; [NoLimit] is none. Each of changed is called when what is shown may take
// another number of lines.
func (c *Call[T]) Timed(limit time.Duration, changed ...func()) *Call[T] {
	c.limit, c.changed = limit, changed
	return c
}

// Ask runs read in the background and cancels the previous read. It returns nil while a commit
// is in progress, which is never cancelled.
func (c *Call[T]) Ask(s Scope, read func(context.Context) (T, error)) tea.Cmd {
	return c.ask(s, func(ctx context.Context) (any, error) { return read(ctx) })
}

// Commit runs work that moves money. It returns nil when the call is already in progress.
// Leaving the screen does not stop the work, only limit does, which counts from now; the program
// does not exit before it ends. The command must be run: a discarded one keeps [Work] waiting.
func (c *Call[T]) Commit(s Scope, limit time.Duration, work func(context.Context) (T, error)) tea.Cmd {
	return c.perform(s, limit, func(ctx context.Context) (any, error) { return work(ctx) })
}

// A task is a [Call] without the type of its result. It keeps the code out of Call, which
// is compiled for each type.
type task struct {
	seq     int
	then    func(any, error) tea.Cmd
	stop    context.CancelFunc // nil when nothing is in progress
	commit  bool               // a commit is in progress
	limit   time.Duration      // of the next operation, to be shown; 0 for none
	changed []func()
	wait    *Wait // for the operation in progress; nil for one without a limit
}

// An outcome is the result of a task on its way to the event loop.
type outcome struct {
	value any
	err   error
	task  *task
	seq   int
}

// Wait is the wait for the operation in progress, to be drawn with [Theme.WaitLines]; nil unless the
// operation is [Call.Timed].
func (t *task) Wait() *Wait { return t.wait }

// Pending reports whether the call is in progress.
func (t *task) Pending() bool { return t.stop != nil }

func (t *task) ask(s Scope, read func(context.Context) (any, error)) tea.Cmd {
	if t.commit {
		return nil
	}
	t.Drop()
	ctx, stop := context.WithCancel(s.ctx) // ends when the screen is popped
	return t.run(s, ctx, stop, read)
}

func (t *task) perform(s Scope, limit time.Duration, work func(context.Context) (any, error)) tea.Cmd {
	if t.Pending() {
		return nil
	}
	t.commit = true
	ctx, stop := context.WithTimeout(context.WithoutCancel(s.ctx), limit)
	s.work.add(1) // here and not in the goroutine, so that Work is busy at once
	return t.run(s, ctx, stop, func(ctx context.Context) (any, error) {
		defer s.work.add(-1)
		return work(ctx)
	})
}

func (t *task) run(s Scope, ctx context.Context, stop context.CancelFunc, do func(context.Context) (any, error)) tea.Cmd {
	t.seq++
	t.stop = stop
	seq := t.seq
	work := func() tea.Msg {
		defer stop()
		v, err := recoverPanic(ctx, do)
		return Reply{To: s.to, Msg: outcome{v, err, t, seq}}
	}
	if t.limit == 0 {
		return later(work)
	}
	t.wait, t.limit = newWait(s, t.limit, t.changed), 0
	ctx = context.WithValue(ctx, waitContext{}, t.wait)
	return tea.Batch(later(work), t.wait.follow(ctx))
}

// ended forgets the operation in progress.
func (t *task) ended() {
	t.stop, t.commit = nil, false
	if t.wait != nil {
		t.wait.over, t.wait = true, nil
	}
}

// recoverPanic turns a panic into an error. It names only the type of the panic value, because
// the value may hold a secret.
func recoverPanic(ctx context.Context, do func(context.Context) (any, error)) (v any, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("%w (%T)", ErrPanicked, value)
		}
	}()
	return do(ctx)
}

// Drop cancels the read in progress, if any. It does not affect a commit.
func (t *task) Drop() {
	if t.stop != nil && !t.commit {
		t.stop()
		t.ended()
		t.seq++
	}
}

// counts reports whether the outcome belongs to the operation in progress, which it then ends.
func (o outcome) counts() bool {
	t := o.task
	if o.seq != t.seq || t.stop == nil {
		return false
	}
	t.ended()
	return true
}

// handle does what follows a result, unless it no longer counts.
func (o outcome) handle() tea.Cmd {
	if !o.counts() {
		return nil
	}
	return o.task.then(o.value, o.err)
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
