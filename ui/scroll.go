package ui

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
)

const toTheEnd = 1 << 30 // lines: more than anything has

// movements set how far each key moves in tables and in what scrolls.
var movements = map[string]struct{ lines, pages int }{
	"up": {lines: -1}, "k": {lines: -1}, "down": {lines: 1}, "j": {lines: 1},
	"home": {lines: -toTheEnd}, "g": {lines: -toTheEnd}, "end": {lines: toTheEnd}, "G": {lines: toTheEnd},
	"pgup": {pages: -1}, "pgdown": {pages: 1},
}

// A Scroll shows as many lines as fit, and scrolls through the others. A page is a line less than
// is visible, so that the reader keeps the place. The zero Scroll shows nothing.
type Scroll struct{ view viewport.Model }

// Show sets the size and the lines, each of at most w cells; it stays where it is scrolled to.
func (s *Scroll) Show(w, h int, lines []string) {
	s.view.SetWidth(w)
	s.view.SetHeight(max(h, 0))
	s.view.SetContentLines(lines)
	s.view.SetYOffset(s.view.YOffset())
}

// Update handles the keys that scroll, and reports whether msg was one of them.
func (s *Scroll) Update(msg tea.Msg) bool {
	k, pressed := msg.(tea.KeyPressMsg)
	if !pressed {
		return false
	}
	name := k.String()
	if name == "space" {
		name = "pgdown"
	}
	by, ok := movements[name]
	if ok {
		s.view.SetYOffset(s.view.YOffset() + by.lines + by.pages*max(s.view.Height()-1, 1))
	}
	return ok
}

// View draws the visible lines.
func (s *Scroll) View() string { return s.view.View() }

// Position is which lines are visible: "lines 1–9 of 31".
func (s *Scroll) Position() string {
	n, top := s.view.TotalLineCount(), s.view.YOffset()
	last := min(top+s.view.Height(), n)
	return fmt.Sprintf("lines %d–%d of %d", min(top+1, last), last, n)
}

// Overflows reports whether there are more lines than fit.
func (s *Scroll) Overflows() bool { return s.view.TotalLineCount() > s.view.Height() }

// Keys returns the binding for the help of the screen, disabled while everything fits.
func (s *Scroll) Keys() key.Binding {
	b := Bind("↑/↓", "scroll", "up", "down", "k", "j", "pgup", "pgdown", "home", "end", "g", "G")
	b.SetEnabled(s.Overflows())
	return b
}
