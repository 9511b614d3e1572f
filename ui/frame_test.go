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

// What to do stands at the end of most notices: a long one takes the last line of the body as well, unless the focus is there.
func TestALongNoticeIsReadToItsEnd(t *testing.T) {
	f := frame(false)
	f.Notice = Notice{ToneAct, "The sandbox cannot lose an answer now. Open its screen (f3), and arm a fault there (F)."}
	body := strings.Repeat("row\n", 13) + "the last row"
	got := strings.Join(screen(f, 60, 18, body)[15:17], "\n")
	if want := " ▲ The sandbox cannot lose an answer now. Open its screen\n   (f3), and arm a fault there (F)."; got != want {
		t.Errorf("the notice is %q", got)
	}
	body = strings.Repeat("row\n", 13) + focusMark + " the last row"
	if lines := screen(f, 60, 18, body); lines[15] != " "+focusMark+" the last row" || !strings.HasSuffix(lines[16], "…") {
		t.Errorf("the marked row and the notice are %q", lines[15:17])
	}
}

func TestASmallWindowShowsTheSizeNeeded(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{
		{59, 40, "▐SANDBOX▌  127.0.0.1:8099\npaydesk needs 60×18; this window is 59×40\nesc back   ctrl+c quit"},
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
