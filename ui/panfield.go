package ui

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/card"
)

// A PANField is the entry of a card number: digits in a fixed array, only the
// last four visible, with brand, digit count and Luhn state beside them; a
// paste that is too long is refused whole (R20, R21, R25).
type PANField struct {
	entry
	digits digits
	brand  string // of a whole number
}

const (
	panLeast = 12 // digits
	panMost  = 19
	panUsual = 16 // by then a wrong check digit is worth saying while typing
)

// NewPANField asks for a card number.
func NewPANField(t *Theme, label, help string) *PANField {
	array := new([panMost]byte)
	return &PANField{
		entry:  entry{theme: t, label: label, help: help},
		digits: digits{array: func() []byte { return array[:] }},
	}
}

var (
	errPANLength = errors.New("a card number has 12 to 19 digits")
	errPANCheck  = errors.New("a digit of the card number is wrong, or two have changed places")
)

// Value is the number, or why there is none.
func (f *PANField) Value() (card.PAN, error) {
	switch given := f.digits.given(); {
	case len(given) == 0:
		return card.PAN{}, errors.New(f.needed())
	case len(given) < panLeast:
		return card.PAN{}, errPANLength
	case !luhn(given):
		return card.PAN{}, errPANCheck
	default:
		return card.ParsePAN(string(given))
	}
}

// Set fills the field, for a test card picked from a list.
func (f *PANField) Set(p card.PAN) {
	f.digits.wipe()
	f.settle(true, f.digits.add(p.Expose(), ""))
	f.recognise()
}

// recognise keeps the brand, so that View need not ask for it.
func (f *PANField) recognise() {
	f.brand = ""
	if p, err := f.Value(); err == nil {
		f.brand = p.Brand()
	}
}

// Empty reports whether there are no digits.
func (f *PANField) Empty() bool { return f.digits.n == 0 }

// Check is why there is no number; it never quotes it.
func (f *PANField) Check() string {
	_, err := f.Value()
	return sentence(err)
}

// Update takes a key or a paste: digits, with blanks and dashes between them.
func (f *PANField) Update(msg tea.Msg) bool {
	own, changed, refused := f.digits.update(msg, " -")
	if own {
		f.settle(changed, refused)
	}
	if changed {
		f.recognise()
	}
	return own
}

// Wipe overwrites the digits.
func (f *PANField) Wipe() {
	f.digits.wipe()
	f.brand, f.refused = "", ""
}

// View draws dots, the last four digits and what can be said of the number.
func (f *PANField) View(w int) (string, int) {
	s := masked(f.digits.given())
	x := -1
	if f.focused {
		x = min(ansi.StringWidth(s), w-1)
	}
	if f.Empty() {
		return "", x
	}
	return cut(s+"  "+f.theme.Muted.Render(f.state()), w), x
}

// masked is the digits by fours, dots for all but the last four (R21).
func masked(digits []byte) string {
	var b strings.Builder
	for i, digit := range digits {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		if i < len(digits)-4 {
			b.WriteString("•")
		} else {
			b.WriteByte(digit)
		}
	}
	return b.String()
}

// state is "· 16 digits · Visa · checks". While fewer than the usual digits are there it
// does not call them wrong.
func (f *PANField) state() string {
	n := f.digits.n
	state := fmt.Sprintf("· %d digits", n)
	if n == 1 {
		state = "· 1 digit"
	}
	if f.brand != "" {
		state += " · " + f.brand
	}
	switch {
	case n >= panLeast && luhn(f.digits.given()):
		return state + " · checks"
	case n >= panUsual || n >= panLeast && !f.focused:
		return state + " · one digit is wrong"
	case !f.focused:
		return state + " · too few"
	}
	return state
}
