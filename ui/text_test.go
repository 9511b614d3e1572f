package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// An id of the service is read in its groups.
func TestAWordLongerThanALineIsBrokenAfterADash(t *testing.T) {
	for word, want := range map[string][]string{
		"d22f5c05-6745-4e4c-967a-c92bfbbad857": {"d22f5c05-6745-4e4c-967a-", "c92bfbbad857"},
		"a-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb": {"a-bbbbbbbbbbbbbbbbbbbbbbbbbbbb", "bbbbbb"}, // too far from the end
	} {
		if got := Wrap(word, 30); !slices.Equal(got, want) {
			t.Errorf("%s: %q", word, got)
		}
	}
}

func TestFitCutsWithAnEllipsisAndPads(t *testing.T) {
	for _, c := range []struct {
		s           string
		w           int
		left, right string
	}{
		{"Amount", 8, "Amount  ", "  Amount"},
		{"Amount", 4, "Amo…", "Amo…"},
		{"Amount", -3, "", ""},
		{"漢字漢字", 4, "漢… ", " 漢…"},
		{"a\r\nb\tc", 5, "a b c", "a b c"},
		{"\x1b[31mAmount\x1b[m", 4, "\x1b[31mAmo…\x1b[m", "\x1b[31mAmo…\x1b[m"},
	} {
		if got := Fit(c.s, c.w); got != c.left {
			t.Errorf("Fit(%q, %d) = %q, not %q", c.s, c.w, got, c.left)
		}
		if got := fitRight(c.s, c.w); got != c.right {
			t.Errorf("fitRight(%q, %d) = %q, not %q", c.s, c.w, got, c.right)
		}
	}
}

func TestWrapBreaksAtBlanks(t *testing.T) {
	for _, c := range []struct {
		s     string
		w     int
		lines []string
	}{
		{"the bank asks the payer", 10, []string{"the bank", "asks the", "payer"}},
		{"ab cd", 5, []string{"ab cd"}},
		{"ab  cd", 4, []string{"ab", "cd"}},
		{"see https://pay.example/x now", 8, []string{"see", "https://", "pay.exam", "ple/x", "now"}},
		{"one\n\ntwo", 9, []string{"one", "", "two"}},
		{"", 9, []string{""}},
		{"漢字", 1, []string{""}},
		{"漢字 a", 3, []string{"漢", "字", "a"}},
		{"abc", 0, nil},
	} {
		if diff := cmp.Diff(c.lines, Wrap(c.s, c.w)); diff != "" {
			t.Errorf("Wrap(%q, %d):\n%s", c.s, c.w, diff)
		}
	}
}

func TestWrapLosesNoWordAndKeepsTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("ab  é漢-\n"))).Draw(t, "text")
		w := rapid.IntRange(2, 12).Draw(t, "width")
		lines := Wrap(s, w)
		for _, line := range lines {
			if ansi.StringWidth(line) > w {
				t.Fatalf("%q is wider than %d", line, w)
			}
		}
		letters := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if letters(s) != letters(strings.Join(lines, " ")) {
			t.Fatalf("%q became %q", s, lines)
		}
	})
}

func TestCellsAreCountedAsTheLibraryDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{
			"a", "12.50 GBP", "─", "▸", "é", "e\u0301", "日本", "👍🏽", "❤\ufe0f", "\u200d", "\x00", "\x7f", "\x80", "\x1b",
			"\x1b[1m", "\x1b[m", "\x1b[38;5;243m", "\x1b[4:3m", "\x1b[2K", "\x1b[", "\x1b]8;;https://x.example\x1b\\",
		})
		s := strings.Join(rapid.SliceOfN(part, 0, 8).Draw(t, "parts"), "")
		if got, want := width(s), ansi.StringWidth(s); got != want {
			t.Errorf("%q takes %d cells, not %d", s, want, got)
		}
	})
}
