//go:build linux

package screens_test

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// few are the frames in a second over a slow connection.
const few = 10.5

// drawing goes from home to where something is typed, types, and tells how often in a
// second a process writes: once for each frame, and nothing else is written there.
func (v *window) drawing(pid int) float64 {
	v.t.Helper()
	v.press("p")
	v.sees("look it up")
	v.heard()
	before, begun := v.account(pid, "syscw:"), time.Now()
	for time.Since(begun) < time.Second {
		v.press("A", "\x7f\x7f", "B")
		v.pause(5 * time.Millisecond)
	}
	return float64(v.account(pid, "syscw:")-before) / time.Since(begun).Seconds()
}

func TestOverSlowConnectionsFramesAreFew(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		set  setting
		args []string
		slow bool
	}{
		{"over SSH", setting{"SSH_CONNECTION": "192.0.2.1 5000 192.0.2.2 22", "SSH_TTY": "/dev/pts/9"}, []string{"demo"}, true},
		{"with little bandwidth", nil, []string{"demo", "--low-bandwidth"}, true},
		{"here", nil, []string{"demo"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newSetting(t)
			for name, value := range c.set {
				e[name] = value
			}
			v := open(t, e, 80, 24, c.args...)
			v.sees("Ways in")
			rate := v.drawing(v.command.Process.Pid)
			t.Logf("%.1f writes in a second", rate)
			if c.slow && rate > few || !c.slow && rate <= few {
				t.Errorf("%.1f writes in a second", rate)
			}
			v.press("ctrl+c")
			v.gone()
		})
	}
}

func TestNothingIsWrittenWhileNothingChanges(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 80, 24, "demo")
	v.sees("Ways in")
	v.press("t")
	v.sees("Page 1 of 61")
	v.heard()
	v.pause(300 * time.Millisecond)
	before := len(v.display.bytes())
	v.pause(time.Second)
	if n := len(v.display.bytes()) - before; n > 0 {
		t.Errorf("%d bytes were written", n)
	}
}

func TestOverSSHABrowserIsNotOpenedAndWhatIsCopiedIsSentToTheTerminal(t *testing.T) {
	t.Parallel()
	e := newSetting(t)
	e["SSH_CONNECTION"], e["SSH_TTY"], e["DISPLAY"] = "192.0.2.1 5000 192.0.2.2 2222", "/dev/pts/9", ":0"
	v := open(t, e, 80, 24, "demo")
	v.knowsOfSSH("-p 2222 192.0.2.2")
}

// knowsOfSSH goes from home to a bank's page: the way there, to this server and port, is
// shown and copied, and no browser is opened.
func (v *window) knowsOfSSH(server string) {
	v.t.Helper()
	v.sees("Ways in")
	v.press("c")
	v.choose("Currency", "GBP")
	v.fill("Amount", "12.50")
	v.press("enter")
	v.sees("These channels can take")
	v.press("enter")
	v.fill("First name", "Ada")
	v.fill("Last name", "Obi")
	v.fill("E-mail", "ada@example.org")
	v.fill("Phone", "+44 20 7946 0000")
	v.press("enter")
	v.sees("Card number")
	v.press("\x14") // ctrl+t
	v.sees("challenge")
	for range 12 {
		if strings.Contains(v.line("› challenge"), "› challenge ") {
			break
		}
		v.press("down")
		v.heard()
	}
	v.press("enter")
	v.fill("Return URL", "https://shop.example/done")
	v.press("ctrl+s")
	v.yes("Charge 12.50 GBP")
	v.sees("ssh -L ", ":127.0.0.1:", server)
	v.press("o")
	v.heard()
	if !v.has("over SSH") {
		v.t.Errorf("it does not say why no browser is opened:\n%s", v.screen())
	}
	v.press("c")
	v.sees("sent to your terminal's clipboard")
	until(v.t, func() bool { return strings.HasPrefix(v.display.clipboard(), "http://127.0.0.1:") },
		func() string { return "copied is " + v.display.clipboard() })
	if bytes.Contains(v.display.bytes(), []byte("\x1b]11;")) {
		v.t.Error("the terminal is asked for its background")
	}
}
