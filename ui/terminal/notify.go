package terminal

import "strings"

// Notifications returns the number of the sequence by which the terminal shows a desktop notification: "777" with
// a title, "9" without, "" for a terminal that is not known to have either. A multiplexer on the way passes none
// on by default, and which terminal is behind it is not known.
func Notifications(getenv func(string) string) string {
	if tmux, screen := Multiplexer(getenv); tmux || screen {
		return ""
	}
	kind := strings.ToLower(getenv("TERM"))
	for _, known := range []string{"xterm-kitty", "xterm-ghostty", "ghostty", "wezterm", "foot", "contour"} {
		if kind == known || strings.HasPrefix(kind, known+"-") {
			return "777"
		}
	}
	switch program := getenv("TERM_PROGRAM"); {
	case program == "WezTerm", program == "ghostty", getenv("KITTY_WINDOW_ID") != "":
		return "777"
	case program == "iTerm.app", program == "WarpTerminal", program == "" && getenv("LC_TERMINAL") == "iTerm2": // which ssh passes on
		return "9"
	}
	// VTE ignores both. Windows Terminal asks its user first, and ConEmu shows progress by OSC 9.
	return ""
}
