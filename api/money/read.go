package money

import (
	"strconv"
	"strings"
)

const (
	maxWhole    = 15 // digits before the point
	maxFraction = 6  // digits after the point
)

// Parse parses a decimal in major units as a person types it: "12", "12.5", "1,234.50" (thousands
// separated by commas), ignoring spaces around it. More decimals than the currency has are a
// [DecimalsError], a negative amount is [ErrNegative].
func Parse(s string, c Currency) (Amount, error) {
	if c.IsZero() {
		return Amount{}, ErrCurrency
	}
	s = strings.Trim(s, " \t\r\n")
	switch {
	case s == "":
		return Amount{}, ErrEmpty
	case s[0] == '-':
		return Amount{}, negative(s[1:], c)
	}
	s, err := ungroup(s)
	if err != nil {
		return Amount{}, err
	}
	whole, fraction, pointed := strings.Cut(s, ".")
	if !digits(whole) || pointed && !digits(fraction) || len(whole) > 1 && whole[0] == '0' {
		return Amount{}, ErrNumber
	}
	if len(fraction) > c.Exponent() {
		return Amount{}, &DecimalsError{c, len(fraction)}
	}
	return number{whole: whole, fraction: fraction}.amount(c, c.Exponent())
}

// negative is [ErrNegative] if rest is a valid amount, and [ErrNumber] otherwise.
func negative(rest string, c Currency) error {
	if rest != "" && rest[0] == '-' {
		return ErrNumber
	}
	if _, err := Parse(rest, c); err != nil {
		return ErrNumber
	}
	return ErrNegative
}

// ungroup removes the commas from a number if they separate thousands.
func ungroup(s string) (string, error) {
	whole, _, _ := strings.Cut(s, ".")
	if !strings.Contains(s, ",") {
		return s, nil
	}
	if strings.Trim(s, "0123456789,.") != "" {
		return "", ErrNumber
	}
	groups := strings.Split(whole, ",")
	if strings.Contains(s[len(whole):], ",") || len(groups[0]) < 1 || len(groups[0]) > 3 {
		return "", ErrComma
	}
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return "", ErrComma
		}
	}
	return strings.Join(groups, "") + s[len(whole):], nil
}

// FromMajor parses a JSON number literal in major units:
//
//	-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,6})?([eE][+-]?[0-9]{1,2})?
//
// It must be a whole number of minor units of c; "12.00" is one of JPY too.
func FromMajor(literal string, c Currency) (Amount, error) {
	if c.IsZero() {
		return Amount{}, ErrCurrency
	}
	n, err := scan(literal)
	if err != nil {
		return Amount{}, err
	}
	return n.amount(c, c.Exponent())
}

// FromMinor parses a JSON number literal in minor units, with the same grammar as [FromMajor]. The
// currency may be unknown.
func FromMinor(literal string, c Currency) (Amount, error) {
	n, err := scan(literal)
	if err != nil {
		return Amount{}, err
	}
	a, err := n.amount(c, 0)
	if _, fine := err.(*DecimalsError); fine {
		return Amount{}, ErrFraction
	}
	return a, err
}

// A number is a parsed decimal: whole.fraction × 10^power.
type number struct {
	negative        bool
	whole, fraction string
	power           int
}

// scan parses a JSON number literal by the grammar of [FromMajor].
func scan(s string) (n number, err error) {
	s, n.negative = strings.CutPrefix(s, "-")
	n.whole, s = leadingDigits(s)
	if n.whole == "" || len(n.whole) > 1 && n.whole[0] == '0' {
		return n, ErrNumber
	}
	if rest, ok := strings.CutPrefix(s, "."); ok {
		n.fraction, s = leadingDigits(rest)
		if n.fraction == "" || len(n.fraction) > maxFraction {
			return n, ErrNumber
		}
	}
	if s != "" {
		if n.power, err = power(s); err != nil {
			return n, err
		}
	}
	return n, nil
}

// power parses the exponent of a literal, which has at most two digits.
func power(s string) (int, error) {
	if s[0] != 'e' && s[0] != 'E' {
		return 0, ErrNumber
	}
	s, minus := strings.CutPrefix(s[1:], "-")
	if !minus {
		s, _ = strings.CutPrefix(s, "+")
	}
	if !digits(s) || len(s) > 2 {
		return 0, ErrNumber
	}
	p, _ := strconv.Atoi(s)
	if minus {
		p = -p
	}
	return p, nil
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
	if n.negative {
		all = "-" + all
	}
	minor, err := strconv.ParseInt(all, 10, 64)
	if err != nil {
		return Amount{}, ErrTooLarge
	}
	return Amount{minor, c}, nil
}

// digits reports whether s is one or more ASCII digits.
func digits(s string) bool {
	lead, rest := leadingDigits(s)
	return lead != "" && rest == ""
}

func leadingDigits(s string) (lead, rest string) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}
