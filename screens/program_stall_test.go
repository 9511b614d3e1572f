//go:build linux

package screens_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
)

// written is how many bytes a process has written so far.
func (v *window) written(pid int) (n int) {
	v.t.Helper()
	return v.account(pid, "wchar:")
}

// account is a line of what the kernel counts of a process's reading and writing.
func (v *window) account(pid int, line string) (n int) {
	v.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err == nil {
		_, after, _ := strings.Cut(string(text), line)
		_, err = sscan(after, &n)
	}
	if err != nil {
		v.t.Fatal(err)
	}
	return n
}

// freeze stops reading what the program writes, as a connection that hangs does, until the
// process that runs in it is stuck in a write.
func (v *window) freeze(pid int) {
	v.t.Helper()
	v.stalled.Lock()
	begun := v.written(pid)
	full, still := begun, 0
	until(v.t, func() bool { // the help comes and goes, until nothing more is written
		v.press("?")
		if now := v.written(pid); now != full {
			full, still = now, 0
		}
		still++
		return full > begun && still > 100
	}, func() string { return "the terminal takes everything" })
}

func (v *window) thaw() { v.stalled.Unlock() }

// restored fails unless the terminal has the settings it had.
func (v *window) restored() {
	v.t.Helper()
	if after, err := term.GetState(v.tty.Fd()); err != nil || *after != *v.before {
		v.t.Errorf("the terminal's settings are not as they were: %+v, before %+v, %v", after, v.before, err)
	}
}

// soon is how long a program may take to end once it is told from outside (R110).
const soon = 2 * time.Second

var endings = map[syscall.Signal]int{
	syscall.SIGHUP: 129, syscall.SIGINT: 130, syscall.SIGQUIT: 131, syscall.SIGABRT: 134,
	syscall.SIGUSR1: 138, syscall.SIGUSR2: 140, syscall.SIGALRM: 142, syscall.SIGTERM: 143,
}

func TestASignalEndsTheProgramWithItsNumberAndTheTerminalAsItWas(t *testing.T) {
	t.Parallel()
	for signal, want := range endings {
		for _, frozen := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v, frozen %v", signal, frozen), func(t *testing.T) {
				t.Parallel()
				v := open(t, newSetting(t), 200, 60, "demo")
				v.sees("Ways in")
				if frozen {
					v.freeze(v.command.Process.Pid)
				}
				at := time.Now()
				v.signal(signal)
				until(t, v.over, func() string { return "the program goes on" })
				took := time.Since(at)
				t.Logf("it ended %v after the signal", took.Round(time.Millisecond))
				if took > soon {
					t.Errorf("it took %v", took)
				}
				v.restored()
				if frozen {
					v.thaw()
				}
				if got := v.gone(); got != want { // which looks at the modes of the screen as well
					t.Errorf("it ended with %d", got)
				}
			})
		}
	}
}
