package present

import "paydesk/ui"

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
// where not all fit.
func Request(t *ui.Theme, json, where string, w, h int, paths ...string) []string {
	lines := t.MarkedJSON(json, w, paths...)
	plain := t.MarkedJSON(json, w)
	head := []string{t.Rule("What will be sent", where, w)}
	room := max(h-len(head), 0)
	if len(lines) <= room {
		return append(head, lines...)
	}
	if room < 3 {
		return head
	}
	marked := 0
	for marked < len(lines) && lines[marked] == plain[marked] {
		marked++
	}
	from := min(max(marked-room/2, 0), len(lines)-room)
	if marked == len(lines) {
		from = 0
	}
	shown := append([]string(nil), lines[from:from+room]...)
	if from > 0 {
		shown[0] = t.Muted.Render("  …")
	}
	if from+room < len(lines) {
		shown[room-1] = t.Muted.Render("  …")
	}
	return append(head, shown...)
}
