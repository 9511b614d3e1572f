package screens

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/home"
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
	// Notice returns what it has to say while the screen says nothing, Banner what stands on every
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

// A news feature only has something to say.
type news struct {
	plain
	say func() ui.Notice
}

// Notice implements [feature].
func (n news) Notice() ui.Notice { return n.say() }

// recordingNews says when nothing can be recorded, and so nothing sent. Home says it in full itself.
func (a *App) recordingNews() ui.Notice {
	trouble := a.conn.trouble()
	if _, home := a.top().(*home.Model); home || trouble == "" {
		return ui.Notice{}
	}
	return ui.Notice{Tone: ui.ToneBad, Text: trouble}
}

// keySourceNews says when the key can be read by others.
func (a *App) keySourceNews() ui.Notice {
	if a.conn.source != "env" {
		return ui.Notice{}
	}
	return ui.Notice{Tone: ui.ToneAct, Text: "Key from the environment: other programs can read it."}
}
