//go:build !windows

package terminal

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// The process id for kill(2). A key stops the whole foreground group, as the terminal's own
// ctrl+z does; a signal was sent to this process alone.
const wholeGroup = 0

var thisProcess = os.Getpid()

// Shell reports whether a shell with job control waits for this process and can continue it
// after a stop. A process group that is also the session's was not created by such a shell, as in
// a container or under "ssh HOST paydesk": a process that stops there stays stopped.
func Shell() bool {
	session, err := unix.Getsid(0)
	if err != nil || unix.Getpgrp() == session {
		return false
	}
	parents, err := unix.Getsid(os.Getppid())
	return err == nil && parents == session // otherwise the shell is gone
}

// A halt carries SIGTSTP to the event loop.
type halt struct{}

// onStopSignal handles SIGTSTP.
func (s *session) onStopSignal() {
	if Shell() { // the kernel ignores SIGTSTP in such a group, too
		s.program.Send(halt{})
	}
}

// suspend leaves the terminal, stops the process, and takes the terminal again when it is continued. A
// terminal that is not read keeps its screen and its modes. It blocks the event loop.
func (s *session) suspend(whom int) tea.Msg {
	if !Shell() {
		return nil
	}
	raw, err := term.GetState(s.In.Fd())
	if err != nil {
		return nil
	}
	unread := s.program.ReleaseTerminal() != nil
	if unread {
		_ = term.Restore(s.In.Fd(), s.saved)
	}
	s.paused.Store(true)
	if !s.stopAndWait(whom) {
		s.abandon()
		select {} // the shell has the terminal; the process exits
	}
	s.paused.Store(false)
	if unread {
		_ = term.Restore(s.In.Fd(), raw)
		go s.program.Redraw()
	} else if s.program.RestoreTerminal() != nil {
		s.end(Hangup)
	}
	return tea.ResumeMsg{}
}

// stopAndWait stops the process until it is continued in the foreground. It returns false when the
// program must end instead, while the shell has the terminal.
func (s *session) stopAndWait(whom int) bool {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	for {
		// Not SIGTSTP, whose handler stays installed after signal.Notify.
		if syscall.Kill(whom, syscall.SIGSTOP) != nil {
			return true
		}
		<-continued
		if foreground(s.In) {
			return true
		}
		const together = 50 * time.Millisecond // a shell that kills a job also continues it
		select {
		case <-s.ending:
			return false
		case <-time.After(together): // continued in the background, where it must not draw
		}
	}
}

func foreground(tty *os.File) bool {
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
