package query

import (
	"math/big"
	"strings"

	"paydesk/api/text"
)

// A Decimal is an exact number as it was typed, without the commas between thousands: "-1234.50". The zero
// Decimal is 0.
type Decimal struct{ text string }

// Digits that a number may have before and after its point. No amount has more.
const (
	maxWhole    = 19
	maxFraction = 9
)

// ParseDecimal parses digits with a point and a sign, which both may be missing.
func ParseDecimal(s string) (d Decimal, ok bool) {
	digits, negative := strings.CutPrefix(s, "-")
	whole, fraction, point := strings.Cut(digits, ".")
	if !allDigits(whole) || point && !allDigits(fraction) {
		return Decimal{}, false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if len(whole) > maxWhole || len(fraction) > maxFraction {
		return Decimal{}, false
	}
	text := whole
	if point {
		text += "." + fraction
	}
	if negative && strings.Trim(text, "0.") != "" {
		text = "-" + text
	}
	return Decimal{text}, true
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// String is the number as it is typed.
func (d Decimal) String() string {
	if d.text == "" {
		return "0"
	}
	return d.text
}

// Grouped is the number for people: "1,234.50".
func (d Decimal) Grouped() string {
	whole, fraction, point := strings.Cut(d.String(), ".")
	if whole = text.Grouped(whole); point {
		whole += "." + fraction
	}
	return whole
}

// Cmp compares two numbers: -1, 0 or 1.
func (d Decimal) Cmp(o Decimal) int {
	a, _ := d.times(maxFraction)
	b, _ := o.times(maxFraction)
	return a.Cmp(b)
}

// next is the whole number after a whole number that is not negative.
func (d Decimal) next() Decimal {
	n, _ := d.times(0)
	return Decimal{n.Add(n, big.NewInt(1)).String()}
}

// times is the number in units of 10^-exponent, rounded down; whole is false where something was rounded.
func (d Decimal) times(exponent int) (n *big.Int, whole bool) {
	digits, fraction, _ := strings.Cut(d.String(), ".")
	n, _ = new(big.Int).SetString(digits+fraction, 10)
	shift := exponent - len(fraction)
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(shift, -shift))), nil)
	if shift >= 0 {
		return n.Mul(n, unit), true
	}
	rest := new(big.Int)
	n.DivMod(n, unit, rest) // Euclidean: down for negative numbers, too
	return n, rest.Sign() == 0
}

// A Range is a range of amounts in major units.
type Range struct{ span[Decimal] }

var least, most = big.NewInt(-1 << 63), big.NewInt(1<<63 - 1)

// Minor is the range in minor units of a currency with so many decimals, both ends included; any is false
// where no amount of such a currency is in it.
func (r Range) Minor(exponent int) (low, high int64, any bool) {
	from, to := least, most
	if r.Low.Set {
		n, whole := r.Low.At.times(exponent)
		if r.Low.Open || !whole {
			n.Add(n, big.NewInt(1))
		}
		from = n
	}
	if r.High.Set {
		n, whole := r.High.At.times(exponent)
		if r.High.Open && whole {
			n.Sub(n, big.NewInt(1))
		}
		to = n
	}
	if from.Cmp(to) > 0 || from.Cmp(most) > 0 || to.Cmp(least) < 0 {
		return 0, 0, false
	}
	if from.Cmp(least) < 0 {
		from = least
	}
	if to.Cmp(most) > 0 {
		to = most
	}
	return from.Int64(), to.Int64(), true
}
