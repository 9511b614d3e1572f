// Package card holds card data as values that cannot be printed by accident
// (R20 to R22).
package card

// A PAN is a primary account number; nothing but [PAN.Expose] gives it.
type PAN struct{ digits func() string }

// ParsePAN reads 12 to 19 digits with a right Luhn check, with or without
// blanks and dashes. Its errors never quote the text.
func ParsePAN(s string) (PAN, error) { return PAN{}, nil }

// Expose gives the whole number, for the request that needs it.
func (p PAN) Expose() string { return "" }

// Masked is "•••• 4242".
func (p PAN) Masked() string { return "" }

// LastFour is the last four digits.
func (p PAN) LastFour() string { return "" }

// Brand is the scheme by its prefix: Visa, Mastercard, American Express,
// Verve, Discover, or "".
func (p PAN) Brand() string { return "" }

// A CVV is a card verification value of three or four digits.
type CVV struct{ digits func() string }

// ParseCVV reads three or four digits.
func ParseCVV(s string) (CVV, error) { return CVV{}, nil }

// Expose gives the value, for the request that needs it.
func (v CVV) Expose() string { return "" }

// An Expiry is the month a card expires in (2.4).
type Expiry struct{ Month, Year int }

// ParseExpiry reads MM/YY, MM/YYYY, MMYY.
func ParseExpiry(s string) (Expiry, error) { return Expiry{}, nil }

// String is "MM/YYYY".
func (e Expiry) String() string { return "" }
