package ui

import (
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// bin is a bin with whole pounds for its bounds.
func bin(from, to string, n int) Bin {
	return Bin{Label: from + " – " + to, Short: from, Count: strconv.Itoa(n), N: n}
}

// Whatever is counted and however wide it is, no bound and no number is cut, their right ends are aligned, and a bar is
// there exactly where the number is not 0.
func TestAHistogramNeverCutsANumber(t *testing.T) {
	theme := NewTheme(false)
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(24, 160).Draw(t, "w")
		var bins []Bin
		for range rapid.IntRange(0, 60).Draw(t, "bins") {
			n := rapid.OneOf(rapid.Just(0), rapid.IntRange(1, 3), rapid.IntRange(0, 1_000_000)).Draw(t, "n")
			from := strconv.Itoa(rapid.IntRange(0, 1_000_000_000).Draw(t, "from"))
			bins = append(bins, bin(from, "9"+from, n))
		}
		end := 0
		for _, l := range theme.Histogram(w, bins) {
			l = ansi.Strip(l)
			numbers := strings.TrimRight(l, "█ ")
			if e := ansi.StringWidth(numbers); ansi.StringWidth(l) > w || end > 0 && e != end {
				t.Fatalf("%q of %d cells, whose numbers end at %d and not at %d", l, w, e, end)
			} else {
				end = e
			}
			fields := strings.Fields(numbers)
			some, roomy := fields[len(fields)-1] != "0", w-end >= leastBar+len(binGap)
			if strings.Contains(l, "█") != (some && roomy) {
				t.Fatalf("%q of %d cells", l, w)
			}
		}
	})
}

func TestSharesAddUpToTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.IntRange(0, 1000).Draw(t, "of")
		parts := rapid.SliceOfN(rapid.IntRange(0, 1_000_000), 0, 12).Draw(t, "parts")
		whole, given := 0, 0
		for _, n := range parts {
			whole += n
		}
		for i, n := range Shares(of, parts...) {
			given += n
			if exact := parts[i] * of; whole > 0 && (n < exact/whole || n > exact/whole+1) {
				t.Fatalf("%d of %d get %d of %d", parts[i], whole, n, of)
			}
		}
		if whole > 0 && given != of || whole == 0 && given != 0 {
			t.Fatalf("%d of %d were given", given, of)
		}
	})
}
