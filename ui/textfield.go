package ui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// TextOption changes a text field.
type TextOption func(*TextField)

// A TextField is a line of text. It takes what was typed or pasted whole or not at all, and
// only what can be seen.
type TextField struct {
	baseField
	line     func() *lineEditor // a function: fmt follows pointers, and it may hold a secret
	required bool
	checks   []func(string) string
}

// NewTextField asks for a line of text of at most 1000 characters.
func NewTextField(t *Theme, label, help string, o ...TextOption) *TextField {
	l := &lineEditor{limit: lineLimit}
	f := &TextField{baseField: baseField{theme: t, label: label, help: help}, line: func() *lineEditor { return l }}
	for _, option := range o {
		option(f)
	}
	return f
}

// Required refuses an empty value.
func Required() TextOption { return func(f *TextField) { f.required = true } }

// Limit refuses more than n characters (the paste that is too long is refused whole).
func Limit(n int) TextOption { return func(f *TextField) { f.line().limit = n } }

// Masked shows a dot for each character: for secrets.
func Masked() TextOption { return func(f *TextField) { f.line().masked = true } }

// Checked adds a check; it is given the text, which is not empty, and returns what is
// wrong in words.
func Checked(check func(string) string) TextOption {
	return func(f *TextField) { f.checks = append(f.checks, check) }
}

// Initial sets the value.
func Initial(s string) TextOption { return func(f *TextField) { f.SetValue(s) } }

// Value is the text without blanks around it.
func (f *TextField) Value() string { return strings.TrimSpace(string(f.line().text)) }

// Secret is the text as it is, blanks around it too, in bytes that the caller wipes.
func (f *TextField) Secret() []byte {
	var b []byte
	for _, r := range f.line().text {
		b = utf8.AppendRune(b, r)
	}
	return b
}

// SetValue replaces the text. A text that could not have been typed is refused, and the
// field says so.
func (f *TextField) SetValue(s string) {
	changed, refused := f.line().set(s)
	f.record(changed, refused)
}

// Empty reports whether there is nothing but blanks.
func (f *TextField) Empty() bool { return f.line().blank() }

// Check is what is wrong with the value.
func (f *TextField) Check() string {
	if f.Empty() {
		if f.required {
			return f.requiredMessage()
		}
		return ""
	}
	for _, check := range f.checks {
		if wrong := check(f.Value()); wrong != "" {
			return wrong
		}
	}
	return ""
}

// Update takes a key or a paste.
func (f *TextField) Update(msg tea.Msg) bool {
	own, changed, refused := f.line().update(msg)
	if own {
		f.record(changed, refused)
	}
	return own
}

// View draws the text, or dots for a secret.
func (f *TextField) View(w int) (string, int) { return f.line().view(w, f.focused) }

// Wipe overwrites a masked field's text.
func (f *TextField) Wipe() {
	if f.line().masked {
		f.line().wipe()
		f.inputError = ""
	}
}
