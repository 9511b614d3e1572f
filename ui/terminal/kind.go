package terminal

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// Frames in a second. A key over SSH waits for the network anyway (R114).
const (
	fps     = 60
	slowFPS = 10
)

// Slow reports whether bytes are dear here: the person came over SSH.
func Slow(getenv func(string) string) bool {
	return getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != ""
}

// ASCIIOnly reports whether this terminal may have no glyphs outside ASCII: the Linux
// console and the old hardware do not, and a locale that is not UTF-8 says so. No locale
// at all says nothing: containers have none, and terminals that read UTF-8.
func ASCIIOnly(getenv func(string) string) bool {
	if t := getenv("TERM"); t == "linux" || isHardwareTerminal(t) {
		return true
	}
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG")) // in the order of setlocale(3)
	if locale == "" {
		return false
	}
	charset := strings.ToLower(locale)
	return !strings.Contains(charset, "utf-8") && !strings.Contains(charset, "utf8")
}

// isHardwareTerminal reports whether a TERM is a terminal made of metal, or says that it is like one:
// without colours, and with at most its own line-drawing set.
func isHardwareTerminal(t string) bool {
	t, _, _ = strings.Cut(t, "-")
	return t == "vt52" || t == "vt100" || t == "vt102" || t == "vt220" || t == "vt320" || t == "ansi"
}

// colorProfile is nil where the library is to find out, and no colours where it would send
// sixteen to a terminal that has none.
func colorProfile(getenv func(string) string) *colorprofile.Profile {
	if t := getenv("TERM"); isHardwareTerminal(t) && !strings.HasPrefix(t, "ansi") {
		none := colorprofile.ASCII
		return &none
	}
	return nil
}
