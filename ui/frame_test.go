package ui

import (
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"
)

func binding(k, words string) key.Binding {
	return key.NewBinding(key.WithKeys(k), key.WithHelp(k, words))
}

func frame(ascii bool) Frame {
	off := binding("x", "never shown")
	off.SetEnabled(false)
	return Frame{
		Theme:       NewTheme(ascii),
		Environment: "SANDBOX",
		Host:        "127.0.0.1:8099",
		KeySource:   "demo",
		Trail:       []string{"Collect"},
		Keys:        []key.Binding{binding("tab", "next"), off, Help, binding("enter", "review"), binding("esc", "back")},
	}
}

func screen(f Frame, w, h int, body string) []string {
	lines := strings.Split(ansi.Strip(f.Render(w, h, body)), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

func TestLiveIsRecognisedWithoutColours(t *testing.T) {
	for ascii, want := range map[bool][]string{false: {"▐▲ LIVE▌", "━━━━", "▐TEST▌", "────"}, true: {"[! LIVE]", "====", "[TEST]", "----"}} {
		f := frame(ascii)
		f.Environment, f.Live = "LIVE", true
		if lines := screen(f, 80, 24, ""); !strings.HasSuffix(lines[0], want[0]) || !strings.HasPrefix(lines[1], want[1]) {
			t.Errorf("live begins with %q", lines[:2])
		}
		f.Environment, f.Live = "TEST", false
		if lines := screen(f, 80, 24, ""); !strings.HasSuffix(lines[0], want[2]) || !strings.HasPrefix(lines[1], want[3]) {
			t.Errorf("test begins with %q", lines[:2])
		}
	}
}

func TestASmallWindowShowsTheSizeNeeded(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{
		{59, 40, "▐SANDBOX▌  127.0.0.1:8099\npaydesk needs 60×18; this window is 59×40\nesc back   ctrl+c quit"},
		{40, 10, "▐SANDBOX▌  127.0.0.1:8099\npaydesk needs 60×18, has 40×10\nesc back   ctrl+c quit"},
		{20, 3, "▐SANDBOX▌  …0.1:8099\nneeds 60×18\nctrl+c quit"},
		{200, 1, "▐SANDBOX▌  127.0.0.1:8099  paydesk needs 60×18; this window is 200×1"},
		{20, 1, "▐SANDBOX▌  too small"},
		{3, 1, "SA…"},
		{0, 0, ""}, {-4, 9, ""}, {80, -1, ""},
	} {
		f := frame(false)
		f.Keys = append(f.Keys, Quit)
		if got := ansi.Strip(f.Render(c.w, c.h, "body")); got != c.want {
			t.Errorf("%d×%d: %q", c.w, c.h, got)
		}
	}
	first := frame(false)
	first.Keys = []key.Binding{binding("enter", "open"), Help, QuitHome}
	if got := ansi.Strip(first.Render(40, 10, "body")); !strings.HasSuffix(got, "\nq or ctrl+c quit") {
		t.Errorf("on the first screen: %q", got)
	}
	if w, h := BodySize(59, 18); w != 0 || h != 0 {
		t.Errorf("a window that is too small has a body of %d×%d", w, h)
	}
}

func TestAnASCIIFrameIsOnlyASCII(t *testing.T) {
	f := frame(true)
	f.Notice = Notice{ToneAct, "a notice that is cut… because it is long" + strings.Repeat(" and longer", 10)}
	for _, size := range [][2]int{{40, 10}, {60, 18}, {120, 40}} {
		if s := f.Render(size[0], size[1], "•••• 4242 → 12.50 – “done” ✓"); !ascii(s) {
			t.Errorf("at %v:\n%s", size, s)
		}
	}
}
