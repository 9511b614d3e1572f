package ui

import (
	"fmt"
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

func TestTheHelpBarShowsBackOnceWithTheScreensOwnLabel(t *testing.T) {
	f := frame(false)
	f.Keys = []key.Binding{binding("esc", "stop waiting"), binding("enter", "review"), Back, HelpTyping}
	lines := screen(f, 80, 24, "")
	if bar := lines[23]; bar != " enter review   esc stop waiting   f1 help" {
		t.Errorf("help bar %q", bar)
	}
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

func TestTheTitleOfTheWindowSaysWhereItIs(t *testing.T) {
	f := frame(false)
	f.Trail = []string{"Payment 052feb59-dba7-4e1a-bd4f-001122334455"}
	if title := f.WindowTitle(); title != "paydesk · SANDBOX · Payment 052feb59-dba7-4e1a-bd4f-001122334455" {
		t.Errorf("the window's title is %q", title)
	}
}

func TestDisabledHelpIsNotInTheBar(t *testing.T) {
	f := frame(false)
	off := Help
	off.SetEnabled(false)
	f.Keys = []key.Binding{binding("esc", "close"), off}
	if bar := screen(f, 80, 24, "")[23]; bar != " esc close" {
		t.Errorf("help bar %q", bar)
	}
}

func TestASmallWindowShowsTheSizeNeeded(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{
		{59, 40, "▐SANDBOX▌  127.0.0.1:8099\npaydesk needs 60×18; this window is 59×40\nesc back   ctrl+c quit"},
		{200, 17, "▐SANDBOX▌  127.0.0.1:8099\npaydesk needs 60×18; this window is 200×17\nesc back   ctrl+c quit"},
		{40, 10, "▐SANDBOX▌  127.0.0.1:8099\npaydesk needs 60×18, has 40×10\nesc back   ctrl+c quit"},
		{20, 3, "▐SANDBOX▌  …0.1:8099\nneeds 60×18\nctrl+c quit"},
		{20, 2, "▐SANDBOX▌  …0.1:8099\nneeds 60×18"},
		{12, 3, "▐SANDBOX▌\nneeds 60×18\nctrl+c quit"},
		{200, 1, "▐SANDBOX▌  127.0.0.1:8099  paydesk needs 60×18; this window is 200×1"},
		{20, 1, "▐SANDBOX▌  too small"},
		{50, 1, "▐SANDBOX▌  127.0.0.1:8099  needs 60×18"},
		{8, 1, "SANDBOX"},
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

func TestANarrowFrameKeepsEnvironmentTitleAndHelp(t *testing.T) {
	f := frame(false)
	f.Host, f.Trail = "a-very-long-host-name.of.the.payments.example:8443", []string{"Activity", "One payment"}
	for i := range 12 {
		f.Keys = append(f.Keys, binding(fmt.Sprint("f", i+2), "something"))
	}
	lines := screen(f, MinWidth, MinHeight, "")
	if want := " paydesk ▸ … ▸ One payment   …ments.example:8443  ▐SANDBOX▌"; lines[0] != want {
		t.Errorf("header %q", lines[0])
	}
	if bar := lines[MinHeight-1]; !strings.HasPrefix(bar, " tab next   enter review") || !strings.HasSuffix(bar, "   esc back   ? help") {
		t.Errorf("help bar %q", bar)
	}
}
