package sandbox

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Amounts are whole hundredths: every currency a payment can be made in (NGN, GBP,
// CAD) has two decimals, and there is no float.

const (
	minAmount = 1_00             // facts page: at least 1.00
	maxAmount = 1_000_000_000_00 // a thousand million; far from overflow
)

// parseHundredths reads a JSON number in major units. The second result says what is
// wrong with it, without quoting it; "" when nothing is.
func parseHundredths(literal string) (int64, string) {
	if strings.ContainsAny(literal, "eE") {
		return 0, "must be written without an exponent"
	}
	if strings.HasPrefix(literal, "-") {
		return 0, "must not be negative"
	}
	whole, part, _ := strings.Cut(literal, ".")
	part = strings.TrimRight(part, "0")
	if len(part) > 2 {
		return 0, "must have at most 2 decimals"
	}
	n, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	if err != nil || n > maxAmount {
		return 0, "is too large"
	}
	return n, ""
}

// parseMinor reads a JSON number that counts hundredths.
func parseMinor(literal string) (int64, string) {
	if !isDigits(literal) {
		return 0, "must be a whole number of minor units"
	}
	n, err := strconv.ParseInt(literal, 10, 64)
	if err != nil || n > maxAmount {
		return 0, "is too large"
	}
	return n, ""
}

func formatMinor(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// formatMajor writes hundredths as a JSON number in major units: 1250 is 12.50.
func formatMajor(n int64) json.Number {
	cents := strconv.FormatInt(n%100, 10)
	if n%100 < 10 {
		cents = "0" + cents
	}
	return json.Number(strconv.FormatInt(n/100, 10) + "." + cents)
}

// fee is 1.5 % of an amount, rounded half up.
func fee(n int64) int64 { return (n*15 + 500) / 1000 }

// A currencyAmount is a currencyCode and an amount, as links, validation and status
// carry them (2.8, 2.9, 2.12).
type currencyAmount struct {
	CurrencyCode string      `json:"currencyCode"`
	Amount       json.Number `json:"amount"`
}

// parseTypedMajor reads an amount in major units as a person types it: digits, and a point
// with at most two more. The second result is as that of hundredths.
func parseTypedMajor(text string) (int64, string) {
	whole, part, pointed := strings.Cut(text, ".")
	if !isDigits(whole) || pointed && !isDigits(part) {
		return 0, "must be a number such as 12.50"
	}
	return parseHundredths(text)
}
