package api

import (
	"encoding/json"
	"strconv"
	"strings"

	"paydesk/api/money"
)

// A unit says what a number on the wire counts.
type unit uint8

const (
	majorUnits unit = iota // 12.5 for 12.50 GBP
	minorUnits             // 1250 for 12.50 GBP
)

// The unit of the amounts of each operation. This is the one place that decides it: change a line
// to the other unit, and everything follows.
//
// The sources contradict each other. The specification's list section (2.13) states that list
// amounts are integer minor units "and amounts sent in requests are also in subunits"; its other
// sections only require a number, and every public page and sample of those uses major units with
// decimals. The reading here: only the list uses minor units. If that is wrong, the first payment shows a difference by 10 to the exponent, which [Mismatch] names.
const (
	initiateAmount = majorUnits // 2.2 amount; 2.6 amount, fees
	linkAmount     = majorUnits // 2.8 amountInfo.amount
	validateAmount = majorUnits // 2.9 amount.amount
	statusAmount   = majorUnits // 2.12 amount.amount
	listAmount     = minorUnits // 2.13 amount
)

// encode writes a exactly: major units as a plain decimal without exponent and trailing zeros.
func (u unit) encode(a money.Amount) json.Number {
	if u == minorUnits {
		return json.Number(a.MinorText())
	}
	s := a.Major()
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return json.Number(s)
}

// parse reads a literal in c. It fails when c cannot represent it exactly.
func (u unit) parse(literal string, c money.Currency) (money.Amount, error) {
	if u == minorUnits {
		return money.FromMinor(literal, c)
	}
	return money.FromMajor(literal, c)
}

// An amountBody is an amount and its currency in a request (2.8, 2.9).
type amountBody struct {
	Currency string      `json:"currencyCode"`
	Amount   json.Number `json:"amount,omitempty"` // only a preview has none
}

func (u unit) body(a money.Amount) amountBody { return amountBody{a.Currency.Code(), u.encode(a)} }

// SentAs is the number that [Client.Initiate] sends for a: "1500" for 1,500.00 NGN. People compare
// it with the amount they mean.
func SentAs(a money.Amount) string { return initiateAmount.encode(a).String() }

// Mismatch describes how the amount that the service reports differs from the requested one. It
// names a factor of 10 to the exponent, the sign of a wrong unit. It is empty when they agree.
func Mismatch(requested, reported money.Amount) Text {
	switch {
	case requested == reported:
		return Text{}
	case reported.Currency.IsZero():
		return Clean("requested " + requested.String() + ", but the service reported an unknown currency")
	}
	words := "requested " + requested.String() + ", but the service reported " + reported.String()
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
