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

// Whom a stop is for, as kill(2) has it. A key on the terminal is for the whole foreground
// group, as the terminal's own ctrl+z is; a signal was for this process.
const wholeGroup = 0

var thisProcess = os.Getpid()

// Shell reports whether a shell with job control waits for us, so that the process may stop
// and be continued (R115). A process group that is also the session's was made by no such
// shell: whoever stops there stays stopped for good, as in a container or under ssh HOST
// paydesk.
func Shell() bool {
	session, err := unix.Getsid(0)
	if err != nil || unix.Getpgrp() == session {
		return false
	}
	parents, err := unix.Getsid(os.Getppid())
	return err == nil && parents == session // else the shell is gone
}

// A halt is SIGTSTP from outside, on its way to the event loop.
type halt struct{ taken *atomic.Bool }

// onStopSignal acts on SIGTSTP. Where the terminal is not read, the event loop is stuck and the
// process stops without it.
func (s *session) onStopSignal() {
	if !Shell() {
		return // as the system does with a signal nobody could follow up
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

// suspend gives the terminal back, stops, and takes it again. It runs on the event loop,
// which stands still meanwhile.
func (s *session) suspend(whom int) tea.Msg {
	if !Shell() || s.program.ReleaseTerminal() != nil {
		return nil
	}
	s.paused.Store(true)
	if !s.stopAndWait(whom) {
		s.abandon()
		select {} // there is no terminal to go on with; the process ends
	}
	s.paused.Store(false)
	if s.program.RestoreTerminal() != nil {
		s.end(Hangup)
	}
	return tea.ResumeMsg{}
}

// stopAndWait stops until the process is continued in the foreground, and reports false when it is
// to end instead: then the terminal is the shell's.
func (s *session) stopAndWait(whom int) bool {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	for {
		// Not SIGTSTP: Go keeps its handler once it was asked for it.
		if syscall.Kill(whom, syscall.SIGSTOP) != nil {
			return true
		}
		<-continued
		if foreground(s.In) {
			return true
		}
		const together = 50 * time.Millisecond // a shell that kills a job continues it too
		select {
		case <-s.ending:
			return false
		case <-time.After(together): // continued in the background, where it cannot draw
		}
	}
}

func foreground(tty *os.File) bool {
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
