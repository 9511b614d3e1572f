package ui

import tea "charm.land/bubbletea/v2"

// TextOption changes a text field.
type TextOption func(*TextField)

// A TextField is a line of text.
type TextField struct{ entry }

// NewTextField asks for a line of text.
func NewTextField(t *Theme, label, help string, o ...TextOption) *TextField {
	return &TextField{entry: entry{theme: t, label: label, help: help}}
}

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

func (f *TextField) Empty() bool              { return true }
func (f *TextField) Check() string            { return "" }
func (f *TextField) Update(tea.Msg) bool      { return false }
func (f *TextField) View(w int) (string, int) { return "", -1 }
