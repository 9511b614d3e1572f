package ui

import (
	"strconv"
	"strings"
)

// A Step is one step of [Theme.Stepper].
type Step struct {
	Name string
	Done bool
}

// Stepper draws steps on one line of at most w cells: the done ones marked, the current one in
// the accent colour and in brackets, with names only where they fit.
//
//	✓ Amount ── [2 Channel] ── 3 Customer
//	✓ Amount [2 Channel] 3 Customer
//	✓ ── [2 Channel] ── 3
//	[2 Channel] of 3
func (t *Theme) Stepper(w, current int, steps ...Step) string {
	var line string
	for _, l := range []struct {
		words bool
		gap   string
	}{{true, " ── "}, {true, " "}, {false, " ── "}} {
		parts := make([]string, len(steps))
		for i, s := range steps {
			parts[i] = t.step(i, current, s, l.words)
		}
		line = strings.Join(parts, t.Muted.Render(t.Text(l.gap)))
		if width(line) <= w {
			return line
		}
	}
	if current >= 0 && current < len(steps) {
		line = t.step(current, current, steps[current], true) + t.Muted.Render(" of "+strconv.Itoa(len(steps)))
	}
	return t.Text(cut(line, w))
}

// step draws one step; the current one always has its name.
func (t *Theme) step(i, current int, s Step, words bool) string {
	mark := strconv.Itoa(i + 1)
	if s.Done {
		mark = t.glyph(ToneGood)
	}
	switch {
	case i == current:
		return t.Accent.Render("[" + mark + " " + s.Name + "]")
	case words:
		mark += " " + s.Name
	}
	if s.Done {
		return mark // green is reserved for payments that succeeded
	}
	return t.Muted.Render(mark)
}
