package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestAChipIsToldFromWordsWithoutColours(t *testing.T) {
	for name, theme := range themes() {
		chip := theme.Chip(ToneWait, "PENDING")
		want := "▐◌ PENDING▌"
		if theme.ASCII {
			want = "[. PENDING]"
		}
		if got := bare(theme, chip); got != want {
			t.Errorf("%s: the chip is %q, not %q", name, got, want)
		}
		if !strings.Contains(chip, "\x1b[7") && !strings.Contains(chip, ";7") {
			t.Errorf("%s: the chip is not in reverse video: %q", name, chip)
		}
		for tone := ToneGood; tone <= ToneUnknown; tone++ {
			loud := width(theme.Chip(tone, "WORD")) > width(theme.Chip(ToneNone, "WORD"))+2
			if want := tone == ToneMismatch || tone == ToneUnknown; loud != want {
				t.Errorf("%s: the chip of tone %d is %q", name, tone, bare(theme, theme.Chip(tone, "WORD")))
			}
		}
	}
	if got := ansi.Strip(NewTheme(false).Chip(Tone(200), "NEW")); got != "▐ ? NEW ▌" {
		t.Errorf("an undefined tone is drawn %q", got)
	}
	if got := ansi.Strip(NewTheme(true).Chip(ToneNone, "SANDBOX")); got != "[SANDBOX]" {
		t.Errorf("a chip without a tone is drawn %q", got)
	}
}
