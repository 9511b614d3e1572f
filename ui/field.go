package ui

import (
	"errors"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/text"
)

// A Field is one input of a form.
type Field interface {
	Label() string
	Help() string // one line on what to type
	Empty() bool
	Check() string // what is wrong with the value, "" when nothing is; never quotes secrets
	Focus()
	Blur()
	// Update handles a key or a paste and reports whether the field used it.
	Update(tea.Msg) bool
	// View draws the value, at most w cells on one line; x is the cursor's cell, -1 for none.
	View(w int) (line string, x int)
	Typing() bool // letters are text to this field
	// Edits counts the changes of the value: an error disappears when the value that it concerns changes.
	Edits() int
	InputError() string // why the last key or paste was ignored, "" when it was not
	// Wipe overwrites a field that holds a secret; other fields keep their value.
	Wipe()
	Width() int          // the most cells of its input
	Required() bool      // the value must not be empty now
	Unit() string        // stands behind the input, such as a currency; "" for none
	Keys() []key.Binding // beside those of the form
	// State says more of the value than that it is valid: with a sign, "" for none, in words from the longest
	// to the shortest.
	State() (sign string, words []string)
}

// A baseField holds what the fields of this package have in common.
type baseField struct {
	theme      *Theme
	label      string
	help       string
	inputError string
	edits      int
	focused    bool
}

func (f *baseField) Label() string      { return f.label }
func (f *baseField) Help() string       { return f.help }
func (f *baseField) Edits() int         { return f.edits }
func (f *baseField) InputError() string { return f.inputError }
func (f *baseField) Focus()             { f.focused = true }
func (f *baseField) Blur()              { f.focused = false }
func (f *baseField) Typing() bool       { return true }
func (f *baseField) Wipe()              {}
func (f *baseField) Width() int         { return boxWidth }
func (f *baseField) Required() bool     { return false }
func (f *baseField) Unit() string       { return "" }

func (f *baseField) Keys() []key.Binding       { return nil }
func (f *baseField) State() (string, []string) { return "", nil }

// record stores the effect of a key or a paste that is the field's own, and returns whether it is.
func (f *baseField) record(own, changed bool, refused string) bool {
	if own {
		f.inputError = refused
	}
	if changed {
		f.edits++
	}
	return own
}

// missing is the error of a required field that is empty.
func (f *baseField) missing() error { return errors.New(f.label + " is required") }

// end cuts what a field shows to w cells; with focus the cursor is behind it.
func (f *baseField) end(s string, w int) (string, int) {
	if !f.focused {
		return cut(s, w), -1
	}
	return cut(s, w), min(width(s), w-1)
}

// edited gives a key or a paste to an editor, which inserts text or returns why not, and has keys
// that edit. It reports whether the input was the editor's own and what became of it.
func edited(msg tea.Msg, paste, insert func(string) (changed bool, refused string),
	edit func(stroke string) (own, changed bool)) (own, changed bool, refused string) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		changed, refused = paste(msg.Content)
		return true, changed, refused
	case tea.KeyPressMsg:
		if msg.Text != "" {
			changed, refused = insert(msg.Text)
			return true, changed, refused
		}
		own, changed = edit(msg.Keystroke())
	}
	return own, changed, ""
}

// objection words what is wrong with the value of a field, "" when nothing is. Only the error is
// wanted: a value that is a secret is overwritten.
func objection[T any](value T, err error) string {
	if secret, ok := any(value).(interface{ Wipe() }); ok {
		secret.Wipe()
	}
	return capitalized(err)
}

// capitalized returns the error's text with a capital first letter, "" for nil.
func capitalized(err error) string {
	if err == nil {
		return ""
	}
	return text.Capital(err.Error())
}
