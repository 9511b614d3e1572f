//go:build linux

package screens_test

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
)

// written is how many bytes the program has written so far.
func (v *window) written() (n int) {
	v.t.Helper()
	file := fmt.Sprintf("/proc/%d/io", v.command.Process.Pid)
	text, err := os.ReadFile(file)
	if err == nil {
		_, err = fmt.Sscanf(string(text), "rchar: %d\nwchar: %d", new(int), &n)
	}
	if err != nil {
		v.t.Fatal(err)
	}
	return n
}

// A connection that hangs leaves a terminal that takes no more bytes.
func TestASignalEndsAProgramWhoseTerminalTakesNoMoreBytes(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 200, 60, "demo")
	v.sees("Ways in")
	v.stalled.Lock()
	begun := v.written()
	full, still := begun, 0
	until(t, func() bool { // the help comes and goes, until nothing more is written
		v.press("?")
		if now := v.written(); now != full {
			full, still = now, 0
		}
		still++
		return full > begun && still > 100
	}, func() string { return "the terminal takes everything" })
	t.Logf("the terminal was full after %d bytes", full-begun)
	at := time.Now()
	v.signal(syscall.SIGTERM)
	until(t, v.over, func() string { return "the program goes on" })
	t.Logf("it ended %v after the signal", time.Since(at).Round(time.Millisecond))
	if got := status(v.command); got != 143 {
		t.Errorf("it ended with %d", got)
	}
	if after, err := term.GetState(v.tty.Fd()); err != nil || *after != *v.before {
		t.Errorf("the terminal's settings are not as they were: %+v, before %+v, %v", after, v.before, err)
	}
	v.stalled.Unlock()
}
