package ui

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/card"
)

// A PANField is the entry of a card number: digits in a fixed array, only the
// last four visible, with brand, digit count and Luhn state beside them; a
// paste that is too long is refused whole (R20, R21, R25).
type PANField struct{ entry }

// NewPANField asks for a card number.
func NewPANField(t *Theme, label, help string) *PANField {
	return &PANField{entry: entry{theme: t, label: label, help: help}}
}

// Value is the number, or why there is none.
func (f *PANField) Value() (card.PAN, error) { return card.PAN{}, nil }

// Set fills the field, for a test card picked from a list.
func (f *PANField) Set(p card.PAN) {}

func (f *PANField) Empty() bool              { return true }
func (f *PANField) Check() string            { return "" }
func (f *PANField) Update(tea.Msg) bool      { return false }
func (f *PANField) View(w int) (string, int) { return "", -1 }
