package terminal_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/creack/pty"

	"paydesk/ui/terminal"
)

func env(term string) func(string) string {
	return func(name string) string {
		if name == "TERM" {
			return term
		}
		return ""
	}
}

func TestOnlyAnInteractiveTerminalIsAccepted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no pseudo-terminal of that system is opened here")
	}
	master, tty, err := pty.Open()
	must(t, err)
	defer master.Close()
	defer tty.Close()
	file, err := os.CreateTemp(t.TempDir(), "out")
	must(t, err)
	defer file.Close()
	for _, c := range []struct {
		name    string
		in, out *os.File
		term    string
		says    string
	}{
		{"a terminal", tty, tty, "xterm-256color", ""},
		{"a terminal in tmux", tty, tty, "tmux-256color", ""},
		{"a linux console", tty, tty, "linux", ""},
		{"input from a file", file, tty, "xterm", "its input"},
		{"output to a file", tty, file, "xterm", "its output"},
		{"a dumb terminal", tty, tty, "dumb", `TERM is "dumb"`},
		{"an unknown terminal", tty, tty, "unknown", `TERM is "unknown"`},
		{"no TERM", tty, tty, "", `TERM is ""`},
	} {
		err := terminal.Check(c.in, c.out, env(c.term))
		if (c.says == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestNoSettingMakesTheLibrariesWriteWhatIsTyped(t *testing.T) {
	for _, name := range []string{"TEA_TRACE", "TEA_DEBUG", "UV_DEBUG"} {
		t.Setenv(name, "/tmp/trace")
	}
	terminal.SilenceLibraries()
	for _, name := range []string{"TEA_TRACE", "TEA_DEBUG", "UV_DEBUG"} {
		if _, there := os.LookupEnv(name); there {
			t.Errorf("%s is still set", name)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
