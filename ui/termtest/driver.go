package termtest

import (
	"strings"
	"time"
)

// readingTime is longer than a confirmation waits for quiet, and than an answer waits for
// another key.
const readingTime = 400 * time.Millisecond

// A Driver is embedded by a test harness H. Its steps are those of a [Terminal] and of paydesk's
// forms and confirmations; they return the harness, so that its own steps can follow.
type Driver[H any] struct {
	*Terminal
	harness H
}

// NewDriver returns the driver of a harness.
func NewDriver[H any](t *Terminal, harness H) Driver[H] { return Driver[H]{t, harness} }

// Press presses keys by their names.
func (d Driver[H]) Press(keys ...string) H {
	d.tb.Helper()
	d.Terminal.Press(keys...)
	return d.harness
}

// Type types text without pauses.
func (d Driver[H]) Type(text string) H {
	d.tb.Helper()
	d.Terminal.Type(text)
	return d.harness
}

// Paste pastes text.
func (d Driver[H]) Paste(text string) H {
	d.tb.Helper()
	d.Terminal.Paste(text)
	return d.harness
}

// Wait lets time pass.
func (d Driver[H]) Wait(duration time.Duration) H {
	d.tb.Helper()
	d.Terminal.Wait(duration)
	return d.harness
}

// Resize changes the size of the window.
func (d Driver[H]) Resize(w, h int) H {
	d.tb.Helper()
	d.Terminal.Resize(w, h)
	return d.harness
}

// Sees fails the test unless each text is on the screen.
func (d Driver[H]) Sees(texts ...string) H {
	d.tb.Helper()
	d.Terminal.Sees(texts...)
	return d.harness
}

// SeesNot fails the test if one of the texts is on the screen.
func (d Driver[H]) SeesNot(texts ...string) H {
	d.tb.Helper()
	d.Terminal.SeesNot(texts...)
	return d.harness
}

// Golden compares the screen with a golden file.
func (d Driver[H]) Golden(name string) H {
	d.tb.Helper()
	d.Terminal.Golden(name)
	return d.harness
}

// Fill moves to the field with this label and types into it.
func (d Driver[H]) Fill(label, text string) H {
	d.tb.Helper()
	d.To(label)
	return d.Type(text)
}

// Choose moves to the choice with this label and chooses a word.
func (d Driver[H]) Choose(label, word string) H {
	d.tb.Helper()
	d.To(label)
	for range 12 {
		if line := d.Line("› " + label); strings.Contains(line, "(•) "+word) || strings.Contains(line, "‹ "+word+" ›") {
			return d.harness
		}
		d.Press("right")
	}
	d.fail("%q has no option %q", label, word)
	return d.harness
}

// To moves the focus to the field with this label.
func (d Driver[H]) To(label string) H {
	d.tb.Helper()
	for range 24 {
		if d.Has("› " + label) {
			return d.harness
		}
		d.Press("tab")
	}
	d.fail("there is no field %q", label)
	return d.harness
}

// Slowly types text with pauses, so that each key counts as deliberate.
func (d Driver[H]) Slowly(text string) H {
	d.tb.Helper()
	d.Wait(readingTime)
	for _, r := range text {
		d.Type(string(r))
		d.Wait(readingTime)
	}
	return d.harness
}

// Yes answers the confirmation on the screen, which must contain the words.
func (d Driver[H]) Yes(words string) H {
	d.tb.Helper()
	d.Sees(words)
	return d.Slowly("y")
}
