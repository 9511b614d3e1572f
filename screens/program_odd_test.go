//go:build unix

package screens_test

import (
	"bytes"
	"maps"
	"strings"
	"testing"
)

func TestAnOddTerminalGetsWhatItCanShow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                string
		set                 setting
		args                []string
		ascii, colour, bare bool
	}{
		{"the Linux console", setting{"TERM": "linux", "LANG": "en_GB.UTF-8"}, nil, true, true, true},
		{"a VT100", setting{"TERM": "vt100"}, nil, true, false, true},
		{"the C locale", setting{"LC_ALL": "C", "LANG": "en_GB.UTF-8"}, nil, true, true, false},
		{"tmux", setting{"TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"}, nil, false, true, false},
		{"no colours", setting{"NO_COLOR": "1"}, nil, false, false, false},
		{"ASCII", nil, []string{"--ascii"}, true, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newSetting(t)
			maps.Copy(e, c.set)
			v := open(t, e, 80, 24, append(c.args, "demo")...)
			v.Sees("Menu")
			v.Press("2")
			v.Sees(" rows read", "SUCCESSFUL")
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
			if beyond := bytes.IndexFunc(v.Bytes(), func(r rune) bool { return r > '~' }); c.ascii != (beyond < 0) {
				t.Errorf("drawn in ASCII: %v\n%s", !c.ascii, v.Screen())
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
		"unknown":       {nil, nil, 1},
		"light":         {nil, []string{"--background=light"}, 0},
		"dark":          {setting{"COLORFGBG": "15;0"}, nil, 0},
		"high contrast": {nil, []string{"--high-contrast"}, 0},
	} {
		e := newSetting(t)
		maps.Copy(e, c.set)
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
	if len(pictures) < 3 {
		t.Errorf("%d sets of colours", len(pictures))
	}
}
