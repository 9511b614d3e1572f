package termtest

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// A Device has the screen and the keys of a person. A [Program] is one, in fake time or in real time; a window on a
// pseudo-terminal or a pane of a multiplexer is another.
type Device interface {
	Screen() string         // the text on the screen, all lines, without trailing blanks
	Width() int             // of the screen, in cells
	Key(name string)        // presses one key
	Text(text string)       // types text
	Advance(time.Duration)  // lets time pass
	Until(func() bool) bool // waits until something is so and reports whether it is, at last
}

// readingTime is longer than a confirmation waits for quiet, and than an answer waits for
// another key.
const readingTime = 400 * time.Millisecond

// A Person presses keys and reads a screen, on any device. A test harness H embeds one: the steps
// return the harness, so that its own steps can follow.
type Person[H any] struct {
	t       testing.TB
	device  Device
	harness H
}

// NewPerson returns the person of a harness.
func NewPerson[H any](t testing.TB, d Device, harness H) Person[H] {
	return Person[H]{t, d, harness}
}

// Press presses keys by their Bubble Tea names, such as "enter", "shift+tab", "ctrl+c", "pgdown",
// "?" or "A".
func (p Person[H]) Press(keys ...string) H {
	p.t.Helper()
	for _, name := range keys {
		p.device.Key(name)
	}
	p.device.Advance(0)
	return p.harness
}

// Type types text without pauses.
func (p Person[H]) Type(text string) H {
	p.t.Helper()
	p.device.Text(text)
	p.device.Advance(0)
	return p.harness
}

// Wait lets time pass.
func (p Person[H]) Wait(d time.Duration) H {
	p.t.Helper()
	p.device.Advance(d)
	return p.harness
}

// Has reports whether text is on one line of the screen now.
func (p Person[H]) Has(text string) bool { return strings.Contains(p.device.Screen(), text) }

// Sees fails the test unless each text is on one line of the screen, or comes to be.
func (p Person[H]) Sees(texts ...string) H {
	p.t.Helper()
	for _, text := range texts {
		if !p.device.Until(func() bool { return p.Has(text) }) {
			p.fail("not on the screen: %q", text)
		}
	}
	return p.harness
}

// WaitsUntilGone fails the test if one of the texts is on the screen, and stays there.
func (p Person[H]) WaitsUntilGone(texts ...string) H {
	p.t.Helper()
	for _, text := range texts {
		if !p.device.Until(func() bool { return !p.Has(text) }) {
			p.fail("on the screen: %q", text)
		}
	}
	return p.harness
}

// Line returns the first line that contains text. The test fails if there is none.
func (p Person[H]) Line(text string) string {
	p.t.Helper()
	p.Sees(text)
	return p.line(text)
}

func (p Person[H]) line(text string) string {
	lines := strings.Split(p.device.Screen(), "\n")
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, text) }); i >= 0 {
		return lines[i]
	}
	return ""
}

// Fill moves to the field with this label and types into it.
func (p Person[H]) Fill(label, text string) H {
	p.t.Helper()
	p.To(label)
	return p.Type(text)
}

// To moves the focus to the field with this label.
func (p Person[H]) To(label string) H {
	p.t.Helper()
	p.device.Until(func() bool { return p.Has(label) }) // in fake time it may be below the window
	return p.press("tab", label, p.focus, func(string) bool { return p.marked(label) != "" })
}

// marks stand in front of the row that has the focus or is selected.
var marks = []string{"▌ ", "▌"}

// marked is the first line that begins with a mark and a text, "" if there is none.
func (p Person[H]) marked(text string) string {
	for l := range strings.SplitSeq(p.device.Screen(), "\n") {
		if begins(l, text) {
			return strings.TrimLeft(l, " ")
		}
	}
	return ""
}

// begins reports whether a line begins with a mark and a text.
func begins(line, text string) bool {
	line = strings.TrimLeft(line, " ")
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.HasPrefix(line, mark+text) })
}

// FocusAstray says where the cursor stands, shown or hidden, when that is not the line of the focus; "" when it is. A
// braille display and a screen reader follow it.
func (d Driver[H]) FocusAstray() string {
	lines := strings.Split(d.Screen(), "\n")
	_, y, shown := d.Cursor()
	if strings.Contains(lines[y], "‹") { // a part of a search
		return ""
	}
	focus := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "▌ [") })
	if focus < 0 {
		focus = slices.IndexFunc(lines, func(l string) bool { return begins(l, "") })
	}
	if focus < 0 || y == focus || shown && strings.Contains(lines[y], "[") { // a text to type before an answer
		return ""
	}
	return "the cursor is on line " + strconv.Itoa(y) + ", and the focus on line " + strconv.Itoa(focus)
}

// focus is the label of the field with the focus. What was typed into it may still be on its way to
// the screen.
func (p Person[H]) focus() string {
	label, _, _ := strings.Cut(p.marked(""), "  ")
	return label
}

// Choose moves to the choice with this label and chooses a word.
func (p Person[H]) Choose(label, word string) H {
	p.t.Helper()
	p.To(label)
	return p.press("right", word, func() string { return p.marked(label) }, func(line string) bool {
		return strings.Contains(line, "(•) "+word) || strings.Contains(line, "‹ "+word+" ›")
	})
}

// Pick moves down a list to the row that begins with a word.
func (p Person[H]) Pick(word string) H {
	p.t.Helper()
	return p.press("down", word, func() string { return p.marked("") }, func(string) bool { return p.marked(word+" ") != "" })
}

// Marked is the line of the selected row, with what is beside it, "" without one.
func (p Person[H]) Marked() string { return p.marked("") }

// press presses a key until what is there is found, and waits each time for that to change.
func (p Person[H]) press(key, wanted string, there func() string, found func(there string) bool) H {
	p.t.Helper()
	for range 24 {
		at := there()
		if found(at) {
			return p.harness
		}
		p.Press(key)
		p.device.Until(func() bool { now := there(); return now != "" && now != at })
	}
	p.fail("%s does not lead to %q", key, wanted)
	return p.harness
}

// Slowly types text with pauses, so that each key counts as deliberate.
func (p Person[H]) Slowly(text string) H {
	p.t.Helper()
	p.Wait(readingTime)
	for _, r := range text {
		p.Type(string(r))
		p.Wait(readingTime)
	}
	return p.harness
}

// Yes answers the confirmation on the screen, which must contain the words, once it takes answers.
func (p Person[H]) Yes(words string) H {
	p.t.Helper()
	return p.Answer(words, "y")
}

// Answer answers the confirmation on the screen with a key. On a machine with other work two keys
// that were pressed one after the other may arrive together, and do not count: it is pressed again.
func (p Person[H]) Answer(words, key string) H {
	p.t.Helper()
	p.Sees(words)
	for range 10 {
		p.Wait(readingTime)
		p.WaitsUntilGone("\n …\n")
		p.Type(key)
		p.Wait(readingTime)
		if !p.Has("Press it again") {
			break
		}
	}
	return p.harness
}

// Boxed returns the screen in a ruled box of its size.
func (p Person[H]) Boxed() string {
	w := p.device.Width()
	var b strings.Builder
	rule := strings.Repeat("─", w)
	b.WriteString("┌" + rule + "┐\n")
	for line := range strings.SplitSeq(p.device.Screen(), "\n") {
		b.WriteString("│" + line + strings.Repeat(" ", max(w-ansi.StringWidth(line), 0)) + "│\n")
	}
	b.WriteString("└" + rule + "┘\n")
	return b.String()
}

// fail ends the test with a message and the screen.
func (p Person[H]) fail(format string, args ...any) {
	p.t.Helper()
	p.t.Fatalf(format+"\n%s", append(args, p.Boxed())...)
}
