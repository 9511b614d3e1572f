package ui

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/card"
)

// A CVVField is the entry of a card verification value; it shows dots only.
type CVVField struct {
	baseField
	digits digits
	pan    *PANField // nil when the brand does not matter
}

// NewCVVField asks for a CVV.
func NewCVVField(t *Theme, label, help string) *CVVField {
	array := new([4]byte)
	return &CVVField{
		baseField: baseField{theme: t, label: label, help: help},
		digits:    digits{array: func() []byte { return array[:] }},
	}
}

// For makes the CVV as long as the brand of the number in another field has it.
func (f *CVVField) For(pan *PANField) { f.pan = pan }

// Value is the CVV, or why there is none.
func (f *CVVField) Value() (card.CVV, error) {
	if f.Empty() {
		return card.CVV{}, errors.New(f.requiredMessage())
	}
	if brand := f.brand(); brand != "" && f.digits.n != card.CVVLength(brand) {
		return card.CVV{}, fmt.Errorf("the code on a %s card has %d digits", brand, card.CVVLength(brand))
	}
	return card.ParseCVV(string(f.digits.bytes()))
}

func (f *CVVField) brand() string {
	if f.pan == nil {
		return ""
	}
	return f.pan.Brand()
}

// Set fills the field, for a test card picked from a list.
func (f *CVVField) Set(v card.CVV) {
	f.digits.wipe()
	f.record(true, f.digits.add(v.Expose(), ""))
}

// Empty reports whether there are no digits.
func (f *CVVField) Empty() bool { return f.digits.n == 0 }

// Check is why there is no CVV; it never quotes it.
func (f *CVVField) Check() string {
	v, err := f.Value()
	v.Wipe()
	return capitalized(err)
}

// Update takes a key or a paste.
func (f *CVVField) Update(msg tea.Msg) bool {
	own, changed, refused := f.digits.update(msg, "")
	if own {
		f.record(changed, refused)
	}
	return own
}

// Wipe overwrites the digits.
func (f *CVVField) Wipe() {
	f.digits.wipe()
	f.inputError = ""
}

// View draws a dot for each digit.
func (f *CVVField) View(w int) (string, int) {
	x := -1
	if f.focused {
		x = min(f.digits.n, w-1)
	}
	return cut(strings.Repeat("•", f.digits.n), w), x
}
