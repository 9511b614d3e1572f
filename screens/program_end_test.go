//go:build unix

package screens_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

func TestTheDemoIsThereAtOnceAndLeavesTheTerminalAsItWas(t *testing.T) {
	program(t) // not part of the time
	begun := time.Now()
	v := open(t, newSetting(t), 80, 24, "demo")
	v.Sees("Menu")
	t.Logf("the console was on screen %v after its start", time.Since(begun).Round(time.Millisecond))
	v.Sees("SANDBOX", "127.0.0.1:", "q quit")
	if !v.AltScreen() {
		t.Error("it does not use the alternate screen")
	}
	v.Press("ctrl+c")
	if s := v.gone(); s != 0 {
		t.Errorf("it ended with %d", s)
	}
}

func TestASignalBeforeTheFirstFrameEndsTheProgramToo(t *testing.T) {
	v := open(t, newSetting(t), 80, 24, "demo")
	until(t, func() bool { return len(v.Bytes()) > 0 }, func() string { return "nothing was written" })
	v.signal(syscall.SIGTERM)
	if got := v.gone(); got != 143 {
		t.Errorf("it ended with %d", got)
	}
}

// Over a slow connection the terminal's answers come late, and after the end they would
// be typed insuspend.
func TestAnswersOfTheTerminalThatComeAfterAQuickEndAreNotLeftToTheShell(t *testing.T) {
	v := newWindow(t, newSetting(t), 80, 24, "demo")
	v.answers.held = true
	v.start()
	v.Sees("Menu") // without them
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
	if err != nil {
		t.Fatal(err)
	}
	if ready > 0 {
		b := make([]byte, 256)
		n, _ := v.tty.Read(b)
		t.Errorf("the shell reads %q", b[:n])
	}
}
