// Package money holds amounts as exact integers of a currency's minor unit. It uses no floats and
// never rounds.
//
// Amounts are parsed by three functions, each for its own unit:
//
//   - [Parse] parses what a person types, in major units: "1,234.50";
//   - [FromMajor] parses a JSON number of a payment endpoint, in major units;
//   - [FromMinor] parses a JSON number of the list endpoint, in minor units.
//
// A number that cannot be represented exactly is rejected. The errors are texts for people and
// never quote the input.
//
// The currencies are a table of our own, because golang.org/x/text/currency (v0.43.0) does not know
// 8 of the codes and, as CLDR does, gives 22 others fewer decimals than ISO 4217.
package money

import (
	"errors"
	"strconv"
	"strings"
)

// Why an amount is rejected.
var (
	ErrEmpty     = errors.New("enter an amount")
	ErrNumber    = errors.New("enter an amount such as 1234.50")
	ErrComma     = errors.New("commas may only separate thousands, as in 1,234.50")
	ErrAmbiguous = errors.New("a comma can mean thousands or decimals here; write it without, as 1234 or 1.234")
	ErrNegative  = errors.New("an amount cannot be negative")
	ErrTooLarge  = errors.New("the amount is too large")
	ErrFraction  = errors.New("not a whole number of minor units")
)

// A DecimalsError means that a number has more decimals than its currency.
type DecimalsError struct {
	Currency Currency
	Decimals int // of the number that was given
}

func (e *DecimalsError) Error() string {
	if e.Currency.Exponent() == 0 {
		return e.Currency.Code() + " has no decimals"
	}
	return e.Currency.Code() + " has " + strconv.Itoa(e.Currency.Exponent()) +
		" decimals, not " + strconv.Itoa(e.Decimals)
}

// An Amount is a whole number of minor units of a currency.
type Amount struct {
	Minor    int64
	Currency Currency
}

// Major is the amount as a plain decimal in major units, as it is sent: "12.50". An amount in an
// unknown currency is not scaled.
func (a Amount) Major() string { return decimal(a.MinorText(), a.Currency, false) }

// MinorText is the amount as an integer of minor units.
func (a Amount) MinorText() string { return strconv.FormatInt(a.Minor, 10) }

// Grouped is the amount for people, without the currency: "1,234.50". In an unknown currency it is
// the bare integer.
func (a Amount) Grouped() string { return decimal(a.MinorText(), a.Currency, !a.Currency.IsZero()) }

// String is the amount for people: "1,234.50 GBP", or "123450 minor units" in an unknown currency.
func (a Amount) String() string { return worded(a.MinorText(), a.Currency) }

func worded(minor string, c Currency) string {
	if c.IsZero() {
		return minor + " minor units"
	}
	return decimal(minor, c, true) + " " + c.Code()
}

// decimal writes an integer of minor units in major units.
func decimal(minor string, c Currency, grouped bool) string {
	digits, negative := strings.CutPrefix(minor, "-")
	exponent := c.Exponent()
	digits = strings.Repeat("0", max(exponent+1-len(digits), 0)) + digits
	whole, fraction := digits[:len(digits)-exponent], digits[len(digits)-exponent:]
	for i := len(whole) - 3; grouped && i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if negative {
		whole = "-" + whole
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}
