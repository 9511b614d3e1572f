package consoletest

import "time"

// The terminal's own steps, so that a story goes on as a story.

// Press presses keys by name.
func (c *Console) Press(keys ...string) *Console {
	c.T.Helper()
	c.Terminal.Press(keys...)
	return c
}

// Type types text.
func (c *Console) Type(text string) *Console {
	c.T.Helper()
	c.Terminal.Type(text)
	return c
}

// Paste pastes text.
func (c *Console) Paste(text string) *Console {
	c.T.Helper()
	c.Terminal.Paste(text)
	return c
}

// Wait lets time pass.
func (c *Console) Wait(d time.Duration) *Console {
	c.T.Helper()
	c.Terminal.Wait(d)
	return c
}

// Resize gives the window another size.
func (c *Console) Resize(w, h int) *Console {
	c.T.Helper()
	c.Terminal.Resize(w, h)
	return c
}

// Sees fails unless each text is on the screen.
func (c *Console) Sees(texts ...string) *Console {
	c.T.Helper()
	c.Terminal.Sees(texts...)
	return c
}

// SeesNot fails when one of the texts is on the screen.
func (c *Console) SeesNot(texts ...string) *Console {
	c.T.Helper()
	c.Terminal.SeesNot(texts...)
	return c
}

// Golden compares the screen with a file.
func (c *Console) Golden(name string) *Console {
	c.T.Helper()
	c.Terminal.Golden(name)
	return c
}
