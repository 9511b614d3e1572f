// Package termtest runs a whole program on an emulated terminal, for tests that say what a
// person meets.
//
// A test is a synctest bubble: time is fake, a minute passes at once, and
// waiting for everything to be quiet is exact, so no test polls or sleeps.
//
//	synctest.Test(t, func(t *testing.T) {
//		g := termtest.Open(t, model, 80, 24)
//		g.Press("tab").Type("12.50").Press("enter")
//		g.Sees("Charge 12.50 GBP").Golden("review")
//		g.Wait(30 * time.Second)
//		if err := g.Press("ctrl+c").Done(); err != nil {
//			t.Error(err)
//		}
//	})
//
// It works in a bubble only, and everything the program waits for must live there too:
// pipes, channels, timers and in-process servers, not sockets. Methods are called
// from the test's goroutine. What is on the screen is read from the emulator's
// cells, never from the bytes sent: a renderer sends only what changed.
package termtest

import (
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

const (
	fps = 10
	// frame is one frame of fake time and a little more.
	frame = time.Second/fps + 10*time.Millisecond
	// patience is how long a program may take to end, in fake time.
	endTimeout = 10 * time.Minute
)

// A Terminal is a running program and the terminal it is looked at through.
type Terminal struct {
	t       testing.TB
	term    *emulator
	program *tea.Program
	done    chan struct{} // closed when Run has returned
	err     error         // what Run returned; read it after done
}

// An Option changes how the program is run.
type Option func(*setup)

type setup struct {
	profile colorprofile.Profile
	environ []string
}

// Colours sets what colours the terminal has; sixteen, unless said otherwise.
func Colours(p colorprofile.Profile) Option { return func(s *setup) { s.profile = p } }

// Environ adds variables to the environment the program sees, which holds TERM alone.
func Environ(vars ...string) Option {
	return func(s *setup) { s.environ = append(s.environ, vars...) }
}

// Open runs a program of m on a terminal of w×h cells and waits until it is quiet.
// The program is killed at the end of the test when it is still running.
func Open(t testing.TB, m tea.Model, w, h int, options ...Option) *Terminal {
	t.Helper()
	s := setup{profile: colorprofile.ANSI, environ: []string{"TERM=xterm-256color"}}
	for _, o := range options {
		o(&s)
	}
	g := &Terminal{t: t, term: newEmulator(w, h), done: make(chan struct{})}
	g.program = tea.NewProgram(m,
		tea.WithInput(g.term.replies),
		tea.WithOutput(g.term),
		tea.WithWindowSize(w, h),
		tea.WithColorProfile(s.profile),
		tea.WithEnvironment(s.environ),
		tea.WithFPS(fps),
		// WithoutSignals would still reach signal.Notify, whose goroutine is
		// outside of the bubble.
		tea.WithoutSignalHandler(),
	)
	go func() {
		defer close(g.done)
		_, g.err = g.program.Run()
	}()
	t.Cleanup(func() {
		g.program.Kill()
		<-g.done
		g.term.close()
	})
	return g.Settle()
}

// Press presses keys one after the other, by the names Bubble Tea gives them: "enter",
// "shift+tab", "ctrl+c", "pgdown", "?", "A". The program is quiet between two of them, and no
// time passes.
func (g *Terminal) Press(keys ...string) *Terminal {
	g.t.Helper()
	for _, name := range keys {
		k, err := keyPress(name)
		if err != nil {
			g.t.Fatal(err)
		}
		g.Send(k)
	}
	return g.Settle()
}

// Type types text, a key press for each character.
func (g *Terminal) Type(text string) *Terminal {
	g.t.Helper()
	for _, r := range text {
		g.Send(runePress(r))
	}
	return g.Settle()
}

// Paste pastes text.
func (g *Terminal) Paste(text string) *Terminal {
	g.t.Helper()
	g.Send(tea.PasteMsg{Content: text})
	return g.Settle()
}

// Send hands the program a message as it is, and returns when it is quiet. The
// screen is drawn a frame later: see [Terminal.Settle].
func (g *Terminal) Send(msg tea.Msg) {
	g.t.Helper()
	if g.Ended() {
		g.t.Fatalf("the program had ended before it was sent %T", msg)
	}
	g.program.Send(msg)
	synctest.Wait()
}

// Resize gives the terminal another size.
func (g *Terminal) Resize(w, h int) *Terminal {
	g.t.Helper()
	g.term.resize(w, h)
	g.Send(tea.WindowSizeMsg{Width: w, Height: h})
	return g.Settle()
}

// Settle waits until the program is quiet and one frame later, so that what it drew is
// on the screen.
func (g *Terminal) Settle() *Terminal { return g.Wait(0) }

// Wait lets d of fake time pass, and then settles.
func (g *Terminal) Wait(d time.Duration) *Terminal {
	synctest.Wait()
	time.Sleep(d + frame)
	synctest.Wait()
	return g
}

// Ended reports whether the program has ended.
func (g *Terminal) Ended() bool {
	select {
	case <-g.done:
		return true
	default:
		return false
	}
}

// Done waits for the program to end and returns what Run returned. A program that goes
// on for ten minutes fails the test.
func (g *Terminal) Done() error {
	g.t.Helper()
	select {
	case <-g.done:
		return g.err
	case <-time.After(endTimeout):
		g.fail("the program does not end")
		return nil
	}
}

// Quit ends the program from outside, as a signal would, and returns what Run returned.
func (g *Terminal) Quit() error {
	g.t.Helper()
	g.program.Quit()
	return g.Done()
}

// replyQueue is what the terminal answers the program, in a queue without a limit:
// the emulator answers while it is being written to, and must not wait for the program to
// read, which may be waiting for the write.
type replyQueue struct {
	mu     sync.Mutex
	more   sync.Cond
	bytes  []byte
	closed bool
}

func newReplyQueue() *replyQueue {
	r := &replyQueue{}
	r.more.L = &r.mu
	return r
}

func (r *replyQueue) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bytes = append(r.bytes, p...)
	r.more.Signal()
	return len(p), nil
}

func (r *replyQueue) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.bytes) == 0 && !r.closed {
		r.more.Wait()
	}
	if len(r.bytes) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.bytes)
	r.bytes = r.bytes[n:]
	return n, nil
}

func (r *replyQueue) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.more.Broadcast()
	return nil
}
