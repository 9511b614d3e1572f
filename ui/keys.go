package ui

import "charm.land/bubbles/v2/key"

// What works even while a field takes letters: opening the help page, and quitting.
const (
	helpAnywhere = "f1"
	quitAnywhere = "ctrl+c"
)

// Bindings that mean the same on every screen. Down and up move between fields of a form; in a
// table they move the selection.
var (
	Next    = Bind("tab", "next", "tab", "down")
	Prev    = Bind("shift+tab", "prev", "shift+tab", "up")
	Submit  = Bind("enter", "next")
	Back    = Bind("esc", "back")
	Help    = Bind("?", "help", "?", helpAnywhere)
	Quit    = Bind(quitAnywhere, "quit")
	Suspend = Bind("ctrl+z", "suspend")
)

// HelpTyping is [Help] while a field takes letters, where a question mark is one.
var HelpTyping = Bind(helpAnywhere, "help")

// QuitHome is [Quit] on the first screen, which one key more leaves.
var QuitHome = Bind("q", "quit", "q", quitAnywhere)

// LeavingKeys replace the help bar while quitting waits for a response, HelpPageKeys while the
// help page is open.
var (
	LeavingKeys = []key.Binding{
		Bind(quitAnywhere, "leave now"),
		Bind("esc", "stay"),
		key.NewBinding(key.WithKeys(helpAnywhere), key.WithDisabled()),
	}
	HelpPageKeys = []key.Binding{Bind("any key", "closes help", helpAnywhere)}
)
