//go:build !windows

package terminal

import (
	"os"
	"os/signal"
	"syscall"
)

// endSignals are the signals that end the program and that it can take. Left to the system they
// would kill it with the terminal raw, and some of them print every goroutine with its
// arguments.
var endSignals = []os.Signal{
	syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT,
	syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGTERM,
}

// watchSignals acts on signals until the function it returns is called.
func (s *session) watchSignals() (unwatch func()) {
	got := make(chan os.Signal, 8)
	signal.Notify(got, endSignals...)
	stops := make(chan os.Signal, 1)
	signal.Notify(stops, syscall.SIGTSTP)
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE) // the write's error says it; the signal would kill
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
	// Signals stay taken: what is left to do takes a moment, and nothing is to break it off.
	return func() { close(over) }
}

// writeNow writes with the system call alone.
func writeNow(f *os.File, text string) { _, _ = syscall.Write(int(f.Fd()), []byte(text)) }
