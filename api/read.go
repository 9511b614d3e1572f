package api

import (
	"strconv"
	"strings"

	"paydesk/api/money"
)

// How the parts of a payload are read: what has the wrong type is not readable, and
// the rest of the answer stands (R52).

// firstText is the first that says anything.
func firstText(of ...value) Text {
	for _, v := range of {
		if t := v.display(); !t.Empty() {
			return t
		}
	}
	return Text{}
}

// firstReference is the first text that is a reference.
func firstReference(of ...value) (r Reference, err error) {
	err = errNoReference
	for _, v := range of {
		if s, ok := v.text(); ok && s != "" {
			if r, err = ParseReference(s); err == nil {
				return r, nil
			}
		}
	}
	return "", err
}

var errNoReference = &malformed{KindSchema, "there is no reference"}

// A unit reads a number literal: the read method of one of the types of units.go.
type unit func(literal string, c money.Currency) (money.Amount, error)

// readAmount reads a number in a currency that is known from elsewhere.
func readAmount(v value, c money.Currency, in unit) (money.Amount, bool) {
	literal, ok := v.number()
	if !ok || c.IsZero() {
		return money.Amount{}, false
	}
	a, err := in(literal, c)
	if err != nil {
		return money.Amount{}, false
	}
	return a, true
}

// readMoney reads an object of currencyCode and amount (2.8, 2.12).
func readMoney(v value, in unit) (money.Amount, bool) {
	code, _ := v.field("currencyCode").text()
	c, err := money.ParseCurrency(code)
	if err != nil {
		return money.Amount{}, false
	}
	return readAmount(v.field("amount"), c, in)
}

// readCount reads a whole number that is not negative, written as 12, 12.0 or "12".
func readCount(v value) (int, bool) {
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
