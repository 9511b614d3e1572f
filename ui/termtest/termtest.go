// Package termtest runs a whole program on an emulated terminal, for tests of what the user sees.
//
// A test runs in a synctest bubble: time is fake, a minute passes at once, and the terminal knows
// exactly when the program is idle, so no test polls or sleeps.
//
//	synctest.Test(t, func(t *testing.T) {
//		term := termtest.Open(t, model, 80, 24)
//		term.Press("tab").Type("12.50").Press("enter")
//		term.Sees("Charge 12.50 GBP").Golden("review")
//		term.Wait(30 * time.Second)
//		if err := term.Press("ctrl+c").Done(); err != nil {
//			t.Error(err)
//		}
//	})
//
// Everything the program waits for must be in the bubble too: pipes, channels, timers and
// in-process servers, but not sockets. Call the methods from the test's goroutine. They read the
// screen from the emulator's cells and not from the bytes, since a renderer sends only changes.
package termtest

import (
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

const (
	fps        = 10
	frame      = time.Second/fps + 10*time.Millisecond // of fake time, and a little more
	endTimeout = 10 * time.Minute                      // of fake time, for the program to end
)

// A Terminal is a running program and the emulated terminal that it runs on.
type Terminal struct {
	tb       testing.TB
	emulator *emulator
	program  *tea.Program
	done     chan struct{} // closed when Run has returned
	err      error         // returned by Run; read it after done
}

// An Option configures [Open].
type Option func(*setup)

type setup struct {
	profile colorprofile.Profile
	environ []string
}

// Colours sets the colours of the terminal; the default is sixteen.
func Colours(p colorprofile.Profile) Option { return func(s *setup) { s.profile = p } }

// Environ adds variables to the program's environment, which is only TERM by default.
func Environ(vars ...string) Option {
	return func(s *setup) { s.environ = append(s.environ, vars...) }
}

// Open runs the model on a terminal of w×h cells and waits until it is idle. The program is killed
// at the end of the test if it is still running.
func Open(tb testing.TB, m tea.Model, w, h int, options ...Option) *Terminal {
	tb.Helper()
	s := setup{profile: colorprofile.ANSI, environ: []string{"TERM=xterm-256color"}}
	for _, o := range options {
		o(&s)
	}
	t := &Terminal{tb: tb, emulator: newEmulator(w, h), done: make(chan struct{})}
	filter := func(_ tea.Model, msg tea.Msg) tea.Msg { return msg }
	if f, ok := m.(interface {
		Filter(tea.Model, tea.Msg) tea.Msg
	}); ok {
		filter = f.Filter // see [ui.Clock]
	}
	t.program = tea.NewProgram(m,
		tea.WithFilter(filter),
		tea.WithInput(t.emulator.replies),
		tea.WithOutput(t.emulator),
		tea.WithWindowSize(w, h),
		tea.WithColorProfile(s.profile),
		tea.WithEnvironment(s.environ),
		tea.WithFPS(fps),
		// tea.WithoutSignals would still call signal.Notify, whose goroutine is outside of the
		// bubble.
		tea.WithoutSignalHandler(),
	)
	go func() {
		defer close(t.done)
		_, t.err = t.program.Run()
	}()
	tb.Cleanup(func() {
		t.program.Kill()
		<-t.done
		t.emulator.close()
	})
	return t.Settle()
}

// Press presses keys by their Bubble Tea names, such as "enter", "shift+tab", "ctrl+c", "pgdown",
// "?" or "A". Before each further key it waits until the program is idle, without time passing.
func (t *Terminal) Press(keys ...string) *Terminal {
	t.tb.Helper()
	for _, name := range keys {
		k, err := keyPress(name)
		if err != nil {
			t.tb.Fatal(err)
		}
		t.Send(k)
	}
	return t.Settle()
}

// Type types text, one key press per character.
func (t *Terminal) Type(text string) *Terminal {
	t.tb.Helper()
	for _, r := range text {
		t.Send(runePress(r))
	}
	return t.Settle()
}

// Paste pastes text.
func (t *Terminal) Paste(text string) *Terminal {
	t.tb.Helper()
	t.Send(tea.PasteMsg{Content: text})
	return t.Settle()
}

// Send sends the program a message and returns when it is idle. The screen is drawn a frame later:
// see [Terminal.Settle].
func (t *Terminal) Send(msg tea.Msg) {
	t.tb.Helper()
	if t.Ended() {
		t.tb.Fatalf("the program ended before %T was sent", msg)
	}
	t.program.Send(msg)
	synctest.Wait()
}

// Resize changes the size of the terminal.
func (t *Terminal) Resize(w, h int) *Terminal {
	t.tb.Helper()
	t.emulator.resize(w, h)
	t.Send(tea.WindowSizeMsg{Width: w, Height: h})
	return t.Settle()
}

// Settle waits until the program is idle and has drawn a frame.
func (t *Terminal) Settle() *Terminal { return t.Wait(0) }

// Wait lets d of fake time pass and then settles.
func (t *Terminal) Wait(d time.Duration) *Terminal {
	synctest.Wait()
	time.Sleep(d + frame)
	synctest.Wait()
	return t
}

// Ended reports whether the program has ended.
func (t *Terminal) Ended() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// Done waits for the program to end and returns its error. The test fails if the program is still
// running after ten minutes.
func (t *Terminal) Done() error {
	t.tb.Helper()
	select {
	case <-t.done:
		return t.err
	case <-time.After(endTimeout):
		t.fail("the program did not end")
		return nil
	}
}

// Quit ends the program as a signal would, and returns its error.
func (t *Terminal) Quit() error {
	t.tb.Helper()
	t.program.Quit()
	return t.Done()
}
