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
	baseField
	digits digits // MMYY
	now    func() time.Time
}

// NewExpiryField asks for an expiry; now is today, to refuse a month that has passed.
func NewExpiryField(t *Theme, label, help string, now func() time.Time) *ExpiryField {
	array := new([4]byte)
	return &ExpiryField{
		baseField: baseField{theme: t, label: label, help: help},
		digits:    digits{array: func() []byte { return array[:] }},
		now:       now,
	}
}

var errExpired = errors.New("the card has expired")

// Value is the expiry, or why there is none. A card is good to the end of its month.
func (f *ExpiryField) Value() (card.Expiry, error) {
	if f.Empty() {
		return card.Expiry{}, errors.New(f.requiredMessage())
	}
	expiry, err := card.ParseExpiry(string(f.digits.bytes()))
	if err != nil {
		return card.Expiry{}, err
	}
	if expiry.Expired(f.now()) {
		return card.Expiry{}, errExpired
	}
	return expiry, nil
}

// Set fills the field, for a test card picked from a list.
func (f *ExpiryField) Set(e card.Expiry) {
	f.digits.wipe()
	f.record(true, f.digits.add(fmt.Sprintf("%02d%02d", e.Month, e.Year%100), ""))
}

// Empty reports whether there are no digits.
func (f *ExpiryField) Empty() bool { return f.digits.n == 0 }

// Check is why there is no expiry.
func (f *ExpiryField) Check() string {
	_, err := f.Value()
	return capitalized(err)
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
		changed, refused = f.typeRune(msg.Text)
	}
	if own {
		f.record(changed, refused)
	}
	return own
}

// typeRune takes one digit or the slash. A first digit over 1 is a month by itself, and so is
// a digit with a slash after it.
func (f *ExpiryField) typeRune(s string) (changed bool, refused string) {
	given := f.digits.bytes()
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
		return false, capitalized(card.ErrMonth)
	}
	refused = f.digits.add(s, "")
	return refused == "", refused
}

func isMonth(s string) bool { return s >= "01" && s <= "12" && len(s) == 2 }

// paste takes what [card.ParseExpiry] reads, and a month of one digit.
func (f *ExpiryField) paste(s string) (changed bool, refused string) {
	if len(s) > 1 && s[1] == '/' {
		s = "0" + s
	}
	expiry, err := card.ParseExpiry(s)
	if err != nil {
		return false, capitalized(err) + ": nothing was put in"
	}
	f.Set(expiry)
	return true, ""
}

// Wipe overwrites the digits: an expiry is kept no longer than its number (R20).
func (f *ExpiryField) Wipe() {
	f.digits.wipe()
	f.inputError = ""
}

// View draws MM/YY as far as it is known.
func (f *ExpiryField) View(w int) (string, int) {
	s := string(f.digits.bytes())
	if len(s) >= 2 {
		s = s[:2] + "/" + s[2:]
	}
	x := -1
	if f.focused {
		x = min(len(s), w-1)
	}
	return cut(s, w), x
}
