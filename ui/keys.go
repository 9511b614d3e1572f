package ui

import (
	"slices"
	"strings"

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

// A Command is a key of a screen and what it does. A command that is off is not in the help; its key still calls Do, which can
// say why it does nothing. A reason that is known before is in Why: then the command is off, and [Body.Press] says why.
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

// A HelpGroup is keys under one title of the help page.
type HelpGroup struct {
	Title string
	Keys  []key.Binding
}

// HelpLines is the help page of a screen in lines of at most w cells: the purpose of the screen, its enabled keys in
// groups, each with what it does, in as many columns as fit whatever group it is in, and then more words.
func (f Frame) HelpLines(w int, purpose string, groups []HelpGroup, more ...string) []string {
	title := f.Theme.Accent.Render("Keys: " + f.title())
	if f.Times != "" {
		title += f.Theme.Muted.Render(" · " + f.Times)
	}
	lines := []string{cut(title, w)}
	if purpose != "" {
		lines = append(lines, Wrap(purpose, w)...)
	}
	label, does := 0, 0
	for i, g := range groups {
		groups[i].Keys = helpful(g.Keys)
		for _, b := range groups[i].Keys {
			label, does = max(label, width(helpLabel(b))), max(does, width(b.Help().Desc))
		}
	}
	for _, g := range groups {
		if len(g.Keys) > 0 {
			lines = append(lines, "", f.Theme.Rule(g.Title, "", w))
			lines = append(lines, f.helpColumns(g.Keys, label, does, w)...)
		}
	}
	if len(more) > 0 {
		lines = append(lines, "", f.Theme.Rule("Good to know", "", w))
	}
	for _, m := range more {
		lines = append(lines, Wrap(m, w)...)
	}
	return lines
}

// helpful are the keys that the help page lists.
func helpful(keys []key.Binding) []key.Binding {
	return slices.DeleteFunc(slices.Clone(keys), func(b key.Binding) bool {
		return !b.Enabled() || b.Help().Key == "" || b.Help().Desc == ""
	})
}

// helpColumns draws keys and what they do, column by column. label and does are the cells of both.
func (f Frame) helpColumns(keys []key.Binding, label, does, w int) []string {
	const between, indent = 2, 2
	rows := make([]string, len(keys))
	for i, b := range keys {
		rows[i] = blanks(indent) + f.Theme.Strong.Render(Fit(helpLabel(b), label)) + blanks(between) + b.Help().Desc
	}
	widest := indent + label + between + does
	columns := max((w+between)/(widest+between), 1)
	height := (len(rows) + columns - 1) / columns
	lines := make([]string, height)
	for i, row := range rows {
		if at := i % height; i < height {
			lines[at] = cut(row, w)
		} else {
			lines[at] = Fit(lines[at], (i/height)*(widest+between)) + row
		}
	}
	return lines
}

// keyNames are the keys whose names in a binding are not what a person calls them.
var keyNames = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn", "shift+up": "shift+↑", "shift+down": "shift+↓"}

// KeyName returns what a person calls a key.
func KeyName(name string) string {
	if called, ok := keyNames[name]; ok {
		return called
	}
	return name
}

// helpLabel is the keys of a binding: as it is shown in the help bar, and the others that do the same.
func helpLabel(b key.Binding) string {
	label := b.Help().Key
	shown := strings.FieldsFunc(label, func(r rune) bool { return r == '/' || r == ' ' })
	for _, k := range b.Keys() {
		if name := KeyName(k); name != label && !slices.Contains(shown, name) {
			label += " " + name
		}
	}
	return label
}
