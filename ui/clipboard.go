package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/text"
)

// A Clipboard is the way of a copied text to the terminal's clipboard: through OSC 52, which no
// terminal answers: that it was sent is all that can be said. A multiplexer on the way has
// rules of its own. The zero Clipboard has none on it.
type Clipboard struct {
	// None is a terminal without one, which is sent nothing.
	None bool
	// Tmux takes the sequence itself, and by default (set-clipboard external) ignores it.
	Tmux bool
	// Screen drops the sequence, and passes on what is wrapped in a device control string. Each drops
	// the form that is meant for the other, so that both are sent where it may be either.
	Screen bool
}

// screenString sets how many bytes of a string are sent to screen at once; from 768 on it drops them.
const screenString = 512

// sequence returns what copies a text.
func (c Clipboard) sequence(text string) string {
	plain := ansi.SetSystemClipboard(text)
	switch wrapped := ansi.ScreenPassthrough(plain, screenString); {
	case c.Tmux && c.Screen:
		return plain + wrapped
	case c.Screen:
		return wrapped
	default:
		return plain
	}
}

// Send is the command that sends a text to the clipboard.
func (c Clipboard) Send(text string) tea.Cmd {
	if c.None {
		return nil
	}
	return tea.Raw(c.sequence(text))
}

// Sent says what became of a text, which name names.
func (c Clipboard) Sent(name string) string {
	switch {
	case c.None:
		return "Not copied: this terminal has no clipboard."
	case c.Tmux:
		return text.Capital(name) + ": sent to the clipboard, if tmux passes it on."
	case c.Screen:
		return text.Capital(name) + ": sent to the clipboard, if screen passes it on."
	}
	return "The " + name + " was sent to your terminal's clipboard."
}

// Lead stands before a text that was sent, where it is shown on one line.
func (c Clipboard) Lead() string {
	switch {
	case c.None:
		return "Not copied, no clipboard here: "
	case c.Tmux:
		return "To the clipboard, if tmux passes it on: "
	case c.Screen:
		return "To the clipboard, if screen passes it on: "
	}
	return "Sent to clipboard: "
}

// Explain is the help about a multiplexer on the way, "" where there is none.
func (c Clipboard) Explain() string {
	switch {
	case c.Tmux:
		return "For copies to reach your terminal, tmux needs: set -g set-clipboard on"
	case c.Screen:
		return "screen passes a copied text on to the terminal that it is attached to."
	}
	return ""
}
