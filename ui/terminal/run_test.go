//go:build unix

package terminal_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// A process is this test's program, run on a terminal of its own.
type process struct {
	t           *testing.T
	command     *exec.Cmd
	master, tty *os.File
	before      *term.State
	sent        []byte // read by says
	written     chan []byte
}

func start(t *testing.T, environment ...string) *process {
	t.Helper()
	master, tty, err := pty.Open()
	must(t, err)
	t.Cleanup(func() { master.Close() })
	p := &process{t: t, master: master, tty: tty, written: make(chan []byte, 1)}
	if p.before, err = term.GetState(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	_ = pty.Setsize(master, &pty.Winsize{Cols: 80, Rows: 24})
	p.command = exec.CommandContext(t.Context(), os.Args[0])
	p.command.Env = append(environment, "TERM=xterm-256color")
	p.command.Stdin, p.command.Stdout, p.command.Stderr = tty, tty, tty
	p.command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must(t, p.command.Start())
	return p
}

// read reads all that the program writes.
func (p *process) read() {
	all, _ := io.ReadAll(p.master) // until the last process closes it
	p.written <- all
}

// end waits for the end and returns the status. The settings of the terminal must be as they were.
func (p *process) end() int {
	p.t.Helper()
	_ = p.command.Wait()
	if after, err := term.GetState(p.tty.Fd()); err != nil || *after != *p.before {
		p.t.Errorf("the terminal settings were not restored: %v, %v", after, err)
	}
	p.tty.Close()
	return p.command.ProcessState.ExitCode()
}

// What a leaving model does.
const (
	quits   = "quits"
	lingers = "lingers" // after it has left the terminal
	hangs   = "hangs"
)

// leaving is a model that is left at once, when it has copied more than a terminal takes unread.
type leaving struct {
	place string
	sized bool // it has been drawn
}

func (l leaving) Init() tea.Cmd {
	if l.place == hangs {
		return func() tea.Msg { return l }
	}
	return tea.Sequence(tea.Raw("\x1b]52;c;"+strings.Repeat("Y29w", 20<<10)+"\a"), tea.Quit)
}

func (l leaving) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case tea.WindowSizeMsg:
		l.sized = true
	case leaving:
		if !l.sized {
			return l, l.Init()
		}
		fmt.Println("hanging")
		select {}
	}
	return l, nil
}

func (leaving) View() tea.View {
	v := tea.NewView("drawn")
	v.WindowTitle = "paydesk"
	return v
}

// left is the end of what is written to a terminal that had the title of a leaving model.
const left = "\x1b]2;\a\x1b[23;2t\x1b[m\x1b[H\x1b[J\x1b[?1049l\x1b[?25h"

// A key that leaves the console must not wait for a connection that hangs.
func TestATerminalThatIsNotReadIsLeft(t *testing.T) {
	t.Parallel()
	p := start(t, "TERMINAL_TEST_PLACE="+quits)
	if s := p.end(); s != 0 {
		t.Errorf("it ended with %d", s)
	}
	p.read()
	sent := <-p.written
	if runtime.GOOS != "linux" {
		return // there what was not read cannot be dropped
	}
	const room = 8 << 10
	end := strings.TrimPrefix(left, "\x1b]2;\a\x1b[23;2t") // the title is taken back only where the first frame had been drawn
	if !bytes.HasSuffix(sent, []byte(end)) || len(sent) > room {
		t.Errorf("the terminal is left with %d bytes, the last of them %q", len(sent), sent[max(len(sent)-200, 0):])
	}
}

// says reads until the program has written a text.
func (p *process) says(text string) {
	p.t.Helper()
	for b := make([]byte, 4096); !bytes.Contains(p.sent, []byte(text)); {
		n, err := p.master.Read(b)
		if err != nil {
			p.t.Fatalf("it has ended after %q", p.sent)
		}
		p.sent = append(p.sent, b[:n]...)
	}
}

// terminates sends SIGTERM and waits for the end.
func (p *process) terminates() {
	p.t.Helper()
	must(p.t, p.command.Process.Signal(syscall.SIGTERM))
	if s := p.end(); s != 128+int(syscall.SIGTERM) {
		p.t.Errorf("it ended with %d", s)
	}
}

func TestAProgramThatHangsIsEndedAndTheTerminalIsLeft(t *testing.T) {
	t.Parallel()
	p := start(t, "TERMINAL_TEST_PLACE="+hangs)
	p.says("hanging")
	p.says("\x1b]2;paydesk\a")
	go p.read()
	p.terminates()
	if sent := <-p.written; !bytes.HasSuffix(sent, []byte(left)) {
		t.Errorf("the terminal is left with %q", sent)
	}
}

// What is still to be done after the console has left the screen can be ended as well.
func TestASignalAfterTheRunEndsTheProcess(t *testing.T) {
	t.Parallel()
	p := start(t, "TERMINAL_TEST_PLACE="+lingers)
	p.says("lingering")
	p.terminates()
}
