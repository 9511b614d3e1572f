package money

import (
	"math/big"
	"strconv"
	"strings"

	"paydesk/api/text"
)

const (
	maxWhole    = 15 // digits before the point
	maxFraction = 6  // digits after the point of a JSON number
)

var (
	// literal is a number as JSON writes it, with its whole part and its fraction; a power of ten has two digits at most.
	literal = text.Pattern(`^-?(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE][+-]?[0-9]{1,2})?$`)
	// grouped is a number whose commas separate thousands.
	grouped = text.Pattern(`^[0-9]{1,3}(,[0-9]{3})*(\.[0-9.]*)?$`)
)

// Parse parses a decimal in major units as a person types it: "12", "12.5", "1,234.50" (thousands
// separated by commas), ignoring spaces around it. More decimals than the currency has are a
// [DecimalsError], a negative amount is [ErrNegative]. "1,234" is one number to some people and
// another to others where the currency has three decimals or more, so it is [ErrAmbiguous] there.
func Parse(s string, c Currency) (Amount, error) {
	s = strings.Trim(s, " \t\r\n")
	switch rest, negative := strings.CutPrefix(s, "-"); {
	case c.IsZero():
		return Amount{}, ErrCurrency
	case s == "":
		return Amount{}, ErrEmpty
	case negative:
		if _, err := Parse(rest, c); err != nil {
			return Amount{}, ErrNumber
		}
		return Amount{}, ErrNegative
	case strings.Trim(s, "0123456789,.") != "":
		return Amount{}, ErrNumber
	case strings.Contains(s, ",") && !grouped().MatchString(s):
		return Amount{}, ErrComma
	case c.Exponent() >= 3 && strings.Count(s, ",") == 1 && !strings.Contains(s, "."):
		return Amount{}, ErrAmbiguous
	}
	s = strings.ReplaceAll(s, ",", "") // it has no sign and no power, as checked above
	if _, fraction, _ := strings.Cut(s, "."); literal().MatchString(s) && len(fraction) > c.Exponent() {
		return Amount{}, &DecimalsError{c, len(fraction)}
	}
	return fromLiteral(s, c, c.Exponent())
}

// FromMajor parses a JSON number literal in major units, with at most 15 digits before the point, 6
// after it and 2 in the exponent. It must be a whole number of minor units of c; "12.00" is one of
// JPY too.
func FromMajor(s string, c Currency) (Amount, error) {
	if c.IsZero() {
		return Amount{}, ErrCurrency
	}
	return fromLiteral(s, c, c.Exponent())
}

// FromMinor parses a JSON number literal in minor units, with the same grammar as [FromMajor]. The
// currency may be unknown.
func FromMinor(s string, c Currency) (Amount, error) {
	a, err := fromLiteral(s, c, 0)
	if _, fine := err.(*DecimalsError); fine {
		return Amount{}, ErrFraction
	}
	return a, err
}

// fromLiteral parses a JSON number literal as a whole count of 10^-exponent of c.
func fromLiteral(s string, c Currency, exponent int) (Amount, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && exponent == 0 && len(s) <= maxWhole && strconv.FormatInt(n, 10) == s {
		return Amount{n, c}, nil // most, and the pattern is slow
	}
	part := literal().FindStringSubmatch(s)
	switch {
	case part == nil || len(part[2]) > maxFraction:
		return Amount{}, ErrNumber
	case len(part[1]) > maxWhole:
		return Amount{}, ErrTooLarge
	}
	n, _ := new(big.Rat).SetString(s) // the pattern has nothing else
	if decimals, _ := n.FloatPrec(); decimals > exponent {
		return Amount{}, &DecimalsError{c, decimals}
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(exponent)), nil)
	n.Mul(n, new(big.Rat).SetInt(unit))
	if !n.Num().IsInt64() {
		return Amount{}, ErrTooLarge
	}
	return Amount{n.Num().Int64(), c}, nil
}
