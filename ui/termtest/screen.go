package termtest

import (
	"bytes"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Screen is the text on the screen, every line of it, without blanks at their ends.
func (g *Terminal) Screen() string { return strings.Join(g.term.lines(), "\n") }

// Cell is the cell in column x of line y, counted from 0; outside the screen it is
// empty.
func (g *Terminal) Cell(x, y int) uv.Cell { return g.term.cell(x, y) }

// Cursor is where the cursor stands, and whether it is shown.
func (g *Terminal) Cursor() (x, y int, shown bool) {
	g.term.mu.Lock()
	defer g.term.mu.Unlock()
	p := g.term.em.CursorPosition()
	return p.X, p.Y, g.term.cursor
}

// AltScreen reports whether the terminal shows its alternate screen, as it does until the
// program has put it back.
func (g *Terminal) AltScreen() bool {
	g.term.mu.Lock()
	defer g.term.mu.Unlock()
	return g.term.em.IsAltScreen()
}

// Bytes are all the bytes the terminal was sent so far, to search for what must never be
// there.
func (g *Terminal) Bytes() []byte {
	g.term.mu.Lock()
	defer g.term.mu.Unlock()
	return bytes.Clone(g.term.sent)
}

// Writes is how many times the program has written to the terminal.
func (g *Terminal) Writes() int {
	g.term.mu.Lock()
	defer g.term.mu.Unlock()
	return g.term.writes
}

// Copied is what the program put on the clipboard last (OSC 52), "" when it put
// nothing there.
func (g *Terminal) Copied() string {
	g.term.mu.Lock()
	defer g.term.mu.Unlock()
	return g.term.copied
}

// Bells is how often the bell rang.
func (g *Terminal) Bells() int {
	g.term.mu.Lock()
	defer g.term.mu.Unlock()
	return g.term.bells
}

// Has reports whether text is on the screen, within one line.
func (g *Terminal) Has(text string) bool { return strings.Contains(g.Screen(), text) }

// Sees fails the test unless each text is on the screen, within one line.
func (g *Terminal) Sees(texts ...string) *Terminal {
	g.t.Helper()
	for _, text := range texts {
		if !g.Has(text) {
			g.fail("does not see %q", text)
		}
	}
	return g
}

// SeesNot fails the test when one of the texts is on the screen.
func (g *Terminal) SeesNot(texts ...string) *Terminal {
	g.t.Helper()
	for _, text := range texts {
		if g.Has(text) {
			g.fail("sees %q", text)
		}
	}
	return g
}

// Line is the first line with text on it. The test fails when there is none.
func (g *Terminal) Line(text string) string {
	g.t.Helper()
	for _, line := range g.term.lines() {
		if strings.Contains(line, text) {
			return line
		}
	}
	g.fail("sees no line with %q", text)
	return ""
}

// fail ends the test with what is on the screen.
func (g *Terminal) fail(format string, args ...any) {
	g.t.Helper()
	g.t.Fatalf(format+"\n%s", append(args, g.Boxed())...)
}

// Boxed is the screen in a ruled box of its size.
func (g *Terminal) Boxed() string {
	lines := g.term.lines()
	g.term.mu.Lock()
	w := g.term.em.Width()
	g.term.mu.Unlock()
	var b strings.Builder
	rule := strings.Repeat("─", w)
	b.WriteString("┌" + rule + "┐\n")
	for _, line := range lines {
		b.WriteString("│" + line + strings.Repeat(" ", max(w-ansi.StringWidth(line), 0)) + "│\n")
	}
	b.WriteString("└" + rule + "┘\n")
	return b.String()
}
