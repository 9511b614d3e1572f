package ui

import (
	"fmt"
	"strings"
)

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
	name := pick(words || current, " "+s.Name, "")
	switch {
	case current:
		return t.Accent.Bold(true).Render(t.Text("●" + name))
	case s.Done:
		return t.Text("✓" + name) // green is reserved for payments that succeeded
	}
	return t.Muted.Render(t.Text("○" + name))
}
