package ui

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

var chooseKeys = Bind("←/→", "choose", "left", "right", "space")

// A ChoiceField is a choice between a few words, by left, right, space or a word's first letter.
type ChoiceField struct {
	baseField
	options []string
	chosen  int
	about   func(option int) string // the help for an option, "" for that of the field
}

// NewChoiceField returns a field with the first of one or more options chosen.
func NewChoiceField(t *Theme, label, help string, options ...string) *ChoiceField {
	return &ChoiceField{
		baseField: baseField{theme: t, label: label, help: help}, options: slices.Clone(options), about: func(int) string { return "" },
	}
}

// Explain gives each option a help of its own.
func (f *ChoiceField) Explain(about func(option int) string) { f.about = about }

// Help returns the help for the field, or for the chosen option.
func (f *ChoiceField) Help() string { return cmp.Or(f.about(f.chosen), f.help) }

// Chosen returns the index of the chosen option.
func (f *ChoiceField) Chosen() int { return f.chosen }

// Value returns the chosen word.
func (f *ChoiceField) Value() string { return f.options[f.chosen] }

// Choose chooses option i; it does nothing when i is out of range.
func (f *ChoiceField) Choose(i int) {
	if i >= 0 && i < len(f.options) {
		f.record(true, i != f.chosen, "")
		f.chosen = i
	}
}

// Empty is false: there is always an option that is chosen.
func (f *ChoiceField) Empty() bool { return false }

// Check has nothing to object to.
func (f *ChoiceField) Check() string { return "" }

// Typing is false: letters choose an option.
func (f *ChoiceField) Typing() bool { return false }

// Keys lists the bindings of the field.
func (f *ChoiceField) Keys() []key.Binding { return []key.Binding{chooseKeys} }

// Update handles left, right, space and the options' first letters.
func (f *ChoiceField) Update(msg tea.Msg) bool {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return false
	}
	n := len(f.options)
	switch press.String() {
	case "left":
		f.Choose((f.chosen + n - 1) % n)
	case "right", "space":
		f.Choose((f.chosen + 1) % n)
	default:
		return f.pick(press.Text)
	}
	return true
}

// pick chooses the next option with this first letter.
func (f *ChoiceField) pick(letter string) bool {
	for step := range f.options {
		i := (f.chosen + 1 + step) % len(f.options)
		_, size := utf8.DecodeRuneInString(f.options[i])
		if strings.EqualFold(f.options[i][:size], letter) {
			f.Choose(i)
			return true
		}
	}
	return false
}

// View draws all options if they fit, else the chosen one between arrows.
func (f *ChoiceField) View(w int) (string, int) {
	marked := slices.Clone(f.options)
	for i, option := range marked {
		marked[i] = "( ) " + option
	}
	marked[f.chosen] = "(•) " + f.Value()
	if all := strings.Join(marked, "  "); width(all) <= w {
		return all, -1
	}
	return cut("‹ "+cut(f.Value(), w-4)+" ›", w), -1
}
