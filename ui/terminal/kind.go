package terminal

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// Slow reports whether the session runs over SSH.
func Slow(getenv func(string) string) bool {
	return getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != ""
}

// ASCIIOnly reports whether the terminal may lack glyphs outside ASCII: the Linux console, old
// hardware terminals, and any terminal with a locale that is not UTF-8. A missing locale does not
// count: containers have none, although their terminals show UTF-8.
func ASCIIOnly(getenv func(string) string) bool {
	if t := getenv("TERM"); t == "linux" || isHardwareTerminal(t) {
		return true
	}
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG")) // the order of setlocale(3)
	if locale == "" {
		return false
	}
	charset := strings.ToLower(locale)
	return !strings.Contains(charset, "utf-8") && !strings.Contains(charset, "utf8")
}

// isHardwareTerminal reports whether a TERM names a hardware terminal or an emulation of one,
// with ASCII and at most its own line-drawing characters.
func isHardwareTerminal(t string) bool {
	t, _, _ = strings.Cut(t, "-")
	return t == "vt52" || t == "vt100" || t == "vt102" || t == "vt220" || t == "vt320" || t == "ansi"
}

// colorProfile returns nil to let the library detect the colours, and a profile without colours
// for terminals to which it would wrongly send sixteen.
func colorProfile(getenv func(string) string) *colorprofile.Profile {
	if t := getenv("TERM"); isHardwareTerminal(t) && !strings.HasPrefix(t, "ansi") {
		none := colorprofile.ASCII
		return &none
	}
	return nil
}

// Multiplexer reports whether tmux or GNU screen stands between the program and the terminal. Over SSH
// only TERM arrives, and both call their terminals screen.
func Multiplexer(getenv func(string) string) (tmux, screen bool) {
	tmux, screen = getenv("TMUX") != "", getenv("STY") != ""
	if tmux || screen {
		return tmux, screen
	}
	kind, _, _ := strings.Cut(getenv("TERM"), "-")
	kind, _, _ = strings.Cut(kind, ".") // screen.xterm-256color
	return kind == "tmux" || kind == "screen", kind == "screen"
}
