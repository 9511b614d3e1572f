package ui

import (
	tea "charm.land/bubbletea/v2"
)

// A Field is one question of a form.
type Field interface {
	Label() string
	Help() string // one line on what is expected
	Empty() bool
	Check() string // what is wrong with the value, "" when nothing is; never quotes secrets
	Focus()
	Blur()
	// Update takes a key or a paste; it reports whether the key was the field's own (so
	// that, say, left and right stay with a choice).
	Update(tea.Msg) bool
	// View draws the value, at most w cells on one line; x is the cursor's cell, -1 for none.
	View(w int) (line string, x int)
	// Typing reports whether letters typed are text to this field.
	Typing() bool
	// Wipe clears a field that holds a secret; others keep their value.
	Wipe()
}

// TextOption changes a text field.
type TextOption func(*TextField)

// A TextField is a line of text.
type TextField struct{}

// NewTextField asks for a line of text.
func NewTextField(t *Theme, label, help string, o ...TextOption) *TextField { return &TextField{} }

// Required refuses an empty value.
func Required() TextOption { return nil }

// Limit refuses more than n characters (the paste that is too long is refused whole).
func Limit(n int) TextOption { return nil }

// Masked shows a dot for each character: for secrets.
func Masked() TextOption { return nil }

// Checked adds a check; it returns what is wrong in words.
func Checked(f func(string) string) TextOption { return nil }

// Initial sets the value.
func Initial(s string) TextOption { return nil }

// Value is the text without blanks around it.
func (f *TextField) Value() string { return "" }

// SetValue replaces the text.
func (f *TextField) SetValue(s string) {}

// A ChoiceField is one of a few words, moved by left and right (or its first letter).
type ChoiceField struct{}

// NewChoiceField asks for one of options.
func NewChoiceField(t *Theme, label, help string, options ...string) *ChoiceField { return nil }

// Chosen is the index of the option, and Value its word.
func (f *ChoiceField) Chosen() int   { return 0 }
func (f *ChoiceField) Value() string { return "" }

// Choose picks option i.
func (f *ChoiceField) Choose(i int) {}

// SetOptions replaces the options, keeping the chosen word where it is still there.
func (f *ChoiceField) SetOptions(options ...string) {}
