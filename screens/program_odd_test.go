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
		name                string
		set                 setting
		ascii, colour, bare bool
		late                bool // only with PAYDESK_LONG: another one is treated alike
	}{
		{"the Linux console", setting{"TERM": "linux", "LANG": "en_GB.UTF-8"}, true, true, true, false},
		{"a VT100", setting{"TERM": "vt100"}, true, false, true, false},
		{"a VT220", setting{"TERM": "vt220"}, true, false, true, true},
		{"the C locale", setting{"LC_ALL": "C", "LANG": "en_GB.UTF-8"}, true, true, false, false},
		{"a UTF-8 locale", setting{"LANG": "en_GB.UTF-8"}, false, true, false, true},
		{"sixteen colours", setting{"TERM": "xterm-16color"}, false, true, false, false},
		{"screen", setting{"TERM": "screen"}, false, true, false, true},
		{"tmux", setting{"TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"}, false, true, false, false},
	} {
		if c.late && !long {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newSetting(t)
			for name, value := range c.set {
				e[name] = value
			}
			v := open(t, e, 80, 24, "demo")
			v.Sees("Menu")
			v.Press("2")
			v.Sees(" rows read")
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

func TestABackgroundIsChosenOrAskedForOnce(t *testing.T) {
	t.Parallel()
	const question = "\x1b]11;?\a"
	pictures := map[string]bool{}
	for name, c := range map[string]struct {
		set   setting
		args  []string
		asked int
	}{
		"unknown":           {nil, nil, 1},
		"light":             {nil, []string{"--background=light"}, 0},
		"dark":              {setting{"COLORFGBG": "15;0"}, nil, 0},
		"high contrast":     {nil, []string{"--high-contrast"}, 0},
		"without colours":   {setting{"NO_COLOR": "1"}, nil, 0},
		"the Linux console": {setting{"TERM": "linux"}, nil, 0},
	} {
		e := newSetting(t)
		for name, value := range c.set {
			e[name] = value
		}
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
	if len(pictures) < 4 {
		t.Errorf("%d sets of colours", len(pictures))
	}
	if r := runs(t, newSetting(t), nil, nil, "--background", "sk_test_CANARYonTheCommandLine01"); r.status != 2 || strings.Contains(r.errors, "CANARY") {
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
		for _, asked := range []string{"\x1b]10;?", "\x1b[6n"} {
			if bytes.Contains(v.Bytes(), []byte(asked)) {
				t.Errorf("it asks %q", asked)
			}
		}
		v.Press("ctrl+c")
		v.gone()
		return took
	})
}
