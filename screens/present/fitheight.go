package present

import "slices"

// A Line gives way when the height does not do: of the lines that do not fit, those
// of the highest rank go first, and of equals the last. Lines of rank 0 stay.
type Line struct {
	Text string
	Rank int
}

// Rows makes lines of one rank.
func Rows(rank int, texts ...string) []Line {
	lines := make([]Line, len(texts))
	for i, t := range texts {
		lines[i] = Line{t, rank}
	}
	return lines
}

// FitHeight leaves out lines until at most h are left, or none that can go.
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
		lines = slices.Delete(lines, worst, worst+1)
	}
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.Text
	}
	return texts
}
