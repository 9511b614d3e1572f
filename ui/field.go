package ui

import (
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// A Field is one input of a form.
//
// A field may have two optional methods: Edits() int counts the changes of its value, so that
// an error disappears when the value it was about changes; InputError() string explains why the
// last key or paste was ignored, "" when it was not.
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
	Typing() bool // whether letters are text to this field
	// Wipe overwrites a field that holds a secret; other fields keep their value.
	Wipe()
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

// record stores the effect of a key or a paste.
func (f *baseField) record(changed bool, refused string) {
	f.inputError = refused
	if changed {
		f.edits++
	}
}

func (f *baseField) requiredMessage() string { return f.label + " is required" }

// capitalized returns the error's text with a capital first letter, "" for nil.
func capitalized(err error) string {
	if err == nil {
		return ""
	}
	s := err.Error()
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
