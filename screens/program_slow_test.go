//go:build linux

package screens_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A frame has these at its ends where the terminal knows synchronized output.
const (
	frameBegins = "\x1b[?2026h"
	frameEnds   = "\x1b[?2026l"
)

var frame = regexp.MustCompile(`(?s)` + regexp.QuoteMeta(frameBegins) + `.*?` + regexp.QuoteMeta(frameEnds))

// marksFrames goes from home to where something is typed, and says that the terminal knows
// synchronized output, for which the program does not ask over SSH.
func (v *window) marksFrames() {
	v.t.Helper()
	v.Press("l")
	v.Sees("look it up")
	v.Text("\x1b[?2026;2$y")
	v.heard()
	v.Press("esc")
	v.Sees("Menu")
}

// turns opens and closes the help for a time, and returns what was written and how long that took.
func (v *window) turns(d time.Duration) (sent []byte, took time.Duration) {
	v.t.Helper()
	begun := time.Now() // what was not read yet once it has heard was not drawn yet now
	v.heard()
	before := len(v.Bytes())
	for typed := time.Now(); time.Since(typed) < d; v.Wait(5 * time.Millisecond) {
		v.Type("??")
	}
	sent, took = v.Bytes()[before:], time.Since(begun)
	v.t.Logf("%d bytes in %d frames in %v", len(sent), bytes.Count(sent, []byte(frameBegins)), took.Round(time.Millisecond))
	return sent, took
}

// A line over which a byte takes this long is not sent more than it carries.
const slowByte = 40 * time.Microsecond

// spareALine fails where more is written than a slow line carries, or anything between two frames.
func (v *window) spareALine() {
	v.t.Helper()
	v.marksFrames()
	sent, took := v.turns(2 * time.Second)
	const atOnce = 8 << 10 // at either end one that was paid for before, or is paid for later
	if most := int(took/slowByte) + 2*atOnce; len(sent) > most {
		v.t.Errorf("%d bytes in %v", len(sent), took)
	}
	first, last := bytes.Index(sent, []byte(frameBegins)), bytes.LastIndex(sent, []byte(frameEnds))
	if first < 0 || last < 0 {
		v.t.Fatalf("nothing is drawn: %q", sent)
	}
	if other := frame.ReplaceAll(sent[first:last+len(frameEnds)], nil); len(other) > 0 {
		v.t.Errorf("between frames it writes %q", other)
	}
}

func TestOverSlowConnectionsNoMoreIsWrittenThanTheyCarry(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		set  setting
		args []string
	}{
		{"over SSH", setting{"SSH_CONNECTION": "192.0.2.1 5000 192.0.2.2 2222", "SSH_TTY": "/dev/pts/9", "DISPLAY": ":0"}, []string{"demo"}},
		{"with little bandwidth", nil, []string{"demo", "--low-bandwidth"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newSetting(t)
			for name, value := range c.set {
				e[name] = value
			}
			v := open(t, e, 80, 24, c.args...)
			v.Sees("Menu")
			v.spareALine()
			if c.set != nil {
				v.knowsOfSSH("-p 2222 192.0.2.2")
			}
			v.Press("ctrl+c")
			v.gone()
		})
	}
}

// knowsOfSSH goes from home to a bank's page: the way there, to this server and port, is
// shown and copied, and no browser is opened.
func (v *window) knowsOfSSH(server string) {
	v.t.Helper()
	toCard(v.Person, "12.50", "GBP")
	pick(v.Person, "challenge")
	v.Fill("Return URL", "https://shop.example/done")
	v.Press("ctrl+s")
	v.Yes("Charge 12.50 GBP")
	v.Sees("ssh -L ", ":127.0.0.1:", server)
	v.Press("o").Sees("over SSH") // so no browser is opened
	v.Press("y")
	v.Sees("sent to your terminal's clipboard")
	until(v.t, func() bool { return strings.HasPrefix(v.Copied(), "http://127.0.0.1:") },
		func() string { return "copied is " + v.Copied() })
}
