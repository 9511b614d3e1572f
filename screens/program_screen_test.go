//go:build unix

package screens_test

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"paydesk/api/timely"
	"paydesk/keystore/keystoretest"
	"paydesk/ui/termtest"
)

// heard waits until the program has taken everything that was typed so far: a report of
// the terminal, put behind it, makes the program switch on what was reported. It says
// so with its next frame, so the window is made one column wider and back until then.
func (v *window) heard() {
	v.t.Helper()
	const on = "\x1b[?2027h"
	before, wider := bytes.Count(v.Bytes(), []byte(on)), false
	v.Text("\x1b[?2027;2$y")
	until(v.t, func() bool {
		if bytes.Count(v.Bytes(), []byte(on)) > before {
			return true
		}
		if wider = !wider; wider {
			v.size(v.w+1, v.h)
		} else {
			v.size(v.w, v.h)
		}
		return false
	}, func() string { return "what was typed is not taken" })
	v.size(v.w, v.h)
}

func TestAWindowThatIsTooSmallShowsWhereItIsAndWhatItNeedsAndTakesOnlyKeysThatLeadOut(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 40, 10, "demo")
	const line = "paydesk needs 60×18; this window is 40×10"
	short := line[:strings.Index(line, ";")]
	v.Sees(short)
	if said := strings.Split(strings.TrimSpace(v.Screen()), "\n"); len(said) != 3 || !strings.HasPrefix(said[0], "▐SANDBOX▌  127.0.0.1:") || said[2] != "q or ctrl+c quit" {
		t.Errorf("it says:\n%s", strings.Join(said, "\n"))
	}
	v.Press("c", "n", "2", "l", "enter", "tab", "ctrl+s")
	v.heard()
	v.Resize(80, 24)
	v.Sees("Menu") // home: nothing was opened
	v.Resize(40, 10)
	v.Sees(short)
	v.Press("?")
	v.heard()
	v.Resize(80, 24)
	v.Sees("Keys: Home")
	v.Press("esc")
	v.Sees("Menu")
	v.Press("2")
	v.Sees(" rows read")
	v.Resize(40, 10)
	v.Sees("esc back   ctrl+c quit")
	v.Press("q")
	v.heard()
	v.Press("esc")
	v.Sees("q or ctrl+c quit")
	v.Press("q")
	if s := v.gone(); s != 0 {
		t.Errorf("it ended with %d", s)
	}
}

var graphics = regexp.MustCompile(`\x1b\[([0-9;:]*)m`)

// colours are the SGR sequences that set one.
func colours(sent []byte) []string {
	var all []string
	for _, m := range graphics.FindAllSubmatch(sent, -1) {
		for part := range strings.SplitSeq(string(m[1]), ";") {
			n, _ := strconv.Atoi(strings.Split(part, ":")[0])
			if n >= 30 && n <= 48 && n != 39 || n >= 90 && n <= 107 {
				all = append(all, string(m[0]))
			}
		}
	}
	return all
}

var modeSwitch = regexp.MustCompile(`\x1b\[(?:\?([0-9;]+)([hl])|>(4)(;[1-9][0-9]*)?m|([<>])([0-9]*)u)`)

// leftOn are the modes that were switched on and not off again by what a terminal was sent: private
// modes by their number, "keys" for modifyOtherKeys, and the depth of each screen's kitty keyboard
// stack when it is not 0. The cursor (25) and wrapping (7) are to be on at the end.
func leftOn(sent []byte) []string {
	on := map[string]bool{"25": true, "7": true}
	alternate, depth := false, map[bool]int{}
	for _, m := range modeSwitch.FindAllStringSubmatch(string(sent), -1) {
		switch {
		case m[1] != "":
			for mode := range strings.SplitSeq(m[1], ";") {
				on[mode] = m[2] == "h"
				alternate = on["1049"]
			}
		case m[3] != "":
			on["keys"] = m[4] != ""
		case m[5] == ">":
			depth[alternate]++
		default: // a pop of an empty stack does nothing
			depth[alternate] = max(depth[alternate]-1, 0)
		}
	}
	on["25"], on["7"] = !on["25"], !on["7"]
	on["kitty keyboard"], on["kitty keyboard of the alternate screen"] = depth[false] != 0, depth[true] != 0
	maps.DeleteFunc(on, func(_ string, on bool) bool { return !on })
	return slices.Sorted(maps.Keys(on))
}

// TestNothingRawIsPrintedOutsideTheScreen gives the program hostile texts wherever it takes a text
// before it draws, and looks at what it prints.
func TestNothingRawIsPrintedOutsideTheScreen(t *testing.T) {
	t.Parallel()
	all := hostiles(t)
	step := 90
	if long {
		step = 1
	}
	printed := 0
	for i := 0; i < len(all); i += step {
		text := all[i].text
		if strings.ContainsRune(text, 0) || len(text) > 4096 || strings.Trim(text, "0123456789abcdefghijklmnopqrstuvwxyz.: ") == "" {
			continue // no argument can be, or one that may be in order
		}
		e := newSetting(t)
		config := e.configure(t, profile("http://127.0.0.1:1", "env"))
		_, tty := terminal(t)
		for _, args := range [][]string{
			{text}, {"--" + text}, {"--config", config, "--profile", text}, {"--state-dir", text, "--version"}, {"--background", text},
			{"sandbox", text}, {"sandbox", "--listen", text}, {"sandbox", "--listen", "127.0.0.1:x" + text},
			{"sandbox", "--key", text + "\x01"}, {"sandbox", "--settle", text},
		} {
			c := exec.CommandContext(t.Context(), program(t), args...)
			c.Env, c.Stdin = e.list(), tty
			said, _ := c.CombinedOutput()
			printed += len(said)
			if bad := bytes.IndexFunc(said, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); bad >= 0 || !utf8.Valid(said) {
				t.Errorf("%s/%s: paydesk %q prints %q", all[i].class, all[i].name, args[:len(args)-1], said)
			}
		}
		tty.Close()
	}
	if printed < 1000 {
		t.Errorf("only %d bytes were printed", printed)
	}
	t.Logf("%d bytes were printed", printed)
}

func TestAnOddTerminalGetsWhatItCanShow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                string
		set                 setting
		args                []string
		ascii, colour, bare bool
	}{
		{"the Linux console", setting{"TERM": "linux", "LANG": "en_GB.UTF-8"}, nil, true, true, true},
		{"a VT100", setting{"TERM": "vt100"}, nil, true, false, true},
		{"the C locale", setting{"LC_ALL": "C", "LANG": "en_GB.UTF-8"}, nil, true, true, false},
		{"tmux", setting{"TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"}, nil, false, true, false},
		{"no colours", setting{"NO_COLOR": "1"}, nil, false, false, false},
		{"ASCII", nil, []string{"--ascii"}, true, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newSetting(t)
			maps.Copy(e, c.set)
			v := open(t, e, 80, 24, append(c.args, "demo")...)
			v.Sees("Menu")
			v.Press("2")
			v.Sees(" rows read", "SUCCESSFUL")
			v.Press("y")
			if c.bare {
				v.Sees("Not copied: this terminal has no clipboard.")
			} else {
				v.Sees("clipboard")
				until(t, func() bool { return bytes.Contains(v.Bytes(), []byte("\x1b]52;")) }, func() string { return "the copy is not sent" })
			}
			v.Press("ctrl+c")
			if s := v.gone(); s != 0 {
				t.Errorf("it ended with %d", s)
			}
			for _, code := range []string{"\x1b[>", "\x1b[<", "\x1b[?u", "\x1b]52;"} {
				if bytes.Contains(v.Bytes(), []byte(code)) == c.bare {
					t.Errorf("sent %q: %v", code, !c.bare)
				}
			}
			if beyond := bytes.IndexFunc(v.Bytes(), func(r rune) bool { return r > '~' }); c.ascii != (beyond < 0) {
				t.Errorf("drawn in ASCII: %v\n%s", !c.ascii, v.Screen())
			}
			if sent := colours(v.Bytes()); c.colour != (len(sent) > 0) {
				t.Errorf("%d colours were sent", len(sent))
			}
		})
	}
}

func TestABackgroundIsChosenOrAskedForOnce(t *testing.T) {
	t.Parallel()
	const question = "\x1b]11;?\a"
	pictures := map[string]bool{}
	for name, c := range map[string]struct {
		set   setting
		args  []string
		asked int
	}{
		"unknown":       {nil, nil, 1},
		"light":         {nil, []string{"--background=light"}, 0},
		"dark":          {setting{"COLORFGBG": "15;0"}, nil, 0},
		"high contrast": {nil, []string{"--high-contrast"}, 0},
	} {
		e := newSetting(t)
		maps.Copy(e, c.set)
		v := open(t, e, 80, 24, append(c.args, "demo")...)
		v.Sees("Menu", "as of") // with what was read, in all colours
		v.Press("ctrl+c")
		v.gone()
		sent := string(v.Bytes())
		if n := strings.Count(sent, "\x1b]11;"); n != c.asked || strings.Contains(sent, "\x1b]10;") {
			t.Errorf("%s: the terminal is asked %d times: %q", name, n, sent)
		}
		if first := strings.Index(sent, "paydesk"); c.asked > 0 && strings.Index(sent, question) > first {
			t.Errorf("%s: it is asked after the first frame, which would be drawn again", name)
		}
		if c.asked == 0 { // else the colours are those of the answer, if it came before the first frame
			pictures[strings.Join(colours([]byte(sent)), "")] = true
		}
	}
	if len(pictures) < 3 {
		t.Errorf("%d sets of colours", len(pictures))
	}
}

const question = "Charge 12.50 GBP to •••• 4242?"

// unpaid fails when anything is sent to be paid within the time a question needs to take an
// answer, and more.
func (p *paying) unpaid() {
	p.t.Helper()
	p.Wait(400 * time.Millisecond)
	if n := p.asked.Load(); n > 0 {
		p.t.Fatalf("%d payments were sent\n%s", n, p.Screen())
	}
}

// asks stands before the question again, if an answer that does no harm was taken.
func (p *paying) asks() {
	p.t.Helper()
	var pressed time.Time
	until(p.t, func() bool {
		if !p.Has(question) && time.Since(pressed) > time.Second { // again where a paste was still open
			pressed = time.Now()
			p.Press("ctrl+s")
		}
		return p.Has(question)
	}, func() string { return "the question does not come\n" + p.Screen() })
}

// sends answers the question.
func (p *paying) sends() {
	p.t.Helper()
	p.Yes(question)
	p.sent()
}

// sent waits until the payment is sent, and answers each second that the question stands: an answer that comes too
// soon after another key does not count, and a busy machine may take that key late.
func (p *paying) sent() {
	p.t.Helper()
	answered := time.Now()
	until(p.t, func() bool {
		if time.Since(answered) > time.Second && p.Has(question) {
			answered = time.Now()
			p.Press("y")
		}
		return p.asked.Load() == 1
	}, func() string { return "nothing is sent\n" + p.Screen() })
}

// Keys of one write come before the question is drawn: nobody has read it.
func TestNothingTypedAheadAndNoPasteAnswersTheQuestion(t *testing.T) {
	t.Parallel()
	const start, end = "\x1b[200~", "\x1b[201~"
	for name, shapes := range map[string][][]string{
		"letters": {
			{start + "y" + end},
			{start + strings.Repeat("y", 1000) + end},
			{start + strings.Repeat("y\r", 50_000) + end},
			{start + "\xff\x9by\x1b]0;y\r" + end}, // no text
		},
		"line ends": {
			{start + "yes\r" + end},
			{start + "\r\ny" + end},
			{start + "\x1b[C\r" + end}, // the focus and enter
			{start + "12.50\r" + end},
		},
		"marks": {
			{start + "y" + start + "y\r" + end},
			{start + "y\r\x1b[2", "01~"},
			{"y\ry\ry\r"},
		},
		"no end":      {{start + "y\r"}},
		"typed ahead": {{"y"}, {"\t\r"}, {"y\ry\ry\r"}, {"\x1b[C\x1b[C\x1b[C\r\r\ry"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := poised(t)
			p.Press("ctrl+s")
			for _, parts := range shapes {
				p.asks()
				if name == "typed ahead" {
					p.Press("esc")
					p.WaitsUntilGone(question)
					p.Type("\x13" + parts[0]) // ctrl+s and all of it at once
					p.unpaid()
					continue
				}
				p.unpaid() // by now the question takes answers
				for _, part := range parts {
					p.Type(part)
					p.Wait(100 * time.Millisecond)
				}
				p.unpaid()
			}
			if name == "no end" {
				p.Wait(2 * time.Second) // until it is ended for it
				p.unpaid()
			}
			p.asks()
			p.sends()
		})
	}
}

// The tests of the program run the built binary in a window: a pseudo-terminal that an
// emulated screen reads.

func TestMain(m *testing.M) {
	flag.Set("test.parallel", "8") // unless -parallel is given: they mostly wait
	timely.SpareDisk()
	os.Exit(m.Run())
}

// built is the binary in the build cache, where go run keeps it: it is linked again only where something has changed.
var built = sync.OnceValues(func() (path string, err error) {
	for range 2 { // the first one may have linked it, and names where it lay meanwhile
		link := exec.Command("go", "run", "-ldflags=-s -w", "-exec=echo", "paydesk")
		link.Stderr = os.Stderr
		said, err := link.Output()
		if err != nil {
			return "", err
		}
		path = strings.TrimSpace(string(said))
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", errors.New("go run keeps no binary: " + path)
})

// program is the binary.
func program(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the program is built without the race detector, which the short run is for")
	}
	path, err := built()
	must(t, err)
	return path
}

// A setting is the environment of a child, made from nothing: folders of its own, no
// bus, and no variable of the one who runs the tests.
type setting map[string]string

func newSetting(t *testing.T) setting {
	home := t.TempDir()
	e := setting{
		"HOME": home, "TERM": "xterm-256color", "PATH": "/nowhere",
		// "disabled:" rather than no bus, so that no test asks the keyring of
		// the person who runs it.
		"DBUS_SESSION_BUS_ADDRESS": "disabled:",
	}
	for name, folder := range map[string]string{
		"XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state",
		"XDG_CACHE_HOME": "cache", "XDG_RUNTIME_DIR": "run", "TMPDIR": "tmp",
	} {
		e[name] = filepath.Join(home, folder)
		must(t, os.Mkdir(e[name], 0o700))
	}
	return e
}

func (e setting) list() []string {
	var all []string
	for name, value := range e {
		all = append(all, name+"="+value)
	}
	return all
}

// configure writes the configuration where the program looks for it.
func (e setting) configure(t *testing.T, text string) (folder string) {
	t.Helper()
	return keystoretest.Write(t, filepath.Join(e["XDG_CONFIG_HOME"], "paydesk"), text)
}

// A window is a terminal in which the program runs, and the person at it.
type window struct {
	termtest.Person[*window]
	termtest.RealTime
	*termtest.Emulator
	t       *testing.T
	w, h    uint16
	still   time.Duration // how long nothing may be drawn before it is looked at
	answers *answers
	command *exec.Cmd
	master  *os.File
	tty     *os.File    // kept open, to look at its settings
	before  *term.State // the settings before the program began
	stalled sync.Mutex  // held while the window is not looked at
	read    chan struct{}
	ended   chan struct{}
}

// answers is the way of the terminal's answers to the program's questions.
type answers struct {
	to   io.Writer
	mu   sync.Mutex
	held bool // they are on their way until they are let
	kept []byte
}

func (a *answers) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.held {
		a.kept = append(a.kept, p...)
		return len(p), nil
	}
	return a.to.Write(p)
}

// arrive lets the answers arrive, and tells how many bytes had been held back.
func (a *answers) arrive() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held = false
	a.to.Write(a.kept)
	return len(a.kept)
}

// open runs the program in a window of w×h cells.
func open(t *testing.T, e setting, w, h uint16, args ...string) *window {
	t.Helper()
	v := newWindow(t, e, w, h, args...)
	v.start()
	return v
}

// newWindow is a window in which the program was not started yet.
func newWindow(t *testing.T, e setting, w, h uint16, args ...string) *window {
	t.Helper()
	master, tty := terminal(t)
	a := &answers{to: master}
	v := &window{
		t: t, w: w, h: h, answers: a, Emulator: termtest.NewEmulator(int(w), int(h), a),
		master: master, tty: tty, read: make(chan struct{}), ended: make(chan struct{}),
	}
	v.Person = termtest.NewPerson(t, termtest.Device(v), v)
	v.size(w, h)
	var err error
	if v.before, err = term.GetState(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	v.command = exec.Command(program(t), args...)
	v.command.Env = e.list()
	v.command.Stdin, v.command.Stdout, v.command.Stderr = tty, tty, tty
	v.command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	return v
}

func (v *window) start() {
	v.t.Helper()
	must(v.t, v.command.Start())
	go v.watch()
	go func() {
		defer close(v.ended)
		v.command.Wait()
	}()
	v.t.Cleanup(func() {
		v.command.Process.Kill()
		<-v.ended
		v.tty.Close()
		v.master.Close()
		<-v.read
		v.Close()
	})
}

// terminal is a pseudo-terminal. The package pty leaves the master blocking, and then
// closing it waits for its reader.
func terminal(t *testing.T) (master, tty *os.File) {
	t.Helper()
	blocking, tty, err := pty.Open()
	must(t, err)
	defer blocking.Close()
	fd, err := unix.FcntlInt(blocking.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	must(t, err)
	return os.NewFile(uintptr(fd), "window"), tty
}

// watch shows what the program writes.
func (v *window) watch() {
	defer close(v.read)
	b := make([]byte, 32<<10)
	for {
		v.look()
		n, err := v.master.Read(b)
		v.Write(b[:n])
		if err != nil {
			return
		}
	}
}

// look returns when the window may be looked at.
func (v *window) look() {
	v.stalled.Lock()
	defer v.stalled.Unlock()
}

var strokes = map[string]string{
	"enter": "\r", "tab": "\t", "esc": "\x1b", "down": "\x1b[B", "right": "\x1b[C", "f1": "\x1bOP",
	"ctrl+c": "\x03", "ctrl+l": "\x0c", "ctrl+s": "\x13", "ctrl+t": "\x14", "ctrl+z": "\x1a",
}

// bytesOf returns what a terminal sends for a key.
func bytesOf(t *testing.T, name string) string {
	t.Helper()
	sent, named := strokes[name]
	if !named && utf8.RuneCountInString(name) > 1 {
		t.Fatalf("the key %q has no bytes here", name)
	}
	return cmp.Or(sent, name)
}

// Key implements [termtest.Device].
func (v *window) Key(name string) { v.Text(bytesOf(v.t, name)) }

// Text implements [termtest.Device]. The text can be bytes of any kind.
func (v *window) Text(text string) {
	v.t.Helper()
	if _, err := io.WriteString(v.master, text); err != nil {
		v.t.Fatal(err)
	}
}

// Screen implements [termtest.Device].
func (v *window) Screen() string {
	if v.still > 0 {
		drawn := -1
		holds(v.t, v.still, func() bool {
			now := len(v.Bytes())
			same := now == drawn
			drawn = now
			return same
		}, func() string { return "it is drawn without end\n" + v.Emulator.Screen() })
	}
	return v.Emulator.Screen()
}

func (v *window) Resize(w, h uint16) {
	v.t.Helper()
	v.w, v.h = w, h
	v.SetSize(int(w), int(h))
	v.size(w, h)
}

// size tells the kernel, and the kernel the program, what size the window has.
func (v *window) size(w, h uint16) {
	v.t.Helper()
	v.control(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: w, Row: h})
	})
}

func (v *window) control(do func(fd int) error) {
	v.t.Helper()
	var failed error
	raw, err := v.master.SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) { failed = do(int(fd)) })
	}
	must(v.t, errors.Join(err, failed))
}

// signal sends the program a signal.
func (v *window) signal(s os.Signal) {
	v.t.Helper()
	must(v.t, v.command.Process.Signal(s))
}

// gone waits until the program has ended and all it wrote is on the screen, and gives
// its exit status. The terminal must be as it was.
func (v *window) gone() int {
	v.t.Helper()
	until(v.t, v.over, func() string { return "the program goes on\n" + v.Screen() })
	after, err := term.GetState(v.tty.Fd())
	must(v.t, err)
	if *after != *v.before {
		v.t.Errorf("the terminal's settings are not as they were: %+v, before %+v", after, v.before)
	}
	v.tty.Close() // the last one; now reading comes to an end
	<-v.read
	if on := leftOn(v.Bytes()); len(on) > 0 {
		v.t.Errorf("the terminal was left with %q", on)
	}
	if v.AltScreen() {
		v.t.Error("the alternate screen was left on")
	}
	return status(v.command)
}

func (v *window) over() bool {
	select {
	case <-v.ended:
		return true
	default:
		return false
	}
}

func status(c *exec.Cmd) int {
	if s, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return -int(s.Signal())
	}
	return c.ProcessState.ExitCode()
}

// address is where a program says that it listens.
const address = `http://127\.0\.0\.1:\d+`

// A windowless program prints, and what it has printed is kept.
type windowless struct {
	*exec.Cmd
	found string // by the pattern, in what it printed
	mu    sync.Mutex
	text  []byte
}

// Write implements [io.Writer].
func (w *windowless) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, p...)
	return len(p), nil
}

func (w *windowless) said() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return bytes.Clone(w.text)
}

func (w *windowless) lines() int64 { return int64(bytes.Count(w.said(), []byte("\n"))) }

// runUntil runs the program without a window until it has printed a pattern. It ends with the test, which fails where SIGTERM
// does not end it cleanly.
func runUntil(t *testing.T, e setting, pattern string, args ...string) *windowless {
	t.Helper()
	w := &windowless{Cmd: exec.Command(program(t), args...)}
	w.Env, w.Stdout, w.Stderr = e.list(), w, w
	must(t, w.Start())
	t.Cleanup(func() {
		_ = w.Process.Signal(syscall.SIGTERM)
		if err := w.Wait(); err != nil && w.ProcessState.ExitCode() < 0 {
			t.Errorf("SIGTERM did not end it cleanly: %v\n%s", err, w.said())
		}
	})
	of := regexp.MustCompile(pattern)
	until(t, func() bool {
		w.found = string(of.Find(w.said()))
		return w.found != ""
	}, func() string { return "it does not print " + pattern })
	return w
}
