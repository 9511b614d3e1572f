package ui

import (
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/card"
)

// An ExpiryField is an input for the month in which a card expires, as MM/YY. It adds the slash
// itself and refuses an impossible month while it is typed.
type ExpiryField struct {
	digitsField // MMYY
	now         func() time.Time
}

// NewExpiryField returns an empty field; now is the clock that tells whether a card has expired.
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
