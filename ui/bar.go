package ui

import (
	"slices"
	"strings"
)

// A Part says how much of a [Theme.Bar] has a tone. [ToneNone] is neither good nor bad.
type Part struct {
	Tone Tone
	N    int
}

// A barGlyph fills a cell of a bar, so that two parts differ without colour too.
type barGlyph struct{ glyph, ascii string }

// barGlyphs has a glyph for each tone; a part that is alone in its bar has that of [ToneGood] in any. In ASCII they are chosen here, by
// what they mean: the twins of [Theme.Text] are one for each glyph, and # is the twin of █.
var barGlyphs = [...]barGlyph{
	ToneNone: {"░", "."}, ToneDone: {"●", "*"}, ToneGood: {"█", "#"}, ToneBad: {"▓", "x"}, ToneWait: {"▒", "="}, ToneAct: {"▞", "^"},
	ToneMismatch: {"▚", "!"}, ToneUnknown: {"▌", "?"},
}

// Bar draws parts of a whole as a bar of w cells, one after the other; what they leave of the whole is drawn as
// nothing yet. A part that is not 0 has a cell at least, as long as there are as many, so that what is rare can be
// seen. A bar says how much, but not how many: put the numbers beside it.
func (t *Theme) Bar(w, whole int, parts ...Part) string {
	parts, sizes := barSizes(w, whole, parts)
	var b strings.Builder
	for i, p := range parts {
		if sizes[i] == 0 {
			continue
		}
		g := barGlyphs[p.Tone]
		if p.Tone != ToneNone && len(parts) == 2 { // with the rest
			g = barGlyphs[ToneGood]
		}
		cells := strings.Repeat(g.glyph, sizes[i])
		if t.ASCII {
			cells = strings.Repeat(g.ascii, sizes[i])
		}
		style := t.tones[p.Tone]
		if p.Tone == ToneNone {
			style = t.Muted
		}
		b.WriteString(style.Inline(true).Render(cells))
	}
	return b.String()
}

// barSizes shares w cells among the parts and the rest of the whole, which is the last part it returns. Each ends where its share of
// the whole ends, so that they fill the bar. It calculates with integers only.
func barSizes(w, whole int, parts []Part) (all []Part, sizes []int) {
	sum, some := 0, 0
	for _, p := range parts {
		p.N, p.Tone = max(p.N, 0), min(p.Tone, ToneUnknown)
		if all = append(all, p); p.N > 0 {
			some++
		}
		sum += p.N
	}
	rest := max(whole-sum, 0)
	if sum+rest == 0 {
		rest = 1 // nothing yet fills the bar
	}
	all = append(all, Part{ToneNone, rest})
	total, end, cells := sum+rest, 0, 0
	for _, p := range all {
		end += p.N
		to := (2*end*max(w, 0) + total) / (2 * total) // rounded to the nearest cell
		sizes = append(sizes, to-cells)
		cells = to
	}
	if some <= w {
		showRare(all[:len(parts)], sizes)
	}
	return all, sizes
}

// showRare gives each part that is not 0 a cell, taken from the widest, or from what the parts leave of the whole where
// none has two.
func showRare(parts []Part, sizes []int) {
	for i, p := range parts {
		if p.N > 0 && sizes[i] == 0 {
			from := largest(sizes)
			if sizes[from] == 1 {
				from = len(parts)
			}
			sizes[from]--
			sizes[i]++
		}
	}
}

// largest is the index of the first of the largest numbers.
func largest(all []int) int { return slices.Index(all, slices.Max(all)) }

// A Bin is one line of a [Theme.Histogram]: how often something lies between two bounds.
type Bin struct {
	Label string // the bounds, plain text
	Short string // fewer words for where there is no room for both the bounds and a bar; "" for the label
	Count string // N as people read it
	N     int
}

const (
	leastBar  = 8 // cells of a bar that show how one bin compares with another
	binGap    = "  "
	emptyRun  = 3 // empty bins, one after the other, that are drawn as one line
	emptyMark = "…"
)

// Histogram draws bins as lines of at most w cells: the bounds and the numbers with their right ends aligned, never
// cut, and bars as long as the numbers are large. A bin that is not 0 has a cell at least, so that what is rare can be
// seen. Where there is no room for bars the numbers stand alone. Many empty bins between others are one line.
func (t *Theme) Histogram(w int, bins []Bin) []string {
	bins = withoutRuns(bins)
	label, count := binWidths(bins)
	if label+count+2*len(binGap)+leastBar > w {
		for i, s := range bins {
			if s.Short != "" {
				bins[i].Label = s.Short
			}
		}
		label, count = binWidths(bins)
	}
	most := 0
	for _, s := range bins {
		most = max(most, s.N)
	}
	room := w - label - count - 2*len(binGap)
	var lines []string
	for _, s := range bins {
		if label+len(binGap)+count > w { // narrower than any window the console draws in
			lines = append(lines, Right(s.Label, w), Right(t.Strong.Render(s.Count), w))
			continue
		}
		line := t.binLabel(Right(s.Label, label)) + binGap + Right(t.Strong.Render(s.Count), count)
		if s.N > 0 && room >= leastBar {
			line += binGap + t.CountBar(room, s.N, most)
		}
		lines = append(lines, line)
	}
	return lines
}

// barLength returns how many of w cells a number has, of which the largest has all.
func barLength(w, n, most int) int {
	if n <= 0 || w < 1 {
		return 0
	}
	return min(max(n*w/max(most, 1), 1), w)
}

// CountBar draws a number as a part of w cells, which the largest fills: at least one cell, and none for 0.
func (t *Theme) CountBar(w, n, most int) string {
	g := barGlyphs[ToneGood].glyph
	if t.ASCII {
		g = barGlyphs[ToneGood].ascii
	}
	return t.Accent.Inline(true).Render(strings.Repeat(g, barLength(w, n, most)))
}

func (t *Theme) binLabel(label string) string {
	if strings.TrimLeft(label, " ") == emptyMark {
		return t.Muted.Render(label)
	}
	return label
}

// withoutRuns is a copy of the bins in which each long run of empty ones is one.
func withoutRuns(bins []Bin) (kept []Bin) {
	for i := 0; i < len(bins); {
		end := i
		for end < len(bins) && bins[end].N == 0 {
			end++
		}
		if end-i >= emptyRun {
			kept = append(kept, Bin{Label: emptyMark, Count: bins[i].Count})
			i = end
			continue
		}
		kept = append(kept, bins[i:max(end, i+1)]...)
		i = max(end, i+1)
	}
	return kept
}

// binWidths are the cells that the widest label and the widest number need.
func binWidths(bins []Bin) (label, count int) {
	for _, s := range bins {
		label, count = max(label, width(s.Label)), max(count, width(s.Count))
	}
	return label, count
}
