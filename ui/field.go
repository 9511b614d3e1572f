package ui

import (
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// A Field is one question of a form.
//
// A field may have two more methods, which the form uses where they are there:
// Edits() int counts the changes of the value, so that a complaint goes when the
// value it was about does; InputError() string says what was just refused at the field and
// why ("" when nothing was).
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

// An baseField is what the fields of this package have in common.
type baseField struct {
	theme      *Theme
	label      string
	help       string
	inputError string
	edits      int
	focused    bool
}

func (e *baseField) Label() string      { return e.label }
func (e *baseField) Help() string       { return e.help }
func (e *baseField) Edits() int         { return e.edits }
func (e *baseField) InputError() string { return e.inputError }
func (e *baseField) Focus()             { e.focused = true }
func (e *baseField) Blur()              { e.focused = false }
func (e *baseField) Typing() bool       { return true }
func (e *baseField) Wipe()              {}

// record notes what a message did to the value.
func (e *baseField) record(changed bool, refused string) {
	e.inputError = refused
	if changed {
		e.edits++
	}
}

func (e *baseField) requiredMessage() string { return e.label + " is needed" }

// capitalized is an error for people: "" for none, a capital first.
func capitalized(err error) string {
	if err == nil {
		return ""
	}
	s := err.Error()
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// Heading is a line between the fields of a form; it never has the focus.
func Heading(text string) Field { return &heading{baseField{label: text}} }

type heading struct{ baseField }

func (h *heading) Empty() bool            { return true }
func (h *heading) Check() string          { return "" }
func (h *heading) Update(tea.Msg) bool    { return false }
func (h *heading) View(int) (string, int) { return "", -1 }
func (h *heading) Typing() bool           { return false }
