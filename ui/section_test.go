package ui

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestARuleHasItsWidth(t *testing.T) {
	for w := range 60 {
		if got := NewTheme(false).Rule("Timeline", "newest last", w); ansi.StringWidth(got) != w {
			t.Errorf("a rule of %d cells has %d: %q", w, ansi.StringWidth(got), ansi.Strip(got))
		}
	}
}

// A stroke under blanks in reverse video tears a chip apart.
func TestNoChipIsUnderlined(t *testing.T) {
	underlined := regexp.MustCompile(`\x1b\[([0-9;]*;)?4[;m]`)
	for _, b := range []Background{AnyBackground, Light, Dark} {
		theme := NewTheme(false).Sixteen().On(b)
		for _, tone := range tones {
			if chip := theme.Chip(tone, "TWO WORDS"); underlined.MatchString(chip) {
				t.Errorf("%q: the chip of tone %d is %q", b, tone, chip)
			}
		}
	}
	if mark := NewTheme(false).Sixteen().On(Dark).Mark(ToneUnknown, "WORD"); !underlined.MatchString(mark) {
		t.Errorf("a mark that has no colour of its own is %q", mark)
	}
}

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
