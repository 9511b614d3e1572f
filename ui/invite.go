package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
)

// inviteWidth is the most cells that a line of an invitation takes, so that it is read at a glance.
const inviteWidth = 56

// Invite draws a screen that has nothing to show yet: a sentence, and the key that changes that, at a third of the
// height. A key that is disabled is left out.
func (t *Theme) Invite(sentence string, k key.Binding, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	words := Wrap(sentence, min(w, inviteWidth))
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

// Stage puts lines of at most width cells in the middle of w×h cells, with a third of the empty lines above them: for a screen
// that has only some choices.
func Stage(w, h, width int, lines []string) string {
	indent := blanks(max(w-width, 0) / 2)
	staged := make([]string, max(h-len(lines), 0)/3, max(h, 1))
	for _, l := range lines {
		staged = append(staged, indent+l)
	}
	return Lines(w, h, staged...)
}
