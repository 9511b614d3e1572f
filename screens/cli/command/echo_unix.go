//go:build unix

package command

import (
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// hideInput has a terminal show nothing of what is typed.
func hideInput(fd uintptr, before *term.State) error {
	hidden := *before
	hidden.Lflag &^= unix.ECHO
	hidden.Lflag |= unix.ICANON | unix.ISIG
	hidden.Iflag |= unix.ICRNL
	return term.SetState(fd, &hidden)
}
