//go:build unix

package command

import (
	"errors"
	"os"
	"os/signal"

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

// onContinue calls do whenever the process is continued after a stop, until leave is called.
func onContinue(do func()) (leave func()) {
	continued, gone := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(continued, unix.SIGCONT)
	go func() {
		defer close(gone)
		for range continued {
			do()
		}
	}()
	return func() {
		signal.Stop(continued)
		close(continued)
		<-gone
	}
}

// unread reports whether a write failed because the reader of the pipe has gone.
func unread(err error) bool { return errors.Is(err, unix.EPIPE) }
