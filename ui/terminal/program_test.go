//go:build !windows

package terminal

import (
	"bytes"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// whole is the report of a terminal that can measure whole characters.
var whole = tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset}

// A seat is a program on a pseudo-terminal, and the one who sits there.
type seat struct {
	t           *testing.T
	master, tty *os.File
	program     *Program
	model       *heard
	done        chan struct{}
	err         error // of Run; read it after done

	mu   sync.Mutex
	sent []byte
}

// heard is a model that shows the last message it was sent, and passes all of them on.
type heard struct {
	messages chan tea.Msg
	text     string
}

func (h *heard) Init() tea.Cmd { return nil }

func (h *heard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	h.messages <- msg
	if text, ok := msg.(string); ok {
		h.text = text
	}
	return h, nil
}

func (h *heard) View() tea.View { return tea.NewView(h.text) }

func sit(t *testing.T) *seat {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := &seat{t: t, master: master, tty: tty, model: &heard{messages: make(chan tea.Msg, 1000)}, done: make(chan struct{})}
	s.size(80, 24)
	s.program = NewProgram(s.model, Options{In: tty, Out: tty, Environ: []string{"TERM=xterm-256color"}})
	go func() {
		defer close(s.done)
		s.err = s.program.Run()
	}()
	go s.look()
	t.Cleanup(func() {
		s.program.Quit() // not Kill, after which the libraries race
		<-s.done
		tty.Close()
		master.Close()
	})
	s.hears(tea.WindowSizeMsg{Width: 80, Height: 24})
	return s
}

func (s *seat) look() {
	b := make([]byte, 4096)
	for {
		n, err := s.master.Read(b)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.sent = append(s.sent, b[:n]...)
		s.mu.Unlock()
	}
}

func (s *seat) size(w, h uint16) {
	s.t.Helper()
	if err := pty.Setsize(s.master, &pty.Winsize{Cols: w, Rows: h}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *seat) types(text string) {
	s.t.Helper()
	if _, err := s.master.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// until waits until something is so.
func (s *seat) until(what string, so func() bool) {
	s.t.Helper()
	look, late := time.NewTicker(time.Millisecond), time.After(time.Minute)
	defer look.Stop()
	for !so() {
		select {
		case <-look.C:
		case <-late:
			s.t.Fatalf("%s: written is %q", what, s.sent)
		}
	}
}

// written reports whether a text was written n times.
func (s *seat) written(text string, n int) func() bool {
	return func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return bytes.Count(s.sent, []byte(text)) == n
	}
}

// hears waits until the model is sent a message.
func (s *seat) hears(want tea.Msg) {
	s.t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case msg := <-s.model.messages:
			if msg == want {
				return
			}
		case <-late:
			s.t.Fatalf("%#v does not arrive", want)
		}
	}
}

func (s *seat) settings() *term.State {
	s.t.Helper()
	state, err := term.GetState(s.tty.Fd())
	if err != nil {
		s.t.Fatal(err)
	}
	return state
}

func TestTheAnswerThatEveryTerminalGivesIsTheLast(t *testing.T) {
	s := sit(t)
	s.until("it does not ask", s.written(ansi.RequestPrimaryDeviceAttributes, 1))
	s.types("\x1b[?2026;2$y")
	s.hears(tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset})
	if !s.program.asked.Load() {
		t.Error("nothing is outstanding after one answer")
	}
	s.types("\x1b[?62c")
	s.until("it waits for more", func() bool { return !s.program.asked.Load() })
}

func TestAResizeIsReported(t *testing.T) {
	s := sit(t)
	s.size(90, 20)
	if err := syscall.Kill(os.Getpid(), syscall.SIGWINCH); err != nil { // the terminal is not this process's
		t.Fatal(err)
	}
	s.hears(tea.WindowSizeMsg{Width: 90, Height: 20})
	s.size(65535, 65535)
	if err := syscall.Kill(os.Getpid(), syscall.SIGWINCH); err != nil {
		t.Fatal(err)
	}
	s.hears(tea.WindowSizeMsg{Width: 80, Height: 24})
}

// A child is a program that is run on the terminal.
type child struct {
	s   *seat
	cmd *exec.Cmd
	was *term.State
}

func (c *child) Command() *exec.Cmd {
	c.was = c.s.settings()
	c.s.until("it is not left", c.s.written("\x1b[?1049l", 1))
	c.s.size(100, 30) // nobody is sent a signal: the terminal is not this process's
	c.s.types("typed\n")
	return c.cmd
}

func (c *child) End(err error) tea.Msg { return ended{err} }

type ended struct{ err error }

func TestAChildHasTheTerminalAsItWasAndGivesItBack(t *testing.T) {
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	before, err := term.GetState(tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	master.Close()
	tty.Close()
	s := sit(t)
	raw := s.settings()
	c := &child{s: s, cmd: exec.Command("sh", "-c", `read line && echo "<$line>"`)}
	c.cmd.Stdin, c.cmd.Stdout = s.tty, s.tty
	s.program.Send(c)
	sized := tea.WindowSizeMsg{Width: 100, Height: 30}
	var have []tea.Msg
	for len(have) < 2 { // in any order
		msg := <-s.model.messages
		if msg == tea.Msg(sized) || msg == tea.Msg(ended{}) {
			have = append(have, msg)
		}
	}
	if *c.was != *before {
		t.Errorf("the child has the settings %+v, and before %+v", c.was, before)
	}
	if now := s.settings(); *now != *raw {
		t.Errorf("afterwards the settings are %+v, and were %+v", now, raw)
	}
	s.until("the child does not get what is typed", s.written("<typed>", 1))
	s.until("it is not taken again", s.written("\x1b[?1049h", 2))
	s.program.Send("drawn again")
	s.until("it does not draw again", s.written("drawn again", 1))
	s.types("k")
	s.hears(tea.KeyPressMsg{Code: 'k', Text: "k"})
	s.program.Quit()
	if <-s.done; s.err != nil {
		t.Error(s.err)
	}
	if now := s.settings(); *now != *before {
		t.Errorf("it is left with the settings %+v, and had %+v", now, before)
	}
}
