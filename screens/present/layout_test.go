package present_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"paydesk/screens/present"
	"paydesk/ui"
)

// Terminals disagree on the width of some characters; a QR code beside them must not move.
func TestTheRightColumnStaysInPlaceHoweverTheTerminalCounts(t *testing.T) {
	theme := ui.NewTheme(false)
	for _, name := range []string{"Ada", "漢字", "Ẹ́kọ̀ Ọ̀ṣun", "👍🏿", "क्षि", "🇳🇬 flag", "1️⃣"} {
		line := present.SideBySide(20, []string{theme.Muted.Render("Name ") + name}, []string{"███"})[0]
		left, _, _ := strings.Cut(line, "█")
		if byCluster, byRune := ansi.StringWidth(left), ansi.StringWidthWc(left); byCluster != byRune || byCluster != 22 {
			t.Errorf("%q is %d or %d cells wide: %q", name, byCluster, byRune, line)
		}
	}
	if line := present.SideBySide(20, []string{"漢字 Ẹ́kọ̀"}, []string{"|"})[0]; !strings.HasPrefix(line, "漢字 Ẹ́kọ̀ ") {
		t.Errorf("text of undisputed width is written as %q", line)
	}
}
