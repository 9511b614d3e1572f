//go:build !windows

package terminal

import (
	"os"
	"os/signal"
	"syscall"
)

// endSignals are the signals that end the program and can be caught. Uncaught they would kill it
// with the terminal raw, and some would print every goroutine with its arguments.
var endSignals = []os.Signal{
	syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT,
	syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGTERM,
}

// notifyStops returns where SIGTSTP arrives. It also catches SIGPIPE, which would kill; the write
// returns an error.
func notifyStops() <-chan os.Signal {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	stops := make(chan os.Signal, 1)
	signal.Notify(stops, syscall.SIGTSTP)
	return stops
}

// writeNow writes with one system call, without the lock of [os.File].
func writeNow(f *os.File, text string) { _, _ = syscall.Write(int(f.Fd()), []byte(text)) }
