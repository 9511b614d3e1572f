//go:build linux

package screens_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"

	"paydesk/api/timely"
)

// A shell is a window with an interactive shell in it, in which the program runs.
type shell struct {
	*window
	prompt *term.State // the terminal's settings at its prompt
}

const prompt = "at the prompt "

// opens runs the program from a shell with job control.
func opens(t *testing.T, e setting, line string) *shell {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("this machine has no bash")
	}
	v := newWindow(t, e, 80, 24)
	e["PS1"], e["HISTFILE"] = prompt, ""
	v.command.Path, v.command.Args, v.command.Env = bash, []string{"bash", "--norc", "--noprofile", "--noediting", "-i"}, e.list()
	v.start()
	t.Cleanup(func() { // a job that is stopped may outlive its shell
		for _, child := range v.children() {
			syscall.Kill(child, syscall.SIGKILL)
		}
	})
	s := &shell{window: v}
	s.Sees(strings.TrimSpace(prompt))
	if s.prompt, err = term.GetState(v.tty.Fd()); err != nil {
		t.Fatal(err)
	}
	s.Type(line + "\r")
	return s
}

// child is the process that the shell runs.
func (s *shell) child() int {
	s.t.Helper()
	all := s.children()
	if len(all) != 1 {
		s.t.Fatalf("the shell has the children %v", all)
	}
	return all[0]
}

// children are the processes that the program has started and that run, or are stopped.
func (v *window) children() (all []int) {
	pid := v.command.Process.Pid
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for _, word := range strings.Fields(string(text)) {
		if child, err := strconv.Atoi(word); err == nil {
			all = append(all, child)
		}
	}
	return all
}

// back waits until the shell has the terminal, as it left it.
func (s *shell) back() {
	s.t.Helper()
	s.Sees("Stopped")
	if on := leftOn(s.Bytes()); len(on) > 0 {
		s.t.Errorf("the shell's terminal has %q", on)
	}
	if after, err := term.GetState(s.tty.Fd()); err != nil || *after != *s.prompt {
		s.t.Errorf("the terminal's settings are %+v, at the prompt before %+v, %v", after, s.prompt, err)
	}
}

// stopped waits until a process is stopped.
func (s *shell) stopped(pid int) {
	s.t.Helper()
	until(s.t, func() bool {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err == nil && strings.Contains(string(text), ") T ")
	}, func() string { return "it does not stop" })
}

// on continues the program.
func (s *shell) on() {
	s.t.Helper()
	s.Type("clear 2>/dev/null; printf '\\33[2J\\33[H'; fg\r")
	s.Sees("Menu", "? help")
}

// rounds set how often the program is stopped and continued.
const rounds = 10

// By the key and by a signal.
func TestAStopGoesToTheShellAndBackAndTheTerminalIsRightEachTime(t *testing.T) {
	t.Parallel()
	s := opens(t, newSetting(t), program(t)+" demo")
	s.Sees("Menu")
	for i := range rounds {
		if i%2 == 0 {
			s.Press("ctrl+z")
		} else if err := syscall.Kill(s.child(), syscall.SIGTSTP); err != nil {
			t.Fatal(err)
		}
		s.back()
		s.on()
	}
	s.Press("2")
	s.Sees("100 of 1,204 read") // it takes keys
	s.Press("ctrl+c")
	until(t, func() bool {
		return strings.HasSuffix(strings.TrimRight(s.Screen(), "\n"), strings.TrimSpace(prompt)) && !s.Has("Menu")
	},
		func() string { return "it does not end\n" + s.Screen() })
	s.Type("echo ended $?\r")
	s.Sees("ended 0")
}

// No process is told of a SIGSTOP: the shell has the terminal echo what is typed, and that goes on after fg.
func TestAfterAStopWithoutNoticeACardIsNotEchoed(t *testing.T) {
	t.Parallel()
	s := opens(t, newSetting(t), program(t)+" demo")
	s.Sees("Menu")
	toCard(s.Person, "12.50", "GBP")
	s.To("Card number")
	s.Type("4242").Sees("4 digits")
	child := s.child()
	must(t, syscall.Kill(child, syscall.SIGSTOP))
	s.Sees("Stopped")
	s.Type("bg\r").Sees("paydesk demo &")
	s.Type("until [ -n \"$(jobs -s)\" ]; do :; done; echo stopped $?\r").Sees("stopped 0") // by itself: in the background it cannot draw
	s.Type("clear 2>/dev/null; printf '\\33[2J\\33[H'; fg\r").WaitsUntilGone("demo &", "Stopped").Sees("Card number", "4 digits")
	s.Type("8765").Sees("8 digits")
	if bytes.Contains(s.Bytes(), []byte("8765")) {
		t.Error("the digits are on the screen")
	}
	s.Press("ctrl+z")
	s.back()
}

// It takes seconds: the program waits for a terminal that nothing reads.
func TestASignalToStopIsFollowedWhereTheTerminalIsNotRead(t *testing.T) {
	t.Parallel()
	s := opens(t, newSetting(t), program(t)+" demo")
	s.Sees("Menu")
	child := s.child()
	s.freeze()
	must(t, syscall.Kill(child, syscall.SIGTSTP))
	s.stopped(child)
	if after, err := term.GetState(s.tty.Fd()); err != nil || *after != *s.prompt {
		t.Errorf("the terminal's settings are %+v, at the prompt before %+v, %v", after, s.prompt, err)
	}
	s.thaw()
	s.Type("fg\r")
	until(t, func() bool { return s.Has("Menu") || s.Has("Keys: Home") }, func() string { return "it does not go on\n" + s.Screen() })
}

func TestAStoppedProgramThatIsKilledEnds(t *testing.T) {
	t.Parallel()
	s := opens(t, newSetting(t), program(t)+" demo")
	s.Sees("Menu")
	s.Press("ctrl+z")
	s.back()
	s.Type("bg\r").Type("kill %1; wait; echo ended $?\r") // in the background it cannot draw and stops again
	s.Sees("ended 0")
	if after, err := term.GetState(s.tty.Fd()); err != nil || *after != *s.prompt {
		t.Errorf("the terminal's settings are %+v, at the prompt before %+v, %v", after, s.prompt, err)
	}
}

func TestWithoutAShellNothingStops(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 80, 24, "demo") // as ssh HOST paydesk does
	v.Sees("Menu")
	v.Press("ctrl+z")
	v.Sees("ctrl+z does nothing")
	v.signal(syscall.SIGTSTP)
	v.Press("2")
	v.Sees("100 of 1,204 read")
	v.leave()
}

// resident returns how many KiB of memory the program has.
func (v *window) resident() (kib int) {
	v.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", v.command.Process.Pid))
	must(v.t, err)
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	if _, err := fmt.Sscan(after, &kib); err != nil {
		v.t.Fatal(err)
	}
	return kib
}

func TestAStormOfSizesIsSurvivedAndTheLastOneDrawn(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 80, 24, "demo")
	v.Sees("Menu")
	before := v.resident()
	most := before
	sizes := [][2]uint16{{0, 0}, {1, 1}, {65535, 65535}, {80, 24}, {65535, 1}, {1, 65535}, {60, 18}, {200, 60}, {0, 24}}
	begun := time.Now()
	storm := 500
	if long {
		storm = 5000
	}
	pace := time.NewTicker(600 * time.Microsecond)
	defer pace.Stop()
	for i := range storm {
		s := sizes[i%len(sizes)]
		v.size(s[0], s[1]) // the kernel sends SIGWINCH
		<-pace.C
		if i%100 == 0 {
			most = max(most, v.resident())
		}
	}
	t.Logf("%d sizes in %v", storm, time.Since(begun).Round(time.Millisecond))
	v.Resize(100, 30)
	v.heard()
	v.Sees("Menu")
	until(t, func() bool {
		s := v.Screen()
		return strings.HasPrefix(s, " paydesk ▸ Home ") && strings.Count(s, "Menu") == 1 && strings.Contains(s, "? help")
	}, func() string { return "the screen is not in order:\n" + v.Screen() })
	most = max(most, v.resident())
	t.Logf("%d KiB before, %d KiB at most", before, most)
	if most-before > 20<<10 {
		t.Errorf("its memory grew from %d to %d KiB", before, most)
	}
	v.leave()
}

// A terminal that tells nonsense of itself must not cost gigabytes before the first frame, and one without cells is waited for.
func TestAnAbsurdFirstSizeIsNotBelieved(t *testing.T) {
	t.Parallel()
	v := newWindow(t, newSetting(t), 80, 24, "demo")
	v.size(65535, 65535)
	v.start()
	v.Sees("Menu")
	v.Resize(0, 0)
	v.heard()
	v.Resize(80, 24)
	v.Sees("Menu")
	if kib := v.resident(); kib > 100<<10 {
		t.Errorf("it has %d KiB of memory", kib)
	}
	v.leave()
}

func TestAWindowThatIsClosedEndsTheProgramAtOnce(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"": nil, "which hears no hangup": {"-c", `trap "" HUP; exec "$0" demo`}} {
		t.Run(name, func(t *testing.T) {
			timely.Within(t, soon, func() (took time.Duration) {
				v := newWindow(t, newSetting(t), 80, 24, "demo")
				if args != nil {
					v.command.Path, v.command.Args = "/bin/sh", append([]string{"sh"}, append(args, program(t))...)
				}
				v.start()
				v.Sees("Menu")
				v.tty.Close()
				at := time.Now()
				v.master.Close() // the kernel hangs up on the program
				until(t, v.over, func() string { return "the program goes on without a terminal" })
				took = time.Since(at)
				if got := status(v.command); got != 129 {
					t.Errorf("it ended with %d", got)
				}
				return took
			})
		})
	}
}
