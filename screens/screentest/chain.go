package screentest

import "time"

// The terminal's own steps, so that what follows one may be a step of the console.

// Press presses keys by name.
func (c *Console) Press(keys ...string) *Console {
	c.t.Helper()
	c.Terminal.Press(keys...)
	return c
}

// Type types text, all at once.
func (c *Console) Type(text string) *Console {
	c.t.Helper()
	c.Terminal.Type(text)
	return c
}

// Paste pastes text.
func (c *Console) Paste(text string) *Console {
	c.t.Helper()
	c.Terminal.Paste(text)
	return c
}

// Wait lets time pass.
func (c *Console) Wait(d time.Duration) *Console {
	c.t.Helper()
	c.Terminal.Wait(d)
	return c
}

// Sees fails unless each text is on the screen.
func (c *Console) Sees(texts ...string) *Console {
	c.t.Helper()
	c.Terminal.Sees(texts...)
	return c
}

// SeesNot fails when one of the texts is on the screen.
func (c *Console) SeesNot(texts ...string) *Console {
	c.t.Helper()
	c.Terminal.SeesNot(texts...)
	return c
}

// Golden compares the screen with a file.
func (c *Console) Golden(name string) *Console {
	c.t.Helper()
	c.Terminal.Golden(name)
	return c
}
