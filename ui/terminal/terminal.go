// Package terminal runs a Bubble Tea program on a terminal. It rejects terminals that cannot show
// the console, adapts to unusual ones, keeps escape sequences and pastes whole, and restores the
// terminal however the program ends.
//
//	if err := terminal.Check(os.Stdin, os.Stdout, os.Getenv); err != nil { … }
//	terminal.SilenceLibraries()
//	status, err := terminal.Run(model, os.Stdin, os.Stdout, terminal.Options{…})
//
// A [Program] draws by itself when the view changed, with the engine of Bubble Tea's own renderer, which
// paints on a timer of 60 Hz: measured at 120×40, from a key to its change 1.06 ms instead of 11.9, and 7
// wake-ups a second instead of 297 while nothing happens. Two proposals to Bubble Tea, its pull
// requests 1776 and 1796, do the same. The day it draws on demand itself, one commit throws this away:
// program.go, painter.go, canvas.go and the screen files go, and [Run] begins a
// [tea.Program].
//
// Two pairs of words: a run begins and ends; a screen, its painter and its canvas take the terminal and leave it, at
// either end of the run as for another program in between.
//
// [Run] returns 128 plus the signal's number after a signal, [Hangup] when the terminal is gone,
// and [ExitCrash] with a [Crash] after a panic. The panic value is neither shown nor stored: it
// may hold a card number or a key.
package terminal

import (
	"errors"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// Hidden is the shape of a cursor that a [Program] places and does not show: braille displays and screen readers follow
// it to the focus.
const Hidden tea.CursorShape = -1

// Check returns an error unless in and out are an interactive terminal that can move its
// cursor. Call it before anything is written.
func Check(in, out *os.File, getenv func(string) string) error {
	switch t := getenv("TERM"); {
	case !term.IsTerminal(in.Fd()):
		return errors.New("paydesk needs an interactive terminal; its input is not one")
	case !term.IsTerminal(out.Fd()):
		return errors.New("paydesk needs an interactive terminal; its output is not one")
	case !MovesCursor(t):
		return errors.New(`paydesk needs a terminal that can move its cursor; TERM is "` + t + `"`)
	}
	return nil
}

// MovesCursor reports whether a TERM names a terminal that can move its cursor.
func MovesCursor(t string) bool { return t != "" && t != "dumb" && t != "unknown" }

// SilenceLibraries removes environment variables that make the libraries log typed text to a
// file, and translates CLICOLOR=0, which Bubble Tea does not know, to NO_COLOR. Call it before
// anything of Bubble Tea runs.
func SilenceLibraries() {
	for _, name := range []string{"TEA_TRACE", "TEA_DEBUG", "UV_DEBUG"} {
		os.Unsetenv(name)
	}
	if os.Getenv("CLICOLOR") == "0" {
		os.Setenv("NO_COLOR", "1")
	}
}
