package terminal_test

import (
	"os"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"paydesk/ui/terminal"
)

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
