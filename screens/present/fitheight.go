package present

import "slices"

// A Line may be left out when there are too many for the height: the highest rank goes first,
// and of equal ranks the last line. Lines of rank 0 always stay.
type Line struct {
	Text string
	Rank int
	Part bool // of the line before: both go, or none
}

// Rows gives every text the same rank.
func Rows(rank int, texts ...string) []Line {
	lines := make([]Line, len(texts))
	for i, t := range texts {
		lines[i] = Line{Text: t, Rank: rank}
	}
	return lines
}

// Paragraph gives every text the same rank, and lets none go without the others.
func Paragraph(rank int, texts ...string) []Line {
	lines := Rows(rank, texts...)
	for i := range lines {
		lines[i].Part = i > 0
	}
	return lines
}

// FitHeight leaves out lines until at most h are left, or until only rank 0 remains.
func FitHeight(h int, lines []Line) []string {
	lines = slices.Clone(lines)
	for len(lines) > max(h, 0) {
		worst := 0
		for i, l := range lines {
			if l.Rank > 0 && l.Rank >= lines[worst].Rank {
				worst = i
			}
		}
		if lines[worst].Rank == 0 {
			break
		}
		from, to := worst, worst+1
		for ; lines[from].Part; from-- {
		}
		for ; to < len(lines) && lines[to].Part; to++ {
		}
		lines = slices.Delete(lines, from, to)
	}
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.Text
	}
	return texts
}
