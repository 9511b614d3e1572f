package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// A Style is how a role looks. Nearly all that is drawn in it is a part of one line, for which lipgloss would weigh
// borders, margins and widths each time: what it puts around such a text is found out once.
type Style struct {
	lipgloss.Style
	before, after string
	simple        bool // the text stands between them as it is
}

// styled is a style of lipgloss with what it puts around a text.
func styled(s lipgloss.Style) Style {
	const probe = "a b"
	before, after, simple := strings.Cut(s.Render(probe), probe)
	return Style{s, before, after, simple}
}

// Render draws a text.
func (s Style) Render(text string) string {
	if !s.simple || text == "" || strings.ContainsAny(text, "\t\r\n") {
		return s.Style.Render(text)
	}
	return s.before + text + s.after
}
