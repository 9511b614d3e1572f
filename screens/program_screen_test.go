//go:build unix

package screens_test

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
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
