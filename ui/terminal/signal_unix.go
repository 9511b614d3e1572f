//go:build !windows

package terminal

import (
	"os"
	"os/signal"
	"syscall"
)

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
