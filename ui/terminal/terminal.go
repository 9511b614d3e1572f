// Package terminal is what the console needs of a terminal besides drawing: refusing one
// that cannot show it, looking right on odd ones, keeping input whole, and leaving the
// terminal as it was, however the program ends (R110 to R115).
//
//	if err := terminal.Check(os.Stdin, os.Stdout, os.Getenv); err != nil { … }
//	terminal.Quieten()
//	status, err := terminal.Run(model, terminal.Settings{…})
//
// [Run] ends with 128 and its number on a signal, with [Hangup] when the terminal is gone,
// and with a [Crash] when something panicked. What was thrown is shown and kept nowhere:
// it may hold a card number or a key.
package terminal

import (
	"os"

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

// SilenceLibraries removes settings that would make the libraries write what is typed
// to a file, and says CLICOLOR=0, which Bubble Tea does not know, in the words it
// knows. Call it before anything of Bubble Tea runs.
func SilenceLibraries() {
	for _, name := range []string{"TEA_TRACE", "TEA_DEBUG", "UV_DEBUG"} {
		os.Unsetenv(name)
	}
	if os.Getenv("CLICOLOR") == "0" {
		os.Setenv("NO_COLOR", "1")
	}
}
