package money

import (
	"strconv"
	"strings"

	"paydesk/api/text"
)

const (
	maxWhole    = 15 // digits before the point
	maxFraction = 6  // digits after the point of a JSON number
)

var (
	// literal is a number as JSON writes it: sign, whole, fraction and power of ten.
	literal = text.Pattern(`^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,2}))?$`)
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
	n, err := scan(strings.ReplaceAll(s, ",", "")) // it has no sign and no power, as checked above
	if err == nil && len(n.fraction) > c.Exponent() {
		err = &DecimalsError{c, len(n.fraction)}
	}
	if err != nil {
		return Amount{}, err
	}
	return n.amount(c, c.Exponent())
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

func fromLiteral(s string, c Currency, exponent int) (Amount, error) {
	n, err := scan(s)
	if err == nil && len(n.fraction) > maxFraction {
		err = ErrNumber
	}
	if err != nil {
		return Amount{}, err
	}
	return n.amount(c, exponent)
}

// A number is a parsed decimal: whole.fraction × 10^power.
type number struct {
	sign, whole, fraction string
	power                 int
}

func scan(s string) (number, error) {
	if s != "" && len(s) <= maxWhole && s[0] != '0' && strings.Trim(s, "0123456789") == "" { // most, and the pattern is slow
		return number{whole: s}, nil
	}
	part := literal().FindStringSubmatch(s)
	if part == nil {
		return number{}, ErrNumber
	}
	power, _ := strconv.Atoi(part[4]) // 0 without one
	return number{part[1], part[2], part[3], power}, nil
}

// amount is the number as a whole count of 10^-exponent of c.
func (n number) amount(c Currency, exponent int) (Amount, error) {
	if len(n.whole) > maxWhole {
		return Amount{}, ErrTooLarge
	}
	all := strings.TrimLeft(n.whole+n.fraction, "0")
	if all == "" {
		return Amount{0, c}, nil
	}
	if shift := n.power + exponent - len(n.fraction); shift >= 0 {
		if len(all)+shift > 19 { // int64 has 19 digits
			return Amount{}, ErrTooLarge
		}
		all += strings.Repeat("0", shift)
	} else {
		short := strings.TrimRight(all, "0")
		if len(all)-len(short) < -shift {
			return Amount{}, &DecimalsError{c, len(n.fraction) - n.power - (len(all) - len(short))}
		}
		all = all[:len(all)+shift]
	}
	minor, err := strconv.ParseInt(n.sign+all, 10, 64)
	if err != nil {
		return Amount{}, ErrTooLarge
	}
	return Amount{minor, c}, nil
}
