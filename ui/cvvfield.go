package ui

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/card"
)

// A CVVField is the entry of a card verification value; it shows dots only.
type CVVField struct{ entry }

// NewCVVField asks for a CVV.
func NewCVVField(t *Theme, label, help string) *CVVField {
	return &CVVField{entry: entry{theme: t, label: label, help: help}}
}

// Value is the CVV, or why there is none.
func (f *CVVField) Value() (card.CVV, error) { return card.CVV{}, nil }

// Set fills the field, for a test card picked from a list.
func (f *CVVField) Set(v card.CVV) {}

func (f *CVVField) Empty() bool              { return true }
func (f *CVVField) Check() string            { return "" }
func (f *CVVField) Update(tea.Msg) bool      { return false }
func (f *CVVField) View(w int) (string, int) { return "", -1 }
