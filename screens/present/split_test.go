package present_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"paydesk/screens/present"
	"paydesk/ui"
)

func TestARequestThatIsTooLongShowsTheLineThatIsMarked(t *testing.T) {
	theme := ui.NewTheme(false)
	json := "{\n" + strings.Repeat("  \"a\": 1,\n", 20) + "  \"b\": 2,\n" + strings.Repeat("  \"c\": 3,\n", 20) + "}"
	for path, want := range map[string]string{"": `"a"`, "b": `▌   "b"`, "a": `▌   "a"`} {
		lines := present.Request(theme, json, "POST …/pay/initiate", 44, 12, path)
		got := ansi.Strip(strings.Join(lines, "\n"))
		if len(lines) != 12 || !strings.Contains(got, want) || !strings.HasPrefix(got, "── What will be sent ─") || !strings.Contains(got, "\n  …") {
			t.Errorf("%q:\n%s", path, got)
		}
	}
	if lines := present.Request(theme, "{}", "", 44, 12); len(lines) != 2 {
		t.Errorf("%q", lines)
	}
	for h := range 4 {
		if n := len(present.Request(theme, json, "", 44, h, "b")); n > max(h, 1) {
			t.Errorf("%d lines in %d", n, h)
		}
	}
}

func TestAFormAndItsRequestShareTheWidth(t *testing.T) {
	for w := present.SplitFrom; w < 240; w++ {
		if left, right := present.SplitWidths(w); left < 60 || right < 43 || left+right+3 != w {
			t.Errorf("%d is %d and %d", w, left, right)
		}
	}
}
