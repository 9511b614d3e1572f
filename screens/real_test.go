//go:build terminals

package screens_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/timely"
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

// A host is reached over SSH, by an OpenSSH server of its own.
type host struct {
	folder, port string
}

const serverConfig = `ListenAddress 127.0.0.1
Port %s
HostKey %s
AuthorizedKeysFile %s
AcceptEnv *
PermitRootLogin yes
UsePAM no
StrictModes no
PermitUserRC no
PrintLastLog no
PidFile none
LogLevel ERROR
`

func newHost(t *testing.T) *host {
	e := systemSetting(t)
	h := &host{folder: e["HOME"], port: strconv.Itoa(freePort(t))}
	for _, key := range []string{"host", "user"} {
		told(t, e, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(h.folder, key))
	}
	config := e.keep(t, "sshd", fmt.Sprintf(serverConfig, h.port, filepath.Join(h.folder, "host"), filepath.Join(h.folder, "user.pub")))
	if os.Getuid() == 0 { // then it insists on this folder, which a running system has
		if err := os.Mkdir("/run/sshd", 0o755); err == nil {
			t.Cleanup(func() { os.Remove("/run/sshd") })
		}
	}
	background(t, e, tool(t, "sshd"), "-D", "-e", "-f", config)
	until(t, func() bool {
		c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", h.port))
		if err == nil {
			c.Close()
		}
		return err == nil
	}, func() string { return "sshd does not listen" })
	return h
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// window is one on this machine, in which a command runs on the host.
func (h *host) window(t *testing.T, e setting, command ...string) *window {
	t.Helper()
	return windowOn(t, e, 80, 24, "ssh", "-F", "none", "-p", h.port, "-i", filepath.Join(h.folder, "user"),
		"-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-o", "StrictHostKeyChecking=accept-new", "-o", "LogLevel=ERROR",
		"-o", "UserKnownHostsFile="+filepath.Join(e["HOME"], "known_hosts"), "-o", "SendEnv=*",
		"-tt", "127.0.0.1", strings.Join(command, " "))
}

func TestOnSSH(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	t.Run("used", func(t *testing.T) {
		t.Parallel()
		h.used(t)
	})
	for end, drop := range map[string]func(v *window, console process) int{
		"client":     func(v *window, _ process) int { return v.command.Process.Pid },
		"connection": func(_ *window, console process) int { return console.parent() }, // the server's process of this session
	} {
		t.Run("sending, and the "+end+" is killed", func(t *testing.T) {
			t.Parallel()
			timely.Within(t, soon, func() time.Duration { return h.dropped(t, drop, true) })
		})
		t.Run("idle, and the "+end+" is killed", func(t *testing.T) {
			t.Parallel()
			timely.Within(t, soon, func() time.Duration { return h.dropped(t, drop, false) })
		})
	}
}

func (h *host) used(t *testing.T) {
	e := systemSetting(t)
	e["DISPLAY"] = ":0"
	v := h.window(t, e, aroundIt(t, e, "demo")...)
	starts(v.Person)
	v.spareALine()
	v.knowsOfSSH("-p " + h.port + " 127.0.0.1")
	v.Press("ctrl+c")
	v.Sees("the line before", "ended 0", "settings as before")
	v.Press("enter")
	if s := v.gone(); s != 0 {
		t.Errorf("ssh ended with %d", s)
	}
}

// dropped is a connection that ends without a word from either side, while a payment is
// being sent or nothing is. It tells how long the console lasted.
func (h *host) dropped(t *testing.T, drop func(*window, process) int, sending bool) (took time.Duration) {
	origin := runUntil(t, newSetting(t), address, "sandbox", "--listen", "127.0.0.1:0", "--key", programKey, "--transactions", "40").found
	e := systemSetting(t)
	e.configure(t, profile(origin, "env"))
	e["PAYDESK_SECRET_KEY"] = programKey
	noted := filepath.Join(e["HOME"], "pid")
	v := h.window(t, e, "echo $$ >"+noted+";", "exec", program(t))
	v.Sees("Menu")
	if sending {
		silence(t, origin)
		describe(v.Person, "12.50", visa, nothing)
		v.Press("ctrl+s")
		v.Yes("Charge 12.50 GBP to •••• 4242?")
		until(t, func() bool { return struck(t, origin) }, func() string { return "nothing is sent\n" + v.Screen() })
	}
	console := process{t, notedPID(t, noted)}
	at := time.Now()
	must(t, syscall.Kill(drop(v, console), syscall.SIGKILL))
	until(t, console.over, func() string { return "the console goes on" })
	took = time.Since(at)
	h.again(t, e, sending)
	v.noSecret(e)
	return took
}

// again looks at what the journal has of a connection that was dropped, and comes again.
func (h *host) again(t *testing.T, e setting, sent bool) {
	book := journal.New(journal.Options{Dir: filepath.Join(e["XDG_STATE_HOME"], "paydesk")})
	defer book.Close()
	attempts, _, err := book.Attempts(t.Context(), journal.Filter{}, 0, 9)
	must(t, err)
	v := h.window(t, e, program(t))
	v.Sees("Menu")
	if !sent {
		if len(attempts) > 0 {
			t.Errorf("the journal has %+v", attempts)
		}
		v.Sees("Nothing needs attention")
	} else {
		if len(attempts) != 1 {
			t.Fatalf("the journal has %d attempts", len(attempts))
		}
		a := attempts[0]
		if a.Outcome != ledger.Unresolved && a.Outcome != ledger.Sent || a.Card != "4242" || a.By.SSH != "127.0.0.1" {
			t.Errorf("the journal has %s, card %s, over SSH from %s", a.Outcome, a.Card, a.By.SSH)
		}
		v.Sees("1 unresolved", "UNRESOLVED", a.ID.Short())
	}
	v.Press("ctrl+c")
	if s := v.gone(); s != 0 {
		t.Errorf("it ended with %d", s)
	}
}

// silence makes the sandbox read the next initiation and never answer it.
func silence(t *testing.T, origin string) {
	t.Helper()
	answer, err := http.Post(origin+"/_sandbox/faults", "application/json", strings.NewReader(`{"operation":"initiate","fault":"no-answer","calls":1}`))
	must(t, err)
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status)
	}
}

// struck reports whether the initiation came.
func struck(t *testing.T, origin string) bool {
	t.Helper()
	answer, err := http.Get(origin + "/_sandbox/faults")
	must(t, err)
	defer answer.Body.Close()
	var faults struct{ Armed []any }
	must(t, json.NewDecoder(answer.Body).Decode(&faults))
	return len(faults.Armed) == 0
}

func notedPID(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	pid, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	must(t, err)
	return pid
}

// A process is one that is not our child.
type process struct {
	t   *testing.T
	pid int
}

// stat returns what the kernel says of it, from its state on; nothing when there is none.
func (p process) stat() []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	if err != nil {
		return nil
	}
	_, after, _ := strings.Cut(string(text), ") ") // a name ends here
	return strings.Fields(after)
}

// over reports whether it has ended, collected or not.
func (p process) over() bool {
	s := p.stat()
	return s == nil || s[0] == "Z" || s[0] == "X"
}

func (p process) parent() int {
	n := 0
	if s := p.stat(); s != nil {
		n, _ = strconv.Atoi(s[1])
	}
	if n == 0 {
		p.t.Fatal("the console has no parent")
	}
	return n
}

// An xterm is one on a display that nobody sees.
type xterm struct {
	termtest.Person[*xterm]
	termtest.RealTime
	t       *testing.T
	setting setting
	frame   string // the file with the display's pixels
}

// what the display's server and xterm are told. A server that resets when its last client ends would refuse a client that
// begins just then. F12 prints what is on the screen.
const (
	displayServer = `exec "$0" -noreset -screen 0 1200x860x24 -fbdir "$1" -nolisten tcp -nolisten unix -displayfd 3 3>"$1/number"`
	printing      = `cat >"$0.part" && mv "$0.part" "$0.text"`
	resources     = "XTerm*pointerMode: 2\nXTerm*cursorBlink: false\nXTerm*VT100.translations: #override <Key>F12: print()\nXTerm*printAttributes: 0\nXTerm*printerAutoClose: true\n" +
		"XTerm*faceName: DejaVu Sans Mono\nXTerm*faceSize: 13\nXTerm*printerCommand: /bin/sh "
)

func newXterm(t *testing.T, geometry, term string, options []string, args ...string) *xterm {
	e := systemSetting(t)
	folder := e["XDG_RUNTIME_DIR"]
	x := &xterm{t: t, setting: e, frame: filepath.Join(folder, "Xvfb_screen0")}
	x.Person = termtest.NewPerson(t, termtest.Device(x), x)
	background(t, e, "/bin/sh", "-c", displayServer, tool(t, "Xvfb"), folder)
	until(t, func() bool {
		number, _ := os.ReadFile(filepath.Join(folder, "number"))
		e["DISPLAY"] = ":" + strings.TrimSpace(string(number))
		return strings.HasSuffix(string(number), "\n")
	}, func() string { return "Xvfb does not start" })
	e["XENVIRONMENT"] = e.keep(t, "resources", resources+e.keep(t, "print", printing)+"\n")
	command := append([]string{"xterm", "-geometry", geometry + "+0+0", "-tn", term}, options...)
	background(t, e, append(append(command, "-e"), aroundIt(t, e, args...)...)...)
	return x
}

// Screen returns what is on the screen once it does not change; xterm draws in parts.
func (x *xterm) Screen() string {
	x.t.Helper()
	for text := x.printed(); ; {
		now := x.printed()
		if now == text {
			return text
		}
		text = now
	}
}

// printed returns what xterm prints of its screen.
func (x *xterm) printed() (text string) {
	x.t.Helper()
	path := filepath.Join(x.setting["HOME"], "print.text")
	os.Remove(path)
	var asked time.Time
	until(x.t, func() bool {
		if time.Since(asked) > time.Second { // before its window is there, and below the pointer, it hears nothing
			x.xdotool("mousemove", "200", "200", "key", "--clearmodifiers", "F12")
			asked = time.Now()
		}
		b, err := os.ReadFile(path)
		text = string(b)
		return err == nil
	}, func() string { return "xterm does not print" })
	return text
}

func (x *xterm) Width() int { return 80 }

func (x *xterm) Key(name string) {
	x.t.Helper()
	named := map[string]string{"enter": "Return", "tab": "Tab", "esc": "Escape", "down": "Down", "right": "Right"}
	if key := cmp.Or(named[name], name); key != name || strings.HasPrefix(name, "ctrl+") {
		x.xdotool("key", key)
	} else {
		x.Text(name)
	}
}

func (x *xterm) Text(text string) {
	x.t.Helper()
	x.xdotool("type", "--delay", "1", "--", text)
}

func (x *xterm) xdotool(command ...string) {
	x.t.Helper()
	told(x.t, x.setting, append([]string{"xdotool"}, command...)...)
}

func TestOnXterm(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		term          string
		options, args []string
		ground        color.RGBA
	}{
		"dark":    {"xterm-256color", []string{"-bg", "black", "-fg", "gray90"}, []string{"--background", "dark", "demo"}, color.RGBA{A: 255}},
		"light":   {"xterm-256color", []string{"-bg", "white", "-fg", "black"}, []string{"--background", "light", "demo"}, color.RGBA{255, 255, 255, 255}},
		"sixteen": {"xterm-16color", []string{"-bg", "white", "-fg", "black"}, []string{"demo"}, color.RGBA{255, 255, 255, 255}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newXterm(t, "80x24", c.term, c.options, c.args...)
			starts(x.Person)
			x.drawn(name+"-home", c.ground)
			x.Press("2")
			x.Sees(" rows read", "✓ SUCCESSFUL")
			x.drawn(name+"-transactions", c.ground)
			x.Press("esc")
			describe(x.Person, "12.50", visa, nothing)
			x.drawn(name+"-card", c.ground)
			x.Press("ctrl+s")
			x.Sees("Charge 12.50 GBP to •••• 4242?")
			x.drawn(name+"-review", c.ground)
			goHome(x.Person)
			x.Press("ctrl+c")
			x.Sees("the line before", "ended 0", "settings as before")
			x.WaitsUntilGone(onHome)
		})
	}
}

// drawn fails when the picture of the screen is blank: nearly all of it is the ground, and
// some of it is text in several colours. TERMINALS_PICTURES=FOLDER saves it.
func (x *xterm) drawn(name string, ground color.RGBA) {
	x.t.Helper()
	p := picture(x.t, x.frame)
	seen, count := map[color.RGBA]int{}, 0
	for y := range p.Rect.Dy() / 2 { // where the window is
		for i := range p.Rect.Dx() / 2 {
			seen[p.RGBAAt(i, y)]++
			count++
		}
	}
	if g := seen[ground]; len(seen) < 10 || g < count/2 || g > count*99/100 {
		x.t.Errorf("%s: of %d points %d are ground, and there are %d colours", name, count, g, len(seen))
	}
	if folder := os.Getenv("TERMINALS_PICTURES"); folder != "" {
		savePicture(x.t, filepath.Join(folder, name+".png"), p)
	}
}

// savePicture writes a picture as a PNG.
func savePicture(t *testing.T, path string, p image.Image) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	defer f.Close()
	must(t, png.Encode(f, p))
}

// picture reads what Xvfb keeps of its screen: a file as xwd makes it, of 32 bits a point.
func picture(t *testing.T, path string) *image.RGBA {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	field := func(i int) int { return int(binary.BigEndian.Uint32(b[4*i:])) }
	const width, height, bits, line, colours = 4, 5, 11, 12, 19 // in XWDFile.h
	if field(1) != 7 || field(bits) != 32 {
		t.Fatalf("version %d with %d bits is unknown", field(1), field(bits))
	}
	points := b[field(0)+12*field(colours):]
	p := image.NewRGBA(image.Rect(0, 0, field(width), field(height)))
	for y := range field(height) {
		for i := range field(width) {
			at := points[y*field(line)+4*i:]
			p.SetRGBA(i, y, color.RGBA{at[2], at[1], at[0], 255})
		}
	}
	return p
}
