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

func TestTheHelpBarHasWhatEndsALongForm(t *testing.T) {
	f := frame(false)
	form := NewForm(f.Theme, NewChoiceField(f.Theme, "Currency", "", "NGN", "GBP"), NewTextField(f.Theme, "Name", ""))
	form.SubmitLabel("next step")
	f.Keys = append(form.Keys(), Back)
	if lines := screen(f, 60, 18, ""); lines[17] != " ←/→ choose   ctrl+s next step   esc back   ? help" {
		t.Errorf("the help bar is %q", lines[17])
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

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// fits fails when s takes more than w×h cells.
func fits(t failer, s string, w, h int) {
	t.Helper()
	if s == "" {
		return
	}
	lines := strings.Split(s, "\n")
	if len(lines) > max(h, 0) {
		t.Fatalf("%d lines in %d×%d:\n%s", len(lines), w, h, s)
	}
	for _, line := range lines {
		if n := ansi.StringWidth(line); n > max(w, 0) {
			t.Fatalf("%d cells in %d×%d: %q", n, w, h, line)
		}
	}
}

func TestNothingIsEverLargerThanItsSize(t *testing.T) {
	f := frame(false)
	f.Trail = []string{"Ein sehr langer Titel mit 漢字 und mehr"}
	f.Notice = Notice{ToneWait, strings.Repeat("waiting ", 30)}
	f.Environment = "LIVE"
	var many []key.Binding
	for range 20 {
		many = append(many, binding("shift+tab", "goes to the field before this one"))
	}
	f.Keys = append(f.Keys, many...)
	steps := []Step{{"Amount", true}, {"Channel", true}, {"Customer", false}, {"Card", false}, {"Review", false}}
	body := strings.Repeat("漢字 ", 60) + strings.Repeat("\nx", 60)
	for h := -1; h <= 45; h += stride(h, MinHeight) {
		for w := -1; w <= 130; w += stride(w, MinWidth) {
			window := f.Render(w, h, body)
			fits(t, window, w, h)
			if lines := strings.Count(window, "\n") + 1; !TooSmall(w, h) && lines != h {
				t.Fatalf("the frame has %d lines in %d×%d", lines, w, h)
			}
			page := f.HelpLines(w, "Charges a card.", []HelpGroup{{"On this screen", many}}, strings.Repeat("Charges are sent once. ", 9))
			fits(t, Lines(w, len(page), page...), w, len(page))
			fits(t, NewTheme(false).Stepper(w, h%6, steps...), w, 1)
			bw, bh := BodySize(w, h)
			if bw < 0 || bh < 0 || bw > max(w, 0) || bh > max(h, 0) {
				t.Fatalf("a body of %d×%d in %d×%d", bw, bh, w, h)
			}
		}
	}
}

// stride steps through every size up to a little above the minimum and some larger ones.
func stride(at, least int) int {
	if at < least+4 {
		return 1
	}
	return 7
}
