//go:build unix

package clitest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/termios"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"paydesk/screens/cli/command"
)

// A Terminal is paydesk at a terminal of its own.
type Terminal struct {
	T   testing.TB
	cmd *exec.Cmd
	pty *os.File

	mu    sync.Mutex
	shown bytes.Buffer
	seen  int // the bytes of it that [Terminal.Sees] has passed
	grown chan struct{}
	done  chan struct{}
}

// Terminal starts paydesk at a terminal of 80×24.
func (h *Host) Terminal(args ...string) *Terminal {
	h.T.Helper()
	cmd := h.Program(args...)
	f, tty, err := pty.Open()
	must(h.T, err)
	// Before paydesk begins: what is set later may undo what paydesk has set meanwhile.
	must(h.T, errors.Join(pty.Setsize(f, &pty.Winsize{Rows: 24, Cols: 80}), keepOutput(f)))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must(h.T, errors.Join(cmd.Start(), tty.Close()))
	t := &Terminal{T: h.T, cmd: cmd, pty: f, grown: make(chan struct{}, 1), done: make(chan struct{})}
	go t.read()
	h.T.Cleanup(func() { _ = cmd.Process.Kill(); f.Close(); <-t.done })
	return t
}

// keepOutput makes a terminal show what a program prints while ctrl+c reaches it. A terminal sends SIGINT first and then
// throws away the output that is not read yet: once in some thousand times that is already the program's last line.
func keepOutput(f *os.File) error { return set(f, termios.NOFLSH) }

// set sets a mode of a terminal.
func set(f *os.File, mode termios.L) error {
	const speed = 38400 // bit/s; no terminal of this kind has one, and 0 would hang up
	return control(f, func(fd uintptr) error {
		return termios.SetTermios(int(fd), speed, speed, nil, nil, nil, nil, map[termios.L]bool{mode: true})
	})
}

// control does something with the descriptor of a terminal, which goes on being read.
func control(f *os.File, do func(fd uintptr) error) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = c.Control(func(fd uintptr) { failed = do(fd) })
	return errors.Join(err, failed)
}

// Echoes reports whether the terminal shows what is typed.
func (t *Terminal) Echoes() (shown bool) {
	t.T.Helper()
	if err := control(t.pty, func(fd uintptr) error {
		s, err := term.GetState(fd)
		if err == nil {
			shown = s.Lflag&unix.ECHO != 0
		}
		return err
	}); err != nil {
		t.T.Fatal(err)
	}
	return shown
}

// Hidden waits until the terminal does not show what is typed.
func (t *Terminal) Hidden() *Terminal {
	t.T.Helper()
	for begun := time.Now(); t.Echoes(); {
		if time.Since(begun) > patience {
			t.T.Fatalf("what is typed would be shown:\n%s", t.Shown())
		}
	}
	return t
}

// Echo has the terminal show what is typed, as a shell does while paydesk is stopped.
func (t *Terminal) Echo() *Terminal {
	t.T.Helper()
	must(t.T, set(t.pty, termios.ECHO))
	return t
}

// Pid is the process of paydesk.
func (t *Terminal) Pid() int { return t.cmd.Process.Pid }

func (t *Terminal) read() {
	defer close(t.done)
	b := make([]byte, 4096)
	for {
		n, err := t.pty.Read(b)
		t.mu.Lock()
		t.shown.Write(b[:n])
		t.mu.Unlock()
		select {
		case t.grown <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// patience allows for a machine that has other work.
const patience = time.Minute

// Sees waits until a text is shown after what was seen before. The end of a line counts as a blank: the terminal, or
// paydesk for it, may have broken the text there.
func (t *Terminal) Sees(text string) *Terminal {
	t.T.Helper()
	over := time.After(patience)
	for {
		t.mu.Lock()
		at := strings.Index(onOneLine(t.shown.String())[t.seen:], onOneLine(text))
		if at >= 0 {
			t.seen += at + len(onOneLine(text))
		}
		t.mu.Unlock()
		if at >= 0 {
			return t
		}
		select {
		case <-t.grown:
		case <-t.done:
			if !strings.Contains(onOneLine(t.Shown())[t.seen:], onOneLine(text)) {
				t.T.Fatalf("paydesk ended without %q:\n%s", text, t.Shown())
			}
		case <-over:
			t.T.Fatalf("%q is not shown:\n%s", text, t.Shown())
		}
	}
}

func onOneLine(s string) string { return strings.ReplaceAll(s, "\r\n", " ") }

// Shown is everything that was shown so far, escape sequences included.
func (t *Terminal) Shown() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shown.String()
}

// Type types keys; enter is \r, ctrl+c \x03.
func (t *Terminal) Type(keys string) *Terminal {
	t.T.Helper()
	if _, err := t.pty.Write([]byte(keys)); err != nil {
		t.T.Fatal(err)
	}
	return t
}

// Signal sends a signal to paydesk.
func (t *Terminal) Signal(s syscall.Signal) *Terminal {
	t.T.Helper()
	must(t.T, t.cmd.Process.Signal(s))
	return t
}

// Ends waits for the end, and checks the exit code, that the key was not shown, and that the terminal shows again what is typed.
func (t *Terminal) Ends(want command.Code) *Terminal {
	t.T.Helper()
	select {
	case <-t.done: // the last process of the terminal has closed it
	case <-time.After(patience):
		t.T.Fatalf("paydesk goes on:\n%s", t.Shown())
	}
	err := t.cmd.Wait()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.T.Fatal(err)
	}
	if got := command.Code(t.cmd.ProcessState.ExitCode()); got != want {
		t.T.Fatalf("paydesk ended with %d, not %d:\n%s", got, want, t.Shown())
	}
	if strings.Contains(t.Shown(), "CANARY") {
		t.T.Error("the key was shown")
	}
	if !t.Echoes() {
		t.T.Error("the terminal is not as it was")
	}
	return t
}
