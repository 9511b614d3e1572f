package ui

import (
	"context"
	"os"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A Clock is the time for Update: when the message that is being handled arrived. A model with a
// Filter method, such as one that embeds a Clock, is run with it as the program's filter, so that
// the time is read on the way to Update and a test owns it.
type Clock struct {
	Read    func() time.Time // nil is [time.Now]
	arrived time.Time
	pressed string // the last key
}

// Filter notes the time and the key, and lets every message through; see [tea.WithFilter].
func (c *Clock) Filter(_ tea.Model, msg tea.Msg) tea.Msg {
	c.arrived = c.read()
	if k, ok := msg.(tea.KeyPressMsg); ok {
		c.pressed = k.String()
	}
	return msg
}

func (c *Clock) read() time.Time {
	if c.Read == nil {
		return time.Now()
	}
	return c.Read()
}

// Now returns when the message that is being handled arrived.
func (c *Clock) Now() time.Time { return c.arrived }

// A Scope is the lifetime of one screen on the stack. Popping the screen cancels its reads but
// not its commits.
type Scope struct {
	ctx   context.Context
	work  *Work
	clock *Clock
	to    Screen
}

// NewScope returns the scope of screen to. It ends with ctx, its commits are counted in w, and c
// is its time: from now on, if no message has arrived yet.
func NewScope(ctx context.Context, w *Work, c *Clock, to Screen) Scope {
	if c.arrived.IsZero() {
		c.arrived = c.read()
	}
	return Scope{ctx, w, c, to}
}

// Now returns when the message that is being handled arrived. Update and View read no other clock.
func (s Scope) Now() time.Time { return s.clock.Now() }

// OnLeave calls f when the screen is popped, on a new goroutine: f must not touch the model.
func (s Scope) OnLeave(f func()) { context.AfterFunc(s.ctx, f) }

// A Reply carries a message to the screen that requested it, wherever that screen is on the
// stack. A reply to a popped screen is dropped.
type Reply struct {
	To  Screen
	Msg tea.Msg
}

// Deliver does what follows the message: what its [Call] says, or the Update of the screen.
func (r Reply) Deliver() tea.Cmd {
	if result, ok := r.Msg.(interface{ handle() tea.Cmd }); ok {
		return result.handle()
	}
	return r.To.Update(r.Msg)
}

// After delivers msg to the screen once d has passed, unless it was popped.
func (s Scope) After(d time.Duration, msg tea.Msg) tea.Cmd {
	return later(After(s.ctx, d, Reply{To: s.to, Msg: msg}))
}

// A Lull is a wait until something has not happened for a while, such as a move of the mark. It is a field of the screen.
type Lull struct{ timer *time.Timer }

// After delivers msg to the screen of s once d has passed without another call. A call puts off the message of the one before,
// which wakes nothing: a key that is held down costs no more than its moves.
func (l *Lull) After(s Scope, d time.Duration, msg tea.Msg) tea.Cmd {
	if l.timer != nil && l.timer.Reset(d) {
		return nil
	}
	timer := time.NewTimer(d)
	l.timer = timer
	return later(func() tea.Msg { return when(s.ctx, timer, Reply{To: s.to, Msg: msg}) })
}

// After delivers msg to the root once d has passed, unless ctx has ended.
func After(ctx context.Context, d time.Duration, msg tea.Msg) tea.Cmd {
	return func() tea.Msg { return when(ctx, time.NewTimer(d), msg) }
}

// when returns msg when t fires, unless ctx has ended.
func when(ctx context.Context, t *time.Timer, msg tea.Msg) tea.Msg {
	defer t.Stop()
	select {
	case <-t.C:
		return msg
	case <-ctx.Done():
		return nil
	}
}

// later is for a command of a screen that takes its time: it is a batch of one, which nothing else makes. Every other command of a
// screen returns at once.
func later(cmd tea.Cmd) tea.Cmd { return func() tea.Msg { return tea.BatchMsg{cmd} } }

// TakesTime reports whether a batch is a call or a wait, which may end much later than the key that began it.
func TakesTime(b tea.BatchMsg) bool { return len(b) == 1 }

// Exec gives the terminal to another program until it exits, and then delivers the message that
// end makes of its error; end runs on the event loop. The caller decides where the program's
// standard output goes.
func (s Scope) Exec(cmd *exec.Cmd, end func(error) tea.Msg) tea.Cmd {
	// The program must read the terminal directly: a copying goroutine would also consume a key
	// typed after the program has exited.
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	return func() tea.Msg {
		return execution{cmd, func(err error) tea.Msg { return Reply{To: s.to, Msg: end(err)} }}
	}
}

// An execution is handled where the terminal is, see [paydesk/ui/terminal.Exec].
type execution struct {
	cmd *exec.Cmd
	end func(error) tea.Msg
}

// Command returns what to run.
func (e execution) Command() *exec.Cmd { return e.cmd }

// End returns the message that follows.
func (e execution) End(err error) tea.Msg { return e.end(err) }
