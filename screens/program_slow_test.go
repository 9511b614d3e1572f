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

// typing types for a time, and tells how many frames were drawn and the longest that this can
// have taken: other work on the machine makes for fewer frames in more time, never for more.
func (v *window) typing(d time.Duration) (frames int, took time.Duration) {
	v.t.Helper()
	begun := time.Now() // what was not read yet once it has heard was not drawn yet now
	v.heard()
	before := len(v.Bytes())
	letter := 'a'
	for typed := time.Now(); time.Since(typed) < d; v.Wait(5 * time.Millisecond) {
		v.Type("\x7f" + string(letter)) // never what any of the last frames shows
		letter = 'a' + (letter-'a'+1)%26
	}
	sent := v.Bytes()[before:]
	frames, took = bytes.Count(sent, []byte(frameBegins)), time.Since(begun)
	v.t.Logf("%d frames in %v", frames, took.Round(time.Millisecond))
	return frames, took
}

// marksFrames goes from home to where something is typed, and says that the terminal knows
// synchronized output, for which the program does not ask over SSH.
func (v *window) marksFrames() {
	v.t.Helper()
	v.Press("p")
	v.Sees("look it up")
	v.Text("\x1b[?2026;2$y")
	v.heard()
}

// drawsSeldom types, and fails where the frames are not few or where anything is written
// between them.
func (v *window) drawsSeldom() {
	v.t.Helper()
	v.marksFrames()
	before := len(v.Bytes())
	until(v.t, func() bool { // a machine with other work may draw next to nothing
		frames, took := v.typing(3 * time.Second)
		if frames > few(took) {
			v.t.Fatalf("%d frames in %v", frames, took)
		}
		return frames >= 10
	}, func() string { return "hardly anything is drawn\n" + v.Screen() })
	sent := v.Bytes()[before:]
	first, last := bytes.Index(sent, []byte(frameBegins)), bytes.LastIndex(sent, []byte(frameEnds))
	if other := frame.ReplaceAll(sent[first:last+len(frameEnds)], nil); len(other) > 0 {
		v.t.Errorf("between frames it writes %q", other)
	}
}

// few is the most frames that a slow connection gets in a time: ten a second, one that was
// late at the beginning, and one at either end.
func few(d time.Duration) int { return int(10*d.Seconds()) + 3 }

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
			v.Sees("Menu")
			if c.slow {
				v.drawsSeldom()
			} else { // on a machine with other work not in each half a second
				v.marksFrames()
				until(t, func() bool {
					frames, took := v.typing(time.Second / 2)
					return frames > few(took)
				}, func() string { return "frames are few" })
			}
			v.Press("ctrl+c")
			v.gone()
		})
	}
}

func TestNothingIsWrittenWhileNothingChanges(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 80, 24, "demo")
	v.Sees("Menu")
	v.Press("t")
	v.Sees("Page 1 of 61")
	v.heard()
	// What the last sizes are answered with may be on its way for long on a busy machine. It is
	// a few frames and not more, and then nothing, for a second.
	before, quiet := len(v.Bytes()), -1
	holds(t, 1300*time.Millisecond, func() bool {
		now := len(v.Bytes())
		same := now == quiet
		quiet = now
		return same
	}, func() string { return "it writes on" })
	if n := quiet - before; n > 16<<10 {
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
	toCard(v.Person, "12.50", "GBP")
	pick(v.Person, "challenge")
	v.Fill("Return URL", "https://shop.example/done")
	v.Press("ctrl+s")
	v.Yes("Charge 12.50 GBP")
	v.Sees("ssh -L ", ":127.0.0.1:", server)
	v.Press("o")
	v.heard()
	if !v.Has("over SSH") {
		v.t.Errorf("it does not say why no browser is opened:\n%s", v.Screen())
	}
	v.Press("c")
	v.Sees("sent to your terminal's clipboard")
	until(v.t, func() bool { return strings.HasPrefix(v.Copied(), "http://127.0.0.1:") },
		func() string { return "copied is " + v.Copied() })
	if bytes.Contains(v.Bytes(), []byte("\x1b]11;")) {
		v.t.Error("the terminal is asked for its background")
	}
}
