package command

import (
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
