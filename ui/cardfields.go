package ui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/card"
)

// A digitsField is the part that the fields of card data share. It holds what is typed in a fixed array, which never grows
// and so is never copied, overwritten by Wipe. That is behind a function because fmt and reflection follow fields and pointers,
// but not functions.
type digitsField struct {
	baseField
	array   func() []byte
	n       int    // digits in it
	between string // the characters that may separate digits
}

func newDigitsField(t *Theme, label, help string, n int, between string) digitsField {
	array := make([]byte, n)
	return digitsField{
		baseField: baseField{theme: t, label: label, help: help},
		array:     func() []byte { return array }, between: between,
	}
}

// bytes returns the array's digits; the caller must not keep them.
func (f *digitsField) bytes() []byte { return f.array()[:f.n] }

// edit handles the keys that are not text. Backspace removes the last digit: in the
// middle of dots, none can be told from another.
func (f *digitsField) edit(stroke string) (own, changed bool) {
	was := f.n
	switch stroke {
	case "backspace", "ctrl+h", "shift+backspace":
		if f.n > 0 {
			f.n--
			f.array()[f.n] = 0
		}
	case "ctrl+u", "ctrl+w", "alt+backspace":
		f.Wipe()
	case "left", "right", "home", "end", "delete", "ctrl+a", "ctrl+e", "ctrl+k":
	default:
		return false, false
	}
	return true, f.n != was
}

// add adds all digits of s at the end, or none and returns why.
func (f *digitsField) add(s string) (changed bool, refused string) {
	n := 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			n++
		case !strings.ContainsRune(f.between, r):
			return false, "Digits only (input ignored)"
		}
	}
	if most := len(f.array()); f.n+n > most {
		return false, fmt.Sprintf("At most %d digits (input ignored; ctrl+u clears the field)", most)
	}
	for _, r := range s {
		if r >= '0' && r <= '9' {
			f.array()[f.n] = byte(r)
			f.n++
		}
	}
	return true, ""
}

// Focus implements [Field]. What was wrong with a key is said until the focus moves, or the form is submitted.
func (f *digitsField) Focus() { f.focused, f.inputError = true, "" }

// Blur implements [Field].
func (f *digitsField) Blur() { f.focused, f.inputError = false, "" }

// Required is true: a card has all of its data.
func (f *digitsField) Required() bool { return true }

// Width is the cells of all digits, of what is drawn between them, and of the cursor.
func (f *digitsField) Width() int {
	n := len(f.array())
	return max(n+(n-1)/4+1, leastBox)
}

// Empty reports whether the field has no digits.
func (f *digitsField) Empty() bool { return f.n == 0 }

// Wipe overwrites the digits.
func (f *digitsField) Wipe() {
	clear(f.array())
	f.n, f.inputError = 0, ""
}

// set replaces the digits, those of a test card.
func (f *digitsField) set(s string) {
	f.Wipe()
	_, refused := f.add(s)
	f.record(true, true, refused)
}

// Update handles a key or a paste.
func (f *digitsField) Update(msg tea.Msg) bool {
	return f.record(edited(msg, f.paste, f.add, f.edit))
}

func (f *digitsField) paste(s string) (changed bool, refused string) {
	return f.add(strings.TrimSpace(s))
}

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

// State says how much of a number was typed, of which brand, and if its check digit is right: "✓ Visa,
// 16 digits". While a number is being typed, one shorter than usual is not called wrong.
func (f *PANField) State() (sign string, words []string) {
	if f.Empty() {
		return "", nil
	}
	count := strconv.Itoa(f.n) + " digits"
	if f.n == 1 {
		count = "1 digit"
	}
	switch {
	case f.complete():
		return validSign, joined(f.Brand(), count)
	case f.n >= usualDigits && !f.luhnValid():
		return "!", joined("wrong digit", count)
	}
	words = joined(f.Brand(), count)
	if len(words) > 1 {
		words[1] = count // dots do not count themselves
	}
	return "", words
}

// joined returns words about a number with the count of its digits, and without it.
func joined(what, count string) []string {
	if what == "" {
		return []string{count}
	}
	return []string{what + ", " + count, what}
}

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

// An ExpiryField is an input for the month in which a card expires, as MM/YY. It adds the slash
// itself and refuses an impossible month while it is typed.
type ExpiryField struct {
	digitsField // MMYY
	now         func() time.Time
}

// NewExpiryField returns an empty field; by the clock now a card has expired or not.
func NewExpiryField(t *Theme, label, help string, now func() time.Time) *ExpiryField {
	return &ExpiryField{newDigitsField(t, label, help, 4, ""), now}
}

var errExpired = errors.New("the card has expired")

// Value returns the expiry. A card is valid to the end of its month.
func (f *ExpiryField) Value() (card.Expiry, error) {
	if f.Empty() {
		return card.Expiry{}, f.missing()
	}
	expiry, err := card.ParseExpiry(string(f.bytes()))
	if err != nil {
		return card.Expiry{}, err
	}
	if expiry.Expired(f.now()) {
		return card.Expiry{}, errExpired
	}
	return expiry, nil
}

// Set fills the field with a value of a test card.
func (f *ExpiryField) Set(e card.Expiry) {
	f.set(fmt.Sprintf("%02d%02d", e.Month, e.Year%100))
}

// Check returns the error of [ExpiryField.Value].
func (f *ExpiryField) Check() string { return objection(f.Value()) }

// Update handles a key or a paste; a paste replaces the value.
func (f *ExpiryField) Update(msg tea.Msg) bool {
	return f.record(edited(msg, f.paste, f.typeRune, f.edit))
}

// typeRune handles a digit or the slash. A first digit above 1 is a whole month, and so is a
// single digit followed by the slash.
func (f *ExpiryField) typeRune(s string) (changed bool, refused string) {
	given := f.bytes()
	switch {
	case len(s) != 1:
		return false, "Digits only (input ignored)"
	case s == "/" && len(given) == 1 && given[0] != '0':
		given[0], s = '0', string(given[0])
	case s == "/" && len(given) == 2:
		return false, ""
	case len(given) == 0 && s[0] >= '2' && s[0] <= '9':
		s = "0" + s
	case len(given) == 1 && !isMonth(string(given)+s):
		return false, capitalized(card.ErrMonth)
	}
	return f.add(s)
}

func isMonth(s string) bool { return s >= "01" && s <= "12" && len(s) == 2 }

// paste accepts what [card.ParseExpiry] does, and a month of one digit.
func (f *ExpiryField) paste(s string) (changed bool, refused string) {
	if s = strings.TrimSpace(s); len(s) > 1 && s[1] == '/' {
		s = "0" + s
	}
	expiry, err := card.ParseExpiry(s)
	if err != nil {
		return false, capitalized(err) + " (input ignored)"
	}
	f.Set(expiry)
	return true, ""
}

// View draws as much of MM/YY as was typed.
func (f *ExpiryField) View(w int) (string, int) {
	s := string(f.bytes())
	if len(s) >= 2 {
		s = s[:2] + "/" + s[2:]
	}
	return f.end(s, w)
}
