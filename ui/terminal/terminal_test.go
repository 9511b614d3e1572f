package terminal_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/creack/pty"

	"paydesk/api/timely"
	"paydesk/ui/terminal"
)

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
		err := terminal.Check(c.in, c.out, vars("TERM", c.term))
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

var must = timely.Must

func vars(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestASCIIIsUsedWhereTheTerminalOrTheLocaleHasNothingElse(t *testing.T) {
	for _, c := range []struct {
		vars  []string
		ascii bool
	}{
		{[]string{"TERM", "xterm-256color"}, false}, // no locale says nothing
		{[]string{"TERM", "xterm", "LANG", "en_GB.UTF-8"}, false},
		{[]string{"TERM", "xterm", "LANG", "C.utf8"}, false},
		{[]string{"TERM", "xterm", "LANG", "C"}, true},
		{[]string{"TERM", "xterm", "LANG", "en_GB.ISO-8859-15"}, true},
		{[]string{"TERM", "xterm", "LANG", "en_GB.UTF-8", "LC_ALL", "C"}, true},
		{[]string{"TERM", "xterm", "LANG", "C", "LC_CTYPE", "C.UTF-8"}, false},
		{[]string{"TERM", "linux", "LANG", "en_GB.UTF-8"}, true},
		{[]string{"TERM", "vt100", "LANG", "en_GB.UTF-8"}, true},
	} {
		if got := terminal.ASCIIOnly(vars(c.vars...)); got != c.ascii {
			t.Errorf("%q: %v", c.vars, got)
		}
	}
}

func TestAMultiplexerIsKnownByItsVariableOrItsTerminal(t *testing.T) {
	for _, c := range []struct {
		vars         []string
		tmux, screen bool
	}{
		{[]string{"TERM", "xterm-256color"}, false, false},
		{[]string{"TERM", "screen-256color", "TMUX", "/tmp/tmux-0/default,1,0"}, true, false},
		{[]string{"TERM", "screen", "STY", "7.pts-1.desk"}, false, true},
		{[]string{"TERM", "screen", "TMUX", "/tmp/s,1,0", "STY", "7.pts-1.desk"}, true, true}, // one within the other
		{[]string{"TERM", "tmux-256color", "SSH_TTY", "/dev/pts/3"}, true, false},
		{[]string{"TERM", "screen-256color", "SSH_TTY", "/dev/pts/3"}, true, true}, // either
		{[]string{"TERM", "screenlike"}, false, false},
	} {
		if tmux, screen := terminal.Multiplexer(vars(c.vars...)); tmux != c.tmux || screen != c.screen {
			t.Errorf("%q: tmux %v, screen %v", c.vars, tmux, screen)
		}
	}
}

func TestAHardwareTerminalIsSentNoColours(t *testing.T) {
	for name, plain := range map[string]bool{"vt100": true, "vt220-w": true, "ansi": false, "xterm-256color": false} {
		if got := terminal.Colours(os.Stdout, vars("TERM", name)); (got == colorprofile.ASCII) != plain {
			t.Errorf("%s has the colour profile %v", name, got)
		}
	}
}

func TestHyperlinksAreSentToTerminalsThatTakeThem(t *testing.T) {
	for _, c := range []struct {
		vars []string
		want bool
	}{
		{[]string{"TERM", "xterm-256color", "COLORTERM", "truecolor", "VTE_VERSION", "7600"}, true},
		{[]string{"TERM", "xterm-256color", "VTE_VERSION", "4602"}, false},
		{[]string{"TERM", "xterm-256color", "SSH_TTY", "/dev/pts/3"}, true}, // says no more
		{[]string{"TERM", "xterm-kitty"}, true},
		{[]string{"TERM", "tmux-256color", "TMUX", "/tmp/s,1,0"}, true},
		{[]string{"TERM", "screen-256color", "TMUX", "/tmp/s,1,0"}, true},
		{[]string{"TERM", "screen", "STY", "7.pts-1.desk"}, false},
		{[]string{"TERM", "xterm", "COLORTERM", "truecolor"}, true},
		{[]string{"TERM", "xterm-256color", "XTERM_VERSION", "XTerm(390)"}, false},
		{[]string{"TERM", "xterm-256color", "TERM_PROGRAM", "Apple_Terminal"}, false},
		{[]string{"TERM", "linux"}, false},
		{nil, false},
		{[]string{"WT_SESSION", "1"}, true}, // Windows sets no TERM
	} {
		if got := terminal.Hyperlinks(vars(c.vars...)); got != c.want {
			t.Errorf("%q: %v", c.vars, got)
		}
	}
}

func TestNotificationsAreSentToTerminalsThatAreKnownToShowThem(t *testing.T) {
	for _, c := range []struct {
		vars []string
		by   string
	}{
		{[]string{"TERM", "xterm-kitty", "KITTY_WINDOW_ID", "1"}, "777"},
		{[]string{"TERM", "xterm-kitty", "SSH_TTY", "/dev/pts/3"}, "777"}, // only TERM arrives
		{[]string{"TERM", "foot"}, "777"},
		{[]string{"TERM", "xterm-256color", "TERM_PROGRAM", "WezTerm"}, "777"},
		{[]string{"TERM", "xterm-256color", "TERM_PROGRAM", "iTerm.app"}, "9"},
		{[]string{"TERM", "xterm-256color", "LC_TERMINAL", "iTerm2"}, "9"},
		{[]string{"TERM", "xterm-256color"}, ""},
		{[]string{"TERM", "xterm-256color", "TERM_PROGRAM", "vscode", "LC_TERMINAL", "iTerm2"}, ""},
		{[]string{"TERM", "footage"}, ""},
		{[]string{"TERM", "linux"}, ""},
		// Variables of the terminal outside leak into a multiplexer.
		{[]string{"TERM", "tmux-256color", "TMUX", "/tmp/tmux-1000/default,1,0", "KITTY_WINDOW_ID", "1"}, ""},
		{[]string{"TERM", "screen", "STY", "1.x", "TERM_PROGRAM", "WezTerm"}, ""},
	} {
		if got := terminal.Notifications(vars(c.vars...)); got != c.by {
			t.Errorf("%q: %q", c.vars, got)
		}
	}
}
