package ui

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
)

// Bindings that move in tables and in what scrolls.
var (
	moveUp   = Bind("↑", "up", "up", "k")
	moveDown = Bind("↓", "down", "down", "j")
	pageUp   = Bind("pgup", "page up")
	pageDown = Bind("pgdown", "page down")
	moveHome = Bind("home", "first", "home", "g")
	moveEnd  = Bind("end", "last", "end", "G")
	space    = Bind("space", "page down")
)

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

// Update handles the keys that scroll, and reports whether k was one of them.
func (s *Scroll) Update(k tea.KeyPressMsg) bool {
	page := max(s.view.Height()-1, 1)
	switch {
	case key.Matches(k, moveUp):
		s.view.ScrollUp(1)
	case key.Matches(k, moveDown):
		s.view.ScrollDown(1)
	case key.Matches(k, pageUp):
		s.view.ScrollUp(page)
	case key.Matches(k, pageDown, space):
		s.view.ScrollDown(page)
	case key.Matches(k, moveHome):
		s.view.GotoTop()
	case key.Matches(k, moveEnd):
		s.view.GotoBottom()
	default:
		return false
	}
	return true
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
	b := Bind("↑/↓", "scroll", "up", "down", "k", "j", "pgup", "pgdown", "home", "end")
	b.SetEnabled(s.Overflows())
	return b
}
