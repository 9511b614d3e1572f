package ui

import "charm.land/lipgloss/v2"

// A Theme is how things look: roles, not colours. All colours are of the
// terminal's own sixteen, so that light and dark follow the terminal.
type Theme struct {
	Plain, Muted, Strong, Accent, Label, Error lipgloss.Style
	ASCII                                      bool // no glyph outside ASCII
}

// NewTheme makes the one theme; ascii keeps every glyph to ASCII.
func NewTheme(ascii bool) *Theme { return &Theme{ASCII: ascii} }
