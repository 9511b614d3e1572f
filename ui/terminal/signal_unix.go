//go:build !windows

package terminal

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// stalled is how long the program may take to end itself after a signal. A
// terminal that is not read holds up the event loop; then it is left by force.
const stalled = 1500 * time.Millisecond

// onSignal asks the program to quit on SIGINT, SIGTERM, SIGHUP and SIGQUIT, which
// Bubble Tea leaves to the system, and the system to kill us with the terminal
// raw. The function returned ends the watch and tells the exit status.
func onSignal(p *tea.Program, restore func()) func() int {
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	status := make(chan int, 1)
	over := make(chan struct{})
	go func() {
		select {
		case <-over:
			status <- 0
			return
		case s := <-got:
			n := 128 + int(s.(syscall.Signal))
			status <- n
			go p.Quit() // it blocks while the event loop does
			select {
			case <-over:
			case <-time.After(stalled):
				_ = syscall.SetNonblock(int(os.Stdout.Fd()), true)
				restore()
				os.Exit(n)
			}
		}
	}()
	return func() int {
		signal.Stop(got)
		close(over)
		return <-status
	}
}
