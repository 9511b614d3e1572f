// Package money holds amounts as exact integers of a currency's minor unit.
// There is no float in it and no rounding (R30, R34).
package money

// A Currency is an ISO 4217 code whose exponent is known. The zero Currency is
// unknown.
type Currency struct{ code string }

// ParseCurrency reads a three-letter code, in any case. The error does not
// quote what was given.
func ParseCurrency(s string) (Currency, error) { return Currency{s}, nil }

// Code is the three letters, upper case.
func (c Currency) Code() string { return c.code }

// Exponent is the number of decimal digits of the minor unit: 2 for GBP.
func (c Currency) Exponent() int { return 2 }

// IsZero reports whether the currency is unknown.
func (c Currency) IsZero() bool { return c.code == "" }

// An Amount is a whole number of minor units of a currency.
type Amount struct {
	Minor    int64
	Currency Currency
}

// Parse reads a decimal in major units as a person types it: "12", "12.5",
// "1,234.50" (thousands by comma in groups of three). More digits than the
// currency has are refused.
func Parse(s string, c Currency) (Amount, error) { return Amount{}, nil }

// FromMajor reads a JSON number literal in major units (R30).
func FromMajor(literal string, c Currency) (Amount, error) { return Amount{}, nil }

// FromMinor reads a JSON number literal that counts minor units.
func FromMinor(literal string, c Currency) (Amount, error) { return Amount{}, nil }

// Major is the amount as a plain decimal in major units without grouping, as
// it is written on the wire: "12.50".
func (a Amount) Major() string { return "" }

// MinorText is the amount as an integer of minor units.
func (a Amount) MinorText() string { return "" }

// Format is the amount for people, without the code: "1,234.50".
func (a Amount) Grouped() string { return "" }

// String is the amount for people: "1,234.50 GBP".
func (a Amount) String() string { return "" }

// Add adds amounts of one currency; it errs on overflow and mixed currencies.
func (a Amount) Add(b Amount) (Amount, error) { return Amount{}, nil }
