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

// onStopSignal handles SIGTSTP and SIGCONT.
func (s *session) onStopSignal(n os.Signal) {
	switch {
	case n == syscall.SIGCONT && s.paused.Load():
		signalTo(s.continued)
	case n == syscall.SIGCONT:
		go s.program.Send(onLoop(s.resume)) // after a stop that was not the program's own
	case Shell(): // the kernel ignores SIGTSTP in such a group, too
		go s.program.Send(onLoop(func() tea.Msg { return s.suspend(thisProcess) }))
	}
}

// suspend leaves the terminal, stops the process, and takes the terminal again when it is continued. A
// terminal that is not read keeps its screen and its modes. It blocks the event loop.
func (s *session) suspend(whom int) tea.Msg {
	if !Shell() {
		return nil
	}
	raw, err := term.GetState(s.in.Fd())
	if err != nil {
		return nil
	}
	unread := s.program.screen.leave() != nil
	if unread {
		_ = term.Restore(s.in.Fd(), s.saved)
	}
	s.stop(whom)
	if unread {
		_ = term.Restore(s.in.Fd(), raw)
		go s.program.screen.redraw()
	} else if s.program.takeAgain() != nil {
		s.end(Hangup)
	}
	return tea.ResumeMsg{}
}

// resume takes the terminal again after a stop that could not be caught: a shell has given it its own modes and written
// on it.
func (s *session) resume() tea.Msg {
	if Shell() && !foreground(s.in) { // where it must not draw
		if s.endsNow() {
			return nil
		}
		if !foreground(s.in) { // fg may have followed bg meanwhile
			s.stop(thisProcess)
		}
	}
	// Where it had the terminal all along, what is typed in this moment, such as a card number, is not echoed.
	if s.program.screen.pause() != nil || s.program.takeAgain() != nil {
		_, _ = term.MakeRaw(s.in.Fd()) // it is not read: what is typed must not be shown all the same
		go s.program.screen.redraw()
	}
	return tea.ResumeMsg{}
}

// stop stops the process until it is continued in the foreground. It does not return when the
// program must end instead, while the shell has the terminal.
func (s *session) stop(whom int) {
	s.paused.Store(true)
	defer s.paused.Store(false)
	for {
		// Not SIGTSTP, whose handler stays installed after signal.Notify.
		if syscall.Kill(whom, syscall.SIGSTOP) != nil {
			return
		}
		<-s.continued
		if foreground(s.in) {
			return
		}
		if s.endsNow() { // otherwise it was continued in the background, where it must not draw
			s.abandon()
			select {} // the process exits
		}
	}
}

// endsNow reports whether the program ends: a shell that kills a job also continues it.
func (s *session) endsNow() bool {
	const together = 50 * time.Millisecond
	select {
	case <-s.ending:
		return true
	case <-time.After(together):
		return false
	}
}

func foreground(tty *os.File) bool {
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// endSignals are the signals that end the program and can be caught. Uncaught they would kill it with
// the terminal raw, and many would print registers and every goroutine with its arguments. Those of a
// fault arrive here when another process sent them; a fault of our own is a panic.
var endSignals = []os.Signal{
	syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT,
	syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGTERM,
	syscall.SIGILL, syscall.SIGTRAP, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGSEGV, syscall.SIGSYS,
	stackFault,
}

// ExitOnDump ends a command that has no screen with 128 plus the number of a signal that Go would answer
// by printing registers and every goroutine with its arguments.
func ExitOnDump() {
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGBUS,
		syscall.SIGFPE, syscall.SIGSEGV, syscall.SIGSYS, stackFault)
	go func() { os.Exit(128 + int((<-got).(syscall.Signal))) }()
}

// notifyStops returns where SIGTSTP and SIGCONT arrive. It also catches SIGPIPE, which would kill; the write
// returns an error.
func notifyStops() <-chan os.Signal {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	stops := make(chan os.Signal, 2)
	signal.Notify(stops, syscall.SIGTSTP, syscall.SIGCONT)
	return stops
}

// writeNow writes with one system call, without the lock of [os.File].
func writeNow(f *os.File, text string) { _, _ = syscall.Write(int(f.Fd()), []byte(text)) }
