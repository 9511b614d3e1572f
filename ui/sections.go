package ui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"
)

// least is the number of strokes that a rule keeps between its title and its note.
const least = 2

// Rule begins a group of lines: a line of w cells with the title, and a note at its end. The note is
// left out where there is no room for it, and a title that is too long is cut. Both are plain text.
//
//	── Timeline ─────────────────────────────── newest last ─
func (t *Theme) Rule(title, note string, w int) string {
	return t.DrawnRule(t.Strong.Render(title), t.Muted.Render(note), w)
}

// RuleStrokes are the cells of a rule besides its title and its note, at least.
const RuleStrokes = 9

// DrawnRule is [Theme.Rule] with a title and a note that are drawn already.
func (t *Theme) DrawnRule(title, note string, w int) string {
	const around = 4 // strokes and a blank before a title; a blank after a note, a stroke and the blank before
	left, used := "", 0
	if title = cut(title, w-around-least); width(title) > 0 {
		left, used = t.strokes(2)+" "+title+" ", width(title)+around
	}
	if room := w - used - width(note) - around + 1; width(note) > 0 && room >= least {
		return left + t.strokes(room) + " " + note + " " + t.strokes(1)
	}
	return cut(left+t.strokes(w-used), w)
}

func (t *Theme) strokes(n int) string { return t.Muted.Render(strings.Repeat("─", max(n, 0))) }

// Chip is the status of what is open as a chip in reverse video, once on a screen and never in a row. From
// [ToneMismatch] on it is bold: a person must find out more. ASCII has brackets around it.
//
//	▐◌ PENDING▌   [. PENDING]
func (t *Theme) Chip(tone Tone, word string) string {
	tone = min(tone, ToneUnknown)
	style := t.tones[tone].Style
	if tone != ToneNone {
		word = t.glyph(tone) + " " + word
	}
	if tone >= ToneMismatch {
		style = style.Bold(true)
	}
	return t.chip(style, word)
}

// chip is words in reverse video between the halves of a block.
func (t *Theme) chip(style lipgloss.Style, words string) string {
	style = style.Inline(true).Underline(false) // blanks in reverse video would be drawn as strokes
	if t.ASCII {
		return style.Reverse(true).Render("[" + words + "]")
	}
	return style.Render("▐") + style.Reverse(true).Render(words) + style.Render("▌")
}

// A Step is one step of [Theme.Stepper].
type Step struct {
	Name string
	Done bool
}

// Stepper draws steps on one line of at most w cells: those that were, the current one in the accent
// colour, those to come, with names only where they fit.
//
//	✓ Amount ── ● Channel ── ○ Customer
//	✓ Amount ─ ● Channel ─ ○ Customer
//	✓ Amount ● Channel ○ Customer
//	✓ ── ● Channel ── ○
//	● Channel, step 2 of 3
func (t *Theme) Stepper(w, current int, steps ...Step) string {
	var line string
	for _, l := range []struct {
		words bool
		gap   string
	}{{true, " ── "}, {true, " ─ "}, {true, " "}, {false, " ── "}} {
		parts := make([]string, len(steps))
		for i, s := range steps {
			parts[i] = t.step(i == current, s, l.words)
		}
		line = strings.Join(parts, t.Muted.Render(t.Text(l.gap)))
		if width(line) <= w {
			return line
		}
	}
	if current >= 0 && current < len(steps) {
		line = t.step(true, steps[current], true) + t.Muted.Render(fmt.Sprintf(", step %d of %d", current+1, len(steps)))
	}
	return t.Text(cut(line, w))
}

// step draws one step; the current one always has its name.
func (t *Theme) step(current bool, s Step, words bool) string {
	name := ""
	if words || current {
		name = " " + s.Name
	}
	switch {
	case current:
		return t.Accent.Bold(true).Render(t.Text("●" + name))
	case s.Done:
		return t.Text("✓" + name) // green is reserved for payments that succeeded
	}
	return t.Muted.Render(t.Text("○" + name))
}

// A Stop is something on a rail: what happened, or what is still to come.
type Stop struct {
	At    string   // its time of day; "" while it is to come
	After string   // the time since the stop before, such as "2 min"; "" is not drawn
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
	return slices.Concat(parts...), len(parts)
}

// stops returns the lines of each stop, and their number. In a low window no line is for a
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

// InviteWidth is the most cells that a line of an invitation takes, so that it is read at a glance.
const InviteWidth = 56

// Invite draws a screen that has nothing to show yet: a sentence, and the key that changes that.
func (t *Theme) Invite(sentence string, k key.Binding, w, h int) []string {
	return t.Third(Wrap(sentence, min(w, InviteWidth)), k, w, h)
}

// Third draws lines, and a key below them, at a third of the height in the middle of the width. A key that is disabled is left out.
func (t *Theme) Third(words []string, k key.Binding, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	widest := 0
	for _, l := range words {
		widest = max(widest, width(l))
	}
	lines := make([]string, max((h-len(words))/3, 0), h)
	indent := blanks((w - widest) / 2)
	for _, l := range words {
		lines = append(lines, indent+l)
	}
	if k.Enabled() && k.Help().Key != "" {
		lines = append(lines, "", indent+t.Strong.Render(k.Help().Key)+"  "+t.Muted.Render(k.Help().Desc))
	}
	return strings.Split(Lines(w, h, lines...), "\n")
}
