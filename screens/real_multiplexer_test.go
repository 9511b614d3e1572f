//go:build terminals

package screens_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"paydesk/screens/consoletest"
)

// A multiplexer is tmux or GNU screen, with one session that a window is attached to.
type multiplexer struct {
	setting setting
	begin   []string            // the command that begins a session in a window
	attach  []string            // the command that attaches a window
	detach  []string            // the keys that detach it
	redraw  []string            // the keys that draw the window again, where it may show less than the pane has
	pane    func() string       // what the multiplexer holds to be on the screen
	history func() string       // that, and what went off it
	shown   func(string) string // a text as pane shows it
	copied  func(*window) string
}

func TestOnTmux(t *testing.T) { everySize(t, tmux) }

func TestOnScreen(t *testing.T) { everySize(t, screen) }

func everySize(t *testing.T, begin func(*testing.T) *multiplexer) {
	t.Parallel()
	for name, size := range map[string][2]uint16{"80x24": {80, 24}, "60x18": {60, 18}, "120x40": {120, 40}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begin(t).used(t, size[0], size[1])
		})
	}
}

func tmux(t *testing.T) *multiplexer {
	e := systemSetting(t)
	conf := e.keep(t, "conf", "set -g status off\nset -s escape-time 50\nset -g set-clipboard on\n")
	to := []string{"tmux", "-u", "-S", filepath.Join(e["TMPDIR"], "s"), "-f", conf}
	ask := func(command ...string) string { return told(t, e, append(to, command...)...) }
	background(t, e, append(to, "-D")...)
	until(t, func() bool { _, err := os.Stat(to[3]); return err == nil }, func() string { return "tmux does not start" })
	m := &multiplexer{
		setting: e, begin: append(append(to, "new-session"), aroundIt(t, e, "demo")...), attach: append(to, "attach"),
		detach: []string{"\x02", "d"}, shown: func(text string) string { return text },
	}
	m.pane = func() string { return ask("capture-pane", "-p") }
	m.copied = func(*window) string { return ask("show-buffer") }
	m.history = func() string {
		const modes = "#{alternate_on} #{cursor_flag} #{keypad_cursor_flag} #{mouse_any_flag} #{wrap_flag}"
		if got := ask("display-message", "-p", modes); got != "0 1 0 0 1\n" {
			t.Errorf("tmux has the modes %s = %s", modes, got)
		}
		return ask("capture-pane", "-p", "-S", "-")
	}
	return m
}

func screen(t *testing.T) *multiplexer {
	e := systemSetting(t)
	e["SCREENDIR"] = e["TMPDIR"]
	// The emulator that looks at the window has no insert mode (IRM), which screen uses where a terminal has it.
	conf := e.keep(t, "conf", "altscreen on\ndefflow off\nstartup_message off\ntermcapinfo * im@:ei@\n")
	to := []string{"screen", "-U", "-c", conf, "-S", "desk"}
	hardcopy := func(options ...string) string {
		path := filepath.Join(e["HOME"], "hardcopy")
		os.Remove(path)
		told(t, e, append(append(to, "-X", "hardcopy"), append(options, path)...)...)
		var text []byte
		until(t, func() bool { // it comes a moment later
			text, _ = os.ReadFile(path)
			return strings.HasSuffix(string(text), "\n")
		}, func() string { return "there is no hardcopy" })
		return strings.ReplaceAll(string(text), "\x00", " ")
	}
	t.Cleanup(func() { // it is no child of ours
		quit := exec.Command(tool(t, "screen"), append(to[1:], "-X", "quit")...)
		quit.Env = e.list()
		if out, err := quit.CombinedOutput(); err != nil {
			t.Errorf("screen goes on: %v: %s", err, out)
		}
	})
	return &multiplexer{ // attached by a larger window while it is busy, screen may leave what is new of the window blank
		setting: e, begin: append(to, aroundIt(t, e, "demo")...), attach: append(to, "-r"), detach: []string{"\x01", "d"}, redraw: []string{"\x01", "l"},
		pane: func() string { return hardcopy() }, history: func() string { return hardcopy("-h") }, shown: lowBytes,
		copied: func(v *window) string { return v.Copied() },
	}
}

// lowBytes returns what a hardcopy has of a text: of each character the low byte.
func lowBytes(text string) string {
	var low []byte
	for _, r := range text {
		low = append(low, byte(r))
	}
	return strings.ReplaceAll(string(low), "\x00", " ")
}

// rule is the width of the rule below the header, in cells.
func (m *multiplexer) rule(v *window) int {
	for line := range strings.Lines(v.Screen()) {
		if strings.Contains(line, "1 Home") {
			return ansi.StringWidth(strings.TrimRight(line, " \n"))
		}
	}
	return 0
}

// used is how a person uses the console in a multiplexer, in a window of w×h cells.
func (m *multiplexer) used(t *testing.T, w, h uint16) {
	v := windowOn(t, m.setting, w, h, m.begin...)
	starts(v.Person)
	reviews(v.Person)
	m.agrees(v)

	v.Press("2")
	v.Sees(" rows read")
	v.Resize(w+20, h+6)
	v.Sees(" rows read", "? help")
	until(t, func() bool { return m.rule(v) == int(w)+20 }, v.Screen)
	v.Resize(50, 10)
	v.Sees("this window is 50×10")
	v.Resize(w, h)
	v.Sees(" rows read", "? help")
	m.agrees(v)

	v.Press(m.detach...)
	until(t, v.over, func() string { return "it does not detach\n" + v.Screen() })
	v = windowOn(t, m.setting, w+10, h+2, m.attach...)
	v.Sees("100 of 1,204 rows read", "? help")
	v.Press(m.redraw...)
	m.agrees(v)
	v.Press("G") // an esc now could be taken with the terminal's answers to tmux
	v.Sees("200 of 1,204 rows read")
	goHome(v.Person)
	m.agrees(v)

	v.Press("l")
	v.Sees("Reference")
	v.Type("XHCQVX9BB5")
	v.Press("enter")
	v.Sees("has no record of it")
	v.Press("y")
	v.Sees("eference: sent")
	until(t, func() bool { return m.copied(v) == "XHCQVX9BB5" }, func() string { return "nothing was copied" })
	goHome(v.Person)

	v.Press("ctrl+c")
	v.Sees("the line before", "ended 0", "settings as before")
	v.WaitsUntilGone(onHome)
	m.agrees(v)
	kept := m.history() // tmux may keep of a console what a smaller window left no room for
	for _, secret := range consoletest.Secrets("4242") {
		if strings.Contains(kept, secret) {
			t.Errorf("a card is kept:\n%s", kept)
		}
	}
}

// agrees waits until the multiplexer holds the same to be on the screen as its window.
func (m *multiplexer) agrees(v *window) {
	v.t.Helper()
	until(v.t, func() bool { return trimmed(m.pane()) == trimmed(m.shown(v.Screen())) }, func() string {
		return "in the window is\n" + v.Screen() + "and in the pane\n" + m.pane()
	})
}

// trimmed is a screen without blanks at the ends of lines and blank lines at its end.
func trimmed(screen string) string {
	var lines []string
	for line := range strings.Lines(screen) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}
