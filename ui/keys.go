package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// These work even while a field takes letters: opening the help page, and quitting.
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

// Lists reports whether bindings have a key, also one that does nothing now.
func Lists(keys []key.Binding, name string) bool {
	return slices.ContainsFunc(keys, func(b key.Binding) bool { return slices.Contains(b.Keys(), name) })
}

// Editing are the keys of a field beside those of its form.
var Editing = []key.Binding{
	Bind("←/→", "move by a character", "left", "right"),
	Bind("home/end", "first/last character", "home", "end", "ctrl+a", "ctrl+e"),
	Bind("backspace", "delete before the cursor", "backspace", "ctrl+h", "shift+backspace"),
	Bind("delete", "delete at the cursor"),
	Bind("ctrl+w", "delete the word before", "ctrl+w", "alt+backspace"),
	Bind("ctrl+u", "delete all before"),
	Bind("ctrl+k", "delete all after"),
}

// Moves reports whether a binding moves in a list, in what scrolls or from field to field.
func Moves(b key.Binding) bool {
	return slices.ContainsFunc(b.Keys(), func(name string) bool {
		_, moves := movements[name]
		return moves || name == "tab" || name == "shift+tab"
	})
}

// NoHelp keeps the help out of the help bar where its key does nothing.
var NoHelp = key.NewBinding(key.WithKeys(helpAnywhere), key.WithDisabled())

// LeavingKeys replace the help bar while quitting waits for a response.
var LeavingKeys = []key.Binding{
	Bind(quitAnywhere, "leave now"),
	Bind("esc", "stay"),
	NoHelp,
}

// Bind is a binding of some keys, which the help bar and the help page show as shown, and what
// they do.
func Bind(shown, does string, keys ...string) key.Binding {
	if len(keys) == 0 {
		keys = []string{shown}
	}
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

// A Command is a key of a screen and what it does. A command that is off is not in the help; its key calls Do all the same, which can
// say why it does nothing. Where that is known before, Why has it: it is off, and [Body.Press] says so.
type Command struct {
	Key key.Binding
	On  bool
	Why string
	Do  func() tea.Cmd
}

// Commands are the keys of a screen, in the order of the help bar.
type Commands []Command

// Keys lists the bindings for the help.
func (cs Commands) Keys() []key.Binding {
	keys := make([]key.Binding, len(cs))
	for i, c := range cs {
		keys[i] = c.Key
		keys[i].SetEnabled(c.On && c.Why == "")
	}
	return keys
}
