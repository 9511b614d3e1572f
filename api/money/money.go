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
	"math/big"
	"strconv"
	"strings"

	"paydesk/api/text"
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
	if grouped {
		whole = text.Grouped(whole)
	}
	if negative {
		whole = "-" + whole
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// A Sum adds amounts of one currency exactly, however many there are. The zero Sum is 0 of an unknown currency.
type Sum struct {
	currency Currency
	minor    *big.Int // nil for 0; never changed, since copies of a Sum share it
}

// SumIn is 0 of a currency.
func SumIn(c Currency) Sum { return Sum{currency: c} }

// Currency returns the currency of the sum.
func (s Sum) Currency() Currency { return s.currency }

// Add adds a number of minor units of the sum's own currency.
func (s *Sum) Add(minor int64) { s.Join(Sum{minor: big.NewInt(minor)}) }

// Join adds a sum of the same currency, which the zero Sum takes on.
func (s *Sum) Join(o Sum) {
	if s.currency.IsZero() {
		s.currency = o.currency
	}
	s.minor = new(big.Int).Add(s.total(), o.total())
}

func (s Sum) total() *big.Int {
	if s.minor == nil {
		return new(big.Int)
	}
	return s.minor
}

// MinorText is the sum as an integer of minor units.
func (s Sum) MinorText() string { return s.total().String() }

// Major is the sum as a plain decimal in major units, as [Amount.Major].
func (s Sum) Major() string { return decimal(s.MinorText(), s.currency, false) }

// Grouped is the sum for people, without the currency, as [Amount.Grouped].
func (s Sum) Grouped() string { return decimal(s.MinorText(), s.currency, !s.currency.IsZero()) }

// String is the sum for people, as [Amount.String].
func (s Sum) String() string { return worded(s.MinorText(), s.currency) }
