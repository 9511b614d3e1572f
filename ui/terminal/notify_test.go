package terminal_test

import (
	"testing"

	"paydesk/ui/terminal"
)

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
