package ui

import (
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"
)

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
	table := newTable(100, 0, 0)
	for h := -1; h <= 45; h += stride(h, MinHeight) {
		for w := -1; w <= 130; w += stride(w, MinWidth) {
			window := f.Render(w, h, body)
			fits(t, window, w, h)
			if lines := strings.Count(window, "\n") + 1; !TooSmall(w, h) && lines != h {
				t.Fatalf("the frame has %d lines in %d×%d", lines, w, h)
			}
			page := f.HelpLines(w, "Charges a card.", []HelpGroup{{"On this screen", many}}, strings.Repeat("Charges are sent once. ", 9))
			fits(t, Lines(w, len(page), page...), w, len(page))
			table.Resize(w, h)
			fits(t, table.View(), w, h)
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
