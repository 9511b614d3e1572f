package api

import (
	"strconv"
	"strings"

	"paydesk/api/money"
)

// The unit of the amounts of each operation. This is the one place that decides it: change a line
// to the other type, and everything follows.
//
// The sources contradict each other. The specification's list section (2.13) states that list
// amounts are integer minor units "and amounts sent in requests are also in subunits"; its other
// sections only require a number, and every public page and sample of those uses major units with
// decimals. The reading here: only the list uses minor units. If that
// is wrong, the first payment shows a difference by 10 to the exponent, which [Mismatch] names.
type (
	initiateAmount = wireMajor // 2.2 amount; 2.6 amount, fees
	linkAmount     = wireMajor // 2.8 amountInfo.amount
	validateAmount = wireMajor // 2.9 amount.amount
	statusAmount   = wireMajor // 2.12 amount.amount
	listAmount     = wireMinor // 2.13 amount
)

// wireMajor is a JSON number in major units: 12.5 for 12.50 GBP. It and [wireMinor] share no
// numeric type, so that one cannot be mistaken for the other.
type wireMajor struct{ literal string }

// of encodes a exactly, as a plain decimal without exponent and trailing zeros.
func (wireMajor) of(a money.Amount) wireMajor {
	s := a.Major()
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return wireMajor{s}
}

// read decodes a literal in c. It fails when c cannot represent it exactly.
func (wireMajor) read(literal string, c money.Currency) (money.Amount, error) {
	return money.FromMajor(literal, c)
}

// MarshalJSON writes the number.
func (w wireMajor) MarshalJSON() ([]byte, error) { return []byte(w.literal), nil }

// wireMinor is a JSON number in minor units: 1250 for 12.50 GBP.
type wireMinor struct{ literal string }

// of encodes a as an integer.
func (wireMinor) of(a money.Amount) wireMinor { return wireMinor{a.MinorText()} }

// read decodes a literal in c. It fails when the literal is not a whole number.
func (wireMinor) read(literal string, c money.Currency) (money.Amount, error) {
	return money.FromMinor(literal, c)
}

// MarshalJSON writes the number.
func (w wireMinor) MarshalJSON() ([]byte, error) { return []byte(w.literal), nil }

// SentAs is the number that [Client.Initiate] sends for a: "1500" for 1,500.00 NGN. People compare
// it with the amount they mean.
func SentAs(a money.Amount) string { return initiateAmount{}.of(a).literal }

// Mismatch describes how the amount that the service reports differs from the requested one. It
// names a factor of 10 to the exponent, the sign of a wrong unit. It is empty when they agree.
func Mismatch(requested, reported money.Amount) Text {
	switch {
	case requested == reported:
		return Text{}
	case reported.Currency.IsZero():
		return Clean("requested " + requested.String() + ", but the service reports an unknown currency")
	}
	words := "requested " + requested.String() + ", but the service reports " + reported.String()
	if requested.Currency != reported.Currency {
		return Clean(words + ": a different currency")
	}
	factor := int64(1)
	for range requested.Currency.Exponent() {
		factor *= 10
	}
	switch {
	case factor > 1 && isMultiple(requested.Minor, factor, reported.Minor):
		words += ": " + strconv.FormatInt(factor, 10) + " times too large"
	case factor > 1 && isMultiple(reported.Minor, factor, requested.Minor):
		words += ": " + strconv.FormatInt(factor, 10) + " times too small"
	}
	return Clean(words)
}

// isMultiple reports whether a·f is b, without multiplying, which could overflow.
func isMultiple(a, f, b int64) bool { return b != 0 && b%f == 0 && b/f == a }
