package ui

import (
	"context"
	"os"
	"os/exec"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A Screen is one full-body view of the console. Its methods run on the event
// loop, one at a time; only Update changes it.
type Screen interface {
	// Init is called once, when the screen is put on the stack.
	Init(Scope) tea.Cmd
	// Update receives keys and pastes while the screen is on top, and replies
	// addressed to it wherever it is on the stack.
	Update(tea.Msg) tea.Cmd
	// Resize sets the size of the body, which may be 0×0.
	Resize(w, h int)
	// View draws the body within that size, without I/O and without reading a clock. The
	// cursor is relative to the body, nil for none.
	View() (string, *tea.Cursor)
	Title() string
	// Keys lists the bindings for the help bar and the help page; disabled ones are not shown.
	Keys() []key.Binding
	// Typing reports whether a text field has the focus; single-letter global keys are
	// then passed to the screen.
	Typing() bool
}

// A Leaver is a screen that may have a reason not to be left now.
type Leaver interface {
	// WhyStay returns the reason as a sentence, "" when the screen may be left.
	WhyStay() string
}

// Interrupted is sent to the screen on top when a key did not reach it: the chrome handled the
// key, the screen went back one step, or the window was too small. A pending confirmation must
// not be answered by the keys around it.
type Interrupted struct{}

// A Scope is the lifetime of one screen on the stack. Popping the screen cancels its reads but
// not its commits.
type Scope struct {
	ctx  context.Context
	work *Work
	to   Screen
}

// NewScope returns the scope of screen to. It ends with ctx, and its commits are counted in w.
func NewScope(ctx context.Context, w *Work, to Screen) Scope { return Scope{ctx, w, to} }

// OnLeave calls f when the screen is popped, on a new goroutine: f must not touch the model.
func (s Scope) OnLeave(f func()) { context.AfterFunc(s.ctx, f) }

// A Reply carries a message to the screen that requested it, wherever that screen is on the
// stack. A reply to a popped screen is dropped.
type Reply struct {
	To  Screen
	Msg tea.Msg
}

// After delivers msg to the screen once d has passed, unless it was popped.
func (s Scope) After(d time.Duration, msg tea.Msg) tea.Cmd {
	return func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return Reply{To: s.to, Msg: msg}
		case <-s.ctx.Done():
			return nil
		}
	}
}

// Exec gives the terminal to another program until it exits, and then delivers the message that
// end makes of its error; end runs on the event loop. The caller decides where the program's
// standard output goes.
func (s Scope) Exec(cmd *exec.Cmd, end func(error) tea.Msg) tea.Cmd {
	// The program must read the terminal directly: Bubble Tea's copying goroutine would also
	// consume a key typed after the program has exited.
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	return tea.ExecProcess(cmd, func(err error) tea.Msg { return Reply{To: s.to, Msg: end(err)} })
}
