//go:build !unix && !windows

package keycmd

import (
	"errors"

	"github.com/charmbracelet/x/term"
)

// hideInput knows no other terminals.
func hideInput(uintptr, *term.State) error {
	return errors.New("this terminal cannot hide typed input")
}
