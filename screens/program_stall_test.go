//go:build linux

package screens_test

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

	"paydesk/api/timely"
)

// stuck reports whether the terminal takes no more: it is full, or somebody is in the middle
// of a write to it. The kernel tells everybody who has the terminal open, which what it counts
// of an undumpable process it tells to root alone.
func (v *window) stuck() bool {
	v.t.Helper()
	ready, err := unix.Poll([]unix.PollFd{{Fd: int32(v.tty.Fd()), Events: unix.POLLOUT}}, 0)
	if err != nil && !errors.Is(err, unix.EINTR) {
		v.t.Fatal(err)
	}
	return err == nil && ready == 0
}

// freeze stops reading what the program writes, as a connection that hangs does, until the
// program is stuck in a write.
func (v *window) freeze() {
	v.t.Helper()
	v.stalled.Lock()
	still := 0
	until(v.t, func() bool { // the help comes and goes, until nothing more is taken
		v.Press("?")
		if still++; !v.stuck() {
			still = 0
		}
		return still > 100
	}, func() string { return "the terminal takes everything" })
}

func (v *window) thaw() { v.stalled.Unlock() }

var endings = map[syscall.Signal]int{
	syscall.SIGHUP: 129, syscall.SIGINT: 130, syscall.SIGQUIT: 131, syscall.SIGABRT: 134,
	syscall.SIGUSR1: 138, syscall.SIGUSR2: 140, syscall.SIGALRM: 142, syscall.SIGTERM: 143,
	// Sent by another process, these would make Go print registers and stacks.
	syscall.SIGILL: 132, syscall.SIGTRAP: 133, syscall.SIGBUS: 128 + int(syscall.SIGBUS), syscall.SIGFPE: 136, syscall.SIGSEGV: 139,
	syscall.SIGSYS: 128 + int(syscall.SIGSYS),
}

// A person at a connection that hangs gets the shell back with the key that leaves the console, too.
func TestASignalEndsTheProgramWithItsNumberAndTheTerminalAsItWas(t *testing.T) {
	t.Parallel()
	t.Run("the key, frozen", func(t *testing.T) {
		t.Parallel()
		timely.Within(t, byItself, func() time.Duration {
			return ends(t, true, func(v *window) { v.Press("ctrl+c") }, 0)
		})
	})
	for signal, status := range endings {
		// Those that people and systems send, and one for which Go would print registers.
		if quick := []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGSEGV}; !long && !slices.Contains(quick, signal) {
			continue
		}
		for _, frozen := range []bool{false, true} {
			if frozen && !long && signal != syscall.SIGHUP && signal != syscall.SIGTERM { // the others take the same way out
				continue
			}
			t.Run(fmt.Sprintf("%v, frozen %v", signal, frozen), func(t *testing.T) {
				t.Parallel()
				timely.Within(t, byItself, func() time.Duration {
					return ends(t, frozen, func(v *window) { v.signal(signal) }, status)
				})
			})
		}
	}
}

// ends ends the program and returns how long that took. One that took too long to be judged is not.
func ends(t *testing.T, frozen bool, end func(*window), status int) time.Duration {
	t.Helper()
	v := open(t, newSetting(t), 200, 60, "demo")
	v.Sees("Menu")
	if frozen {
		v.freeze()
	}
	at := time.Now()
	end(v)
	until(t, v.over, func() string { return "the program goes on" })
	took := time.Since(at)
	after, err := term.GetState(v.tty.Fd())
	if frozen {
		v.thaw()
	}
	if took > byItself {
		return took
	}
	if err != nil || *after != *v.before {
		t.Errorf("the terminal's settings are not as they were: %+v, before %+v, %v", after, v.before, err)
	}
	if got := v.gone(); got != status { // which looks at the modes of the screen as well
		t.Errorf("it ended with %d", got)
	}
	return took
}
