package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// least is the number of strokes that a rule keeps between its title and its note.
const least = 2

// Rule begins a group of lines: a line of w cells with the title, and a note at its end. The note is
// left out where there is no room for it, and a title that is too long is cut. Both are plain text.
//
//	── Timeline ─────────────────────────────── newest last ─
func (t *Theme) Rule(title, note string, w int) string {
	const around = 4 // strokes and a blank before a title; a blank after a note, a stroke and the blank before
	left, used := "", 0
	if title = cut(title, w-around-least); title != "" {
		left, used = t.stroke(2)+" "+t.Strong.Render(title)+" ", width(title)+around
	}
	if room := w - used - width(note) - around + 1; note != "" && room >= least {
		return left + t.stroke(room) + " " + t.Muted.Render(note) + " " + t.stroke(1)
	}
	return cut(left+t.stroke(w-used), w)
}

func (t *Theme) stroke(n int) string { return t.Muted.Render(strings.Repeat("─", max(n, 0))) }

// Chip is the status of what is open as a chip in reverse video, once on a screen and never in a row. Those
// tones of which somebody must find out more are wider and bold. ASCII has brackets around it.
//
//	▐◌ PENDING▌   ▐ ? UNRESOLVED ▌   [. PENDING]
func (t *Theme) Chip(tone Tone, word string) string {
	tone = min(tone, ToneUnknown)
	style := t.tones[tone].Style
	if tone != ToneNone {
		word = t.glyph(tone) + " " + word
	}
	if tone >= ToneMismatch {
		word, style = " "+word+" ", style.Bold(true)
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
