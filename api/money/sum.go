package money

import "math/big"

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
