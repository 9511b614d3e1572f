//go:build !unix

package keycmd

import "github.com/charmbracelet/x/term"

// hideInput is left to [term.ReadPassword] here.
func hideInput(uintptr, *term.State) error { return nil }
