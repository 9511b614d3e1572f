package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/card"
)

// A PANField is the entry of a card number: digits in a fixed array, the last four
// visible once the number is whole, with brand, digit count and Luhn state beside them; a
// paste that is too long is refused whole (R20, R21, R25).
type PANField struct {
	baseField
	digits digits
}

const (
	minPANDigits = 12 // digits
	maxPANDigits = 19
	amexDigits   = 15
	usualDigits  = 16 // where a wrong digit is worth saying while one types
)

// NewPANField asks for a card number.
func NewPANField(t *Theme, label, help string) *PANField {
	array := new([maxPANDigits]byte)
	return &PANField{
		baseField: baseField{theme: t, label: label, help: help},
		digits:    digits{array: func() []byte { return array[:] }},
	}
}

// Value is the number, or why there is none.
func (f *PANField) Value() (card.PAN, error) {
	if f.Empty() {
		return card.PAN{}, errors.New(f.requiredMessage())
	}
	return card.ParsePAN(string(f.digits.bytes()))
}

// Brand is the scheme as far as the digits tell it, or "".
func (f *PANField) Brand() string { return card.BrandOf(f.digits.bytes()) }

// Set fills the field, for a test card picked from a list.
func (f *PANField) Set(p card.PAN) {
	f.digits.wipe()
	f.record(true, f.digits.add(p.Expose(), ""))
}

// Empty reports whether there are no digits.
func (f *PANField) Empty() bool { return f.digits.n == 0 }

// Check is why there is no number; it never quotes it.
func (f *PANField) Check() string {
	p, err := f.Value()
	p.Wipe()
	return capitalized(err)
}

// Update takes a key or a paste: digits, with blanks and dashes between them.
func (f *PANField) Update(msg tea.Msg) bool {
	own, changed, refused := f.digits.update(msg, " -")
	if own {
		f.record(changed, refused)
	}
	return own
}

// Wipe overwrites the digits.
func (f *PANField) Wipe() {
	f.digits.wipe()
	f.inputError = ""
}

// View draws dots, the last four digits and what can be said of the number.
func (f *PANField) View(w int) (string, int) {
	given, last := f.digits.bytes(), 0
	if f.complete() {
		last = 4
	}
	s := masked(given, last)
	x := -1
	if f.focused {
		x = min(ansi.StringWidth(s), w-1)
	}
	if f.Empty() {
		return "", x
	}
	return cut(s+f.theme.Muted.Render(f.state(w-ansi.StringWidth(s))), w), x
}

// luhnValid reports whether the check digit is.
func (f *PANField) luhnValid() bool { return f.digits.n >= minPANDigits && card.Luhn(f.digits.bytes()) }

// complete reports whether no more digits are to come, as far as one can tell. Before that
// none of them is shown: the last four of every length, one after the other, are the
// number, for who records the terminal (R24).
func (f *PANField) complete() bool {
	usual := f.digits.n >= usualDigits || f.digits.n == amexDigits && f.Brand() == card.AmericanExpress
	return f.luhnValid() && (usual || !f.focused)
}

// masked is the digits by fours, dots for all but the last ones (R21).
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

// state is "  · 16 digits · Visa · checks", or as much of it as goes into w cells.
func (f *PANField) state(w int) string {
	count := fmt.Sprintf("· %d digits", f.digits.n) // the dot keeps the digits apart
	if f.digits.n == 1 {
		count = "· 1 digit"
	}
	brand, verdict := f.Brand(), f.checkState()
	for _, parts := range [][]string{{count, brand, verdict}, {brand, verdict}, {verdict}, {count}} {
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
		if s := "  " + strings.Join(parts, " · "); ansi.StringWidth(s) <= w {
			return s
		}
	}
	return ""
}

// checkState is what the check digit says. While one types and fewer than the usual digits are
// there it calls nothing wrong.
func (f *PANField) checkState() string {
	switch n := f.digits.n; {
	case f.luhnValid():
		return "checks"
	case n >= usualDigits || n >= minPANDigits && !f.focused:
		return "wrong digit"
	case !f.focused:
		return "too few"
	}
	return ""
}
