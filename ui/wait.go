package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A Setback is a try that failed while the work goes on: another follows by itself.
type Setback struct {
	Why     string        // a sentence
	Again   time.Duration // until the next try
	Try, Of int           // the next try, and how many there are at most
}

// A Wait is the state of a call in progress, for View: see [Call.Timed]. It advances once a second
// and with each setback.
type Wait struct {
	scope   Scope
	began   time.Time
	now     time.Time
	limit   time.Duration
	over    bool // the call has ended or was dropped
	changed []func()
	told    chan Setback
	setback Setback
	again   time.Time // when the next try begins
}

type waitContext struct{}

// Tell shows a setback where the call that runs with ctx is waited for. It may be called from any
// goroutine, and does nothing for a call without a time limit to show.
func Tell(ctx context.Context, s Setback) {
	if w, ok := ctx.Value(waitContext{}).(*Wait); ok {
		select {
		case w.told <- s:
		default: // the screen has not drawn the last ones yet
		}
	}
}

func newWait(s Scope, limit time.Duration, changed []func()) *Wait {
	return &Wait{scope: s, began: s.Now(), now: s.Now(), limit: limit, changed: changed, told: make(chan Setback, 4)}
}

// A progress is a second of a wait that has passed, or a setback.
type progress struct {
	wait    *Wait
	ctx     context.Context
	setback *Setback // nil for a second
}

// follow delivers what comes next of a wait. It wakes nothing once ctx has ended: most calls are answered within their first
// second.
func (w *Wait) follow(ctx context.Context) tea.Cmd {
	left := time.Second - w.Elapsed()%time.Second
	return later(func() tea.Msg {
		passed, p := time.NewTimer(left), progress{wait: w, ctx: ctx}
		defer passed.Stop()
		select {
		case <-passed.C:
		case s := <-w.told:
			p.setback = &s
		case <-ctx.Done():
			return nil
		}
		return Reply{To: w.scope.to, Msg: p}
	})
}

// handle moves the wait to the present.
func (p progress) handle() tea.Cmd {
	w := p.wait
	if w.over {
		return nil
	}
	w.now = w.scope.Now()
	if s := p.setback; s != nil {
		w.setback, w.again = *s, w.now.Add(s.Again)
	}
	for _, do := range w.changed {
		do()
	}
	return w.follow(p.ctx)
}

// NoLimit is for [Call.Timed], where an operation has no time limit to show.
const NoLimit = time.Duration(-1)

// Elapsed returns how long the call has been in progress, as of the last second.
func (w *Wait) Elapsed() time.Duration { return w.now.Sub(w.began) }

// Why says what has gone wrong meanwhile; "" for nothing, or where nothing is waited for.
func (w *Wait) Why() string {
	if w == nil {
		return ""
	}
	return w.setback.Why
}

// clock returns how long the wait has been and may be: "4 s of at most 20 s".
func (w *Wait) clock() string {
	if w.limit == NoLimit {
		if w.Elapsed() < time.Second {
			return ""
		}
		return fmt.Sprintf("%d s", w.Elapsed()/time.Second)
	}
	most := fmt.Sprintf("at most %d s", w.limit/time.Second)
	if n := w.Elapsed() / time.Second; n > 0 {
		return fmt.Sprintf("%d s of %s", n, most)
	}
	return most
}

// nextTry returns what follows the last setback.
func (w *Wait) nextTry() string {
	s := w.setback
	if left := (w.again.Sub(w.now) + time.Second - 1) / time.Second; left > 0 {
		return fmt.Sprintf("Next try in %d s (%d of %d).", left, s.Try, s.Of)
	}
	return fmt.Sprintf("Trying again (%d of %d).", s.Try, s.Of)
}

// StopsWaiting names the key that ends a wait which has the screen to itself.
const StopsWaiting = "esc stops waiting."

// WaitLines say what a call does, such as "Reading page 3", how long it has been in progress, how long
// it may take and what has gone wrong meanwhile, on lines of at most width cells.
func (t *Theme) WaitLines(w *Wait, what string, width int) []string {
	if w == nil {
		return t.MarkLines(ToneWait, what+"…", width)
	}
	lines := t.MarkLines(ToneWait, strings.TrimSpace(what+"… "+w.clock()), width)
	if w.setback.Why != "" {
		lines = append(lines, t.ErrorLines(w.setback.Why, width)...)
		lines = append(lines, t.MutedLines(w.nextTry(), width)...)
	}
	return lines
}
