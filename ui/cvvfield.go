package ui

import (
	"fmt"
	"strings"

	"paydesk/api/card"
)

// A CVVField is an input for a card verification value; it only ever shows dots.
type CVVField struct {
	digitsField
	pan *PANField
}

// NewCVVField returns an empty field. It requires the length that the brand of the card number has,
// or either length while the brand is unknown.
func NewCVVField(t *Theme, label, help string, pan *PANField) *CVVField {
	return &CVVField{newDigitsField(t, label, help, 4, ""), pan}
}

// Value returns the CVV.
func (f *CVVField) Value() (card.CVV, error) {
	if f.Empty() {
		return card.CVV{}, f.missing()
	}
	if brand := f.pan.Brand(); brand != "" && f.n != card.CVVLength(brand) {
		return card.CVV{}, fmt.Errorf("%s cards have a code of %d digits", brand, card.CVVLength(brand))
	}
	return card.ParseCVV(string(f.bytes()))
}

// Set fills the field with a value of a test card.
func (f *CVVField) Set(v card.CVV) { f.set(v.Expose()) }

// Check returns the error of [CVVField.Value], which never quotes the digits.
func (f *CVVField) Check() string { return objection(f.Value()) }

// View draws a dot for each digit.
func (f *CVVField) View(w int) (string, int) { return f.end(strings.Repeat("•", f.n), w) }
