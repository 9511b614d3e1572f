package consoletest

import (
	"strings"
	"time"
)

// pauseBetweenKeys is longer than a confirmation waits for quiet, and than an answer
// waits to stand alone.
const pauseBetweenKeys = 400 * time.Millisecond

// Fill moves to the field with a label and types into it.
func (c *Console) Fill(label, text string) *Console {
	c.T.Helper()
	c.to(label)
	c.Type(text)
	return c
}

// Choose moves to the field with a label and to one of its words.
func (c *Console) Choose(label, word string) *Console {
	c.T.Helper()
	c.to(label)
	for range 12 {
		if line := c.Line("› " + label); strings.Contains(line, "(•) "+word) || strings.Contains(line, "‹ "+word+" ›") {
			return c
		}
		c.Press("right")
	}
	c.T.Fatalf("%q cannot be chosen for %q\n%s", word, label, c.Boxed())
	return c
}

// to puts the focus on the field with a label.
func (c *Console) to(label string) {
	c.T.Helper()
	for range 24 {
		if c.Has("› " + label) {
			return
		}
		c.Press("tab")
	}
	c.T.Fatalf("no field is called %q\n%s", label, c.Boxed())
}

// Yes answers the question on the screen, which must hold the words: first it is
// read, then armed, then answered.
func (c *Console) Yes(words string) *Console {
	c.T.Helper()
	c.Sees(words)
	c.Wait(pauseBetweenKeys)
	c.Press("y")
	c.Wait(pauseBetweenKeys)
	return c
}

// Slowly types text as a hand does that means it.
func (c *Console) Slowly(text string) *Console {
	c.T.Helper()
	c.Wait(pauseBetweenKeys)
	for _, r := range text {
		c.Type(string(r)).Wait(pauseBetweenKeys)
	}
	return c
}
