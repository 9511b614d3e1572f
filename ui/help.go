package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
)

// A HelpGroup is keys under one title of the help page.
type HelpGroup struct {
	Title string
	Keys  []key.Binding
}

// HelpLines is the help page of a screen in lines of at most w cells: the purpose of the screen, its enabled keys in
// groups, each with what it does, in as many columns as fit, and then more words.
func (f Frame) HelpLines(w int, purpose string, groups []HelpGroup, more ...string) []string {
	title := f.Theme.Accent.Render("Keys: " + f.title())
	if f.Times != "" {
		title += f.Theme.Muted.Render(" · " + f.Times)
	}
	lines := []string{cut(title, w)}
	if purpose != "" {
		lines = append(lines, Wrap(purpose, w)...)
	}
	label, does := 0, 0 // the widest of all groups, whose columns are one below the other
	for _, g := range groups {
		for _, b := range helpful(g.Keys) {
			label, does = max(label, width(helpLabel(b))), max(does, width(b.Help().Desc))
		}
	}
	for _, g := range groups {
		if keys := helpful(g.Keys); len(keys) > 0 {
			lines = append(lines, f.Theme.Rule(g.Title, "", w))
			lines = append(lines, f.helpColumns(keys, label, does, w)...)
		}
	}
	if len(more) > 0 {
		lines = append(lines, f.Theme.Rule("Good to know", "", w))
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

// helpColumns draws keys and what they do, column by column.
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
