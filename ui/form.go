package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A Form is a ring of fields: label and value on one line each, help of the
// field in focus and errors on the line below it. Tab, shift+tab, up and down move;
// enter moves on and submits from the last field. Nothing typed is ever lost.
type Form struct{}

// A Verdict is what a key meant to a form.
type Verdict uint8

// The verdicts.
const (
	Ignored   Verdict = iota // not the form's key
	Handled                  // the form took it
	Submitted                // enter in the last field, and every field is in order
)

// NewForm makes a form of fields, the first in focus.
func NewForm(t *Theme, fields ...Field) *Form { return &Form{} }

// SetFields replaces the fields, keeping the focus on the same field where it
// is still there.
func (f *Form) SetFields(fields ...Field) {}

// Update takes a key or a paste. A paste is only ever text.
func (f *Form) Update(msg tea.Msg) Verdict { return Ignored }

// Submit checks every field, focuses the first that has an error and shows it.
// It reports whether all are in order.
func (f *Form) Submit() bool { return false }

// Complain puts an error on a field, as the service said it, and focuses it. The error goes
// when the field is changed.
func (f *Form) Complain(field Field, text string) {}

// FocusOn puts the focus on a field.
func (f *Form) FocusOn(field Field) {}

// Focused is the field in focus.
func (f *Form) Focused() Field { return nil }

// Typing reports whether the field in focus takes letters.
func (f *Form) Typing() bool { return true }

// Wipe clears the secrets.
func (f *Form) Wipe() {}

// View draws the form in at most w×h cells, scrolled so that the focus is seen.
func (f *Form) View(w, h int) (string, *tea.Cursor) { return "", nil }

// Keys lists the form's bindings for the help bar.
func (f *Form) Keys() []key.Binding { return []key.Binding{Submit, Next, Prev} }
