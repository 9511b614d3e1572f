package ui

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/card"
)

// A CVVField is the entry of a card verification value; it shows dots only.
type CVVField struct {
	entry
	digits digits
}

// NewCVVField asks for a CVV.
func NewCVVField(t *Theme, label, help string) *CVVField {
	array := new([4]byte)
	return &CVVField{
		entry:  entry{theme: t, label: label, help: help},
		digits: digits{array: func() []byte { return array[:] }},
	}
}

var errCVVLength = errors.New("three digits, or the four on an American Express card")

// Value is the CVV, or why there is none.
func (f *CVVField) Value() (card.CVV, error) {
	switch given := f.digits.given(); {
	case len(given) == 0:
		return card.CVV{}, errors.New(f.needed())
	case len(given) < 3:
		return card.CVV{}, errCVVLength
	default:
		return card.ParseCVV(string(given))
	}
}

// Set fills the field, for a test card picked from a list.
func (f *CVVField) Set(v card.CVV) {
	f.digits.wipe()
	f.settle(true, f.digits.add(v.Expose(), ""))
}

// Empty reports whether there are no digits.
func (f *CVVField) Empty() bool { return f.digits.n == 0 }

// Check is why there is no CVV; it never quotes it.
func (f *CVVField) Check() string {
	_, err := f.Value()
	return sentence(err)
}

// Update takes a key or a paste.
func (f *CVVField) Update(msg tea.Msg) bool {
	own, changed, refused := f.digits.update(msg, "")
	if own {
		f.settle(changed, refused)
	}
	return own
}

// Wipe overwrites the digits.
func (f *CVVField) Wipe() {
	f.digits.wipe()
	f.refused = ""
}

// View draws a dot for each digit.
func (f *CVVField) View(w int) (string, int) {
	x := -1
	if f.focused {
		x = min(f.digits.n, w-1)
	}
	return cut(strings.Repeat("•", f.digits.n), w), x
}
