//go:build freebsd || dragonfly || netbsd || openbsd

package terminal

import "github.com/charmbracelet/x/term"

// lineSettings say with which characters the cursor may be moved.
type lineSettings struct{ tabs, backspaces bool }

// settingsOf returns no settings: these systems do not report them.
func settingsOf(*term.State) lineSettings { return lineSettings{} }
