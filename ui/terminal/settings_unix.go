//go:build !windows && !freebsd && !dragonfly && !netbsd && !openbsd

package terminal

import (
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// lineSettings say with which characters the cursor may be moved.
type lineSettings struct{ tabs, backspaces bool }

func settingsOf(s *term.State) lineSettings {
	return lineSettings{tabs: s.Oflag&unix.TABDLY == unix.TAB0, backspaces: s.Lflag&unix.BSDLY == unix.BS0}
}
