package api

import (
	"strconv"
	"strings"

	"paydesk/api/money"
)

// Readers of the parts of a payload. A part of the wrong type counts as unreadable; the rest of the
// response stands.

// firstText is the first value that has any text.
func firstText(of ...*value) Text {
	for _, v := range of {
		if t := v.display(); !t.Empty() {
			return t
		}
	}
	return Text{}
}

// firstReference is the first value that is a valid reference.
func firstReference(of ...*value) (Reference, bool) {
	for _, v := range of {
		if s, ok := v.text(); ok {
			if r, err := ParseReference(s); err == nil {
				return r, true
			}
		}
	}
	return "", false
}

// readAmount reads a number in a currency known from elsewhere.
func readAmount(v *value, c money.Currency, u unit) (money.Amount, bool) {
	literal, ok := v.number()
	if !ok || c.IsZero() {
		return money.Amount{}, false
	}
	a, err := u.parse(literal, c)
	if err != nil {
		return money.Amount{}, false
	}
	return a, true
}

// readMoney reads an object of currencyCode and amount (2.8, 2.12).
func readMoney(v *value, u unit) (money.Amount, bool) {
	code, _ := v.field("currencyCode").text()
	c, err := money.ParseCurrency(code)
	if err != nil {
		return money.Amount{}, false
	}
	return readAmount(v.field("amount"), c, u)
}

// readCount reads a non-negative integer, written as 12, 12.0 or "12".
func readCount(v *value) (int, bool) {
	s, ok := v.number()
	if !ok {
		return 0, false
	}
	if whole, zeros, found := strings.Cut(s, "."); found && strings.Trim(zeros, "0") == "" {
		s = whole
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && !strings.HasPrefix(s, "-")
}
