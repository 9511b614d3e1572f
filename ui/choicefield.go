package ui

import tea "charm.land/bubbletea/v2"

// A ChoiceField is one of a few words, moved by left and right (or its first letter).
type ChoiceField struct{ entry }

// NewChoiceField asks for one of options.
func NewChoiceField(t *Theme, label, help string, options ...string) *ChoiceField {
	return &ChoiceField{entry: entry{theme: t, label: label, help: help}}
}

// Chosen is the index of the option, -1 when there are none.
func (f *ChoiceField) Chosen() int { return 0 }

// Value is the chosen word, "" when there are none.
func (f *ChoiceField) Value() string { return "" }

// Choose picks option i.
func (f *ChoiceField) Choose(i int) {}

// SetOptions replaces the options, keeping the chosen word where it is still there.
func (f *ChoiceField) SetOptions(options ...string) {}

func (f *ChoiceField) Empty() bool              { return true }
func (f *ChoiceField) Check() string            { return "" }
func (f *ChoiceField) Update(tea.Msg) bool      { return false }
func (f *ChoiceField) View(w int) (string, int) { return "", -1 }
func (f *ChoiceField) Typing() bool             { return false }
