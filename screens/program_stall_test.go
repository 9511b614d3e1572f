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
	for _, frozen := range []bool{false, true} {
		t.Run(fmt.Sprintf("frozen %v", frozen), func(t *testing.T) {
			windows := map[syscall.Signal]*window{} // all at once: each takes its time to end
			for signal := range endings {
				v := open(t, newSetting(t), 200, 60, "demo")
				v.sees("Ways in")
				if frozen {
					v.freeze(v.command.Process.Pid)
				}
				windows[signal] = v
			}
			at := time.Now()
			for signal, v := range windows {
				v.signal(signal)
			}
			for signal, v := range windows {
				until(t, v.over, func() string { return fmt.Sprintf("after %v the program goes on", signal) })
				took := time.Since(at)
				t.Logf("%v: it ended %v after the signal at most", signal, took.Round(time.Millisecond))
				if took > soon {
					t.Errorf("%v: it took %v", signal, took)
				}
				v.restored()
				if frozen {
					v.thaw()
				}
				if got := v.gone(); got != endings[signal] { // which looks at the modes of the screen as well
					t.Errorf("%v: it ended with %d", signal, got)
				}
			}
		})
	}
}
