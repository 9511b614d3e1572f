package termtest

import (
	"bytes"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Screen returns the text on the screen, all lines, without trailing blanks.
func (t *Terminal) Screen() string { return strings.Join(t.emulator.lines(), "\n") }

// Cell returns the cell in column x of line y, counted from 0; it is empty outside the screen.
func (t *Terminal) Cell(x, y int) uv.Cell { return t.emulator.cell(x, y) }

// Cursor returns the position of the cursor and whether it is visible.
func (t *Terminal) Cursor() (x, y int, shown bool) {
	t.emulator.mu.Lock()
	defer t.emulator.mu.Unlock()
	p := t.emulator.vt.CursorPosition()
	return p.X, p.Y, t.emulator.cursor
}

// AltScreen reports whether the terminal shows its alternate screen.
func (t *Terminal) AltScreen() bool {
	t.emulator.mu.Lock()
	defer t.emulator.mu.Unlock()
	return t.emulator.vt.IsAltScreen()
}

// Bytes returns all bytes that the program has written, to search for what must never be there.
func (t *Terminal) Bytes() []byte {
	t.emulator.mu.Lock()
	defer t.emulator.mu.Unlock()
	return bytes.Clone(t.emulator.sent)
}

// Writes returns how many times the program has written to the terminal.
func (t *Terminal) Writes() int {
	t.emulator.mu.Lock()
	defer t.emulator.mu.Unlock()
	return t.emulator.writes
}

// Copied returns the last text that the program put on the clipboard (OSC 52), "" for none.
func (t *Terminal) Copied() string {
	t.emulator.mu.Lock()
	defer t.emulator.mu.Unlock()
	return t.emulator.copied
}

// Bells returns how often the bell rang.
func (t *Terminal) Bells() int {
	t.emulator.mu.Lock()
	defer t.emulator.mu.Unlock()
	return t.emulator.bells
}

// Has reports whether text is on one line of the screen.
func (t *Terminal) Has(text string) bool { return strings.Contains(t.Screen(), text) }

// Sees fails the test unless each text is on one line of the screen.
func (t *Terminal) Sees(texts ...string) *Terminal {
	t.tb.Helper()
	for _, text := range texts {
		if !t.Has(text) {
			t.fail("not on the screen: %q", text)
		}
	}
	return t
}

// SeesNot fails the test if one of the texts is on the screen.
func (t *Terminal) SeesNot(texts ...string) *Terminal {
	t.tb.Helper()
	for _, text := range texts {
		if t.Has(text) {
			t.fail("on the screen: %q", text)
		}
	}
	return t
}

// Line returns the first line that contains text. The test fails if there is none.
func (t *Terminal) Line(text string) string {
	t.tb.Helper()
	for _, line := range t.emulator.lines() {
		if strings.Contains(line, text) {
			return line
		}
	}
	t.fail("no line contains %q", text)
	return ""
}

// fail ends the test with a message and the screen.
func (t *Terminal) fail(format string, args ...any) {
	t.tb.Helper()
	t.tb.Fatalf(format+"\n%s", append(args, t.Boxed())...)
}

// Boxed returns the screen in a ruled box of its size.
func (t *Terminal) Boxed() string {
	lines := t.emulator.lines()
	t.emulator.mu.Lock()
	w := t.emulator.vt.Width()
	t.emulator.mu.Unlock()
	var b strings.Builder
	rule := strings.Repeat("─", w)
	b.WriteString("┌" + rule + "┐\n")
	for _, line := range lines {
		b.WriteString("│" + line + strings.Repeat(" ", max(w-ansi.StringWidth(line), 0)) + "│\n")
	}
	b.WriteString("└" + rule + "┘\n")
	return b.String()
}
