package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// View draws the confirmation in at most w×h cells: title, details, answers. When there is too
// little height, the details are cut.
func (c *Confirm) View(w, h int) (string, *tea.Cursor) {
	if w < 1 || h < 1 {
		return "", nil
	}
	head := c.title(w)
	foot, x := c.footer(w)
	head = head[:min(len(head), max(h-len(foot), 1))]
	body := c.details(w, h-len(head)-len(foot))
	lines := slices.Concat(head, body, foot)
	var cursor *tea.Cursor
	if y := len(head) + len(body); x >= 0 && x < w && y < h {
		cursor = steady(x, y)
	}
	return Lines(w, h, lines...), cursor
}

// Height is the least lines that have all of it.
func (c *Confirm) Height(w int) int {
	foot, _ := c.footer(w)
	return len(c.title(w)) + len(Wrap(strings.Join(c.question.Lines, "\n"), w)) + len(foot)
}

// title is the question in a rule, unless it would be cut there.
func (c *Confirm) title(w int) []string {
	if c.question.Ruled && width(c.question.Title)+2*least+2 <= w {
		return []string{c.theme.Rule(c.question.Title, "", w)}
	}
	return c.theme.StrongLines(c.question.Title, w)
}

// details draws the question's lines, with a blank line before and after where there is room.
func (c *Confirm) details(w, room int) []string {
	lines := Wrap(strings.Join(c.question.Lines, "\n"), w)
	switch {
	case room < 1:
		return nil
	case len(c.question.Lines) == 0:
		return []string{""}
	case len(lines)+2 <= room:
		return slices.Concat([]string{""}, lines, []string{""})
	}
	return shortened(lines, room)
}

// footer draws the text to type, the answers and the status line; x is the cursor's cell in the
// first line, -1 for none.
func (c *Confirm) footer(w int) (lines []string, x int) {
	x = -1
	if c.Typing() {
		ask := "Type " + c.question.Typed + " to continue: "
		box := max(min(w-width(ask)-2, len(c.question.Typed)+6), 0)
		value, at := c.typed.view(box, true)
		if at >= 0 {
			x = width(ask) + 1 + at
		}
		lines = append(lines, ask+"["+Fit(value, box)+"]", "")
	}
	// No and Yes: the focused one has a mark.
	answers := c.button(c.question.No, !c.yes) + "  " + c.button(c.question.Yes, c.yes)
	return append(lines, cut(answers, w), c.statusLine(w)), x
}

func (c *Confirm) button(word string, focused bool) string {
	style := c.theme.Plain
	switch {
	case focused:
		return c.theme.Accent.Render(chosenMark+word+"]") + " "
	case c.Typing() && word == c.question.Yes: // it takes the focus once the text stands there
		style = c.theme.Muted
	}
	return "  " + style.Render("["+word+"]") + " "
}

// statusLine always takes one line, so that nothing moves when a key was refused.
func (c *Confirm) statusLine(w int) string {
	if c.note == "" {
		return ""
	}
	return c.theme.Error.Render(cut("! "+c.note, w))
}
