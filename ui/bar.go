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

// barGlyphs has a glyph for each tone. In ASCII they are chosen here, by what they mean: the twins of [Theme.Text] are one
// for each glyph, and # is the twin of █.
var barGlyphs = [...]barGlyph{
	ToneNone: {"░", "."}, ToneGood: {"█", "#"}, ToneBad: {"▓", "x"}, ToneWait: {"▒", "="}, ToneAct: {"▒", "="},
	ToneMismatch: {"▀", "!"}, ToneUnknown: {"▄", "?"},
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
