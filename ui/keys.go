package ui

import "charm.land/bubbles/v2/key"

// helpAnywhere opens the help page even while a field takes letters.
const helpAnywhere = "f1"

// Bindings that mean the same on every screen. Down and up move between fields of a form; in a
// table they move the selection.
var (
	Next    = key.NewBinding(key.WithKeys("tab", "down"), key.WithHelp("tab", "next"))
	Prev    = key.NewBinding(key.WithKeys("shift+tab", "up"), key.WithHelp("shift+tab", "prev"))
	Submit  = key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "next"))
	Back    = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "back"))
	Help    = key.NewBinding(key.WithKeys("?", helpAnywhere), key.WithHelp("?", "help"))
	Quit    = key.NewBinding(key.WithKeys("ctrl+c"), key.WithHelp("ctrl+c", "quit"))
	Suspend = key.NewBinding(key.WithKeys("ctrl+z"), key.WithHelp("ctrl+z", "suspend"))
)

// HelpTyping is [Help] while a field takes letters, where a question mark is one.
var HelpTyping = key.NewBinding(key.WithKeys(helpAnywhere), key.WithHelp(helpAnywhere, "help"))

// LeavingKeys replace the help bar while quitting waits for a response, HelpPageKeys while the
// help page is open.
var (
	LeavingKeys = []key.Binding{
		key.NewBinding(key.WithKeys("ctrl+c"), key.WithHelp("ctrl+c", "leave now")),
		key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "stay")),
		key.NewBinding(key.WithKeys(helpAnywhere), key.WithDisabled()),
	}
	HelpPageKeys = []key.Binding{key.NewBinding(key.WithKeys(helpAnywhere), key.WithHelp("any key", "closes help"))}
)
