// Package terminal runs a Bubble Tea program on a terminal. It rejects terminals that cannot show
// the console, adapts to unusual ones, keeps escape sequences and pastes whole, and restores the
// terminal however the program ends.
//
//	if err := terminal.Check(os.Stdin, os.Stdout, os.Getenv); err != nil { … }
//	terminal.SilenceLibraries()
//	status, err := terminal.Run(model, terminal.Settings{…})
//
// [Run] returns 128 plus the signal's number after a signal, [Hangup] when the terminal is gone,
// and [ExitCrash] with a [Crash] after a panic. The panic value is neither shown nor stored: it
// may hold a card number or a key.
package terminal

import (
	"errors"
	"os"

	"github.com/charmbracelet/x/term"
)

// Check returns an error unless in and out are an interactive terminal that can move its
// cursor. Call it before anything is written.
func Check(in, out *os.File, getenv func(string) string) error {
	switch t := getenv("TERM"); {
	case !term.IsTerminal(in.Fd()):
		return errors.New("paydesk needs an interactive terminal; its input is not one")
	case !term.IsTerminal(out.Fd()):
		return errors.New("paydesk needs an interactive terminal; its output is not one")
	case t == "" || t == "dumb" || t == "unknown":
		return errors.New(`paydesk needs a terminal that can move its cursor; TERM is "` + t + `"`)
	}
	return nil
}

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
