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
// in-process servers, but not sockets. A program with sockets runs in real time, and one with
// processes on a pseudo-terminal: a [Person] uses them in the same words, and waits for what is to
// be seen. Call the methods from the test's goroutine. They read the screen from the emulator's
// cells and not from the bytes, since a renderer sends only changes.
package termtest

import (
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"paydesk/ui/terminal"
)

const (
	frame      = 110 * time.Millisecond // of fake time: whatever has changed is drawn after it
	endTimeout = 10 * time.Minute       // for the program to end
)

func init() { debug.SetGCPercent(400) } // memory for time: a test makes and drops a whole program

// A Program is a running program and the emulated terminal that it runs on.
type Program struct {
	*Emulator
	t       testing.TB
	program *terminal.Program
	options terminal.Options
	last    *lastView
	done    chan struct{} // closed when Run has returned
	err     error         // returned by Run; read it after done
}

// A Terminal is a program and the person at it, for tests without a harness of their own.
type Terminal struct{ Driver[*Terminal] }

// A Driver is embedded by the harness H of a program: the person and the terminal.
type Driver[H any] struct {
	Person[H]
	*Program
}

// Open runs the model on a terminal of w×h cells in a bubble and waits until it is idle. The program
// is killed at the end of the test if it is still running.
func Open(t testing.TB, m tea.Model, w, h int) *Terminal {
	t.Helper()
	term := &Terminal{}
	term.Driver = Drive(t, m, w, h, term)
	return term
}

// Drive is [Open] for a harness.
func Drive[H any](t testing.TB, m tea.Model, w, h int, harness H) Driver[H] {
	t.Helper()
	o := terminal.Options{
		Width: w, Height: h, Profile: colorprofile.ANSI, Environ: []string{"TERM=xterm-256color"},
	}
	if f, ok := m.(interface {
		Filter(tea.Model, tea.Msg) tea.Msg
	}); ok {
		o.Filter = f.Filter // see [ui.Clock]
	}
	replies := newReplyQueue()
	p := &Program{Emulator: NewEmulator(w, h, replies), t: t, done: make(chan struct{})}
	o.In, o.Out = replies, p.Emulator
	p.last, p.options = &lastView{}, o
	p.program = terminal.NewProgram(viewed{m, p.last}, o)
	go func() {
		defer close(p.done)
		p.err = p.program.Run()
	}()
	t.Cleanup(func() {
		p.program.Kill()
		<-p.done
		time.Sleep(time.Second) // for what Bubble Tea waits for at the start of a program that has ended at once
		p.Close()
		replies.Close()
	})
	p.Advance(0)
	return Driver[H]{NewPerson[H](t, p, harness), p}
}

// Paste pastes text.
func (d Driver[H]) Paste(text string) H {
	d.Program.t.Helper()
	d.Send(tea.PasteMsg{Content: text})
	return d.Wait(0)
}

// AtOnce presses keys before the program is idle after any of them, as a slow line delivers them.
func (d Driver[H]) AtOnce(keys ...string) H {
	d.Program.t.Helper()
	for _, name := range keys {
		k, err := keyPress(name)
		if err != nil {
			d.Program.t.Fatal(err)
		}
		d.program.Send(k)
	}
	return d.Wait(0)
}

// Resize changes the size of the terminal.
func (d Driver[H]) Resize(w, h int) H {
	d.Program.t.Helper()
	d.SetSize(w, h)
	d.Send(tea.WindowSizeMsg{Width: w, Height: h})
	return d.Wait(0)
}

// Key implements [Device]. It returns when the program is idle, without time passing.
func (p *Program) Key(name string) {
	p.t.Helper()
	k, err := keyPress(name)
	if err != nil {
		p.t.Fatal(err)
	}
	p.Send(k)
}

// Text implements [Device], with one key press per character.
func (p *Program) Text(text string) {
	p.t.Helper()
	for _, r := range text {
		p.Send(runePress(r))
	}
}

// Send sends the program a message. It returns when the program is idle. The screen is
// drawn a frame later: see [Program.Advance].
func (p *Program) Send(msg tea.Msg) {
	p.t.Helper()
	if p.Ended() {
		p.t.Fatalf("the program ended before %T was sent", msg)
	}
	p.program.Send(msg)
	synctest.Wait()
}

// Advance implements [Device]. The program is idle and has drawn a frame afterwards.
func (p *Program) Advance(d time.Duration) {
	synctest.Wait()
	time.Sleep(d + frame)
	synctest.Wait()
}

// Until implements [Device]. The program is idle, and waiting changes nothing.
func (p *Program) Until(what func() bool) bool { return what() }

// patience limits how long a person waits in real time before the test fails, however much else the
// machine has to do, and glance sets how often they look.
const (
	patience = time.Minute
	glance   = 3 * time.Millisecond
)

// RealTime is the time of a [Device] that is not in a bubble.
type RealTime struct{}

// Advance implements [Device].
func (RealTime) Advance(d time.Duration) { <-time.After(d) }

// Until implements [Device].
func (RealTime) Until(what func() bool) bool { return Poll(what) }

// Poll waits in real time until something is so, and reports whether it came to be.
func Poll(what func() bool) bool {
	look, late := time.NewTicker(glance), time.After(patience)
	defer look.Stop()
	for !what() {
		select {
		case <-look.C:
		case <-late:
			return false
		}
	}
	return true
}

// Ended reports whether the program has ended.
func (p *Program) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Done waits for the program to end and returns its error. The test fails if the program is still
// running after ten minutes.
func (d Driver[H]) Done() error {
	d.Program.t.Helper()
	select {
	case <-d.done:
		return d.err
	case <-time.After(endTimeout):
		d.fail("the program did not end")
		return nil
	}
}
