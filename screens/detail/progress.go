package detail

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// Work is a call of many steps, with how far it is: rows that are written, or events that are sent. Cancelling it does not drop the
// call: what became of it is said when it is known, since it may have been complete by then.
type Work[T any] struct {
	ui.Call[T]
	Done      int // steps, when it was last looked
	Cancelled bool
	follow    ui.Call[int]
	stop      context.CancelFunc
}

// lookEvery sets how often the screen shows how far the work is.
const lookEvery = 200 * time.Millisecond

// Begin does the work in the background until its context ends, which it does when the screen is left too. It tells how many steps
// it has done.
func (w *Work[T]) Begin(s ui.Scope, ended func(ui.Result[T]) tea.Cmd, do func(ctx context.Context, told func(n int)) (T, error)) tea.Cmd {
	ctx, stop := context.WithCancel(context.Background())
	w.stop, w.Cancelled, w.Done = stop, false, 0
	done := new(atomic.Int64)
	return tea.Batch(w.Then(func(a ui.Result[T]) tea.Cmd {
		w.follow.Drop()
		return ended(a)
	}).Ask(s, func(screen context.Context) (T, error) {
		defer stop()
		defer context.AfterFunc(screen, stop)()
		return do(ctx, func(n int) { done.Store(int64(n)) })
	}), w.look(s, done))
}

// look keeps the number of steps up to date.
func (w *Work[T]) look(s ui.Scope, done *atomic.Int64) tea.Cmd {
	return w.follow.Then(func(a ui.Result[int]) tea.Cmd {
		if a.Err != nil || !w.Pending() {
			return nil
		}
		w.Done = a.Value
		return w.look(s, done)
	}).Ask(s, func(ctx context.Context) (int, error) {
		timer := time.NewTimer(lookEvery)
		defer timer.Stop()
		select {
		case <-timer.C:
			return int(done.Load()), nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	})
}

// Cancel stops the work.
func (w *Work[T]) Cancel() {
	w.Cancelled = true
	w.stop()
}
