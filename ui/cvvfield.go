package ui

import "paydesk/api/card"

// A CVVField is the entry of a card verification value; it shows dots only.
type CVVField struct{}

// NewCVVField asks for a CVV.
func NewCVVField(t *Theme, label, help string) *CVVField { return nil }

// Value is the CVV, or why there is none.
func (f *CVVField) Value() (card.CVV, error) { return card.CVV{}, nil }

// Set fills the field, for a test card picked from a list.
func (f *CVVField) Set(v card.CVV) {}
