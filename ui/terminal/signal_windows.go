package terminal

import (
	"os"
	"os/signal"

	tea "charm.land/bubbletea/v2"
)

// onSignal asks the program to quit when it is interrupted.
func onSignal(p *tea.Program, _ func()) func() int {
	got := make(chan os.Signal, 1)
	signal.Notify(got, os.Interrupt)
	over := make(chan struct{})
	status := make(chan int, 1)
	go func() {
		select {
		case <-over:
			status <- 0
		case <-got:
			status <- 130
			p.Quit()
		}
	}()
	return func() int {
		signal.Stop(got)
		close(over)
		return <-status
	}
}
