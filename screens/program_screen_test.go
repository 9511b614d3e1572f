//go:build unix

package screens_test

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// heard waits until the program has taken everything that was typed so far: a report of
// the terminal, put behind it, makes the program switch on what was reported. It says
// so with its next frame, so the window is made one column wider and back until then. It returns how many sizes it had.
func (v *window) heard() (sizes int) {
	v.t.Helper()
	const on = "\x1b[?2027h"
	before, wider := bytes.Count(v.Bytes(), []byte(on)), false
	v.Text("\x1b[?2027;2$y")
	until(v.t, func() bool {
		if bytes.Count(v.Bytes(), []byte(on)) > before {
			return true
		}
		sizes++
		if wider = !wider; wider {
			v.size(v.w+1, v.h)
		} else {
			v.size(v.w, v.h)
		}
		return false
	}, func() string { return "what was typed is not taken" })
	v.size(v.w, v.h)
	return sizes + 1
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
	v.Sees(" rows read")
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

func TestAWindowWithoutCellsAndBackIsSurvived(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 80, 24, "demo")
	v.Sees("Menu")
	v.Press("2")
	v.Sees(" rows read")
	for range 2 { // the second begins with what the first left
		v.Resize(0, 0)
		v.heard()
		v.Resize(1, 1)
		v.heard()
		v.Resize(500, 200)
		v.heard()
		v.Resize(100, 30)
		v.Sees(" rows read", "? help")
	}
	v.Resize(80, 24)
	until(t, func() bool {
		return strings.HasPrefix(v.Screen(), " paydesk ▸ Transactions ") && v.Has(" rows read") && strings.Count(v.Screen(), " rows read") == 1
	},
		func() string { return "the screen is not in order:\n" + v.Screen() })
	v.Press("ctrl+c")
	if s := v.gone(); s != 0 {
		t.Errorf("it ended with %d", s)
	}
}

func TestAWindowThatBeginsWithoutCellsIsWaitedFor(t *testing.T) {
	t.Parallel()
	v := open(t, newSetting(t), 0, 0, "demo")
	v.heard()
	v.Resize(80, 24)
	v.Sees("Menu")
	v.Press("ctrl+c")
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

func TestNoColourIsSentToWhoAsksForNone(t *testing.T) {
	t.Parallel()
	for name, none := range map[string]bool{"": false, "NO_COLOR=1": true, "CLICOLOR=0": true} {
		t.Run("with "+name, func(t *testing.T) {
			e := newSetting(t)
			if variable, value, ok := strings.Cut(name, "="); ok {
				e[variable] = value
			}
			v := open(t, e, 80, 24, "demo")
			v.Sees("Menu")
			v.Press("2")
			v.Sees(" rows read", "✓ SUCCESSFUL")
			v.Press("ctrl+c")
			v.gone()
			if sent := colours(v.Bytes()); none != (len(sent) == 0) {
				t.Errorf("%d colours were sent: %q", len(sent), sent[:min(len(sent), 3)])
			}
		})
	}
}

func TestTheDemoIsDrawnInASCIIForWhoAsksForIt(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--ascii", "demo"}, {"demo", "--ascii"}} {
		v := open(t, newSetting(t), 80, 24, args...)
		v.Sees("Menu")
		v.Press("2")
		v.Sees(" rows read")
		if i := strings.IndexFunc(v.Screen(), func(r rune) bool { return r > '~' }); i >= 0 {
			t.Errorf("%v: not ASCII:\n%s", args, v.Screen())
		}
		v.Press("ctrl+c")
		v.gone()
	}
}
