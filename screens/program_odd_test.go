//go:build unix

package screens_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"paydesk/api/timely"
)

// asciiOnly fails when anything outside ASCII was sent.
func (v *window) asciiOnly() {
	v.t.Helper()
	if i := bytes.IndexFunc(v.Bytes(), func(r rune) bool { return r > '~' }); i >= 0 {
		v.t.Errorf("not ASCII:\n%s", v.Screen())
	}
}

func TestAnOddTerminalGetsWhatItCanShow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		set           setting
		ascii, colour bool
	}{
		{"the Linux console", setting{"TERM": "linux", "LANG": "en_GB.UTF-8"}, true, true},
		{"a VT100", setting{"TERM": "vt100"}, true, false},
		{"a VT220", setting{"TERM": "vt220"}, true, false},
		{"the C locale", setting{"LC_ALL": "C", "LANG": "en_GB.UTF-8"}, true, true},
		{"a UTF-8 locale", setting{"LANG": "en_GB.UTF-8"}, false, true},
		{"sixteen colours", setting{"TERM": "xterm-16color"}, false, true},
		{"screen", setting{"TERM": "screen"}, false, true},
		{"tmux", setting{"TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newSetting(t)
			for name, value := range c.set {
				e[name] = value
			}
			v := open(t, e, 80, 24, "demo")
			v.Sees("Menu")
			v.Press("t")
			v.Sees("Page 1 of 61")
			v.Press("ctrl+c")
			if s := v.gone(); s != 0 {
				t.Errorf("it ended with %d", s)
			}
			if c.ascii {
				v.asciiOnly()
			} else if !bytes.ContainsRune(v.Bytes(), '─') {
				t.Error("it is drawn in ASCII")
			}
			if sent := colours(v.Bytes()); c.colour != (len(sent) > 0) {
				t.Errorf("%d colours were sent", len(sent))
			}
		})
	}
}

func TestABackgroundIsChosenAndNotAskedFor(t *testing.T) {
	t.Parallel()
	var pictures []string
	for _, args := range [][]string{{"demo"}, {"--background", "light", "demo"}, {"demo", "--background=dark"}} {
		v := open(t, newSetting(t), 80, 24, args...)
		v.Sees("Menu")
		v.Press("ctrl+c")
		v.gone()
		sent := string(v.Bytes())
		if strings.Contains(sent, "\x1b]11;") || strings.Contains(sent, "\x1b]10;") {
			t.Errorf("%v: the terminal is asked: %q", args, sent)
		}
		pictures = append(pictures, strings.Join(colours([]byte(sent)), ""))
	}
	if pictures[0] == pictures[1] || pictures[1] == pictures[2] || pictures[0] == pictures[2] {
		t.Errorf("the colours are the same: %q", pictures)
	}
	if r := runs(t, newSetting(t), nil, nil, "--background", secretLooking); r.status != 2 || strings.Contains(r.errors, "CANARY") {
		t.Errorf("%d: %q", r.status, r.errors)
	}
}

// A terminal that answers nothing is not waited for.
func TestATerminalThatAnswersNothingIsDrawnAtOnce(t *testing.T) {
	program(t)
	timely.Within(t, time.Second, func() (took time.Duration) {
		v := newWindow(t, newSetting(t), 80, 24, "demo")
		v.answers.held = true
		begun := time.Now()
		v.start()
		v.Sees("Menu")
		took = time.Since(begun)
		for _, asked := range []string{"\x1b]11;?", "\x1b]10;?", "\x1b[6n"} {
			if bytes.Contains(v.Bytes(), []byte(asked)) {
				t.Errorf("it asks %q", asked)
			}
		}
		v.Press("ctrl+c")
		v.gone()
		return took
	})
}
