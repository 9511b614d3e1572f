//go:build !unix

package clitest

import (
	"syscall"

	"paydesk/screens/cli/command"
)

// A Terminal is not there: its tests are skipped.
type Terminal struct{}

// Terminal skips the test.
func (h *Host) Terminal(...string) *Terminal {
	h.T.Skip("there is no pseudo terminal here")
	return nil
}

// Sees does nothing.
func (t *Terminal) Sees(string) *Terminal { return t }

// Type does nothing.
func (t *Terminal) Type(string) *Terminal { return t }

// Signal does nothing.
func (t *Terminal) Signal(syscall.Signal) *Terminal { return t }

// Shown is empty.
func (t *Terminal) Shown() string { return "" }

// Ends does nothing.
func (t *Terminal) Ends(command.Code) *Terminal { return t }
