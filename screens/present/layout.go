package present

import (
	"slices"

	"paydesk/api/text"
	"paydesk/ui"
)

// SideBySide puts right, if there is any, beside left, which gets w cells.
func SideBySide(w int, left, right []string) []string {
	if len(right) == 0 {
		return left
	}
	lines := make([]string, max(len(left), len(right)))
	copy(lines, left)
	for i := range lines {
		if lines[i] = ui.Fit(ui.StableWidth(lines[i]), w) + "  "; i < len(right) {
			lines[i] += right[i]
		}
	}
	return lines
}

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

// SplitFrom is the width of a body, in a window of 110 columns, from which a form has beside it what it sends, and a page its
// history.
const SplitFrom = 108

// SplitWidths divides a body of w cells between a form or a page and what stands beside it, which is at least as wide as
// a long line of a request. Text is not read well in longer lines than those on the left.
func SplitWidths(w int) (left, right int) {
	const least, mostLeft, between = 45, 90, 3
	left = min(w-max(w*2/5, least)-between, mostLeft)
	return left, w - left - between
}

// Request is the JSON of a request under a rule, in w×h cells. The lines that paths name are marked, and visible
// where not all fit. It is drawn as the fields are, which take joined emoji apart.
func Request(t *ui.Theme, json, where string, w, h int, paths ...string) []string {
	lines, marked := t.MarkedJSON(text.SplitEmoji(json), w, paths...)
	head := []string{t.Rule("What will be sent", where, w)}
	room := max(h-len(head), 0)
	if len(lines) <= room {
		return append(head, lines...)
	}
	if room < 3 {
		return head
	}
	from := min(max(marked-room/2, 0), len(lines)-room)
	shown := append([]string(nil), lines[from:from+room]...)
	if from > 0 {
		shown[0] = t.Muted.Render("  …")
	}
	if from+room < len(lines) {
		shown[room-1] = t.Muted.Render("  …")
	}
	return append(head, shown...)
}
