package terminal

import (
	"io"
	"os"
	"syscall"

	tea "charm.land/bubbletea/v2"
)

// Shell is false: Windows has no job control.
func Shell() bool { return false }

type halt struct{}

type resumption struct{}

const wholeGroup, thisProcess = 0, 0

func (s *session) suspend(int) tea.Msg { return nil }

func (s *session) resume() tea.Msg { return nil }

func (s *session) onStopSignal(os.Signal) {}

// endSignals end the program, as far as Windows has them. SIGTERM stands for a window that is
// closed, a person who logs off, and a shutdown: the process is ended 5 s later.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

// ExitOnDump does nothing: Windows has no such signals.
func ExitOnDump() {}

func notifyStops() <-chan os.Signal { return nil }

func writeNow(f *os.File, text string) { _, _ = io.WriteString(f, text) }

func discard(*os.File) {}

// guardedInput filters nothing: Windows delivers whole keys.
func guardedInput(f *terminalFile, _ bool) io.Reader { return f.file }
