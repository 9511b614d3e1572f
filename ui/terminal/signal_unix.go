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

// watchSignals handles signals until unwatch is called.
func (s *session) watchSignals() (unwatch func()) {
	got := make(chan os.Signal, 8)
	signal.Notify(got, endSignals...)
	stops := make(chan os.Signal, 1)
	signal.Notify(stops, syscall.SIGTSTP)
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE) // uncaught it would kill; the write returns an error
	over := make(chan struct{})
	go func() {
		for {
			select {
			case <-over:
				return
			case n := <-got:
				s.end(128 + int(n.(syscall.Signal)))
			case <-stops:
				go s.onStopSignal()
			case <-pipes:
			}
		}
	}()
	// No signal.Stop: a signal must not interrupt the rest of the shutdown.
	return func() { close(over) }
}

// writeNow writes with one system call, without the lock of [os.File].
func writeNow(f *os.File, text string) { _, _ = syscall.Write(int(f.Fd()), []byte(text)) }
