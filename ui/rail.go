package ui

// A Stop is something on a rail: what happened, or what is still to come.
type Stop struct {
	At    string   // when it was, as the time of day; "" while it is to come
	After string   // how long after the stop before, such as "2 min"; "" is not drawn
	What  string   // in one line, which may be styled
	More  []string // further lines about it, which may be styled
	Ahead bool     // it is still to come
}

// The columns of a rail: its line, and the time with a gap after it.
const (
	railWidth = 2
	atWidth   = 10
)

// RailText is the room for the words of a stop on a rail of w cells.
func RailText(w int) int { return max(w-railWidth-atWidth, 1) }

// Rail draws what happened as a rail, oldest first, in at most w×h cells, and returns how many stops are on
// it: the latest, and those to come. In a low window how long each took moves to the end of a line, then
// the oldest stops lose their further lines, and then they go.
//
//	● 21:04:43  ▲ INITIATED
//	│           initiation
//	│  +2 min 2 s
//	● 21:06:45  ◌ PENDING
//	│           check
//	○           ✓ or ✗
func (t *Theme) Rail(stops []Stop, w, h int) (lines []string, shown int) {
	parts, n := t.stops(stops, false, w)
	if n > h {
		parts, n = t.stops(stops, true, w)
	}
	for i, p := range parts {
		if n <= h {
			break
		}
		n -= len(p) - 1
		parts[i] = p[:1]
	}
	for ; len(parts) > 0 && n > h; n-- {
		parts = parts[1:]
	}
	for _, p := range parts {
		lines = append(lines, p...)
	}
	return lines, len(parts)
}

// stops are the lines of each stop, and how many there are of all. In a low window no line is for a
// duration alone.
func (t *Theme) stops(stops []Stop, low bool, w int) (parts [][]string, n int) {
	for i, s := range stops {
		part := []string{t.stop(s, low && i > 0, w)}
		along := t.Muted.Render("│") + " "
		for _, more := range s.More {
			if i+1 == len(stops) {
				along = blanks(railWidth) // nothing follows
			}
			part = append(part, cut(along+blanks(atWidth)+more, w))
		}
		if i+1 < len(stops) && stops[i+1].After != "" && !low {
			part = append(part, cut(along+t.Muted.Render(" +"+stops[i+1].After), w))
		}
		parts, n = append(parts, part), n+len(part)
	}
	return parts, n
}

// stop is the first line of a stop, with how long it took at its end if there is room.
func (t *Theme) stop(s Stop, took bool, w int) string {
	dot := "●"
	if s.Ahead {
		dot = "○"
	}
	line := Fit(dot, railWidth) + t.Muted.Render(Fit(s.At, atWidth)) + s.What
	if free := w - width(line) - 2; took && s.After != "" && width(s.After) < free {
		line += "  " + t.Muted.Render(fitRight("+"+s.After, free))
	}
	return cut(line, w)
}
