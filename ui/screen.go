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
	// Update takes keys and pastes while the screen is on top, and letters
	// addressed to it wherever it is.
	Update(tea.Msg) tea.Cmd
	// Resize says how large the body is; it may be 0×0.
	Resize(w, h int)
	// View draws the body, within the size given, without a clock or I/O. The
	// cursor is relative to the body, nil when there is none.
	View() (string, *tea.Cursor)
	Title() string
	// Keys lists the bindings the help bar and the help page show; disabled ones
	// are left out.
	Keys() []key.Binding
	// Typing reports whether a text field has the focus: then single-letter
	// global keys stay out.
	Typing() bool
}

// A Leaver is a screen that may have a reason not to be left now.
type Leaver interface {
	// Hold is the reason in words, "" when the screen may be left.
	WhyStay() string
}

// Interrupted tells the screen on top that a key was not for it: the chrome took it, it went a
// step back, or the window was too small. What was about to be answered is not (R43).
type Interrupted struct{}

// A Scope is the lifetime of one screen on the stack. Reads asked within it end
// when the screen is popped; commits outlive it.
type Scope struct {
	ctx  context.Context
	work *Work
	to   Screen
}

// NewScope ties a screen to a lifetime and to the program's work.
func NewScope(ctx context.Context, w *Work, to Screen) Scope { return Scope{ctx, w, to} }

// OnLeave calls f when the screen is popped, on a goroutine of its own: f may not touch what
// Update changes.
func (s Scope) OnLeave(f func()) { context.AfterFunc(s.ctx, f) }

// A Reply carries a message to the screen that asked for it, wherever that
// screen now is on the stack. A letter to a popped screen is dropped.
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

// Exec gives the terminal to a program until it ends, and then delivers to the screen
// what end makes of how it ended; end is called on the event loop. What the program
// prints on its standard output is cmd's own business.
func (s Scope) Exec(cmd *exec.Cmd, end func(error) tea.Msg) tea.Cmd {
	// The program reads the terminal itself. Bubble Tea would copy it, and the copying would
	// take a key that was meant for the console.
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	return tea.ExecProcess(cmd, func(err error) tea.Msg { return Reply{To: s.to, Msg: end(err)} })
}
