//go:build !windows

package terminal

import (
	"os"
	"os/signal"
	"sync/atomic"
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

// A halt carries SIGTSTP to the event loop. Whoever sets taken first handles it.
type halt struct{ taken *atomic.Bool }

// onStopSignal handles SIGTSTP. When the event loop is blocked by a terminal that is not read, the
// process stops without it.
func (s *session) onStopSignal() {
	if !Shell() {
		return // the kernel ignores SIGTSTP in such a group, too
	}
	h := halt{new(atomic.Bool)}
	go s.program.Send(h)
	select {
	case <-s.ending:
		return
	case <-time.After(quitTimeout):
	}
	if !h.taken.CompareAndSwap(false, true) {
		return
	}
	raw, err := term.GetState(s.In.Fd())
	if err != nil {
		return
	}
	_ = term.Restore(s.In.Fd(), s.saved)
	s.paused.Store(true)
	if s.stopAndWait(thisProcess) {
		_ = term.Restore(s.In.Fd(), raw)
		s.paused.Store(false)
		s.program.Send(tea.ClearScreen())
		s.program.Send(tea.ResumeMsg{})
	}
}

// suspend releases the terminal, stops the process, and takes the terminal again when it is
// continued. It blocks the event loop.
func (s *session) suspend(whom int) tea.Msg {
	if !Shell() || s.program.ReleaseTerminal() != nil {
		return nil
	}
	s.paused.Store(true)
	if !s.stopAndWait(whom) {
		s.abandon()
		select {} // the shell has the terminal; the process exits
	}
	s.paused.Store(false)
	if s.program.RestoreTerminal() != nil {
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
