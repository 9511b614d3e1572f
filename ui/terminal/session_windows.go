package terminal

import (
	"io"
	"os"
	"os/signal"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
)

// Shell is false: Windows has no job control.
func Shell() bool { return false }

type halt struct{ taken *atomic.Bool }

const wholeGroup, thisProcess = 0, 0

func (s *session) suspend(int) tea.Msg { return nil }

func (s *session) watchSignals() (unwatch func()) {
	got := make(chan os.Signal, 1)
	signal.Notify(got, os.Interrupt)
	over := make(chan struct{})
	go func() {
		select {
		case <-over:
		case <-got:
			s.end(130)
		}
	}()
	return func() { close(over) }
}

func writeNow(f *os.File, text string) { _, _ = io.WriteString(f, text) }

func discard(*os.File) {}

// guardedInput is nil: Windows delivers whole keys.
func guardedInput(*os.File, func()) io.Reader { return nil }
