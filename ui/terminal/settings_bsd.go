//go:build freebsd || dragonfly || netbsd || openbsd

package terminal

import "github.com/charmbracelet/x/term"

// lineSettings say with which characters the cursor may be moved. Tabs are not among them: their stops are the user's, and
// no terminal says where they are.
type lineSettings struct{ backspaces bool }

// settingsOf returns no settings: these systems do not report them.
func settingsOf(*term.State) lineSettings { return lineSettings{} }
