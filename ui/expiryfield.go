package ui

import (
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/card"
)

// An ExpiryField is the entry of the month a card expires in, as MM/YY. The
// slash comes by itself, and a month that is none is refused as it is typed.
type ExpiryField struct {
	entry
	digits digits // MMYY
	now    func() time.Time
}

// NewExpiryField asks for an expiry; now is today, to refuse a month that has passed.
func NewExpiryField(t *Theme, label, help string, now func() time.Time) *ExpiryField {
	array := new([4]byte)
	return &ExpiryField{
		entry:  entry{theme: t, label: label, help: help},
		digits: digits{array: func() []byte { return array[:] }},
		now:    now,
	}
}

var (
	errExpiryLength = errors.New("the month and the year, as MM/YY")
	errExpired      = errors.New("the card has expired")
)

// Value is the expiry, or why there is none. A card is good to the end of its month.
func (f *ExpiryField) Value() (card.Expiry, error) {
	if f.digits.n == 0 {
		return card.Expiry{}, errors.New(f.needed())
	}
	if f.digits.n < 4 {
		return card.Expiry{}, errExpiryLength
	}
	given := f.digits.given()
	expiry := card.Expiry{Month: number(given[:2]), Year: 2000 + number(given[2:])}
	year, month, _ := f.now().Date()
	if expiry.Year < year || expiry.Year == year && expiry.Month < int(month) {
		return card.Expiry{}, errExpired
	}
	return expiry, nil
}

func number(digits []byte) int { return int(digits[0]-'0')*10 + int(digits[1]-'0') }

// Set fills the field, for a test card picked from a list.
func (f *ExpiryField) Set(e card.Expiry) {
	f.digits.wipe()
	f.settle(true, f.digits.add(fmt.Sprintf("%02d%02d", e.Month, e.Year%100), ""))
}

// Empty reports whether there are no digits.
func (f *ExpiryField) Empty() bool { return f.digits.n == 0 }

// Check is why there is no expiry.
func (f *ExpiryField) Check() string {
	_, err := f.Value()
	return sentence(err)
}

// Update takes a key or a paste; a paste replaces what is there.
func (f *ExpiryField) Update(msg tea.Msg) bool {
	var own, changed bool
	var refused string
	switch msg := msg.(type) {
	case tea.PasteMsg:
		own = true
		changed, refused = f.paste(strings.TrimSpace(msg.Content))
	case tea.KeyPressMsg:
		if msg.Text == "" {
			own, changed = f.digits.edit(msg.Keystroke())
			break
		}
		own = true
		changed, refused = f.typed(msg.Text)
	}
	if own {
		f.settle(changed, refused)
	}
	return own
}

// typed takes one digit or the slash. A first digit over 1 is a month by itself, and so is
// a digit with a slash after it.
func (f *ExpiryField) typed(s string) (changed bool, refused string) {
	given := f.digits.given()
	switch {
	case len(s) != 1:
		return false, "Digits only: nothing was put in"
	case s == "/" && len(given) == 1 && given[0] != '0':
		given[0], s = '0', string(given[0])
	case s == "/" && len(given) == 2:
		return false, ""
	case len(given) == 0 && s[0] >= '2' && s[0] <= '9':
		s = "0" + s
	case len(given) == 1 && !isMonth(string(given)+s):
		return false, "The month is 01 to 12"
	}
	refused = f.digits.add(s, "")
	return refused == "", refused
}

func isMonth(s string) bool { return s >= "01" && s <= "12" && len(s) == 2 }

// paste takes MM/YY, MM/YYYY and MMYY.
func (f *ExpiryField) paste(s string) (changed bool, refused string) {
	month, year, slash := strings.Cut(strings.ReplaceAll(s, " ", ""), "/")
	if !slash && len(month) == 4 {
		month, year = month[:2], month[2:]
	}
	if len(month) == 1 {
		month = "0" + month
	}
	if len(year) == 4 {
		year = strings.TrimPrefix(year, "20")
	}
	if !isMonth(month) || len(year) != 2 || strings.Trim(month+year, "0123456789") != "" {
		return false, "Not a month and a year as MM/YY: nothing was put in"
	}
	f.digits.wipe()
	return true, f.digits.add(month+year, "")
}

// Wipe overwrites the digits: an expiry is kept no longer than its number (R20).
func (f *ExpiryField) Wipe() {
	f.digits.wipe()
	f.refused = ""
}

// View draws MM/YY as far as it is known.
func (f *ExpiryField) View(w int) (string, int) {
	s := string(f.digits.given())
	if len(s) >= 2 {
		s = s[:2] + "/" + s[2:]
	}
	x := -1
	if f.focused {
		x = min(len(s), w-1)
	}
	return cut(s, w), x
}
