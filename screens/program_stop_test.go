//go:build linux

package screens_test

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/term"
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
	s := &shell{window: v}
	s.sees(strings.TrimSpace(prompt))
	if s.prompt, err = term.GetState(v.tty.Fd()); err != nil {
		t.Fatal(err)
	}
	s.press(line + "\r")
	return s
}

// child is the process that the shell runs.
func (s *shell) child() int {
	s.t.Helper()
	pid := s.command.Process.Pid
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		s.t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		s.t.Fatalf("the shell has the children %q", text)
	}
	return child
}

// back waits until the shell has the terminal, as it left it.
func (s *shell) back() {
	s.t.Helper()
	s.sees("Stopped")
	if on := s.display.left(); len(on) > 0 {
		s.t.Errorf("the shell's terminal has %q", on)
	}
	if after, err := term.GetState(s.tty.Fd()); err != nil || *after != *s.prompt {
		s.t.Errorf("the terminal's settings are %+v, at the prompt before %+v, %v", after, s.prompt, err)
	}
}

// on continues the program.
func (s *shell) on() {
	s.t.Helper()
	s.press("clear 2>/dev/null; printf '\\33[2J\\33[H'; fg\r")
	s.sees("Menu", "? help")
}

// rounds are how often the program is stopped and continued.
const rounds = 10

func TestCtrlZGoesToTheShellAndBackAndTheTerminalIsRightEachTime(t *testing.T) {
	t.Parallel()
	s := opens(t, newSetting(t), program(t)+" demo")
	s.sees("Menu")
	for range rounds {
		s.press("ctrl+z")
		s.back()
		s.on()
	}
	s.press("t")
	s.sees("Page 1 of 61") // it takes keys
	s.press("ctrl+c")
	until(t, func() bool {
		return strings.HasSuffix(strings.TrimRight(s.screen(), "\n"), strings.TrimSpace(prompt)) && !s.has("Menu")
	},
		func() string { return "it does not end\n" + s.screen() })
	s.press("echo ended $?\r")
	s.sees("ended 0")
}

func TestASignalToStopGivesTheTerminalToTheShell(t *testing.T) {
	t.Parallel()
	s := opens(t, newSetting(t), program(t)+" demo")
	s.sees("Menu")
	for range rounds {
		if err := syscall.Kill(s.child(), syscall.SIGTSTP); err != nil {
			t.Fatal(err)
		}
		s.back()
		s.on()
	}
}

func TestASignalToStopIsFollowedWhereTheTerminalIsNotRead(t *testing.T) {
	t.Parallel()
	s := opens(t, newSetting(t), program(t)+" demo")
	s.sees("Menu")
	child := s.child()
	s.freeze()
	if err := syscall.Kill(child, syscall.SIGTSTP); err != nil {
		t.Fatal(err)
	}
	until(t, func() bool {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child))
		return err == nil && strings.Contains(string(text), ") T ")
	}, func() string { return "it does not stop" })
	if after, err := term.GetState(s.tty.Fd()); err != nil || *after != *s.prompt {
		t.Errorf("the terminal's settings are %+v, at the prompt before %+v, %v", after, s.prompt, err)
	}
	s.thaw()
	s.press("fg\r")
	until(t, func() bool { return s.has("Menu") || s.has("Keys: Home") }, func() string { return "it does not go on\n" + s.screen() })
}

func TestAStoppedProgramThatIsKilledEnds(t *testing.T) {
	t.Parallel()
	s := opens(t, newSetting(t), program(t)+" demo")
	s.sees("Menu")
	s.press("ctrl+z")
	s.back()
	s.press("bg\r", "kill %1; wait; echo ended $?\r") // in the background it cannot draw and stops again
	s.sees("ended 0")
	if after, err := term.GetState(s.tty.Fd()); err != nil || *after != *s.prompt {
		t.Errorf("the terminal's settings are %+v, at the prompt before %+v, %v", after, s.prompt, err)
	}
}

func TestWithoutAShellNothingStops(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 80, 24, "demo") // as ssh HOST paydesk does
	v.sees("Menu")
	v.press("ctrl+z")
	v.sees("ctrl+z does nothing")
	v.signal(syscall.SIGTSTP)
	v.press("t")
	v.sees("Page 1 of 61")
	v.press("ctrl+c")
	if s := v.gone(); s != 0 {
		t.Errorf("it ended with %d", s)
	}
}
