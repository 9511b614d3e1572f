// Package terminal is what start-up and the end need of a terminal: refusing one
// that cannot show the console, keeping stray settings away from the libraries,
// and ending on a signal with the terminal as it was.
package terminal

import (
	"errors"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// ErrUnfit says in one sentence why the console cannot run here.
type ErrUnfit struct{ Why string }

func (e *ErrUnfit) Error() string { return e.Why }

// Check refuses what is not an interactive terminal, before a byte is written
// to it (R112). The error is an [ErrUnfit].
func Check(in, out *os.File, getenv func(string) string) error {
	switch t := getenv("TERM"); {
	case !term.IsTerminal(in.Fd()):
		return &ErrUnfit{"paydesk needs an interactive terminal; its input is not one"}
	case !term.IsTerminal(out.Fd()):
		return &ErrUnfit{"paydesk needs an interactive terminal; its output is not one"}
	case t == "" || t == "dumb" || t == "unknown":
		return &ErrUnfit{"paydesk needs a terminal that can move its cursor; TERM is \"" + t + "\""}
	}
	return nil
}

// Quieten removes settings that would make the libraries write what is typed
// to a file, and says CLICOLOR=0, which Bubble Tea does not know, in the words it
// knows. Call it before anything of Bubble Tea runs.
func Quieten() {
	for _, name := range []string{"TEA_TRACE", "TEA_DEBUG", "UV_DEBUG"} {
		os.Unsetenv(name)
	}
	if os.Getenv("CLICOLOR") == "0" {
		os.Setenv("NO_COLOR", "1")
	}
}

// FPS is how often the screen may change in a second: half as often over SSH,
// where a key waits for the network anyway.
func FPS(getenv func(string) string) int {
	if getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" {
		return 30
	}
	return 60
}

// leave is what takes the terminal out of every mode the console puts it in:
// keyboard enhancements, bracketed paste, alternate screen, hidden cursor.
const leave = "\x1b[>4m\x1b[<1u\x1b[?2004l\x1b[?1049l\x1b[?25h"

// A run shorter than quick may end before the terminal has answered the questions
// Bubble Tea asks at its start; late is how long the answers are then waited for.
const (
	quick = time.Second
	late  = 250 * time.Millisecond
)

// swallow reads the answers that come late, which the shell would take for typed.
func swallow(in *os.File, saved *term.State) {
	if _, err := term.MakeRaw(in.Fd()); err != nil {
		return
	}
	go io.Copy(io.Discard, in) // for as long as the program lasts
	time.Sleep(late)
	_ = term.Restore(in.Fd(), saved)
}

// Run runs a program on the terminal until it quits or a signal ends it. The
// status is 0, or 128 and the signal's number; the terminal is as it was in both
// cases.
func Run(p *tea.Program, in, out *os.File) (status int, err error) {
	saved, err := term.GetState(in.Fd())
	if err != nil {
		return 0, err
	}
	end := onSignal(p, func() {
		_ = term.Restore(in.Fd(), saved)
		_, _ = io.WriteString(out, leave)
	})
	begun := time.Now()
	_, err = p.Run()
	if time.Since(begun) < quick {
		swallow(in, saved) // while signals are still watched for: the terminal is raw
	}
	status = end()
	if status != 0 || errors.Is(err, tea.ErrInterrupted) {
		err = nil // the signal says it all
	}
	return status, err
}
