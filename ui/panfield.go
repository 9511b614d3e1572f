package ui

import (
	"fmt"
	"slices"
	"strings"

	"paydesk/api/card"
)

// A PANField is an input for a card number. The digits are in a fixed array; the last four become
// visible once the number is complete, with the digit count, the brand and the result of the Luhn
// check beside them. A paste that is too long is refused whole.
type PANField struct{ digitsField }

const (
	minPANDigits = 12 // digits
	maxPANDigits = 19
	amexDigits   = 15
	usualDigits  = 16 // from here on a failed check is shown while typing
)

// NewPANField returns an empty field.
func NewPANField(t *Theme, label, help string) *PANField {
	return &PANField{newDigitsField(t, label, help, maxPANDigits, " -")}
}

// Value returns the card number.
func (f *PANField) Value() (card.PAN, error) {
	if f.Empty() {
		return card.PAN{}, f.missing()
	}
	return card.ParsePAN(string(f.bytes()))
}

// Brand returns the card scheme that the digits typed so far belong to, "" when unknown.
func (f *PANField) Brand() string { return card.BrandOf(f.bytes()) }

// Set fills the field with a test card's number.
func (f *PANField) Set(p card.PAN) { f.set(p.Expose()) }

// Check returns the error of [PANField.Value], which never quotes the digits.
func (f *PANField) Check() string { return objection(f.Value()) }

// View draws dots, the last four digits and the state of the number.
func (f *PANField) View(w int) (string, int) {
	last := 0
	if f.complete() {
		last = 4
	}
	s := masked(f.bytes(), last)
	_, x := f.end(s, w)
	if f.Empty() {
		return "", x
	}
	return cut(s+f.theme.Muted.Render(f.state(w-width(s))), w), x
}

func (f *PANField) luhnValid() bool { return f.n >= minPANDigits && card.Luhn(f.bytes()) }

// complete reports whether the number is probably complete. No digit is shown before: showing
// the last four at every length would reveal the whole number to a recording of the terminal.
func (f *PANField) complete() bool {
	usual := f.n >= usualDigits || f.n == amexDigits && f.Brand() == card.AmericanExpress
	return f.luhnValid() && (usual || !f.focused)
}

// masked draws the digits in groups of four, dots for all but the last ones.
func masked(digits []byte, last int) string {
	var b strings.Builder
	for i, digit := range digits {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		if i < len(digits)-last {
			b.WriteString("•")
		} else {
			b.WriteByte(digit)
		}
	}
	return b.String()
}

// state returns "  · 16 digits · Visa · valid", or as much of it as fits w cells.
func (f *PANField) state(w int) string {
	count := fmt.Sprintf("· %d digits", f.n) // the dot separates the count from the card number
	if f.n == 1 {
		count = "· 1 digit"
	}
	brand, verdict := f.Brand(), f.checkState()
	for _, parts := range [][]string{{count, brand, verdict}, {brand, verdict}, {verdict}, {count}} {
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
		if s := "  " + strings.Join(parts, " · "); width(s) <= w {
			return s
		}
	}
	return ""
}

// checkState words the result of the Luhn check. While a number is being typed, one shorter than
// usual is not called wrong.
func (f *PANField) checkState() string {
	switch n := f.n; {
	case f.luhnValid():
		return "valid"
	case n >= usualDigits || n >= minPANDigits && !f.focused:
		return "wrong digit"
	case !f.focused:
		return "too few"
	}
	return ""
}
