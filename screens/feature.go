package screens

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// A feature is something the console does beside showing screens, on top of whichever screen is
// shown: the send lock, the idle lock, another key, the demo's sandbox, leaving. It has its own
// keys (see App.bindings), messages, notice and banner, and changes the stack only through the
// [App].
type feature interface {
	// Press takes a key that is its own, and reports whether it was.
	Press(tea.KeyPressMsg) (tea.Cmd, bool)
	// Receive takes a message that is its own, and reports whether it was.
	Receive(tea.Msg) (tea.Cmd, bool)
	// Notice is what it has to say while the screen says nothing, Banner what stands on every
	// frame; both zero for nothing.
	Notice() ui.Notice
	Banner() ui.Notice
}

// plain is the part of a feature that has nothing: embed it and write the rest.
type plain struct{}

func (plain) Press(tea.KeyPressMsg) (tea.Cmd, bool) { return nil, false }
func (plain) Receive(tea.Msg) (tea.Cmd, bool)       { return nil, false }
func (plain) Notice() ui.Notice                     { return ui.Notice{} }
func (plain) Banner() ui.Notice                     { return ui.Notice{} }
