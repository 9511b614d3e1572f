//go:build !windows && !freebsd && !dragonfly && !netbsd && !openbsd

package terminal

import (
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// lineSettings say with which characters the cursor may be moved. Tabs are not among them: their stops are the user's, and
// no terminal says where they are.
type lineSettings struct{ backspaces bool }

func settingsOf(s *term.State) lineSettings {
	return lineSettings{backspaces: s.Lflag&unix.BSDLY == unix.BS0}
}
