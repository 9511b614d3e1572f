package command

import (
	"errors"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/windows"
)

// hideInput has a console show nothing of what is typed.
func hideInput(fd uintptr, before *term.State) error {
	hidden := *before
	hidden.Mode &^= windows.ENABLE_ECHO_INPUT
	hidden.Mode |= windows.ENABLE_LINE_INPUT | windows.ENABLE_PROCESSED_INPUT
	return term.SetState(fd, &hidden)
}

// onContinue does nothing: there is no job control.
func onContinue(func()) (leave func()) { return func() {} }

// unread reports whether a write failed because the reader of the pipe is leaving or has gone.
func unread(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
