//go:build unix

package screens_test

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"paydesk/api/timely"
	"paydesk/keystore/keystoretest"
	"paydesk/ui/termtest"
)

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
		v.Emulator = nil // of 4 MB, which testing would keep with this function until all tests end
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

// leave leaves the console by its key, when nothing is unresolved.
func (v *window) leave() {
	v.t.Helper()
	v.Press("ctrl+c")
	if s := v.gone(); s != 0 {
		v.t.Errorf("it ended with %d", s)
	}
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
