package money

import (
	"math/bits"
	"strconv"
	"strings"
)

// A Sum adds amounts of one currency exactly. It has 128 bits, so that no list is long enough to
// overflow it: 2^64 of the largest amounts fit. The zero Sum is 0 of an unknown currency.
type Sum struct {
	currency Currency
	high     int64
	low      uint64
}

// SumIn is 0 of a currency.
func SumIn(c Currency) Sum { return Sum{currency: c} }

// Currency returns the currency of the sum.
func (s Sum) Currency() Currency { return s.currency }

// Add adds a number of minor units of the sum's own currency.
func (s *Sum) Add(minor int64) {
	low, carry := bits.Add64(s.low, uint64(minor), 0)
	s.low, s.high = low, s.high+minor>>63+int64(carry)
}

// MinorText is the sum as an integer of minor units.
func (s Sum) MinorText() string {
	const group, digits = 10_000_000_000_000_000_000, 19 // the largest power of ten in 64 bits
	high, low, sign := uint64(s.high), s.low, ""
	if s.high < 0 {
		var borrow uint64
		low, borrow = bits.Sub64(0, low, 0)
		high, _ = bits.Sub64(0, high, borrow)
		sign = "-"
	}
	first, last := bits.Div64(high, low, group)
	if first == 0 {
		return sign + strconv.FormatUint(last, 10)
	}
	tail := strconv.FormatUint(last, 10)
	tail = strings.Repeat("0", digits-len(tail)) + tail
	if first < group {
		return sign + strconv.FormatUint(first, 10) + tail
	}
	middle := strconv.FormatUint(first%group, 10)
	return sign + strconv.FormatUint(first/group, 10) + strings.Repeat("0", digits-len(middle)) + middle + tail
}

// Major is the sum as a plain decimal in major units, as [Amount.Major].
func (s Sum) Major() string { return decimal(s.MinorText(), s.currency, false) }

// Grouped is the sum for people, without the currency, as [Amount.Grouped].
func (s Sum) Grouped() string { return decimal(s.MinorText(), s.currency, !s.currency.IsZero()) }

// String is the sum for people, as [Amount.String].
func (s Sum) String() string { return worded(s.MinorText(), s.currency) }

// Join adds a sum of the same currency, which the zero Sum takes on.
func (s *Sum) Join(o Sum) {
	if s.currency.IsZero() {
		s.currency = o.currency
	}
	low, carry := bits.Add64(s.low, o.low, 0)
	s.low, s.high = low, s.high+o.high+int64(carry)
}
