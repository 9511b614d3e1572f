//go:build unix

package screens_test

import (
	"bytes"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// heard waits until the program has taken everything that was typed so far: a report of
// the terminal, put behind it, makes the program switch on what was reported. It says
// so with its next frame, so the window is made one column wider and back until then.
func (v *window) heard() {
	v.t.Helper()
	const on = "\x1b[?2027h"
	before, wider := bytes.Count(v.Bytes(), []byte(on)), false
	v.Text("\x1b[?2027;2$y")
	until(v.t, func() bool {
		if bytes.Count(v.Bytes(), []byte(on)) > before {
			return true
		}
		if wider = !wider; wider {
			v.size(v.w+1, v.h)
		} else {
			v.size(v.w, v.h)
		}
		return false
	}, func() string { return "what was typed is not taken" })
	v.size(v.w, v.h)
}

func TestAWindowThatIsTooSmallShowsWhereItIsAndWhatItNeedsAndTakesOnlyKeysThatLeadOut(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 40, 10, "demo")
	const line = "paydesk needs 60×18; this window is 40×10"
	short := line[:strings.Index(line, ";")]
	v.Sees(short)
	if said := strings.Split(strings.TrimSpace(v.Screen()), "\n"); len(said) != 3 || !strings.HasPrefix(said[0], "▐SANDBOX▌  127.0.0.1:") || said[2] != "q or ctrl+c quit" {
		t.Errorf("it says:\n%s", strings.Join(said, "\n"))
	}
	v.Press("c", "n", "2", "l", "enter", "tab", "ctrl+s")
	v.heard()
	v.Resize(80, 24)
	v.Sees("Menu") // home: nothing was opened
	v.Resize(40, 10)
	v.Sees(short)
	v.Press("?")
	v.heard()
	v.Resize(80, 24)
	v.Sees("Keys: Home")
	v.Press("esc")
	v.Sees("Menu")
	v.Press("2")
	v.Sees(" read at ")
	v.Resize(40, 10)
	v.Sees("esc back   ctrl+c quit")
	v.Press("q")
	v.heard()
	v.Press("esc")
	v.Sees("q or ctrl+c quit")
	v.Press("q")
	if s := v.gone(); s != 0 {
		t.Errorf("it ended with %d", s)
	}
}

var graphics = regexp.MustCompile(`\x1b\[([0-9;:]*)m`)

// colours are the SGR sequences that set one.
func colours(sent []byte) []string {
	var all []string
	for _, m := range graphics.FindAllSubmatch(sent, -1) {
		for part := range strings.SplitSeq(string(m[1]), ";") {
			n, _ := strconv.Atoi(strings.Split(part, ":")[0])
			if n >= 30 && n <= 48 && n != 39 || n >= 90 && n <= 107 {
				all = append(all, string(m[0]))
			}
		}
	}
	return all
}

var modeSwitch = regexp.MustCompile(`\x1b\[(?:\?([0-9;]+)([hl])|>(4)(;[1-9][0-9]*)?m|([<>])([0-9]*)u)`)

// leftOn are the modes that were switched on and not off again by what a terminal was sent: private
// modes by their number, "keys" for modifyOtherKeys, and the depth of each screen's kitty keyboard
// stack when it is not 0. The cursor (25) and wrapping (7) are to be on at the end.
func leftOn(sent []byte) []string {
	on := map[string]bool{"25": true, "7": true}
	alternate, depth := false, map[bool]int{}
	for _, m := range modeSwitch.FindAllStringSubmatch(string(sent), -1) {
		switch {
		case m[1] != "":
			for mode := range strings.SplitSeq(m[1], ";") {
				on[mode] = m[2] == "h"
				alternate = on["1049"]
			}
		case m[3] != "":
			on["keys"] = m[4] != ""
		case m[5] == ">":
			depth[alternate]++
		default: // a pop of an empty stack does nothing
			depth[alternate] = max(depth[alternate]-1, 0)
		}
	}
	on["25"], on["7"] = !on["25"], !on["7"]
	on["kitty keyboard"], on["kitty keyboard of the alternate screen"] = depth[false] != 0, depth[true] != 0
	maps.DeleteFunc(on, func(_ string, on bool) bool { return !on })
	return slices.Sorted(maps.Keys(on))
}

// TestNothingRawIsPrintedOutsideTheScreen gives the program hostile texts wherever it takes a text
// before it draws, and looks at what it prints.
func TestNothingRawIsPrintedOutsideTheScreen(t *testing.T) {
	t.Parallel()
	all := hostiles(t)
	step := 90
	if long {
		step = 1
	}
	printed := 0
	for i := 0; i < len(all); i += step {
		text := all[i].text
		if strings.ContainsRune(text, 0) || len(text) > 4096 || strings.Trim(text, "0123456789abcdefghijklmnopqrstuvwxyz.: ") == "" {
			continue // no argument can be, or one that may be in order
		}
		e := newSetting(t)
		config := e.configure(t, profile("http://127.0.0.1:1", "env"))
		_, tty := terminal(t)
		for _, args := range [][]string{
			{text}, {"--" + text}, {"--config", config, "--profile", text}, {"--state-dir", text, "--version"}, {"--background", text},
			{"sandbox", text}, {"sandbox", "--listen", text}, {"sandbox", "--listen", "127.0.0.1:x" + text},
			{"sandbox", "--key", text + "\x01"}, {"sandbox", "--settle", text},
		} {
			c := exec.CommandContext(t.Context(), program(t), args...)
			c.Env, c.Stdin = e.list(), tty
			said, _ := c.CombinedOutput()
			printed += len(said)
			if bad := bytes.IndexFunc(said, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); bad >= 0 || !utf8.Valid(said) {
				t.Errorf("%s/%s: paydesk %q prints %q", all[i].class, all[i].name, args[:len(args)-1], said)
			}
		}
		tty.Close()
	}
	if printed < 1000 {
		t.Errorf("only %d bytes were printed", printed)
	}
	t.Logf("%d bytes were printed", printed)
}

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
			v.Sees(" read at ", "SUCCESSFUL")
			v.Press("y")
			if c.bare {
				v.Sees("Not copied: this terminal has no clipboard.")
			} else {
				v.Sees("clipboard")
				until(t, func() bool { return bytes.Contains(v.Bytes(), []byte("\x1b]52;")) }, func() string { return "the copy is not sent" })
			}
			v.leave()
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
		v.leave()
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

const question = "Charge 12.50 GBP to •••• 4242?"

// unpaid fails when anything is sent to be paid within the time a question needs to take an
// answer, and more.
func (p *paying) unpaid() {
	p.t.Helper()
	p.Wait(400 * time.Millisecond)
	if n := p.asked.Load(); n > 0 {
		p.t.Fatalf("%d payments were sent\n%s", n, p.Screen())
	}
}

// asks stands before the question again, if an answer that does no harm was taken.
func (p *paying) asks() {
	p.t.Helper()
	var pressed time.Time
	until(p.t, func() bool {
		if !p.Has(question) && time.Since(pressed) > time.Second { // again where a paste was still open
			pressed = time.Now()
			p.Press("ctrl+s")
		}
		return p.Has(question)
	}, func() string { return "the question does not come\n" + p.Screen() })
}

// sends answers the question.
func (p *paying) sends() {
	p.t.Helper()
	p.Yes(question)
	p.sent()
}

// sent waits until the payment is sent, and answers each second that the question stands: an answer that comes too
// soon after another key does not count, and a busy machine may take that key late.
func (p *paying) sent() {
	p.t.Helper()
	answered := time.Now()
	until(p.t, func() bool {
		if time.Since(answered) > time.Second && p.Has(question) {
			answered = time.Now()
			p.Press("y")
		}
		return p.asked.Load() == 1
	}, func() string { return "nothing is sent\n" + p.Screen() })
}

// Keys of one write come before the question is drawn: no person has read it.
func TestNothingTypedAheadAndNoPasteAnswersTheQuestion(t *testing.T) {
	t.Parallel()
	const start, end = "\x1b[200~", "\x1b[201~"
	for name, shapes := range map[string][][]string{
		"letters": {
			{start + "y" + end},
			{start + strings.Repeat("y", 1000) + end},
			{start + strings.Repeat("y\r", 50_000) + end},
			{start + "\xff\x9by\x1b]0;y\r" + end}, // no text
		},
		"line ends": {
			{start + "yes\r" + end},
			{start + "\r\ny" + end},
			{start + "\x1b[C\r" + end}, // the focus and enter
			{start + "12.50\r" + end},
		},
		"marks": {
			{start + "y" + start + "y\r" + end},
			{start + "y\r\x1b[2", "01~"},
			{"y\ry\ry\r"},
		},
		"no end":      {{start + "y\r"}},
		"typed ahead": {{"y"}, {"\t\r"}, {"y\ry\ry\r"}, {"\x1b[C\x1b[C\x1b[C\r\r\ry"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := poised(t)
			p.Press("ctrl+s")
			for _, parts := range shapes {
				p.asks()
				if name == "typed ahead" {
					p.Press("esc")
					p.WaitsUntilGone(question)
					p.Type("\x13" + parts[0]) // ctrl+s and all of it at once
					p.unpaid()
					continue
				}
				p.unpaid() // by now the question takes answers
				for _, part := range parts {
					p.Type(part)
					p.Wait(100 * time.Millisecond)
				}
				p.unpaid()
			}
			if name == "no end" {
				p.Wait(2 * time.Second) // until it is ended for it
				p.unpaid()
			}
			p.asks()
			p.sends()
		})
	}
}
