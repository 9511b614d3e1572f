//go:build unix

package screens_test

import (
	"bytes"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

func TestASignalBeforeTheFirstFrameEndsTheProgramToo(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 80, 24, "demo")
	until(t, func() bool { return len(v.Bytes()) > 0 }, func() string { return "nothing was written" })
	v.signal(syscall.SIGTERM)
	if got := v.gone(); got != 143 {
		t.Errorf("it ended with %d", got)
	}
}

// A terminal that answers nothing is not waited for. Over a slow connection its answers come late, and after the end they
// would be typed in the shell.
func TestAnswersOfTheTerminalAreNotWaitedForAndNotLeftToTheShell(t *testing.T) {
	t.Parallel()
	v := newWindow(t, newSetting(t), 80, 24, "demo")
	v.answers.held = true
	v.start()
	v.Sees("Menu") // without them
	if !v.AltScreen() {
		t.Error("it does not use the alternate screen")
	}
	for _, asked := range []string{"\x1b]10;?", "\x1b[6n"} {
		if bytes.Contains(v.Bytes(), []byte(asked)) {
			t.Errorf("it asks %q", asked)
		}
	}
	v.Press("ctrl+c")
	until(t, func() bool { return len(leftOn(v.Bytes())) == 0 }, func() string { return "it does not end" })
	if v.answers.arrive() == 0 {
		t.Fatal("the terminal was not asked anything")
	}
	until(t, v.over, func() string { return "the program goes on" })
	if _, err := term.MakeRaw(v.tty.Fd()); err != nil { // a line's end is not waited for then
		t.Fatal(err)
	}
	ready, err := unix.Poll([]unix.PollFd{{Fd: int32(v.tty.Fd()), Events: unix.POLLIN}}, 0)
	must(t, err)
	if ready > 0 {
		b := make([]byte, 256)
		n, _ := v.tty.Read(b)
		t.Errorf("the shell reads %q", b[:n])
	}
}
