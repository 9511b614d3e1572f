package ui

import (
	"strconv"
	"strings"

	"paydesk/api/card"
)

// A PANField is an input for a card number. The digits are in a fixed array; the last four become
// visible once the number is complete. A paste that is too long is refused whole.
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

// View draws dots and the last four digits.
func (f *PANField) View(w int) (string, int) {
	last := 0
	if f.complete() {
		last = 4
	}
	return f.end(masked(f.bytes(), last), w)
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

// State says how much of a number was typed, of which brand, and whether its check digit is right: "✓ Visa,
// 16 digits". While a number is being typed, one shorter than usual is not called wrong.
func (f *PANField) State() (sign string, words []string) {
	if f.Empty() {
		return "", nil
	}
	count := strconv.Itoa(f.n) + " digits"
	if f.n == 1 {
		count = "1 digit"
	}
	switch n := f.n; {
	case f.complete():
		return "✓", joined(f.Brand(), count)
	case n >= usualDigits && !f.luhnValid() || n >= minPANDigits && !f.focused:
		return "!", joined("wrong digit", count)
	case !f.focused:
		return "!", joined("too few", count)
	}
	words = joined(f.Brand(), count)
	if len(words) > 1 {
		words[1] = count // dots do not count themselves
	}
	return "", words
}

// joined returns what can be said of a number and how many digits it has, and that without the count.
func joined(what, count string) []string {
	if what == "" {
		return []string{count}
	}
	return []string{what + ", " + count, what}
}
