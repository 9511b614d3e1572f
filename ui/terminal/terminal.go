// Package terminal runs a Bubble Tea program on a terminal. It rejects terminals that cannot show
// the console, adapts to unusual ones, keeps escape sequences and pastes whole, and restores the
// terminal however the program ends.
//
//	if err := terminal.Check(os.Stdin, os.Stdout, os.Getenv); err != nil { … }
//	terminal.SilenceLibraries()
//	status, err := terminal.Run(model, os.Stdin, os.Stdout, terminal.Options{…})
//
// A [Program] draws by itself when the view changed, with the engine of Bubble Tea's own renderer, which
// paints on a timer of 60 Hz: measured at 120×40, from a key to its change 1.06 ms instead of 11.9, and 7
// wake-ups a second instead of 297 while nothing happens. Two proposals to Bubble Tea, its pull
// requests 1776 and 1796, do the same. The day it draws on demand itself, one commit throws this away:
// program.go, painter.go, canvas.go and the screen files go, and [Run] begins a
// [tea.Program].
//
// Two pairs of words: a run begins and ends; a screen, its painter and its canvas take the terminal and leave it, at
// either end of the run as for another program in between.
//
// [Run] returns 128 plus the signal's number after a signal, [Hangup] when the terminal is gone,
// and [ExitCrash] with a [Crash] after a panic. The panic value is neither shown nor stored: it
// may hold a card number or a key.
package terminal

import (
	"errors"
	"os"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
)

// Hidden is the shape of a cursor that a [Program] places and does not show: braille displays and screen readers follow
// it to the focus.
const Hidden tea.CursorShape = -1

// Check returns an error unless in and out are an interactive terminal that can move its
// cursor. Call it before anything is written.
func Check(in, out *os.File, getenv func(string) string) error {
	switch t := getenv("TERM"); {
	case !term.IsTerminal(in.Fd()):
		return errors.New("paydesk needs an interactive terminal; its input is not one")
	case !term.IsTerminal(out.Fd()):
		return errors.New("paydesk needs an interactive terminal; its output is not one")
	case !MovesCursor(t):
		return errors.New(`paydesk needs a terminal that can move its cursor; TERM is "` + t + `"`)
	}
	return nil
}

// MovesCursor reports whether a TERM names a terminal that can move its cursor.
func MovesCursor(t string) bool { return t != "" && t != "dumb" && t != "unknown" }

// SilenceLibraries removes environment variables that make the libraries log typed text to a
// file, and translates CLICOLOR=0, which Bubble Tea does not know, to NO_COLOR. Call it before
// anything of Bubble Tea runs.
func SilenceLibraries() {
	for _, name := range []string{"TEA_TRACE", "TEA_DEBUG", "UV_DEBUG"} {
		os.Unsetenv(name)
	}
	if os.Getenv("CLICOLOR") == "0" {
		os.Setenv("NO_COLOR", "1")
	}
}

// Slow reports whether the session runs over SSH.
func Slow(getenv func(string) string) bool {
	return getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != ""
}

// ASCIIOnly reports whether the terminal may lack glyphs outside ASCII: the Linux console, old
// hardware terminals, and any terminal with a locale that is not UTF-8. A missing locale does not
// count: containers have none, although their terminals show UTF-8.
func ASCIIOnly(getenv func(string) string) bool {
	if Bare(getenv("TERM")) {
		return true
	}
	_, locale := Locale(getenv)
	if locale == "" {
		return false
	}
	charset := strings.ToLower(locale)
	return !strings.Contains(charset, "utf-8") && !strings.Contains(charset, "utf8")
}

// Locale returns the variable that sets the locale of the terminal's letters, and its value; "" where none does.
func Locale(getenv func(string) string) (name, value string) {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the order of setlocale(3)
		if value := getenv(name); value != "" {
			return name, value
		}
	}
	return "", ""
}

// Bare reports whether a TERM names a terminal with the sequences of its age alone: no title, no keyboard protocol, no
// clipboard. Some print what they do not know.
func Bare(t string) bool {
	kind, _, _ := strings.Cut(t, "-")
	return kind == "linux" || isHardwareTerminal(t)
}

// isHardwareTerminal reports whether a TERM names a hardware terminal or an emulation of one,
// with ASCII and at most its own line-drawing characters.
func isHardwareTerminal(t string) bool {
	t, _, _ = strings.Cut(t, "-")
	return t == "vt52" || t == "vt100" || t == "vt102" || t == "vt220" || t == "vt320" || t == "ansi"
}

// Colours returns which colours the terminal shows: none where a library would wrongly send sixteen.
func Colours(out *os.File, getenv func(string) string) colorprofile.Profile {
	if t := getenv("TERM"); isHardwareTerminal(t) && !strings.HasPrefix(t, "ansi") {
		return colorprofile.ASCII
	}
	return colorprofile.Detect(out, os.Environ())
}

// Background is "dark" or "light" where the environment says which the terminal's background is, else "". COLORFGBG
// holds the numbers of two of the sixteen colours, the background's last.
func Background(getenv func(string) string) string {
	if getenv("TERM") == "linux" {
		return "dark"
	}
	fields := strings.Split(getenv("COLORFGBG"), ";")
	switch n, err := strconv.Atoi(fields[len(fields)-1]); {
	case err != nil || n < 0 || n > 15:
		return ""
	case n < 7 || n == 8:
		return "dark"
	}
	return "light"
}

// Hyperlinks reports whether the terminal takes hyperlinks (OSC 8), or at least ignores them. It names those that do neither, or
// have none, as GCC does for its own: over SSH a terminal that has them says no more than TERM=xterm-256color.
func Hyperlinks(getenv func(string) string) bool {
	t, colours := getenv("TERM"), getenv("COLORTERM")
	kind, _, _ := strings.Cut(t, "-")
	switch _, screen := Multiplexer(getenv); {
	case screen, t == "" && getenv("WT_SESSION") == "", Bare(t), kind == "dumb", kind == "eterm", kind == "rxvt", kind == "Eterm":
		return false
	case t == "xterm" && colours == "", colours == "gnome-terminal", colours == "xfce4-terminal": // releases from before there were any
		return false
	case getenv("XTERM_VERSION") != "", getenv("TERM_PROGRAM") == "Apple_Terminal", getenv("INSIDE_EMACS") != "":
		return false
	}
	vte, err := strconv.Atoi(getenv("VTE_VERSION"))
	return err != nil || vte >= 5000 // those before 0.50 had none
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
