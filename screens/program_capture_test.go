//go:build unix

package screens_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api/sandbox"
	"paydesk/ui/termtest"
)

// A pane is the program in a window of tmux, within a recording by script where there is one.
type pane struct {
	termtest.Person[*pane]
	termtest.RealTime
	t            *testing.T
	tmux, socket string
	recorded     string // the recording, "" for none
}

// openPane runs the program in a window of 80×24 of a tmux of its own.
func openPane(t *testing.T, e setting) *pane {
	t.Helper()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("there is no tmux here")
	}
	p := &pane{t: t, tmux: tmux, socket: filepath.Join(t.TempDir(), "tmux")}
	p.Person = termtest.NewPerson(t, termtest.Device(p), p)
	e["PATH"], e["SHELL"] = os.Getenv("PATH"), "/bin/sh"
	run := program(t)
	if script, err := exec.LookPath("script"); err == nil {
		p.recorded = filepath.Join(t.TempDir(), "typescript")
		run = fmt.Sprintf("%s -q -f -c %s %s", script, run, p.recorded)
	}
	c := exec.Command(tmux, "-S", p.socket, "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", run)
	c.Env = e.list()
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Cleanup(func() { exec.Command(tmux, "-S", p.socket, "kill-server").Run() })
	return p
}

func (p *pane) do(args ...string) (string, error) {
	out, err := exec.Command(p.tmux, append([]string{"-S", p.socket}, args...)...).CombinedOutput()
	return string(out), err
}

// Screen returns what is in the window; "" once it is closed.
func (p *pane) Screen() string {
	out, err := p.do("capture-pane", "-p")
	if err != nil {
		return ""
	}
	return out
}

func (p *pane) Width() int { return 80 }

func (p *pane) Key(name string) { p.Text(bytesOf(p.t, name)) }

func (p *pane) Text(sent string) {
	p.t.Helper()
	hex := []string{"send-keys", "-H"}
	for i := range len(sent) {
		hex = append(hex, fmt.Sprintf("%02x", sent[i]))
	}
	if out, err := p.do(hex...); err != nil {
		p.t.Fatalf("%v: %s", err, out)
	}
}

// all is everything that tmux kept of the window, with what scrolled out of it.
func (p *pane) all() string {
	out, _ := p.do("capture-pane", "-p", "-e", "-S", "-")
	main, _ := p.do("capture-pane", "-p", "-a", "-q", "-S", "-")
	return out + main
}

// TestNoCardIsInARecordingOfTheTerminal pays within tmux and script, which keep what a terminal
// forgets.
func TestNoCardIsInARecordingOfTheTerminal(t *testing.T) {
	t.Parallel()
	e, of := newSetting(t), newSetting(t)
	s := stands(t, of)
	e.configure(t, profile(s.origin, "env"))
	e["PAYDESK_SECRET_KEY"] = programKey
	p := openPane(t, e)
	c := sandbox.Cards()[0]
	var kept strings.Builder
	hand(p.Person, "12.50", c, func() { kept.WriteString(p.all()) })
	for !p.Has("Menu") {
		p.Press("esc").Wait(100 * time.Millisecond)
	}
	kept.WriteString(p.all())
	p.Wait(moved) // an esc that ctrl+c follows at once is a key of its own
	p.Press("ctrl+c")
	until(t, func() bool { return p.Screen() == "" }, func() string { return "the window stays\n" + p.Screen() })
	numbers := []string{c.Number}
	noCard(t, "tmux", []byte(kept.String()), numbers)
	noCardBelow(t, e["HOME"], numbers)
	if p.recorded == "" {
		t.Log("there is no script here")
		return
	}
	held, err := os.ReadFile(p.recorded)
	if err != nil || len(held) < 4096 {
		t.Fatalf("%d bytes were recorded: %v", len(held), err)
	}
	noCard(t, "the recording", held, numbers)
	t.Logf("%d bytes of tmux, %d of the recording", kept.Len(), len(held))
}
