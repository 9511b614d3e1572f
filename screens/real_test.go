//go:build terminals

package screens_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"paydesk/screens/consoletest"
	"paydesk/ui/termtest"
)

// The tests whose names begin with TestOn run the built binary on terminals of the
// system, not on emulated ones: .ci/terminals.

// tool returns where a program of the system lies.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/" + name)
	}
	must(t, err)
	return path
}

// systemSetting is a setting in which programs of the system are found.
func systemSetting(t *testing.T) setting {
	e := newSetting(t)
	e["PATH"], e["SHELL"], e["LC_ALL"] = os.Getenv("PATH"), "/bin/sh", "C.UTF-8"
	return e
}

// around is the shell in which the console is started and ends.
const around = `echo the line before
read -r line
before=$(stty -g)
"$@"
echo "ended $?"
[ "$before" = "$(stty -g)" ] && echo settings as before
read -r line
`

// aroundIt is the command that runs the console, once enter was pressed, and says how it
// ended and whether the terminal's settings are what they were.
func aroundIt(t *testing.T, e setting, args ...string) []string {
	t.Helper()
	return append([]string{"/bin/sh", e.keep(t, "around", around), program(t)}, args...)
}

// keep writes a file into the setting's home.
func (e setting) keep(t *testing.T, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(e["HOME"], name)
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// starts presses enter for [aroundIt].
func starts[H any](p termtest.Person[H]) {
	p.Sees("the line before")
	p.Press("enter")
	p.Sees(onHome, "SANDBOX")
}

// windowOn is a window in which a program of the system runs. It is looked at when nothing
// was drawn for a moment: between the console and it there is another that draws in parts.
func windowOn(t *testing.T, e setting, w, h uint16, command ...string) *window {
	t.Helper()
	v := newWindow(t, e, w, h)
	v.command.Path, v.command.Args = tool(t, command[0]), command
	v.still = 30 * time.Millisecond
	v.start()
	return v
}

// background runs a program of the system until the test ends, or this process does.
func background(t *testing.T, e setting, command ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(tool(t, command[0]), command[1:]...)
	c.Env = e.list()
	var said strings.Builder
	c.Stdout, c.Stderr = &said, &said
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	must(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		c.Wait()
		if t.Failed() {
			t.Logf("%s said:\n%s", command[0], said.String())
		}
	})
	return c
}

// told returns what a program of the system answers.
func told(t *testing.T, e setting, command ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), tool(t, command[0]), command[1:]...)
	c.Env = e.list()
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	return string(out)
}

// reviews describes a payment up to the question whether to send it, says no, and goes back home.
func reviews[H any](p termtest.Person[H]) {
	describe(p, "12.50", visa, nothing)
	p.Press("ctrl+s")
	p.Answer("Charge 12.50 GBP to •••• 4242?", "n")
	p.WaitsUntilGone("Charge 12.50 GBP to •••• 4242?")
	goHome(p)
}

// goHome goes back until there is nothing to go back to. An esc is one only when no other key comes
// soon after it.
func goHome[H any](p termtest.Person[H]) {
	for range 12 {
		p.Wait(300 * time.Millisecond)
		if p.Has(onHome) {
			break
		}
		before := p.Boxed()
		p.Press("esc")
		termtest.Poll(func() bool { return p.Boxed() != before })
	}
	p.Sees(onHome)
}

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

// used uses the console in a multiplexer as a person does, in a window of w×h cells.
func (m *multiplexer) used(t *testing.T, w, h uint16) {
	v := windowOn(t, m.setting, w, h, m.begin...)
	starts(v.Person)
	reviews(v.Person)
	m.agrees(v)

	v.Press("2")
	v.Sees(" read at ")
	v.Resize(w+20, h+6)
	v.Sees(" read at ", "? help")
	until(t, func() bool { return m.rule(v) == int(w)+20 }, v.Screen)
	v.Resize(50, 10)
	v.Sees("this window is 50×10")
	v.Resize(w, h)
	v.Sees(" read at ", "? help")
	m.agrees(v)

	v.Press(m.detach...)
	until(t, v.over, func() string { return "it does not detach\n" + v.Screen() })
	v = windowOn(t, m.setting, w+10, h+2, m.attach...)
	v.Sees("100 of 1,204 read", "? help")
	v.Press(m.redraw...)
	m.agrees(v)
	v.Press("G") // an esc now could be taken with the terminal's answers to tmux
	v.Sees("200 of 1,204 read")
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
